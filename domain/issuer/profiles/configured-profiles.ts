import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { backendOf, readReference } from '../../keys/key-reference.ts';
import type { SecurityProfile } from '../../oauth/authorization-policy.ts';
import { readAttributeSource, type SourceReading } from '../attributes/configured-source.ts';
import type { CredentialConfiguration } from '../credential-configuration.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import {
  checkSigner,
  type IssuanceProfile,
  type IssuanceProfiles,
  type ProfileAccess,
  type ProfileSigner,
  type WrittenProfile,
  type WrittenProfiles,
} from '../issuance-profile.ts';
import { readContent } from '../offers/issuance-request.ts';
import { statusListOf } from '../offers/status-list-member.ts';
import { readLoginClaims } from '../sessions/login-claims.ts';
import { defaultProfiles } from './default-profiles.ts';
import { contentMembers, PROFILE_PLACES } from './profile-content.ts';

/** What profiles are read for. */
interface ProfileOptions extends SourceReading {
  issuer: CredentialIssuer;
  /** What the issuer demands of all wallets. */
  securityProfile?: SecurityProfile;
  formats: CredentialFormats;
  /** Whether holders can log in at another server. */
  hasLoginServer?: boolean;
  /** Whether the certificates of the shared signer are for mdocs alone: the other formats have its key without them. */
  certifiesMdocsOnly?: boolean;
}

/** Stands for the DID of a key that is not known yet. */
const SOME_DID = 'did:jwk:e30';

/**
 * Reads the operator's profiles; without any there is one for each credential configuration.
 * @throws DomainError `BadRequest` naming the member that is wrong
 */
export function readProfiles(written: WrittenProfiles, options: ProfileOptions): IssuanceProfiles {
  const { defaultIssuerKey, defaultIssuerDid, defaultIssuerX5chain, profiles, typeProfiles = {} } = written;
  const bare = { issuerKey: defaultIssuerKey, issuerDid: defaultIssuerDid };
  const signerOf = ({ facts }: CredentialConfiguration): ProfileSigner =>
    options.certifiesMdocsOnly && facts.selector !== 'doc_type' ? bare : { ...bare, x5Chain: defaultIssuerX5chain };
  at(['defaultIssuerKey'], () => checkKey(defaultIssuerKey));
  const read = (member: string, entries: Record<string, WrittenProfile>): IssuanceProfile[] =>
    Object.entries(entries).map(([id, entry]) => at([member, id], () => readProfile({ id, entry, signerOf }, options)));
  const typed = read('typeProfiles', typeProfiles);
  const own = profiles ? read('profiles', profiles) : defaultProfiles(signerOf, configuredWithout(typed, options));
  return new Map([...own, ...typed].map((profile) => [profile.id, profile]));
}

/** What default profiles are made for: the configurations without a profile. */
function configuredWithout(profiles: readonly IssuanceProfile[], { issuer, securityProfile }: ProfileOptions) {
  const having = new Set(profiles.map(({ configuration }) => configuration.id));
  const configurations = new Map([...issuer.configurations].filter(([id]) => !having.has(id)));
  return { configurations, securityProfile, ownsKeys: issuer.keys !== undefined };
}

interface ProfileEntry {
  id: string;
  entry: WrittenProfile;
  /** The signer of profiles without a key. */
  signerOf(configuration: CredentialConfiguration): ProfileSigner;
}

function readProfile({ id, entry, signerOf }: ProfileEntry, options: ProfileOptions): IssuanceProfile {
  const { name, credentialConfigurationId, issuerKey, issuerDid, x5Chain, notifications, ...others } = entry;
  const {
    deferred: isDeferred = false,
    walletInitiated,
    authenticationMethod,
    securityProfile,
    typed,
    attributeSource,
    ...content
  } = others;
  const configuration = options.issuer.configurations.get(credentialConfigurationId);
  if (!configuration)
    throw invalidField(['credentialConfigurationId'], 'is not the id of a credential configuration of OpenID4VCI 1.0');
  at(['issuerKey'], () => checkKey(issuerKey));
  const shared = signerOf(configuration);
  const own = { issuerDid: issuerDid ?? shared.issuerDid, x5Chain: x5Chain ?? shared.x5Chain };
  const signer = issuerKey ? { issuerKey, issuerDid, x5Chain } : { issuerKey: shared.issuerKey, ...own };
  const access = readAccess(
    { walletInitiated, authenticationMethod, securityProfile },
    { ...options, takesClaims: (content.idTokenClaimsMapping ?? attributeSource?.keyClaim) !== undefined },
  );
  const { credentialData } = content;
  const context = { credentialData, walletInitiated, hasLogin: access.authenticationMethod === 'PWD' };
  const source =
    attributeSource && at(['attributeSource'], () => readAttributeSource(attributeSource, context, options));
  const profile = { id, name, configuration, signer, content, isDeferred, notifications, access, source, typed };
  checkSigner(profile, signer);
  checkContent(profile, options);
  const { idTokenClaimsMapping: claims } = content;
  if (claims) at(['idTokenClaimsMapping'], () => readLoginClaims(claims, credentialData));
  return profile;
}

/** A profile with claims of a login has a login where there is a server. */
function readAccess(
  { authenticationMethod: method, ...others }: ProfileAccess,
  { securityProfile, hasLoginServer, takesClaims }: ProfileOptions & { takesClaims: boolean },
): ProfileAccess {
  const access = { ...others, authenticationMethod: method ?? (takesClaims && hasLoginServer ? 'PWD' : undefined) };
  if (access.authenticationMethod === 'PWD' && !hasLoginServer)
    throw invalidField(['authenticationMethod'], 'PWD needs a server in authentication-service.conf');
  return securityProfile === 'HAIP' ? { ...access, securityProfile } : access;
}

/** Reads the content as an offer does, so that a profile without changes can always be offered. */
function checkContent(profile: IssuanceProfile, { issuer, formats }: ProfileOptions): void {
  const { issuerDid = SOME_DID, x5Chain } = profile.signer;
  const members = contentMembers(profile, profile.content);
  at(PROFILE_PLACES, () => {
    const content = readContent({ issuerKey: {}, issuerDid, x5Chain, ...members }, { issuer, formats });
    statusListOf(issuer, { member: members.statusList, content, format: profile.configuration.facts });
  });
}

function checkKey(key: ProfileSigner['issuerKey']): void {
  if (key === undefined || isText(key)) return;
  const { type, ...wire } = key;
  const backend = backendOf(String(type));
  if (!backend) throw invalidField(['type'], 'is not a key backend');
  readReference(backend, wire);
}

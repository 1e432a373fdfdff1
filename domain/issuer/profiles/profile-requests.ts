import { didJwk } from '../../dids/did-methods.ts';
import { at } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import {
  checkSigner,
  type IssuanceProfile,
  type Notifications,
  type ProfileContent,
  type ProfileSigner,
} from '../issuance-profile.ts';
import type { IssuanceRequest } from '../offers/issuance-request.ts';
import type { IssuerKeys } from '../onboarding/issuer-keys.ts';
import type { OwnKey } from '../sessions/issuable-content.ts';
import { typedChanges } from '../types/claim-values.ts';
import type { DemoSigner } from './demo-signer.ts';
import { contentMembers } from './profile-content.ts';

/** What one offer changes in its profile. */
export interface ProfileOverrides extends ProfileSigner, Partial<ProfileContent> {
  notifications?: Notifications;
  /** The public key that alone gets the credential. */
  expectedCredentialProofKeyJwk?: JsonObject;
}

/** Creates the issuance requests that profiles stand for. */
export class ProfileRequests {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      serverKeys: ServerKeys;
      issuerKeys: Pick<IssuerKeys, 'addOfProfile'>;
      demoSigner: DemoSigner;
    },
  ) {}

  /**
   * The request of a profile with the changes of an offer: `credentialData` is merged member by member, all others are
   * replaced. The key of the profile itself is published before it signs. @throws DomainError as `KeyBackends.read` and `OwnKeys`
   */
  async create(
    issuer: CredentialIssuer,
    profile: IssuanceProfile,
    { notifications: _, expectedCredentialProofKeyJwk: __, ...changes }: ProfileOverrides,
  ): Promise<IssuanceRequest> {
    const { issuerKey, issuerDid, x5Chain, credentialData, ...replaced } = changes;
    const own = { issuerDid: issuerDid ?? profile.signer.issuerDid, x5Chain: x5Chain ?? profile.signer.x5Chain };
    const signer = issuerKey ? { issuerKey, issuerDid, x5Chain } : { issuerKey: profile.signer.issuerKey, ...own };
    checkSigner(profile, signer);
    const values = { credentialData, ...at(['credentialData'], () => changesOf(profile, credentialData)) };
    const data = merged(profile.content.credentialData, values.credentialData ?? {});
    const content = { ...withoutOther(profile.content, replaced), ...values, ...replaced, credentialData: data };
    const { written, ownKey, issuerDid: ownDid } = await this.#key(issuer, profile, signer);
    const { publicJwk } = await at(['issuerKey'], () => this.parts.keys.read(written));
    if (!issuerKey) await this.parts.issuerKeys.addOfProfile(issuer, publicJwk);
    const did = ownDid ?? (this.#needsDid(profile, signer) ? didJwk(publicJwk) : undefined);
    const isDemo = profile.hasDemoSigner && !issuerKey && !own.x5Chain;
    const { x5Chain: demo } = isDemo ? await this.parts.demoSigner.certificates() : {};
    const named = { ...signer, issuerKey: written, ownKey, issuerDid: did, ...(demo && { x5Chain: demo }) };
    return { ...named, ...contentMembers(profile, content) };
  }

  async #key(
    { keys: own }: CredentialIssuer,
    profile: IssuanceProfile,
    signer: ProfileSigner,
  ): Promise<{ written: JsonObject; ownKey?: OwnKey; issuerDid?: string }> {
    const { keys, serverKeys } = this.parts;
    const { issuerKey, issuerDid } = signer;
    if (isObject(issuerKey)) return { written: issuerKey, issuerDid };
    if (!own) return { written: keys.write(await serverKeys.reference('profiles')), issuerDid };
    const named = await own.identified({ issuerKey, issuerDid }, this.#needsDid(profile, signer));
    const { issuerKey: name, issuerDid: did, isOfKey } = named;
    return {
      written: keys.write(await own.reference(name)),
      ownKey: { name, ...(isOfKey && { did }) },
      issuerDid: did,
    };
  }

  /** A W3C credential always has a DID for its issuer, an SD-JWT VC when there is no certificate, an mdoc never. */
  #needsDid({ configuration }: IssuanceProfile, { x5Chain }: ProfileSigner): boolean {
    const { selector } = configuration.facts;
    return selector === 'type' || (selector === 'vct' && !x5Chain);
  }
}

/** What the values of an offer of a type are in the format of the profile. @throws DomainError `BadRequest` naming the value */
const changesOf = ({ typed }: IssuanceProfile, values: JsonObject = {}): Partial<ProfileContent> =>
  typed ? typedChanges(typed, values) : {};

/** A credential has a status of its own or an entry of a list: an offer that has one replaces the other. */
function withoutOther(
  { credentialStatus, statusList, ...content }: ProfileContent,
  changes: Partial<ProfileContent>,
): ProfileContent {
  if (changes.credentialStatus !== undefined) return { ...content, credentialStatus };
  if (changes.statusList !== undefined) return { ...content, statusList };
  return { ...content, credentialStatus, statusList };
}

/** Objects are merged, everything else is replaced. Built from entries, so that no name can reach a prototype. */
function merged(value: JsonObject, changes: JsonObject): JsonObject {
  const entries = Object.entries(changes).map(([name, change]): [string, unknown] => {
    const known = Object.hasOwn(value, name) ? value[name] : undefined;
    return [name, isObject(known) && isObject(change) ? merged(known, change) : change];
  });
  return Object.fromEntries([...Object.entries(value), ...entries]);
}

import type { Certificates } from '../../../ports/certificates.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { StatusListMember } from '../../credentials/formats/status-list-kinds.ts';
import { base64 } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { TrustedAttesters } from '../../oauth/attesters.ts';
import { type AuthorizationPolicy, POLICIES } from '../../oauth/authorization-policy.ts';
import { readCertificate } from '../../x509/certificate-chain.ts';
import { derOfPem } from '../../x509/pem.ts';
import { withoutAnchor } from '../../x509/signing-chain.ts';
import type { SourceReading } from '../attributes/configured-source.ts';
import { type ConfigurationEntry, readConfigurations } from '../configurations/configurations.ts';
import { readsAttestations } from '../configurations/proof-types.ts';
import type { CredentialConfigurations } from '../credential-configuration.ts';
import type { CredentialIssuer, OwnKeys } from '../credential-issuer.ts';
import type { PublishedImage } from '../credential-type.ts';
import type { WrittenProfiles } from '../issuance-profile.ts';
import { withStatusLists } from '../offers/status-list-member.ts';
import { readAttesters, type WrittenAttester } from '../onboarding/configured-attesters.ts';
import { readIssuerIdentities, type WrittenIdentity } from '../onboarding/issuer-identities.ts';
import { namesIssuer } from '../onboarding/issuer-names.ts';
import { type ClientAuthentication, readClients, type WrittenClients } from './client-authentication.ts';
import { readProfiles } from './configured-profiles.ts';

/** An issuer as it is written: the members of credential-issuer-metadata.conf and issuer2-profiles.conf. */
export interface WrittenIssuer extends WrittenProfiles, WrittenClients {
  issuerDisplay: JsonObject[];
  /** A list of W3C types, a `vct` or document type, or a whole credential configuration. */
  supportedCredentialTypes: Record<string, ConfigurationEntry>;
  /** Configured issuers beside the onboarded ones; `jwk` is public. */
  issuers: WrittenIdentity[];
  /** Whose attestations of keys it believes. */
  keyAttesters: WrittenAttester[];
  /** Whether authorization requests are pushed (RFC 9126), beyond what the security profile demands. */
  requirePushedAuthorizationRequests?: boolean;
  /** The most keys of one credential request. */
  batchSize: number;
  /** What others state about the issuer. */
  issuerInfo: { format: string; data: string }[];
  /** The status lists of credentials, by the ids of their configurations. */
  statusLists: Record<string, StatusListMember>;
  /** The certificates of the key that signs its metadata, in PEM, that of the key first. */
  metadataX5chain?: string[];
  /** The images of its credential types. */
  images?: PublishedImage[];
}

/** Which issuer is written. */
interface IssuerIdentification
  extends Pick<CredentialIssuer, 'id' | 'target' | 'service' | 'identifier' | 'metadataSigner'> {
  keys?: OwnKeys;
  /** The keys of client attesters of its tenant. */
  recorded?: TrustedAttesters['recorded'];
}

export interface ConfiguredIssuerParts extends SourceReading {
  formats: CredentialFormats;
  /** Whether holders can log in at another server. */
  hasLoginServer: boolean;
}

/** Reads an issuer of OpenID4VCI 1.0 with its profiles. @throws DomainError `BadRequest` naming the member that is wrong */
export function configuredIssuer(
  written: WrittenIssuer,
  { recorded, ...place }: IssuerIdentification,
  { formats, hasLoginServer, ...reading }: ConfiguredIssuerParts,
): CredentialIssuer {
  const { certificates } = reading;
  const clients = readClients(written, { certificates, recorded });
  const keyAttesters = at(['keyAttesters'], () => readAttesters(written.keyAttesters, certificates));
  const issuer: CredentialIssuer = {
    ...place,
    version: 'v1',
    policy: policyOf(written, clients),
    attesters: clients.attesters,
    keyAttesters,
    batchSize: written.batchSize,
    metadataX5c: at(['metadataX5chain'], () => metadataX5cOf(written.metadataX5chain, certificates)),
    info: written.issuerInfo,
    images: written.images,
    configurations: configurationsOf(written, { formats, identifier: place.identifier, keyAttesters }),
    display: written.issuerDisplay,
    identities: at(['issuers'], () => readIssuerIdentities(written.issuers)),
  };
  const { securityProfile } = written;
  const certifiesMdocsOnly = isForMdocsOnly(written.defaultIssuerX5chain, certificates);
  const options = { ...reading, issuer, formats, securityProfile, hasLoginServer, certifiesMdocsOnly };
  return { ...issuer, profiles: readProfiles(written, options) };
}

/** Wallets have the trust anchor, and believe no certificate that made itself (HAIP 1.0 §4.1). */
function metadataX5cOf(pems: readonly string[] | undefined, certificates: Certificates): string[] | undefined {
  const chain = pems?.map((pem, index) => at([index], () => readCertificate(pem, certificates)));
  return chain && withoutAnchor(chain, certificates).map(({ der }) => base64(der));
}

/** Whether the certificate of the shared signer names neither a URL nor a host, as that of a document signer (ISO 18013-5 Annex B). */
function isForMdocsOnly([pem]: readonly string[] = [], certificates: Certificates): boolean {
  const der = pem === undefined ? undefined : derOfPem(pem);
  return der !== undefined && !namesIssuer(at(['defaultIssuerX5chain', 0], () => certificates.parse(der)));
}

/** What the issuer demands; the nonces of DPoP proofs for all clients when one of its profiles does. */
function policyOf(
  { securityProfile, profiles, typeProfiles, requirePushedAuthorizationRequests: isPushed }: WrittenIssuer,
  { attesters, demands }: ClientAuthentication,
): AuthorizationPolicy {
  const isHaip = [{ securityProfile }, ...Object.values({ ...profiles, ...typeProfiles })].some(
    (one) => one.securityProfile === 'HAIP',
  );
  if (isHaip && !attesters) throw invalidField(['clientAttesters'], 'is required by the security profile HAIP');
  const pushing = isPushed ? { requiresPar: true } : {};
  return { ...POLICIES[securityProfile], ...pushing, requiresDpopNonce: isHaip, ...demands };
}

function configurationsOf(
  { supportedCredentialTypes, statusLists }: WrittenIssuer,
  { keyAttesters, ...options }: { formats: CredentialFormats; identifier: string; keyAttesters?: TrustedAttesters },
): CredentialConfigurations {
  const configurations = at(['supportedCredentialTypes'], () =>
    readConfigurations(supportedCredentialTypes, { ...options, version: 'v1' }),
  );
  const needing = keyAttesters ? undefined : [...configurations.values()].find(readsAttestations);
  if (needing) throw invalidField(['keyAttesters'], `is required by supportedCredentialTypes.${needing.id}`);
  return at(['statusLists'], () => withStatusLists(configurations, statusLists));
}

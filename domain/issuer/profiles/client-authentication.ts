import type { Certificates } from '../../../ports/certificates.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { TrustedAttesters } from '../../oauth/attesters.ts';
import type { AuthorizationPolicy, SecurityProfile } from '../../oauth/authorization-policy.ts';
import { readCertificate } from '../../x509/certificate-chain.ts';
import { readAttesterKey, readAttesters, type WrittenAttester } from '../onboarding/configured-attesters.ts';

/** How attestations are verified, in the words of the reference implementation. */
type WrittenMethod =
  | { type: 'static-jwk'; jwk: JsonObject }
  | { type: 'x509-chain'; trustedRootCertificatesPem: string[] }
  | { type: 'key-reference'; reference: string };

interface WrittenVerification {
  verificationMethod?: WrittenMethod;
  clockSkewSeconds?: number;
  /** How old a proof of possession may be. */
  replayWindowSeconds?: number;
}

/** Whose attestations of clients an issuer believes, as it is written: in one of three ways. */
export interface WrittenClients {
  securityProfile: SecurityProfile;
  clientAttesters: WrittenAttester[];
  /** Since release 1.0 of the reference implementation. */
  clientAuthenticationConfig?: {
    supportedMethods: { type: 'preauth-anonymous' | 'client-attestation'; config?: WrittenVerification }[];
  };
  /** In its release 0.21; an attestation is demanded unless `required` is false. */
  clientAttestationConfig?: WrittenVerification & { required?: boolean };
}

/** Whose attestations of clients an issuer believes, and what it demands beyond its security profile. */
export interface ClientAuthentication {
  attesters?: TrustedAttesters;
  demands: Partial<AuthorizationPolicy>;
}

type Recorded = TrustedAttesters['recorded'];

/** A verification with its position; undefined where attestations are not verified. */
interface PlacedVerification {
  written: WrittenVerification;
  path: FieldPath;
  demands: Partial<AuthorizationPolicy>;
}

/**
 * Reads whose attestations of clients an issuer believes: the configured ones, and those that are `recorded`.
 * @throws DomainError `BadRequest` naming the member that is wrong
 */
export function readClients(
  written: WrittenClients,
  { certificates, recorded }: { certificates: Certificates; recorded?: Recorded },
): ClientAuthentication {
  refuseSeveral(written);
  const verification = verificationOf(written);
  if (verification) {
    const { path, demands } = verification;
    return { demands, attesters: at(path, () => attestersOf(verification.written, { certificates, recorded })) };
  }
  const configured = at(['clientAttesters'], () => readAttesters(written.clientAttesters, certificates));
  const attesters = recorded ? { keys: [], anchors: [], ...configured, recorded } : configured;
  return { attesters, demands: {} };
}

/** The key that a configuration names as the one of an attester, with its position. */
export function referencedKey(written: WrittenClients): { target: string; path: FieldPath } | undefined {
  const { written: { verificationMethod: method } = {}, path = [] } = verificationOf(written) ?? {};
  return method?.type === 'key-reference'
    ? { target: method.reference, path: [...path, 'verificationMethod', 'reference'] }
    : undefined;
}

const WAYS = ['clientAttesters', 'clientAuthenticationConfig', 'clientAttestationConfig'] as const;

function refuseSeveral(written: WrittenClients): void {
  const stated = WAYS.filter((name) => (name === 'clientAttesters' ? written[name].length > 0 : written[name]));
  const [first, other] = stated;
  if (other !== undefined) throw invalidField([other], `says the same as ${first}: leave one of them out`);
}

function verificationOf(written: WrittenClients): PlacedVerification | undefined {
  const { clientAuthenticationConfig, clientAttestationConfig, securityProfile } = written;
  if (clientAuthenticationConfig)
    return at(['clientAuthenticationConfig', 'supportedMethods'], () =>
      ofMethods(clientAuthenticationConfig.supportedMethods, securityProfile),
    );
  if (!clientAttestationConfig) return undefined;
  const { required: requiresAttestation = true, ...verification } = clientAttestationConfig;
  if (!requiresAttestation && securityProfile === 'HAIP')
    throw invalidField(['clientAttestationConfig', 'required'], 'must be true: the security profile HAIP requires it');
  return { written: verification, path: ['clientAttestationConfig'], demands: { requiresAttestation } };
}

function ofMethods(
  methods: NonNullable<WrittenClients['clientAuthenticationConfig']>['supportedMethods'],
  securityProfile: SecurityProfile,
): PlacedVerification | undefined {
  const second = methods.findIndex(({ type }, index) => methods.findIndex((one) => one.type === type) < index);
  if (second >= 0) throw invalidField([second, 'type'], 'is there already: each method may be named once');
  const anonymous = methods.findIndex(({ type }) => type === 'preauth-anonymous');
  if (anonymous >= 0 && securityProfile === 'HAIP')
    throw invalidField([anonymous, 'type'], 'is not possible with the security profile HAIP');
  const index = methods.findIndex(({ type }) => type === 'client-attestation');
  if (index < 0) return undefined;
  const demands = { requiresAttestation: true, acceptsAnonymousPreAuthorized: anonymous >= 0 };
  const path = ['clientAuthenticationConfig', 'supportedMethods', index, 'config'];
  return { written: methods[index]?.config ?? {}, path, demands };
}

function attestersOf(
  { verificationMethod: method, clockSkewSeconds, replayWindowSeconds }: WrittenVerification,
  { certificates, recorded }: { certificates: Certificates; recorded?: Recorded },
): TrustedAttesters {
  if (!method && !recorded)
    throw invalidField(['verificationMethod'], 'is required without a client-attester among the dependencies');
  return {
    keys: method?.type === 'static-jwk' ? [at(['verificationMethod', 'jwk'], () => readAttesterKey(method.jwk))] : [],
    anchors: method?.type === 'x509-chain' ? anchorsOf(method.trustedRootCertificatesPem, certificates) : [],
    recorded,
    ...(clockSkewSeconds !== undefined && { skewMs: clockSkewSeconds * 1000 }),
    ...(replayWindowSeconds !== undefined && { proofMaxAgeMs: replayWindowSeconds * 1000 }),
  };
}

const anchorsOf = (pems: readonly string[], certificates: Certificates) =>
  pems.map((pem, index) =>
    at(['verificationMethod', 'trustedRootCertificatesPem', index], () => readCertificate(pem, certificates)),
  );

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigurationProblem } from '../../adapters/config/errors.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { nodePemKeys } from '../../adapters/crypto/pem-keys.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import type { JsonObject } from '../../domain/foundation/json.ts';
import { readPublicJwk } from '../../domain/jose/jwk.ts';
import { checkChain } from '../../domain/verifier/requests/request-signing.ts';
import { readCertificate } from '../../domain/x509/certificate-chain.ts';

const FILE = 'verifier-service.conf';
const MAX_PEM_BYTES = 256 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

type Fields = keyof Settings['verifier'];

/** A problem of one field, to be reported with its file. */
class FieldProblem extends Error {
  readonly problem: ConfigurationProblem;

  constructor(field: Fields, message: string) {
    super(`${FILE}: ${field} ${message}`);
    this.problem = { file: FILE, field, message };
  }
}

/** The request signing key of the operator. */
interface ConfiguredRequestKey {
  /** Its key reference object (interface: Issuer key reference object); a secret. */
  reference: JsonObject & { type: string };
  /** Its certificates as PEM, leaf first; may be empty. */
  certificates: readonly string[];
}

/** The name in the verifier's certificate. */
export const sanDnsOf = ({ verifier, publicUrl }: Pick<Settings, 'verifier' | 'publicUrl'>): string =>
  verifier.x509SanDnsClientId ?? new URL(publicUrl).hostname;

/** What is wrong with the configured request signing key; reads its files. */
export function requestKeyProblems(settings: Settings): ConfigurationProblem[] {
  try {
    requestKeyOf(settings);
    return [];
  } catch (error) {
    if (error instanceof FieldProblem) return [error.problem];
    throw error;
  }
}

/** Reads the request signing key of the operator, if there is one. @throws Error naming the field that is wrong */
export function requestKeyOf(settings: Settings): ConfiguredRequestKey | undefined {
  const { requestSigningKeyFile, requestSigningCertFile, requestSigningKey } = settings.verifier;
  if (requestSigningKeyFile !== undefined && requestSigningKey !== undefined)
    throw new FieldProblem('requestSigningKey', 'stands beside requestSigningKeyFile; keep one of them');
  const reference = requestSigningKey ?? (requestSigningKeyFile === undefined ? undefined : keyOf(settings));
  if (!reference) {
    if (requestSigningCertFile === undefined) return undefined;
    throw new FieldProblem('requestSigningCertFile', 'needs requestSigningKeyFile or requestSigningKey');
  }
  const text = requestSigningCertFile === undefined ? '' : textOf(settings, 'requestSigningCertFile');
  const certificates = text.match(CERTIFICATE) ?? [];
  if (requestSigningCertFile !== undefined) checkCertificates(certificates, { settings, jwk: reference.jwk });
  return { reference, certificates };
}

function textOf({ configDir, verifier }: Settings, field: 'requestSigningKeyFile' | 'requestSigningCertFile'): string {
  try {
    const bytes = readFileSync(resolve(configDir, verifier[field] ?? ''));
    if (bytes.length > MAX_PEM_BYTES) throw new FieldProblem(field, `names a file over ${MAX_PEM_BYTES} bytes`);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof FieldProblem) throw error;
    throw new FieldProblem(field, `names a file that cannot be read (${codeOf(error)})`);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';

function keyOf(settings: Settings): ConfiguredRequestKey['reference'] {
  const text = textOf(settings, 'requestSigningKeyFile');
  return reading('requestSigningKeyFile', () => ({ type: 'jwk', jwk: nodePemKeys.parse(text.trim()) }));
}

/** A key in a key management service is compared with its certificate when it is first used. */
function checkCertificates(pems: readonly string[], { settings, jwk }: { settings: Settings; jwk: unknown }): void {
  const field = 'requestSigningCertFile';
  const certificates = new NodeCertificates();
  const [leaf] = reading(field, () => pems.slice(0, 1).map((pem) => readCertificate(pem, certificates)));
  if (!leaf?.publicKey.jwk) throw new FieldProblem(field, 'holds no certificate in PEM form');
  const publicJwk = jwk === undefined ? leaf.publicKey.jwk : reading('requestSigningKeyFile', () => readPublicJwk(jwk));
  reading(field, () => checkChain(pems, { certificates, jwk: publicJwk, keyName: 'the request signing key' }));
  const name = sanDnsOf(settings).toLowerCase();
  const isNamed = leaf.subjectAltNames.some((alt) => alt.type === 'dns' && alt.value.toLowerCase() === name);
  if (!isNamed) throw new FieldProblem(field, `begins with a certificate that has not the DNS name of the verifier`);
}

function reading<T>(field: Fields, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDomainError(error)) throw error;
    throw new FieldProblem(field, error.details?.map(({ message }) => message).join('; ') ?? error.message);
  }
}

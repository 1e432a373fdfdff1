import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { invalidField, isDomainError } from '../foundation/errors.ts';
import { isSameKey } from '../jose/jwk.ts';
import { derOfPem } from './pem.ts';

/** What the certificates of a key are checked with. */
export interface KeyChainOptions {
  certificates: Pick<Certificates, 'signedBy'>;
  jwk: PublicJwk;
  /** How errors name the key. */
  keyName: string;
}

/**
 * Checks the certificates of a key in the order of RFC 7515 §4.1.6: the first one is for the key, each other one certifies
 * the one before. @throws DomainError `BadRequest` naming the certificate
 */
export function checkKeyChain(
  chain: readonly ParsedCertificate[],
  { certificates, jwk, keyName }: KeyChainOptions,
): void {
  const key = chain[0]?.publicKey.jwk;
  if (!key || !isSameKey(key, jwk)) throw invalidField([0], `holds another key than ${keyName}`);
  for (const [index, certificate] of chain.entries()) {
    const before = chain[index - 1];
    if (before && !certificates.signedBy(before, certificate))
      throw invalidField([index], 'does not certify the certificate before it');
  }
}

/** Parses one certificate. @throws DomainError `BadRequest` */
export function parseCertificate(der: Uint8Array, certificates: Pick<Certificates, 'parse'>): ParsedCertificate {
  try {
    return certificates.parse(der);
  } catch (error) {
    throw isDomainError(error) ? invalidField([], error.message) : error;
  }
}

/** Parses a PEM certificate. @throws DomainError `BadRequest` */
export function readCertificate(pem: string, certificates: Pick<Certificates, 'parse'>): ParsedCertificate {
  const der = derOfPem(pem);
  if (!der) throw invalidField([], 'must be one certificate as PEM');
  return parseCertificate(der, certificates);
}

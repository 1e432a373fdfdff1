import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { at, invalidField, isDomainError } from '../foundation/errors.ts';
import { isSameKey } from '../jose/jwk.ts';
import { derOfPem } from './pem.ts';

/** What a chain is verified with. */
export interface ChainOptions {
  certificates: Certificates;
  /** The key that will sign. */
  jwk: PublicJwk;
  /** How the caller names that key. */
  keyName: string;
}

/**
 * Parses PEM certificates, leaf first, in the order of RFC 7515 §4.1.6: the first one is for the signing key, each other
 * one certifies the one before. @throws DomainError `BadRequest` naming the certificate
 */
export function readChain(pems: readonly string[], { certificates, jwk, keyName }: ChainOptions): ParsedCertificate[] {
  const chain = pems.map((pem, index) => at([index], () => readCertificate(pem, certificates)));
  const key = chain[0]?.publicKey.jwk;
  if (!key || !isSameKey(key, jwk)) throw invalidField([0], `holds another key than ${keyName}`);
  for (const [index, certificate] of chain.entries()) {
    const before = chain[index - 1];
    if (before && !certificates.signedBy(before, certificate))
      throw invalidField([index], 'does not certify the certificate before it');
  }
  return chain;
}

/** Parses a PEM certificate. @throws DomainError `BadRequest` */
export function readCertificate(pem: string, certificates: Certificates): ParsedCertificate {
  const der = derOfPem(pem);
  if (!der) throw invalidField([], 'must be one certificate as PEM');
  try {
    return certificates.parse(der);
  } catch (error) {
    throw isDomainError(error) ? invalidField([], error.message) : error;
  }
}

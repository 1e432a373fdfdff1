import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { base64, fromBase64 } from '../foundation/bytes.ts';
import { invalidField, isDomainError } from '../foundation/errors.ts';
import { isSameKey } from '../jose/jwk.ts';

/** What a chain is read with. */
export interface ChainOptions {
  certificates: Certificates;
  /** The key that will sign. */
  jwk: PublicJwk;
  /** JSON Pointer of the chain in the request. */
  path: string;
}

/**
 * Certificates as PEM, leaf first, to the `x5c` of a JWS (RFC 7515 §4.1.6): the first holds the signing key, each
 * other one certifies the one before. @throws DomainError `BadRequest` naming the certificate
 */
export function readChain(pems: string[], { certificates, jwk, path }: ChainOptions): string[] {
  const chain = pems.map((pem, index) => readCertificate(pem, certificates, `${path}/${index}`));
  const key = chain[0]?.publicKey.jwk;
  if (!key || !isSameKey(key, jwk)) throw invalidField(`${path}/0`, 'holds another key than issuerKey');
  for (const [index, certificate] of chain.entries()) {
    const before = chain[index - 1];
    if (before && !certificates.signedBy(before, certificate))
      throw invalidField(`${path}/${index}`, 'does not certify the certificate before it');
  }
  return chain.map(({ der }) => base64(der));
}

function readCertificate(pem: string, certificates: Certificates, path: string): ParsedCertificate {
  const body = /^-----BEGIN CERTIFICATE-----\s([A-Za-z0-9+/=\s]+)\s-----END CERTIFICATE-----$/.exec(pem.trim())?.[1];
  const der = fromBase64(body?.replaceAll(/\s/g, '') ?? '');
  if (!der?.length) throw invalidField(path, 'must be one certificate as PEM');
  try {
    return certificates.parse(der);
  } catch (error) {
    throw isDomainError(error) ? invalidField(path, error.message) : error;
  }
}

import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { at } from '../../foundation/errors.ts';
import { checkKeyChain, readCertificate } from '../../x509/key-chain.ts';

/** What a chain is verified with. */
export interface ChainOptions {
  certificates: Certificates;
  /** The key that will sign. */
  jwk: PublicJwk;
}

/** Parses the PEM certificates of an issuer's key, leaf first. @throws DomainError `BadRequest` naming the certificate */
export function readChain(pems: string[], { certificates, jwk }: ChainOptions): ParsedCertificate[] {
  const chain = pems.map((pem, index) => at([index], () => readCertificate(pem, certificates)));
  checkKeyChain(chain, { certificates, jwk, keyName: 'issuerKey' });
  return chain;
}

import { base64 } from '../../../domain/foundation/bytes.ts';
import { at, DomainError, invalidField } from '../../../domain/foundation/errors.ts';
import { isSameKey } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import { withoutAnchor } from '../../../domain/x509/signing-chain.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { CredentialContent } from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { coseAlgorithm } from './cose.ts';

const MAX_CERTIFICATES = 10;

/** Parses certificates in DER, leaf first. @throws DomainError `BadRequest` */
export function parseChain(ders: readonly Uint8Array[], certificates: Certificates): ParsedCertificate[] {
  if (ders.length > MAX_CERTIFICATES)
    throw new DomainError('BadRequest', `A chain may have at most ${MAX_CERTIFICATES} certificates`);
  return ders.map((der) => certificates.parse(der));
}

/** What an mdoc is signed with: its document signer certificate, the `x5chain` and the COSE algorithm. */
interface DocumentSigner {
  leaf: ParsedCertificate;
  chain: Uint8Array[];
  algorithm: number;
}

/**
 * Checks that the key can sign mdocs and that the chain begins with its certificate, which an authority has signed.
 * Verifiers have the anchor, so it is left out (ISO 18013-5 §9.1.2.4).
 * @throws DomainError `BadRequest`
 */
export function documentSigner(
  { x5c = [], issuedAt }: CredentialContent,
  signer: Signer,
  certificates: Certificates,
): DocumentSigner {
  const algorithm = coseAlgorithm(KEY_TYPES[signer.keyType].alg);
  if (algorithm === undefined)
    throw new DomainError(
      'BadRequest',
      `An mdoc cannot be signed with an issuer key of the type ${signer.keyType}, only with secp256r1, secp384r1, secp521r1 or Ed25519`,
    );
  const chain = at(['x5c'], () => parseChain(x5c.map(derOf), certificates));
  const [leaf] = chain;
  if (!leaf) throw invalidField(['x5c'], 'is required: an mdoc names its issuer by certificates');
  if (!leaf.publicKey.jwk || !isSameKey(leaf.publicKey.jwk, signer.publicJwk))
    throw invalidField(['x5c', 0], 'holds another key than the issuer key');
  if (issuedAt < leaf.notBefore || issuedAt > leaf.notAfter)
    throw invalidField(['x5c', 0], 'is not valid now, so nothing can be issued with it');
  const shown = at(['x5c'], () => withoutAnchor(chain, certificates));
  return { leaf, chain: shown.map(({ der }) => der), algorithm };
}

const derOf = (text: string, index: number): Uint8Array => {
  const der = Buffer.from(text, 'base64');
  if (base64(der) !== text) throw invalidField([index], 'must be one certificate, DER in base64');
  return der;
};

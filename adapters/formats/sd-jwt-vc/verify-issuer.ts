import type { ParsedSdJwt } from '../../../domain/credentials/sd-jwt.ts';
import { isText } from '../../../domain/foundation/json.ts';
import { verifyJws } from '../../../domain/jose/jws.ts';
import { checkPublishedSigner, checkSigner, type SignedToken } from '../../../domain/jose/signer-keys.ts';
import { httpUrl } from '../../../domain/network/urls.ts';
import type { ParsedCertificate } from '../../../ports/certificates.ts';
import type { KeySources, SignatureCheck } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';

/** A signature of an issuer and where its keys are found. */
interface IssuerSignature {
  sdJwt: Pick<ParsedSdJwt, 'header' | 'claims' | 'signingInput' | 'signature'>;
  /** The first certificate of `x5c`. */
  leaf: ParsedCertificate | undefined;
  keys: KeySources;
  signatures: Signatures;
}

/**
 * Checks the signature of the issuer (SD-JWT VC §3.5): a DID must list the key, a certificate must hold it and name the
 * URL in `iss`, and a URL alone must publish it. A credential with a DID and certificates must satisfy both.
 */
export async function verifyIssuer({ sdJwt, leaf, keys, signatures }: IssuerSignature): Promise<SignatureCheck> {
  const { header, claims } = sdJwt;
  const iss = isText(claims.iss) ? claims.iss : undefined;
  const verify: SignedToken['verify'] = (jwk) => verifyJws(sdJwt, jwk, signatures);
  if (iss?.startsWith('did:')) {
    const check = await checkSigner({ kid: header.kid, signer: iss, purpose: 'assertionMethod', verify }, keys.dids);
    if (!check.valid || !leaf) return check;
  }
  if (leaf) return verifyByCertificate(leaf, iss, verify);
  if (iss === undefined || !httpUrl(iss)) return { valid: false, refusal: 'no-signer' };
  return checkPublishedSigner({ kid: header.kid, verify }, await keys.issuers.keys(iss));
}

async function verifyByCertificate(
  leaf: ParsedCertificate,
  iss: string | undefined,
  verify: SignedToken['verify'],
): Promise<SignatureCheck> {
  const { jwk } = leaf.publicKey;
  if (!jwk || (iss !== undefined && !iss.startsWith('did:') && !namesIssuer(leaf, iss)))
    return { valid: false, refusal: 'no-signer' };
  return (await verify(jwk)) ? { valid: true } : { valid: false, refusal: 'signature' };
}

/** Whether the certificate is for the URL itself or for its host. */
const namesIssuer = ({ subjectAltNames }: ParsedCertificate, iss: string): boolean => {
  const host = httpUrl(iss)?.hostname;
  return subjectAltNames.some(
    (name) =>
      (name.type === 'uri' && name.value === iss) ||
      (name.type === 'dns' && host !== undefined && name.value.toLowerCase() === host),
  );
};

import { holderOfConfirmation } from '../../../domain/credentials/confirmation.ts';
import { type ParsedSdJwt, parseSdJwt } from '../../../domain/credentials/sd-jwt.ts';
import { statusReferences } from '../../../domain/credentials/token-facts.ts';
import { validityBounds } from '../../../domain/credentials/validity.ts';
import { fingerprint, fromBase64 } from '../../../domain/foundation/bytes.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { isText } from '../../../domain/foundation/json.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { IssuerReference, ParsedCredential } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { SD_JWT_VC_RULES } from './token.ts';
import { verifyIssuer } from './verify-issuer.ts';

/** The most certificates of an `x5c` header. */
const MAX_CERTIFICATES = 8;

/** What parsing works with. */
export interface ParsingParts {
  format: string;
  signatures: Signatures;
  certificates: Certificates;
}

const refused = (why: string): DomainError => new DomainError('BadRequest', `The credential ${why}`);

/** Parses an SD-JWT VC without key binding. @throws DomainError `BadRequest` when it is none or contradicts itself */
export function parseCredential(text: string, { format, signatures, certificates }: ParsingParts): ParsedCredential {
  const sdJwt = parseSdJwt(text, SD_JWT_VC_RULES);
  const { header, claims, withholdable } = sdJwt;
  if (header.typ !== format) throw refused(`has another typ than ${format}`);
  if (!isText(claims.vct)) throw refused('names no vct');
  const chain = readChain(header.x5c, certificates);
  return {
    format,
    id: isText(claims.jti) ? claims.jti : undefined,
    digest: fingerprint(text.split('~', 1)[0] ?? ''),
    type: claims.vct,
    issuer: issuerOf(sdJwt, chain),
    subject: isText(claims.sub) ? claims.sub : undefined,
    holder: holderOfConfirmation(claims.cnf),
    claims,
    document: claims,
    alg: String(header.alg),
    validity: validityBounds(claims),
    status: statusReferences(claims),
    withholdable,
    verifyIssuer: (keys) => verifyIssuer({ sdJwt, leaf: chain[0], keys, signatures }),
  };
}

/** RFC 7515 §4.1.6. @throws DomainError `BadRequest` */
export function readChain(x5c: unknown, certificates: Certificates): ParsedCertificate[] {
  if (x5c === undefined) return [];
  if (!Array.isArray(x5c) || x5c.length === 0 || x5c.length > MAX_CERTIFICATES)
    throw refused(`has an x5c that is not a list of 1 to ${MAX_CERTIFICATES} certificates`);
  return x5c.map((text) => {
    const der = isText(text) ? fromBase64(text) : undefined;
    if (!der) throw refused('has an x5c whose certificates are not base64');
    return certificates.parse(der);
  });
}

/** Certificates have no name of their own here: `iss` names their subject, when there is one. */
function issuerOf({ claims: { iss } }: ParsedSdJwt, chain: readonly ParsedCertificate[]): IssuerReference {
  if (iss !== undefined && !isText(iss)) throw refused('has an iss that is not a text');
  const [leaf] = chain;
  if (leaf)
    return { kind: 'certificates', id: iss ?? leaf.subject.rdns.join(', '), chain: chain.map(({ der }) => der) };
  if (iss === undefined) throw refused('names no issuer');
  return { kind: iss.startsWith('did:') ? 'did' : 'url', id: iss };
}

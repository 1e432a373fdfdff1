import { holderOfConfirmation } from '../../../domain/credentials/confirmation.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { readCredentialFacts, statusReferences } from '../../../domain/credentials/token-facts.ts';
import { validityBounds } from '../../../domain/credentials/validity.ts';
import { fingerprint } from '../../../domain/foundation/bytes.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { asList, isText } from '../../../domain/foundation/json.ts';
import { verifyJws } from '../../../domain/jose/jws.ts';
import { checkSigner } from '../../../domain/jose/signer-keys.ts';
import type { IssuerReference, ParsedCredential } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { parseToken } from './disclosures.ts';

/** Parses a credential in JWT form. @throws DomainError `BadRequest` when it is none or contradicts itself */
export function parseCredential(text: string, signatures: Signatures): ParsedCredential {
  const jws = parseToken(text);
  const { document, issuer, subject } = readCredentialFacts(jws);
  if (issuer === undefined) throw new DomainError('BadRequest', 'The credential names no issuer');
  const type = asList(document.type).filter(isText).at(-1);
  if (type === undefined) throw new DomainError('BadRequest', 'The credential names no type');
  const { header, payload: claims } = jws;
  const signed = {
    kid: header.kid,
    signer: issuer,
    purpose: 'assertionMethod',
    verify: (jwk) => verifyJws(jws, jwk, signatures),
  } satisfies Parameters<typeof checkSigner>[0];
  return {
    format: FORMATS.jwt_vc_json.name,
    id: [document.id, claims.jti].find(isText),
    digest: fingerprint(text.split('~', 1)[0] ?? ''),
    type,
    issuer: referenceTo(issuer),
    subject,
    holder: holderOfConfirmation(claims.cnf) ?? (subject?.startsWith('did:') ? { did: subject } : undefined),
    claims,
    document,
    alg: String(header.alg),
    validity: validityBounds(claims),
    status: statusReferences(claims),
    ...(jws.withholdable && { withholdable: jws.withholdable }),
    verifyIssuer: ({ dids }) => checkSigner(signed, dids),
  };
}

const referenceTo = (id: string): IssuerReference => ({ kind: id.startsWith('did:') ? 'did' : 'url', id });

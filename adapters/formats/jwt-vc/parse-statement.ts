import { readIssuerFacts, statusReferences } from '../../../domain/credentials/token-facts.ts';
import { parseJws, verifyJws } from '../../../domain/jose/jws.ts';
import { checkSigner } from '../../../domain/jose/signer-keys.ts';
import type { SignedStatement } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';

/**
 * Parses a credential or a status list in JWT form. The disclosures of an SD-JWT are left out: what is read here is
 * never among them. @throws DomainError `BadRequest` when the text is no JWS
 */
export function parseStatement(text: string, name: string, signatures: Signatures): SignedStatement {
  const jws = parseJws(text.split('~', 1)[0] ?? '', name);
  const readIssuer = () => readIssuerFacts(jws).issuer;
  return {
    claims: jws.payload,
    status: statusReferences(jws.payload),
    readIssuer,
    verifyIssuer: async ({ dids }) => {
      const { kid } = jws.header;
      const verify: Parameters<typeof checkSigner>[0]['verify'] = (jwk) => verifyJws(jws, jwk, signatures);
      return checkSigner({ kid, signer: readIssuer(), purpose: 'assertionMethod', verify }, dids);
    },
  };
}

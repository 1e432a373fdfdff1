import { isSdJwt, splitKeyBinding } from '../../../domain/credentials/sd-jwt.ts';
import { readIssuerFacts, statusReferences } from '../../../domain/credentials/token-facts.ts';
import { verifyJws } from '../../../domain/jose/jws.ts';
import { checkSigner } from '../../../domain/jose/signer-keys.ts';
import type { SignedStatement } from '../../../ports/credential-formats.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import { parseToken } from './disclosures.ts';

/**
 * Parses a credential or a status list in JWT form; of an SD-JWT all but its key binding.
 * @throws DomainError `BadRequest` when the text is no JWS, or its disclosures are not acceptable
 */
export function parseStatement(text: string, name: string, signatures: Signatures): SignedStatement {
  const jws = parseToken(isSdJwt(text) ? splitKeyBinding(text).sdJwt : text, name);
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

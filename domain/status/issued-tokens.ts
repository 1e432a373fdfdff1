import type { SignatureCheck, SignatureRefusal } from '../../ports/credential-formats.ts';
import type { DidKeys } from '../../ports/did-keys.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { readIssuerFacts } from '../credentials/token-facts.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';
import { checkSigner } from '../jose/signer-keys.ts';

/** A credential in JWT form whose signature is its issuer's. */
export interface IssuedToken {
  claims: JsonObject;
  issuer: string;
}

const REFUSALS: Record<SignatureRefusal, string> = {
  'no-signer': "the issuer's key cannot be found",
  'other-did': "the key is another issuer's",
  signature: "the signature is not its issuer's",
};

/** Verifies credentials in JWT form, trusting only the keys of the issuer's DID. */
export class IssuedTokens {
  readonly #dids: DidKeys;
  readonly #signatures: Signatures;

  constructor(dids: DidKeys, signatures: Signatures) {
    this.#dids = dids;
    this.#signatures = signatures;
  }

  /**
   * @throws DomainError `BadRequest` when the text is no JWT, `StatusVerification` when its signature is not its
   * issuer's, `UpstreamFailed` or `UpstreamTimeout` when the issuer's keys cannot be fetched; `name` begins the message
   */
  async verify(text: string, name: string): Promise<IssuedToken> {
    const jws = parseJws(text, name);
    const issuer = issuerOf(jws, name);
    const check = await this.#check(jws, issuer, name);
    if (check.valid) return { claims: jws.payload, issuer };
    throw new DomainError('StatusVerification', `${name}: ${REFUSALS[check.refusal]}`);
  }

  async #check(jws: ParsedJws, signer: string, name: string): Promise<SignatureCheck> {
    const verify = (jwk: Parameters<typeof verifyJws>[1]) => verifyJws(jws, jwk, this.#signatures);
    try {
      return await checkSigner({ kid: jws.header.kid, signer, purpose: 'assertionMethod', verify }, this.#dids);
    } catch (cause) {
      if (!isDomainError(cause, 'BadRequest') && !isDomainError(cause, 'AddressRefused')) throw cause;
      throw new DomainError('StatusVerification', `${name}: ${REFUSALS['no-signer']}`, { cause });
    }
  }
}

/** The one issuer that a token names; a token that contradicts itself has none. */
function issuerOf(jws: ParsedJws, name: string): string {
  try {
    const { issuer } = readIssuerFacts(jws);
    if (issuer !== undefined) return issuer;
  } catch (cause) {
    if (!isDomainError(cause, 'BadRequest')) throw cause;
    throw new DomainError('StatusVerification', `${name}: ${cause.message}`, { cause });
  }
  throw new DomainError('StatusVerification', `${name}: it names no issuer`);
}

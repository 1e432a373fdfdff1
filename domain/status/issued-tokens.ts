import type { PublicJwk } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { readIssuerFacts } from '../credentials/token-facts.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';

/** A credential in JWT form whose signature is its issuer's. */
export interface IssuedToken {
  claims: JsonObject;
  issuer: string;
}

/** Opens credentials in JWT form, trusting only the keys of the issuer's DID. */
export class IssuedTokens {
  readonly #dids: DidResolver;
  readonly #signatures: Signatures;

  constructor(dids: DidResolver, signatures: Signatures) {
    this.#dids = dids;
    this.#signatures = signatures;
  }

  /**
   * @throws DomainError `BadRequest` when the text is no JWT, `StatusVerification` when its signature is not its
   * issuer's, `UpstreamFailed` or `UpstreamTimeout` when the issuer's keys cannot be had; `name` begins the message
   */
  async open(text: string, name: string): Promise<IssuedToken> {
    const jws = parseJws(text, name);
    const issuer = issuerOf(jws, name);
    const key = await this.#key(jws, issuer, name);
    if (await verifyJws(jws, key, this.#signatures)) return { claims: jws.payload, issuer };
    throw new DomainError('StatusVerification', `${name}: the signature is not its issuer's`);
  }

  async #key({ header: { kid } }: ParsedJws, issuer: string, name: string): Promise<PublicJwk> {
    const named = isText(kid) && kid.startsWith('did:') ? kid : issuer;
    if (named !== issuer && !named.startsWith(`${issuer}#`))
      throw new DomainError('StatusVerification', `${name}: the key is another issuer's`);
    try {
      return await this.#dids.key(named, 'assertionMethod');
    } catch (cause) {
      if (!isDomainError(cause, 'BadRequest') && !isDomainError(cause, 'AddressRefused')) throw cause;
      throw new DomainError('StatusVerification', `${name}: the issuer's key cannot be found`, { cause });
    }
  }
}

/** The one issuer a token names; a token that tells two truths of itself has none. */
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

import type { PublicJwk } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { credentialIn } from '../credentials/status-lists.ts';
import { DomainError, isDomainError } from '../errors.ts';
import { isObject, isText, type JsonObject } from '../json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jws.ts';
import type { DidResolver } from '../keys/did-resolution.ts';

/** A credential in JWT form whose signature is its issuer's. */
export interface IssuedToken {
  claims: JsonObject;
  issuer: string;
}

/** The issuer a credential document names; undefined when it names none. */
export function issuerOf(credential: JsonObject): string | undefined {
  const { issuer } = credential;
  const id = isObject(issuer) ? issuer.id : issuer;
  return isText(id) ? id : undefined;
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
    const issuer = issuerOfToken(jws.payload, name);
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

/** The issuer of a token; claim and document may not disagree (VC Data Model 1.1 §6.3.1). */
function issuerOfToken(claims: JsonObject, name: string): string {
  const inside = issuerOf(credentialIn(claims));
  const issuer = isText(claims.iss) ? claims.iss : inside;
  if (issuer === undefined || (inside !== undefined && inside !== issuer))
    throw new DomainError('StatusVerification', `${name}: it does not say clearly who issued it`);
  return issuer;
}

import type { DidKeys } from '../../ports/did-keys.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import { equalInConstantTime } from '../foundation/bytes.ts';
import { oauthError } from '../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../foundation/json.ts';
import { readPublicJwk, thumbprint } from '../jose/jwk.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';
import { timeProblems } from '../jose/jwt-claims.ts';
import { signerKeyId } from '../jose/signer-keys.ts';

const SKEW_MS = 60_000;
const MAX_AGE_MS = 300_000;
const MAX_TOKEN_LENGTH = 16_384;
/** What a subject begins with that is the thumbprint of a key (RFC 9278). */
const THUMBPRINT_URI = 'urn:ietf:params:oauth:jwk-thumbprint:sha-256:';

/** What an ID token must state. */
export interface TokenExpectation {
  audience: string;
  nonce: string;
}

/** What the check of self-issued tokens works with. */
export interface SelfIssuedTokenParts {
  dids: DidKeys;
  signatures: Signatures;
  clock: Clock;
}

/** Checks self-issued ID tokens: signed by their own subject, which is a DID or the thumbprint of a key. */
export class SelfIssuedTokens {
  readonly #parts: SelfIssuedTokenParts;

  constructor(parts: SelfIssuedTokenParts) {
    this.#parts = parts;
  }

  /** Checks a token (SIOPv2 draft 13 §11.1). @throws DomainError `BadRequest`, and as `DidKeys.key` */
  async check(text: string | undefined, expected: TokenExpectation): Promise<void> {
    if (!isText(text)) throw refused('is required');
    if (text.length > MAX_TOKEN_LENGTH) throw refused(`may have at most ${MAX_TOKEN_LENGTH} characters`);
    const jws = parseJws(text, 'id_token');
    checkClaims(jws.payload, expected);
    const { exp, iat, nbf } = timeProblems(jws.payload, {
      now: this.#parts.clock.now(),
      skewMs: SKEW_MS,
      maxAgeMs: MAX_AGE_MS,
      required: ['iat', 'exp'],
    });
    if (exp ?? iat ?? nbf) throw refused('iat, nbf and exp must include now, and iat be at most five minutes old');
    const jwk = await this.#keyOf(jws);
    if (!(await verifyJws(jws, jwk, this.#parts.signatures))) throw refused('the signature is not valid');
  }

  async #keyOf({ header, payload: { sub, sub_jwk: stated } }: ParsedJws): Promise<PublicJwk> {
    const subject = String(sub);
    if (subject.startsWith('did:')) {
      const named = signerKeyId({ kid: header.kid, signer: subject });
      if ('refusal' in named) throw refused('the kid must be of the DID that is the subject');
      return this.#parts.dids.key(named.keyId, 'authentication');
    }
    const jwk = readPublicJwk(stated);
    if (subject.replace(THUMBPRINT_URI, '') !== thumbprint(jwk)) throw refused('sub must be the thumbprint of sub_jwk');
    return jwk;
  }
}

const refused = (why: string) => oauthError('access_denied', `id_token: ${why}`);

function checkClaims({ iss, sub, aud, nonce }: JsonObject, expected: TokenExpectation): void {
  if (!isText(sub) || iss !== sub) throw refused('iss and sub must be the same');
  const audiences = asList(aud);
  if (audiences.length !== 1 || audiences[0] !== expected.audience) throw refused(`aud must be ${expected.audience}`);
  if (!isText(nonce) || !equalInConstantTime(nonce, expected.nonce)) throw refused('nonce must be that of the request');
}

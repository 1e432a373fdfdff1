import type { DidKeys } from '../../ports/did-keys.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import { equalInConstantTime } from '../foundation/bytes.ts';
import { at, invalidField, isDomainError, oauthError } from '../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../foundation/json.ts';
import { thumbprint } from '../jose/jwk.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';
import { timeProblems } from '../jose/jwt-claims.ts';
import { signerKeyId } from '../jose/signer-keys.ts';
import { otherType } from '../jose/token-types.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';

const SKEW_MS = 60_000;
const MAX_AGE_MS = 300_000;
const MAX_TOKEN_LENGTH = 16_384;
const THUMBPRINT_TYPE = 'urn:ietf:params:oauth:jwk-thumbprint';
/** What a subject begins with that is the thumbprint of a key (RFC 9278). */
const THUMBPRINT_URI = `${THUMBPRINT_TYPE}:sha-256:`;

/** The kinds of subjects whose tokens are verified here (SIOPv2 draft 13 §8). */
export const SUBJECT_SYNTAX_TYPES: readonly string[] = ['did:key', 'did:jwk', 'did:web', THUMBPRINT_TYPE];

/** Why a token is not accepted: codes for programs, which are stable, with the reasons for humans. */
export const TOKEN_PROBLEMS = {
  'wrong-type': 'typ must not be that of another kind of token',
  'wrong-subject': 'iss and sub must be the same',
  'wrong-audience': 'aud must be the client_id of the request',
  'wrong-nonce': 'nonce must be that of the request',
  'not-signed-now': 'iat, nbf and exp must include now, and iat be at most five minutes old',
  'algorithm-not-allowed': 'the algorithm must be the requested one',
  'signer-unknown': 'sub must be a DID with the key of kid and no sub_jwk, or the thumbprint of sub_jwk',
  unreachable: 'the DID document of the subject could not be fetched',
  'signature-invalid': 'the signature is not valid',
} as const;

/** A stable reason for programs. */
export type TokenProblem = keyof typeof TOKEN_PROBLEMS;

/** What an ID token must state. */
interface TokenExpectation {
  audience: string;
  nonce: string;
  /** The JOSE algorithm; any that is supported when absent. */
  alg?: string;
}

/** A subject that was authenticated, and what it states of itself. */
export interface SelfIssuedLogin {
  /** A DID or the thumbprint of a key. */
  subject: string;
  /** All claims of the token. */
  claims: JsonObject;
}

/** Parses an ID token; its signature is unverified. @throws DomainError `BadRequest` */
export function parseIdToken(text: unknown): ParsedJws {
  if (!isText(text)) throw invalidField([], 'is required: the request asks for an ID token');
  if (text.length > MAX_TOKEN_LENGTH) throw invalidField([], `may have at most ${MAX_TOKEN_LENGTH} characters`);
  return parseJws(text, 'id_token');
}

/** Checks self-issued ID tokens: signed by their own subject, which is a DID or the thumbprint of a key. */
export class SelfIssuedTokens {
  constructor(
    private readonly parts: {
      dids: DidKeys;
      signatures: Signatures;
      clock: Clock;
    },
  ) {}

  /** Checks a token as `verify`. @throws DomainError `BadRequest` for one that cannot be parsed or is not accepted */
  async check(text: string | undefined, expected: TokenExpectation): Promise<void> {
    const token = at(['id_token'], () => parseIdToken(text));
    const result = await this.verify(token, expected);
    if ('problem' in result) throw oauthError('access_denied', `id_token: ${TOKEN_PROBLEMS[result.problem]}`);
  }

  /** Verifies a token (SIOPv2 draft 13 §11.1). */
  async verify(jws: ParsedJws, expected: TokenExpectation): Promise<SelfIssuedLogin | { problem: TokenProblem }> {
    const problem = claimProblem(jws, expected) ?? this.#timeProblem(jws) ?? (await this.#signatureProblem(jws));
    return problem === undefined ? { subject: String(jws.payload.sub), claims: jws.payload } : { problem };
  }

  #timeProblem({ payload }: ParsedJws): TokenProblem | undefined {
    const { exp, iat, nbf } = timeProblems(payload, {
      now: this.parts.clock.now(),
      skewMs: SKEW_MS,
      maxAgeMs: MAX_AGE_MS,
      required: ['iat', 'exp'],
    });
    return (exp ?? iat ?? nbf) ? 'not-signed-now' : undefined;
  }

  async #signatureProblem(jws: ParsedJws): Promise<TokenProblem | undefined> {
    const jwk = await this.#keyOf(jws).catch(keyProblem);
    if (typeof jwk === 'string') return jwk;
    return (await verifyJws(jws, jwk, this.parts.signatures)) ? undefined : 'signature-invalid';
  }

  async #keyOf({ header, payload: { sub, sub_jwk: stated } }: ParsedJws): Promise<PublicJwk | TokenProblem> {
    const subject = String(sub);
    if (subject.startsWith('did:')) {
      const named = signerKeyId({ kid: header.kid, signer: subject });
      const isOther = 'refusal' in named || stated !== undefined;
      return isOther ? 'signer-unknown' : this.parts.dids.key(named.keyId, 'authentication');
    }
    const jwk = readVerificationKey(stated);
    return subject.replace(THUMBPRINT_URI, '') === thumbprint(jwk) ? jwk : 'signer-unknown';
  }
}

/** A failure of the store or of this server is no fault of the token. */
function keyProblem(error: unknown): TokenProblem {
  if (!isDomainError(error) || error.code === 'StoreUnavailable') throw error;
  return error.code === 'BadRequest' ? 'signer-unknown' : 'unreachable';
}

function claimProblem({ header, payload }: ParsedJws, expected: TokenExpectation): TokenProblem | undefined {
  const { iss, sub, aud, nonce } = payload;
  const audiences = asList(aud);
  if (otherType(header.typ, 'id-token') !== undefined) return 'wrong-type';
  if (!isText(sub) || iss !== sub) return 'wrong-subject';
  if (audiences.length !== 1 || audiences[0] !== expected.audience) return 'wrong-audience';
  if (!isText(nonce) || !equalInConstantTime(nonce, expected.nonce)) return 'wrong-nonce';
  return expected.alg === undefined || header.alg === expected.alg ? undefined : 'algorithm-not-allowed';
}

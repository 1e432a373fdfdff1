import type { PublicJwk } from '../../ports/key-service.ts';
import type { Store } from '../../ports/store.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError, isDomainError, oauthError } from '../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../foundation/json.ts';
import { thumbprint } from '../jose/jwk.ts';
import { parseJws, verifyJws } from '../jose/jws.ts';
import { numericDate, timeProblems } from '../jose/jwt-claims.ts';
import { FAPI_ALGORITHMS } from '../jose/key-types.ts';
import {
  type AttesterParts,
  checkNoProblem,
  membersOf,
  readStatedKey,
  type TrustedAttesters,
  verifyStatement,
} from './attesters.ts';
import { type StampedNonceParts, StampedNonces } from './stamped-nonces.ts';
import { UsedOnce } from './used-once.ts';

/** Constants of attestation-based client authentication (draft -11). */
export const CLIENT_ATTESTATION = {
  TYPE: 'oauth-client-attestation+jwt',
  POP_TYPE: 'oauth-client-attestation-pop+jwt',
  /** The authentication method with a proof of possession of its own, and that with a DPoP proof (§8). */
  METHODS: ['attest_jwt_client_auth', 'attest_jwt_client_auth_dpop'],
} as const;

const SKEW_MS = 60_000;
const MAX_AGE_MS = 300_000;
const MAX_POP_LENGTH = 8192;
const MAX_TEXT_LENGTH = 2048;

/** What a client sent to authenticate, and what that must fit. */
export interface AttestedRequest {
  issuerId: string;
  /** The issuer identifier of the authorization server (RFC 8414). */
  audience: string;
  /** The header `OAuth-Client-Attestation`. */
  attestation: string;
  /** The header `OAuth-Client-Attestation-PoP`; without it the DPoP proof is the proof of possession (§5.2). */
  pop: string | undefined;
  /** The thumbprint of the key of the DPoP proof, which was verified. */
  dpopThumbprint: string | undefined;
  /** The parameter `client_id`. */
  clientId: string | undefined;
  trusted: TrustedAttesters;
  /** Whether the proof of possession must carry a challenge; one that it does carry is checked in any case. */
  requiresChallenge: boolean;
  /** How old the attestation may be by its `iat`, in seconds; any age until its `exp` when absent. */
  maxAgeSeconds?: number;
}

/** A client that has authenticated. */
interface AttestedClient {
  clientId: string;
  /** The thumbprint of the key of the client instance, which its code and refresh tokens are bound to (§10.3, §10.4). */
  instanceThumbprint: string;
  /** The claims of the attestation, such as `wallet_name`; its `status` is not checked. */
  claims: JsonObject;
}

/** Authenticates clients by the attestation of their provider and a proof of possession (draft -11 §7). */
export class ClientAttestations {
  readonly #challenges: StampedNonces;
  readonly #used: UsedOnce;

  constructor(private readonly parts: AttesterParts & StampedNonceParts & { store: Store }) {
    this.#challenges = new StampedNonces(parts, 'client-attestation');
    this.#used = new UsedOnce(parts.store, 'used-proofs');
  }

  /** A fresh challenge, for any number of proofs (§6). */
  createChallenge(issuerId: string): Promise<string> {
    return this.#challenges.create(issuerId);
  }

  /**
   * Authenticates a client and consumes its proof of possession.
   * @throws DomainError `invalid_client`, `use_fresh_attestation`, or `use_attestation_challenge` with a challenge
   */
  async authenticate(request: AttestedRequest): Promise<AttestedClient> {
    try {
      const { jwk, ...client } = await this.#attested(request);
      await this.#prove(request, jwk, client);
      return client;
    } catch (error) {
      if (!isDomainError(error, 'BadRequest') || error.oauthError !== undefined) throw error;
      throw oauthError('invalid_client', error.message);
    }
  }

  async #attested(request: AttestedRequest): Promise<AttestedClient & { jwk: PublicJwk }> {
    const { attestation: text, trusted, clientId, maxAgeSeconds } = request;
    const statement = { text, type: CLIENT_ATTESTATION.TYPE, name: 'The client attestation' };
    const { header, payload: claims } = await verifyStatement(statement, trusted, this.parts);
    checkAlgorithm(header.alg, refused);
    const problems = timeProblems(claims, {
      now: this.parts.clock.now(),
      skewMs: trusted.skewMs ?? SKEW_MS,
      ...(maxAgeSeconds !== undefined && { maxAgeMs: maxAgeSeconds * 1000 }),
      required: maxAgeSeconds === undefined ? ['exp'] : ['iat', 'exp'],
    });
    if (problems.iat === 'too-old' || problems.iat === 'missing')
      throw oauthError('use_fresh_attestation', 'The client attestation is too old or without iat');
    checkNoProblem(problems, refused);
    if (!isText(claims.sub) || claims.sub.length > MAX_TEXT_LENGTH) throw refused('the sub must be the client_id');
    if (clientId !== undefined && clientId !== claims.sub) throw refused('the sub is not the client_id of the request');
    const jwk = readStatedKey(membersOf(claims.cnf).jwk, 'The cnf.jwk of the client attestation');
    return { clientId: claims.sub, instanceThumbprint: thumbprint(jwk), claims, jwk };
  }

  async #prove(request: AttestedRequest, jwk: PublicJwk, client: AttestedClient): Promise<void> {
    const { pop, dpopThumbprint } = request;
    if (pop !== undefined) return this.#acceptPop(pop, request, { ...client, jwk });
    if (dpopThumbprint === undefined) throw refused('its proof of possession is missing');
    if (dpopThumbprint !== client.instanceThumbprint) throw refused('the DPoP proof is of another key');
  }

  async #acceptPop(
    text: string,
    request: AttestedRequest,
    { clientId, instanceThumbprint, jwk }: AttestedClient & { jwk: PublicJwk },
  ): Promise<void> {
    if (text.length > MAX_POP_LENGTH) throw refusedPop(`may have at most ${MAX_POP_LENGTH} characters`);
    const jws = parseJws(text, 'The proof of the client attestation');
    if (jws.header.typ !== CLIENT_ATTESTATION.POP_TYPE)
      throw refusedPop(`the typ must be ${CLIENT_ATTESTATION.POP_TYPE}`);
    checkAlgorithm(jws.header.alg, refusedPop);
    const { jti, usableUntil } = this.#checkPopClaims(jws.payload, { ...request, clientId });
    if (!(await verifyJws(jws, jwk, this.parts.signatures)))
      throw refusedPop('is not signed by the key of the attestation');
    await this.#checkChallenge(jws.payload.challenge, request);
    const use = `pop:${fingerprint(JSON.stringify([request.issuerId, instanceThumbprint, jti]))}`;
    if (!(await this.#used.use(use, usableUntil))) throw refusedPop('was used already');
  }

  #checkPopClaims(
    claims: JsonObject,
    expected: Pick<AttestedRequest, 'audience' | 'trusted'> & { clientId: string },
  ): { jti: string; usableUntil: number } {
    const audiences = asList(claims.aud);
    if (audiences.length !== 1 || audiences[0] !== expected.audience)
      throw refusedPop(`the aud must be ${expected.audience}`);
    // Drafts up to -07 named the client here.
    if (claims.iss !== undefined && claims.iss !== expected.clientId) throw refusedPop('the iss is not the client_id');
    const now = this.parts.clock.now();
    const { skewMs = SKEW_MS, proofMaxAgeMs: maxAgeMs = MAX_AGE_MS } = expected.trusted;
    const problems = timeProblems(claims, { now, skewMs, maxAgeMs, required: ['iat'] });
    checkNoProblem(problems, refusedPop);
    const { jti } = claims;
    if (!isText(jti) || jti.length > MAX_TEXT_LENGTH) throw refusedPop('a jti is required');
    return { jti, usableUntil: (numericDate(claims.iat) ?? now) + maxAgeMs + skewMs };
  }

  async #checkChallenge(challenge: unknown, { issuerId, requiresChallenge }: AttestedRequest): Promise<void> {
    if (challenge === undefined && !requiresChallenge) return;
    if (isText(challenge) && (await this.#challenges.endOf(issuerId, challenge)) !== undefined) return;
    const next = { attestationChallenge: await this.createChallenge(issuerId) };
    throw oauthError('use_attestation_challenge', 'The proof needs a challenge of this server', { next });
  }
}

function checkAlgorithm(alg: unknown, refuse: (why: string) => Error): void {
  if (!FAPI_ALGORITHMS.includes(String(alg))) throw refuse(`the alg must be one of ${FAPI_ALGORITHMS.join(', ')}`);
}

const refused = (why: string): DomainError => new DomainError('BadRequest', `The client attestation: ${why}`);
const refusedPop = (why: string): DomainError =>
  new DomainError('BadRequest', `The proof of the client attestation: ${why}`);

import type { DidKeys } from '../../ports/did-keys.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import { OPENID4VCI } from '../credentials/openid4vci.ts';
import { DomainError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { epochSeconds } from '../foundation/time.ts';
import { readPublicJwk } from '../jose/jwk.ts';
import { type ParsedJws, parseJws, verifyJws } from '../jose/jws.ts';
import { timeProblems } from '../jose/jwt-claims.ts';
import { signerKeyId } from '../jose/signer-keys.ts';

const SKEW_MS = 60_000;
const MAX_AGE_SECONDS = 300;
const MAX_PROOF_LENGTH = 16_384;

/** The holder of a credential: a key, and the DID by which the proof named it. */
export interface Holder {
  did?: string;
  jwk: PublicJwk;
}

/** What a proof must state. */
export interface ProofExpectation {
  /** The credential issuer identifier. */
  audience: string;
  /** Whether a nonce is good. */
  accepts(nonce: string): Promise<boolean>;
}

/** The result of an accepted proof. */
export interface Proven {
  holder: Holder;
  /** The nonce in the proof. */
  nonce: string;
}

/** Verifies the proofs of possession that wallets send (OpenID4VCI draft 13 §7.2.1.1). */
export class HolderProofs {
  readonly #dids: DidKeys;
  readonly #signatures: Signatures;
  readonly #clock: Clock;

  constructor({ dids, signatures, clock }: { dids: DidKeys; signatures: Signatures; clock: Clock }) {
    this.#dids = dids;
    this.#signatures = signatures;
    this.#clock = clock;
  }

  /** Verifies a proof; its nonce is checked before a DID document is fetched. @throws DomainError `BadRequest` */
  async verify(proof: unknown, expected: ProofExpectation): Promise<Proven> {
    const jws = readProof(proof);
    if (jws.header.typ !== OPENID4VCI.PROOF_TYPE) throw refused(`the typ must be ${OPENID4VCI.PROOF_TYPE}`);
    checkClaims(jws.payload, expected, epochSeconds(this.#clock.now()));
    const nonce = await acceptedNonce(jws.payload, expected);
    const holder = await this.#named(jws.header);
    if (await verifyJws(jws, holder.jwk, this.#signatures)) return { holder, nonce };
    throw refused('the signature is not valid, or its alg does not fit the key');
  }

  async #named({ jwk, kid, x5c }: JsonObject): Promise<Holder> {
    const given = [jwk, kid, x5c].filter((member) => member !== undefined);
    if (given.length !== 1 || x5c !== undefined) throw refused('the header needs exactly one of jwk and kid');
    if (jwk !== undefined) return { jwk: readHolderKey(jwk) };
    const named = signerKeyId({ kid, needsKid: true });
    if ('refusal' in named) throw refused('the kid must be a DID URL');
    return { did: named.did, jwk: await this.#dids.key(named.keyId, 'authentication') };
  }
}

const refused = (why: string, oauthError?: string): DomainError =>
  new DomainError('BadRequest', `proof: ${why}`, { oauthError });

function readProof(proof: unknown): ParsedJws {
  if (!isObject(proof) || proof.proof_type !== 'jwt' || !isText(proof.jwt))
    throw refused('an object with proof_type jwt and the member jwt is required');
  if (proof.jwt.length > MAX_PROOF_LENGTH) throw refused(`may have at most ${MAX_PROOF_LENGTH} characters`);
  return parseJws(proof.jwt, 'The proof');
}

function readHolderKey(jwk: unknown): PublicJwk {
  if (isObject(jwk) && 'd' in jwk) throw refused('the jwk must not hold a private key');
  return readPublicJwk(jwk);
}

function checkClaims(claims: JsonObject, { audience }: ProofExpectation, now: number): void {
  const audiences = asList(claims.aud);
  if (audiences.length !== 1 || audiences[0] !== audience) throw refused(`the aud must be ${audience}`);
  const maxAgeMs = MAX_AGE_SECONDS * 1000;
  const { iat, exp, nbf } = timeProblems(claims, { now: now * 1000, skewMs: SKEW_MS, maxAgeMs, required: ['iat'] });
  if (iat === 'too-old') throw refused(`the iat is more than ${MAX_AGE_SECONDS} seconds ago`);
  if (iat) throw refused('the iat is missing or in the future');
  if (exp) throw refused('the exp has passed');
  if (nbf) throw refused('the nbf is not reached');
}

async function acceptedNonce({ nonce }: JsonObject, { accepts }: ProofExpectation): Promise<string> {
  if (isText(nonce) && (await accepts(nonce))) return nonce;
  throw refused('the nonce is not the current c_nonce', 'invalid_nonce');
}

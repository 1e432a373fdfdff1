import type { CwtProofs } from '../../../ports/cwt-proofs.ts';
import type { DidKeys } from '../../../ports/did-keys.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { Clock } from '../../../ports/system.ts';
import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { DomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { readPublicJwk } from '../../jose/jwk.ts';
import { parseJws, verifyJws } from '../../jose/jws.ts';
import { timeProblems } from '../../jose/jwt-claims.ts';
import { signerKeyId } from '../../jose/signer-keys.ts';

const SKEW_MS = 60_000;
const MAX_AGE_SECONDS = 300;
const MAX_PROOF_LENGTH = 16_384;
/** Each names the member with the proof. */
const PROOF_TYPES = ['jwt', 'cwt'] as const;

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

/** What `HolderProofs` works with. */
export interface HolderProofParts {
  dids: DidKeys;
  signatures: Signatures;
  cwts: CwtProofs;
  clock: Clock;
}

/** What a proof of any type states, and how its holder and signature are checked. */
interface ReadProof {
  claims: JsonObject;
  /** @throws DomainError `BadRequest`, and as `DidKeys.key` */
  holder(): Promise<Holder>;
  isSignedBy(jwk: PublicJwk): Promise<boolean>;
}

/** Verifies the proofs of possession that wallets send (OpenID4VCI draft 13 §7.2.1.1 and §7.2.1.3). */
export class HolderProofs {
  readonly #parts: HolderProofParts;

  constructor(parts: HolderProofParts) {
    this.#parts = parts;
  }

  /** Verifies a proof; its nonce is checked before a DID document is fetched. @throws DomainError `BadRequest` */
  async verify(proof: unknown, expected: ProofExpectation): Promise<Proven> {
    const { claims, holder: find, isSignedBy } = await this.#read(proof);
    checkClaims(claims, expected, epochSeconds(this.#parts.clock.now()));
    const nonce = await acceptedNonce(claims, expected);
    const holder = await find();
    if (await isSignedBy(holder.jwk)) return { holder, nonce };
    throw refused('the signature is not valid, or its alg does not fit the key');
  }

  #read(proof: unknown): Promise<ReadProof> {
    const type = PROOF_TYPES.find((one) => isObject(proof) && proof.proof_type === one);
    const text = isObject(proof) && type !== undefined ? proof[type] : undefined;
    if (!isText(text))
      throw refused(`an object with proof_type ${PROOF_TYPES.join(' or ')} and its member is required`);
    if (text.length > MAX_PROOF_LENGTH) throw refused(`may have at most ${MAX_PROOF_LENGTH} characters`);
    return type === 'cwt' ? this.#readCwt(text) : this.#readJwt(text);
  }

  async #readJwt(text: string): Promise<ReadProof> {
    const jws = parseJws(text, 'The proof');
    if (jws.header.typ !== OPENID4VCI.PROOF_TYPE) throw refused(`the typ must be ${OPENID4VCI.PROOF_TYPE}`);
    return {
      claims: jws.payload,
      holder: () => this.#named(jws.header),
      isSignedBy: (jwk) => verifyJws(jws, jwk, this.#parts.signatures),
    };
  }

  async #readCwt(text: string): Promise<ReadProof> {
    const { contentType, claims, jwk, alg, signingInput: data, signature } = await this.#parts.cwts.parse(text);
    if (contentType !== OPENID4VCI.CWT_PROOF_TYPE)
      throw refused(`the content type must be ${OPENID4VCI.CWT_PROOF_TYPE}`);
    return {
      claims,
      holder: async () => ({ jwk }),
      isSignedBy: (key) => this.#parts.signatures.verify({ alg, jwk: key, data, signature }),
    };
  }

  async #named({ jwk, kid, x5c }: JsonObject): Promise<Holder> {
    const given = [jwk, kid, x5c].filter((member) => member !== undefined);
    if (given.length !== 1 || x5c !== undefined) throw refused('the header needs exactly one of jwk and kid');
    if (jwk !== undefined) return { jwk: readHolderKey(jwk) };
    const named = signerKeyId({ kid, needsKid: true });
    if ('refusal' in named) throw refused('the kid must be a DID URL');
    return { did: named.did, jwk: await this.#parts.dids.key(named.keyId, 'authentication') };
  }
}

const refused = (why: string, oauthError?: string): DomainError =>
  new DomainError('BadRequest', `proof: ${why}`, { oauthError });

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
  if (!isText(nonce)) throw refused('the nonce is missing');
  if (await accepts(nonce)) return nonce;
  throw refused('the nonce is not the current c_nonce', 'invalid_nonce');
}

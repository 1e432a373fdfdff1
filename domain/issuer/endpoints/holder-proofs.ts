import type { CwtProofs } from '../../../ports/codecs/cwt-proofs.ts';
import type { DidKeys } from '../../../ports/did-keys.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { DomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { isSameKey } from '../../jose/jwk.ts';
import { parseJws, verifyJws } from '../../jose/jws.ts';
import { timeProblems } from '../../jose/jwt-claims.ts';
import { signerKeyId } from '../../jose/signer-keys.ts';
import { readVerificationKey } from '../../jose/verification-keys.ts';
import type { AttesterParts } from '../../oauth/attesters.ts';
import type { Holder } from '../protocol.ts';
import { type ProofDemands, verifyAttestedKeys } from './attested-keys.ts';

const SKEW_MS = 60_000;
const MAX_AGE_SECONDS = 300;
/** Each names the member with the proof, and how many characters it may have; those of the drafts have no attestations. */
const MAX_LENGTHS = { jwt: 65_536, cwt: 16_384, attestation: 524_288 };
type Type = keyof typeof MAX_LENGTHS;

/** What a proof must state. */
interface ProofExpectation {
  /** The credential issuer identifier. */
  audience: string;
  /** Whether a nonce is good. */
  accepts(nonce: string): Promise<boolean>;
  /** Absent in the drafts. */
  demands?: ProofDemands;
}

/** The result of an accepted proof. */
export interface Proven {
  /** One for each key that the proof is for, at least one. */
  holders: Holder[];
  /** The key that signed the proof; a key attestation proves none. */
  signer?: PublicJwk;
  /** The nonce in the proof. */
  nonce: string;
}

/** What a proof of any type states, and how its holder and signature are checked. */
interface ReadProof {
  alg: unknown;
  claims: JsonObject;
  /** The key attestation in a JWT. */
  attestation?: unknown;
  /** The holder, who may name one of the attested keys. @throws DomainError `BadRequest`, and as `DidKeys.key` */
  holder(attested: readonly PublicJwk[]): Promise<Holder>;
  isSignedBy(jwk: PublicJwk): Promise<boolean>;
}

/** Verifies the proofs that wallets send (OpenID4VCI draft 13 §7.2.1.1 and §7.2.1.3, 1.0 appendix F). */
export class HolderProofs {
  constructor(
    private readonly parts: AttesterParts & {
      dids: DidKeys;
      cwts: CwtProofs;
    },
  ) {}

  /** Verifies a proof; its nonce is checked before a DID document is fetched. @throws DomainError `BadRequest` */
  async verify(proof: unknown, expected: ProofExpectation): Promise<Proven> {
    const { type, text } = typedProof(proof);
    if (type === 'attestation') return this.#attested(text, expected);
    const read = type === 'cwt' ? await this.#readCwt(text) : this.#readJwt(text);
    checkAlgorithm(read, expected);
    checkClaims(read.claims, expected, epochSeconds(this.parts.clock.now()));
    const nonce = await acceptedNonce(read.claims, expected);
    const attested = await this.#keysBeside(read, expected);
    const holder = await read.holder(attested);
    if (!(await read.isSignedBy(holder.jwk)))
      throw refused('the signature is not valid, or its alg does not fit the key');
    if (attested.length === 0) return { holders: [holder], signer: holder.jwk, nonce };
    if (!attested.some((jwk) => isSameKey(jwk, holder.jwk))) throw refused('its key is not among the attested keys');
    const holders = attested.map((jwk) => (isSameKey(jwk, holder.jwk) ? holder : { jwk }));
    return { holders, signer: holder.jwk, nonce };
  }

  /** The proof type `attestation` (1.0 appendix F.3): the attester's word is the proof. */
  async #attested(text: string, { demands, accepts }: ProofExpectation): Promise<Proven> {
    if (!demands) throw refused('the type attestation belongs to OpenID4VCI 1.0');
    const attestation = await verifyAttestedKeys(text, { type: 'attestation', demands }, this.parts);
    const nonce = await acceptedNonce({ nonce: attestation.nonce }, { accepts });
    return { holders: attestation.keys.map((jwk) => ({ jwk })), nonce };
  }

  /**
   * The keys of the key attestation in a proof; none when there is no attestation. One without a nonce is accepted, since
   * the proof has one and the attestation ends.
   */
  async #keysBeside({ attestation, claims }: ReadProof, { demands }: ProofExpectation): Promise<readonly PublicJwk[]> {
    if (!demands) return [];
    const isDemanded = demands.rule('jwt').protection !== undefined;
    // No attester is trusted, and no attestation is demanded.
    if (!isDemanded && !demands.attesters) return [];
    if (attestation === undefined && !isDemanded) return [];
    if (!isText(attestation)) throw refused('a key attestation is required in the header');
    const { keys, nonce = claims.nonce } = await verifyAttestedKeys(attestation, { type: 'jwt', demands }, this.parts);
    if (nonce !== claims.nonce) throw refused('the key attestation has another nonce', 'invalid_nonce');
    return keys;
  }

  #readJwt(text: string): ReadProof {
    const jws = parseJws(text, 'The proof');
    const { typ, alg, key_attestation: attestation } = jws.header;
    if (typ !== OPENID4VCI.PROOF_TYPE) throw refused(`the typ must be ${OPENID4VCI.PROOF_TYPE}`);
    return {
      alg,
      claims: jws.payload,
      attestation,
      holder: (attested) => this.#named(jws.header, attested),
      isSignedBy: (jwk) => verifyJws(jws, jwk, this.parts.signatures),
    };
  }

  async #readCwt(text: string): Promise<ReadProof> {
    const { contentType, claims, jwk, alg, signingInput: data, signature } = await this.parts.cwts.parse(text);
    if (contentType !== OPENID4VCI.CWT_PROOF_TYPE)
      throw refused(`the content type must be ${OPENID4VCI.CWT_PROOF_TYPE}`);
    return {
      alg,
      claims,
      holder: async () => ({ jwk }),
      isSignedBy: (key) => this.parts.signatures.verify({ alg, jwk: key, data, signature }),
    };
  }

  async #named({ jwk, kid, x5c }: JsonObject, attested: readonly PublicJwk[]): Promise<Holder> {
    const given = [jwk, kid, x5c].filter((member) => member !== undefined);
    if (given.length !== 1 || x5c !== undefined) throw refused('the header needs exactly one of jwk and kid');
    if (jwk !== undefined) return { jwk: readVerificationKey(jwk) };
    // The place of the key in the attestation (1.0 appendix F.1, last example).
    const chosen = isText(kid) && /^\d{1,4}$/.test(kid) ? attested[Number(kid)] : undefined;
    if (chosen) return { jwk: chosen };
    const named = signerKeyId({ kid, needsKid: true });
    if ('refusal' in named) throw refused('the kid must be a DID URL');
    return { did: named.did, jwk: await this.parts.dids.key(named.keyId, 'authentication') };
  }
}

const refused = (why: string, oauthError?: string): DomainError =>
  new DomainError('BadRequest', `proof: ${why}`, { oauthError });

function typedProof(proof: unknown): { type: Type; text: string } {
  const types = Object.keys(MAX_LENGTHS) as Type[];
  const type = types.find((one) => isObject(proof) && proof.proof_type === one);
  const text = isObject(proof) && type !== undefined ? proof[type] : undefined;
  if (type === undefined || !isText(text))
    throw refused('an object with proof_type jwt or cwt and its member is required');
  if (text.length > MAX_LENGTHS[type]) throw refused(`may have at most ${MAX_LENGTHS[type]} characters`);
  return { type, text };
}

function checkAlgorithm({ alg }: ReadProof, { demands }: ProofExpectation): void {
  const { algorithms } = demands?.rule('jwt') ?? {};
  if (algorithms && !algorithms.includes(String(alg))) throw refused(`the alg must be one of ${algorithms.join(', ')}`);
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

async function acceptedNonce({ nonce }: JsonObject, { accepts }: Pick<ProofExpectation, 'accepts'>): Promise<string> {
  if (!isText(nonce)) throw refused('the nonce is missing');
  if (await accepts(nonce)) return nonce;
  throw refused('the nonce is not the current c_nonce', 'invalid_nonce');
}

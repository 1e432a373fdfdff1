import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { invalidField, replacing } from '../../foundation/errors.ts';
import { asList, isText, type JsonObject } from '../../foundation/json.ts';
import { thumbprint } from '../../jose/jwk.ts';
import { parseJws, verifyJws } from '../../jose/jws.ts';
import { numericDate, timeProblems } from '../../jose/jwt-claims.ts';
import { FAPI_ALGORITHMS } from '../../jose/key-types.ts';
import { checkNoProblem } from '../attesters.ts';
import { UsedOnce } from '../used-once.ts';

/** The type of the proofs with which client instances ask for an attestation of their key. */
const INSTANCE_PROOF_TYPE = 'client-instance-proof+jwt';

const SKEW_MS = 60_000;
const MAX_AGE_MS = 300_000;
const MAX_LENGTH = 8192;
const MAX_JTI_LENGTH = 2048;

/** What a proof must be for. */
interface ProvenInstance {
  /** The key that is to be attested. */
  jwk: PublicJwk;
  clientId: string;
  /** The URL of the attester. */
  audience: string;
  /** What the attester is named by in the store. */
  attester: string;
}

/** Verifies that a client instance has the key that it wants to be attested. */
export class InstanceProofs {
  readonly #used: UsedOnce;

  constructor(private readonly parts: { store: Store; signatures: Signatures; clock: Clock }) {
    this.#used = new UsedOnce(parts.store, 'used-proofs');
  }

  /**
   * Verifies a proof and uses it up, for `work`; when that fails the proof can be used again. Of two at once one works.
   * @throws DomainError `BadRequest`, and what `work` throws
   */
  async spend<T>(proof: string, expected: ProvenInstance, work: () => Promise<T>): Promise<T> {
    const { jti, iat } = await this.#verified(proof, expected).catch(asField);
    const use = `instance:${fingerprint(JSON.stringify([expected.attester, thumbprint(expected.jwk), jti]))}`;
    if (!(await this.#used.use(use, iat + MAX_AGE_MS + SKEW_MS))) throw refused('was used already');
    try {
      return await work();
    } catch (error) {
      await this.#used.forget(use).catch(() => undefined);
      throw error;
    }
  }

  async #verified(text: string, expected: ProvenInstance): Promise<{ jti: string; iat: number }> {
    if (text.length > MAX_LENGTH) throw refused(`may have at most ${MAX_LENGTH} characters`);
    const jws = parseJws(text, 'The proof');
    if (jws.header.typ !== INSTANCE_PROOF_TYPE) throw refused(`the typ must be ${INSTANCE_PROOF_TYPE}`);
    if (!FAPI_ALGORITHMS.includes(String(jws.header.alg)))
      throw refused(`the alg must be one of ${FAPI_ALGORITHMS.join(', ')}`);
    const claims = this.#claims(jws.payload, expected);
    if (!(await verifyJws(jws, expected.jwk, this.parts.signatures)))
      throw refused('is not signed by the key that is to be attested');
    return claims;
  }

  #claims(claims: JsonObject, { audience, clientId }: ProvenInstance): { jti: string; iat: number } {
    const audiences = asList(claims.aud);
    if (audiences.length !== 1 || audiences[0] !== audience) throw refused(`the aud must be ${audience}`);
    if (claims.iss !== clientId) throw refused('the iss must be the client id');
    const now = this.parts.clock.now();
    checkNoProblem(timeProblems(claims, { now, skewMs: SKEW_MS, maxAgeMs: MAX_AGE_MS, required: ['iat'] }), refused);
    const { jti } = claims;
    if (!isText(jti) || jti.length > MAX_JTI_LENGTH) throw refused('a jti is required');
    return { jti, iat: numericDate(claims.iat) ?? now };
  }
}

const refused = (why: string): Error => invalidField([], why);

const asField = replacing('BadRequest', (error) => (error.details ? error : invalidField([], error.message)));

import type { Clock, Random } from '../../ports/system.ts';
import { DomainError, isDomainError, oauthError } from '../errors.ts';
import { asList, isObject, isText, type JsonObject } from '../json.ts';
import type { CredentialMaker } from './credential-maker.ts';
import type { IssuanceEvents } from './events.ts';
import type { Holder, HolderProofs } from './proofs.ts';
import {
  type Attempt,
  claimItem,
  deliverItem,
  failSession,
  type IssuanceItem,
  type IssuanceSession,
  releaseItem,
  renewNonce,
} from './session.ts';
import type { IssuanceSessions } from './sessions.ts';
import { newSecret, secondsLeft } from './tokens.ts';

/** How long one attempt keeps others off; longer than all of its calls can take. Milliseconds. */
const CLAIM_MS = 120_000;

/** OpenID4VCI draft 13 §7.3; a session with nothing left to issue has no more nonces. */
export interface CredentialResponse {
  format: string;
  credential: string;
  c_nonce?: string;
  c_nonce_expires_in?: number;
}

/** What issuing needs. */
export interface IssuanceParts {
  /** The credential issuer identifier. */
  issuer: string;
  sessions: IssuanceSessions;
  proofs: HolderProofs;
  maker: CredentialMaker;
  events: IssuanceEvents;
  clock: Clock;
  random: Random;
}

/** The credential endpoint of the issuer. */
export class Issuance {
  readonly #parts: IssuanceParts;

  constructor(parts: IssuanceParts) {
    this.#parts = parts;
  }

  /**
   * Issues the credential that the request asks for, once. A failure that is not the request's leaves everything as
   * it was, nonce included; one that no other try can mend ends the session.
   * @throws DomainError with a code of OpenID4VCI draft 13 §7.3.1.2
   */
  async issue(accessToken: string, request: JsonObject): Promise<CredentialResponse> {
    const session = await this.#parts.sessions.ofToken(accessToken);
    if (!session) throw oauthError('invalid_token', 'The access token is unknown, expired or has done its work');
    const item = findItem(session, request);
    const holder = await this.#prove(session, request.proof);
    const claim = await this.#claim(session, item);
    try {
      return await this.#deliver({ ...claim, item, holder });
    } catch (error) {
      throw await this.#undo(claim, error);
    }
  }

  async #prove(session: IssuanceSession, proof: unknown): Promise<Holder> {
    try {
      return await this.#parts.proofs.holder(proof, { audience: this.#parts.issuer, nonce: session.cNonce });
    } catch (error) {
      // A key that cannot be fetched leaves the proof unproven: the wallet's matter, not a gateway's.
      if (error instanceof DomainError && error.code !== 'StoreUnavailable')
        throw await this.#withNonce(session, error);
      throw error;
    }
  }

  async #claim(session: IssuanceSession, { id: itemId }: IssuanceItem): Promise<ClaimedSession> {
    const { sessions, clock } = this.#parts;
    const now = clock.now();
    const attempt = { itemId, nonce: session.cNonce ?? '', until: now + CLAIM_MS };
    try {
      return { attempt, session: await sessions.move(session, (current) => claimItem(current, attempt, now)) };
    } catch (error) {
      throw isDomainError(error, 'Conflict') ? await this.#withNonce(session, error) : error;
    }
  }

  async #deliver({ session, item, holder, attempt }: Delivery): Promise<CredentialResponse> {
    const { sessions, maker, events, clock, random } = this.#parts;
    const { format } = item.content;
    const credential = await maker.make(item.content, holder);
    await events.issued(session, format, credential);
    const nonce = newSecret(random);
    const after = await sessions.move(session, (current) => deliverItem(current, attempt, nonce));
    if (after.state !== 'ACTIVE') return { format, credential };
    return { format, credential, c_nonce: nonce, c_nonce_expires_in: secondsLeft(after, clock.now()) };
  }

  /** What to tell the wallet, after the session was put right. */
  async #undo({ session, attempt }: ClaimedSession, error: unknown): Promise<unknown> {
    const { sessions } = this.#parts;
    if (cannotBeMended(error)) {
      await sessions.move(session, (current) => failSession(current, error.message)).catch(() => undefined);
      return oauthError('credential_request_denied', error.message, { cause: error });
    }
    // When this fails too, the claim runs out by itself and the next proof gets a fresh nonce.
    await sessions.move(session, (current) => releaseItem(current, attempt)).catch(() => undefined);
    return isDomainError(error, 'Conflict') ? oauthError('invalid_token', 'The issuance session is over') : error;
  }

  /** `invalid_proof` with the nonce to try again with: a fresh one, or the one a request beside this one made. */
  async #withNonce(session: IssuanceSession, cause: DomainError): Promise<DomainError> {
    const { sessions, clock, random } = this.#parts;
    try {
      const isFresh = ({ cNonce }: IssuanceSession) => cNonce !== undefined && cNonce !== session.cNonce;
      const renewed = await sessions.move(session, (current) =>
        isFresh(current) ? current : renewNonce(current, newSecret(random)),
      );
      const extra = { c_nonce: renewed.cNonce, c_nonce_expires_in: secondsLeft(renewed, clock.now()) };
      return oauthError('invalid_proof', cause.message, { cause, extra });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      return oauthError('invalid_token', 'The issuance session is over', { cause: error });
    }
  }
}

interface ClaimedSession {
  /** As it is with the claim. */
  session: IssuanceSession;
  attempt: Attempt;
}

interface Delivery extends ClaimedSession {
  item: IssuanceItem;
  holder: Holder;
}

/** The offer itself is at fault: its mapping, its webhook's address, its key. */
const cannotBeMended = (error: unknown): error is DomainError =>
  (isDomainError(error, 'BadRequest') || isDomainError(error, 'AddressRefused')) && error.oauthError === undefined;

/** The first of the session's credentials that has the format and the types asked for. */
function findItem({ items }: IssuanceSession, request: JsonObject): IssuanceItem {
  const { format, credential_definition: definition } = request;
  if (!isText(format)) throw oauthError('invalid_credential_request', 'format is required');
  const ofFormat = items.filter(({ content }) => content.format === format);
  if (ofFormat.length === 0)
    throw oauthError('unsupported_credential_format', 'format: nothing of this format was offered');
  const wanted = asList((isObject(definition) ? definition.type : undefined) ?? request.types);
  if (wanted.length === 0)
    throw oauthError('invalid_credential_request', 'credential_definition.type is required for this format');
  const found = ofFormat.find(({ content }) => content.types.some((types) => sameTypes(types, wanted)));
  if (found) return found;
  throw oauthError('unsupported_credential_type', 'credential_definition.type: nothing of these types was offered');
}

const sameTypes = (types: string[], wanted: unknown[]): boolean =>
  types.length === wanted.length && types.every((type) => wanted.includes(type));

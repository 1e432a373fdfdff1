import type { Clock } from '../../../ports/system.ts';
import { equalInConstantTime } from '../../foundation/bytes.ts';
import { type DomainError, fieldErrors, oauthError, replacing } from '../../foundation/errors.ts';
import { busy } from '../../foundation/lease.ts';
import { checkTokenClient } from '../../oauth/authorization-policy.ts';
import type { SessionHandles } from '../../oauth/session-handles.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceGrant, PreAuthorizedGrant } from '../issuance-grant.ts';
import { identified } from '../offers/authorized-items.ts';
import type { Redemption, RedemptionRequest } from '../protocol.ts';
import { tokenRequestEvent } from '../sessions/issuance-event-names.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import { type ActiveSession, isOverdue } from '../sessions/issuance-session.ts';
import type { NonceSources } from '../sessions/proof-nonces.ts';
import type { IssuanceSessionRepository, StoredSession } from '../sessions/session-repository.ts';
import { isTxCode } from '../sessions/transaction-codes.ts';
import { VERSIONS } from '../versions.ts';
import { policyFor } from './session-policy.ts';
import type { SessionTokens } from './session-tokens.ts';

/** After how many wrong transaction codes a pre-authorized code is consumed. */
export const MAX_WRONG_TX_CODES = 5;

/** The token endpoint of issuers. */
export class TokenEndpoint {
  constructor(
    private readonly parts: {
      sessions: IssuanceSessionRepository;
      handles: SessionHandles;
      sessionTokens: SessionTokens;
      nonces: NonceSources;
      events: IssuanceEvents;
      clock: Clock;
    },
  ) {}

  /**
   * Redeems a pre-authorized code. The code is used up in the write that concludes the redemption: of concurrent ones
   * exactly one concludes, and one that fails leaves the code good, until too many transaction codes were wrong.
   * @throws DomainError `BadRequest` with a code of RFC 6749 §5.2, `CallbackFailed`, `Busy` when another request redeemed it meanwhile
   */
  async redeem(issuer: CredentialIssuer, request: RedemptionRequest): Promise<Redemption> {
    const { sessions, handles } = this.parts;
    const id = await handles.sessionOf('code', issuer.id, request.code);
    const session = id === undefined ? undefined : await sessions.active(issuer, id);
    const grant = session && usableGrant(session.value);
    if (!grant || !equalInConstantTime(grant.code, request.code)) throw unknownCode();
    if ((grant.wrongTxCodes ?? 0) >= MAX_WRONG_TX_CODES) throw unknownCode();
    try {
      checkTokenClient(policyFor(issuer, session.value), request.client ?? {});
      if (!needsTxCode(grant, request)) return await this.#grant(issuer, session, request);
      return await this.#withTxCode(issuer, session, { ...request, txCode: request.txCode ?? '' });
    } catch (error) {
      await sessions.tokenFailed(session, request.event, error);
      throw error;
    }
  }

  /** An attempt is counted before its code is compared, so that of any number of attempts at once five are compared. */
  async #withTxCode(
    issuer: CredentialIssuer,
    stored: StoredSession,
    request: RedemptionRequest & { txCode: string },
  ): Promise<Redemption> {
    const count = (change: 1 | -1) => (current: ActiveSession) =>
      withGrant(current, ({ wrongTxCodes = 0, ...grant }) => {
        if (wrongTxCodes + change > MAX_WRONG_TX_CODES) throw unknownCode();
        return { ...grant, wrongTxCodes: wrongTxCodes + change };
      });
    const { sessions } = this.parts;
    const counted = await sessions.move(stored, count(1)).catch(asUnknown);
    const { id, grant } = counted.value;
    if (grant.kind !== 'pre-authorized' || !grant.txCode || !isTxCode(id, grant.txCode, request.txCode))
      throw txCodeError('invalid_grant', 'the transaction code is wrong');
    try {
      return await this.#grant(issuer, counted, request);
    } catch (error) {
      await sessions.move(counted, count(-1)).catch(() => undefined);
      throw error;
    }
  }

  async #grant(issuer: CredentialIssuer, stored: StoredSession, request: RedemptionRequest): Promise<Redemption> {
    const { sessionTokens, nonces, events, clock, sessions } = this.parts;
    const { value: session } = stored;
    checkOffered(session.configurationIds, request);
    const step = `token ${JSON.stringify(request.event)}`;
    await events.send(session, { type: 'requested_token', data: request.event, step });
    if (isOverdue(session, clock.now())) throw oauthError('invalid_grant', 'The issuance session is over');
    const created = await sessionTokens.first(issuer, { session, client: request.client ?? {} });
    const event = tokenRequestEvent(String(request.event.grant_type), 'succeeded');
    await sessions
      .move(stored, (current) => withGrant(current, (grant) => ({ ...grant, isUsed: true })), { event })
      .catch(asUnknown);
    return {
      nonce: await nonces[VERSIONS[issuer.version].nonces].first(created.grantId, session),
      credentials: identified(session, request.configurationIds),
      ...created,
    };
  }
}

/** The grant of a session whose code is not used up. */
const usableGrant = ({ grant }: { grant: IssuanceGrant }): PreAuthorizedGrant | undefined =>
  grant.kind === 'pre-authorized' && !grant.isUsed ? grant : undefined;

/** @throws DomainError `Busy` when the code was used since the session was read: asked again, it is unknown */
function withGrant(session: ActiveSession, change: (grant: PreAuthorizedGrant) => PreAuthorizedGrant): ActiveSession {
  const grant = usableGrant(session);
  if (!grant) throw busy();
  return { ...session, grant: change(grant) };
}

/** Whether the offer has a transaction code, which the request has then. @throws DomainError `BadRequest` (OpenID4VCI 1.0 §6.3) */
function needsTxCode({ txCode: expected }: PreAuthorizedGrant, { txCode }: RedemptionRequest): boolean {
  if (!expected && txCode !== undefined) throw txCodeError('invalid_request', 'this offer has no transaction code');
  if (expected && txCode === undefined) throw txCodeError('invalid_request', 'this offer needs a transaction code');
  return expected !== undefined;
}

/** An error that names the transaction code as draft 13 and 1.0 do. */
const txCodeError = (error: string, message: string): DomainError =>
  fieldErrors([{ path: ['tx_code'], message }], { oauthError: error });

/** @throws DomainError `BadRequest` (RFC 9396 §14.6) */
function checkOffered(offered: readonly string[], { configurationIds, refusesUnknown }: RedemptionRequest): void {
  if (!refusesUnknown || configurationIds.every((id) => offered.includes(id))) return;
  const description = 'authorization_details: must name configurations of the offer';
  throw oauthError('invalid_authorization_details', description);
}

const unknownCode = () => oauthError('invalid_grant', 'The pre-authorized code is unknown, used or expired');

/** A session that ended since it was read has no code. */
const asUnknown = replacing('Conflict', unknownCode);

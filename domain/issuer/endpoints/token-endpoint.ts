import type { Clock } from '../../../ports/system.ts';
import { type DomainError, fieldErrors, oauthError } from '../../foundation/errors.ts';
import type { AuthorizationCodes, CodeRecord } from '../../oauth/authorization-codes.ts';
import { checkTokenClient } from '../../oauth/authorization-policy.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { identified } from '../offers/authorized-items.ts';
import type { Redemption, RedemptionRequest } from '../protocol.ts';
import { tokenRequestEvent } from '../sessions/issuance-event-names.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import { isOverdue } from '../sessions/issuance-session.ts';
import type { NonceSources } from '../sessions/proof-nonces.ts';
import type { IssuanceSessionRepository, StoredSession } from '../sessions/session-repository.ts';
import { isTxCode } from '../sessions/transaction-codes.ts';
import { VERSIONS } from '../versions.ts';
import { policyFor } from './session-policy.ts';
import type { SessionTokens } from './session-tokens.ts';

/** After how many wrong transaction codes a pre-authorized code is consumed. */
export const MAX_WRONG_TX_CODES = 5;

/** A code, and how many wrong transaction codes were sent with it. */
interface Tries {
  code: CodeRecord;
  wrong: number;
}

/** The token endpoint of issuers. */
export class TokenEndpoint {
  constructor(
    private readonly parts: {
      sessions: IssuanceSessionRepository;
      codes: AuthorizationCodes;
      sessionTokens: SessionTokens;
      nonces: NonceSources;
      events: IssuanceEvents;
      clock: Clock;
    },
  ) {}

  /**
   * Redeems a pre-authorized code. Of concurrent redemptions exactly one goes on; when that one fails, the code is good
   * again, until too many transaction codes were wrong.
   * @throws DomainError `BadRequest` with a code of RFC 6749 §5.2, `CallbackFailed`, `Busy` while another request redeems it
   */
  async redeem(issuer: CredentialIssuer, request: RedemptionRequest): Promise<Redemption> {
    const { codes } = this.parts;
    const found = await codes.find(issuer.id, request.code);
    if (!found) throw unknownCode();
    const { lease: _, ...code } = found.value;
    const tries: Tries = { code, wrong: code.wrongTxCodes ?? 0 };
    return codes.redeem(found, { work: () => this.#serve(issuer, request, tries), left: () => leftOf(tries) });
  }

  async #serve(issuer: CredentialIssuer, request: RedemptionRequest, tries: Tries): Promise<Redemption> {
    const { sessions } = this.parts;
    const session = await sessions.active(issuer, tries.code.sessionId);
    if (!session) throw unknownCode();
    try {
      checkTokenClient(policyFor(issuer, session.value), request.client ?? {});
      if (!hasTxCode(session, request)) {
        tries.wrong += 1;
        throw txCodeError('invalid_grant', 'the transaction code is wrong');
      }
      return await this.#grant(issuer, session, request);
    } catch (error) {
      await sessions.tokenFailed(session, request.event, error);
      throw error;
    }
  }

  async #grant(issuer: CredentialIssuer, stored: StoredSession, request: RedemptionRequest): Promise<Redemption> {
    const { sessionTokens, nonces, events, clock, sessions } = this.parts;
    const { value: session } = stored;
    checkOffered(session.configurationIds, request);
    const step = `token ${JSON.stringify(request.event)}`;
    await sessions.report(stored, tokenRequestEvent(String(request.event.grant_type), 'succeeded'));
    await events.send(session, { type: 'requested_token', data: request.event, step });
    if (isOverdue(session, clock.now())) throw oauthError('invalid_grant', 'The issuance session is over');
    const created = await sessionTokens.first(issuer, { session, client: request.client ?? {} });
    return {
      ...created,
      nonce: await nonces[VERSIONS[issuer.version].nonces].first(created.grantId, session),
      credentials: identified(session, request.configurationIds),
    };
  }
}

/** What is left of a code whose redemption failed. */
const leftOf = ({ code, wrong }: Tries): CodeRecord | undefined =>
  wrong < MAX_WRONG_TX_CODES ? { ...code, ...(wrong > 0 && { wrongTxCodes: wrong }) } : undefined;

/** Whether the request has the transaction code of the offer, if it has one. @throws DomainError `BadRequest` (OpenID4VCI 1.0 §6.3) */
function hasTxCode({ value: { id, grant } }: StoredSession, { txCode }: RedemptionRequest): boolean {
  const expected = grant.kind === 'pre-authorized' ? grant.txCode : undefined;
  if (!expected && txCode !== undefined) throw txCodeError('invalid_request', 'this offer has no transaction code');
  if (expected && txCode === undefined) throw txCodeError('invalid_request', 'this offer needs a transaction code');
  return !expected || isTxCode(id, expected, txCode ?? '');
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

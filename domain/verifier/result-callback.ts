import type { Log } from '../../ports/log.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { isDomainError } from '../foundation/errors.ts';
import { withSessionId } from './direct-post-response.ts';
import { sessionView } from './session-view.ts';
import type { VerificationSession } from './verification-session.ts';

/** Tells a verifier the result of its session (interface: Verification callback). */
export class ResultCallback {
  readonly #outbound: Outbound;
  readonly #log: Log;

  constructor(outbound: Outbound, log: Log) {
    this.#outbound = outbound;
    this.#log = log;
  }

  /** Posts the result where the verifier asked for it; that it cannot be delivered is only logged. */
  async send(state: string, session: VerificationSession): Promise<void> {
    const { statusCallbackUri: uri, statusCallbackApiKey: key } = session.request;
    if (uri === undefined) return;
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: key }) };
    const body = JSON.stringify(sessionView(state, session));
    try {
      const url = withSessionId(uri, state);
      const { status } = await this.#outbound.send({ method: 'POST', url, expects: 'callback-reply', headers, body });
      if (status >= 400) this.#log.warn('A verification callback was refused', { state, status });
    } catch (error) {
      const reason = isDomainError(error) ? error.code : 'unknown';
      this.#log.warn('A verification callback could not be delivered', { state, reason });
    }
  }
}

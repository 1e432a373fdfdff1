import { DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';

/** What a registrar answers while it registers a DID: it wants signatures, or it has finished. */
export interface RegistrationState {
  state: 'action' | 'finished';
  jobId?: string;
  did?: unknown;
  didDocument?: unknown;
  signingRequest?: unknown;
}

/**
 * Reads the answer of a registrar.
 * @throws DomainError `BadRequest` with the reason of a refused request, `UpstreamFailed` for every other answer
 */
export function readState(status: number, body: unknown): RegistrationState {
  const state = isObject(body) ? body.didState : undefined;
  if (!isObject(body) || !isObject(state)) throw failed(`answered ${status} without a didState`);
  if (state.state === 'failed') throw refusal(status, state);
  if (status < 200 || status > 299) throw failed(`answered ${status}`);
  const { did, didDocument, signingRequest } = state;
  if (state.state === 'finished') return { state: 'finished', did, didDocument };
  const { jobId } = body;
  if (state.state !== 'action' || state.action !== 'signPayload' || !isText(jobId))
    throw failed('answered with a state or an action that is not supported');
  return { state: 'action', jobId, signingRequest };
}

const failed = (what: string): DomainError => new DomainError('UpstreamFailed', `The DID registrar ${what}`);

/** The reason, of printable characters only: it may name the network or the option that is wrong. */
function refusal(status: number, { reason, errorMessage }: JsonObject): DomainError {
  const text = [reason, errorMessage].find(isText) ?? '';
  const shown = text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 200);
  const message = `The DID registrar refused the DID${shown && `: ${shown}`}`;
  return new DomainError(status >= 400 && status < 500 ? 'BadRequest' : 'UpstreamFailed', message);
}

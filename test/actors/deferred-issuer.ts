import type { PeerReply, PeerRequest } from './http-peer.ts';
import type { TestIssuer } from './issuer.ts';

/** How an issuer delivers later. */
export interface DeferredBehaviour {
  /** The answer in place of a credential: 202 of 1.0, a transaction id of draft 13, an acceptance token of draft 11. */
  kind: 'v1' | 'draft13' | 'draft11';
  interval?: unknown;
  /** Answers requests at the deferred endpoint; that nothing is there yet when absent. */
  answer?: (request: PeerRequest) => PeerReply | undefined;
  isReady: boolean;
  notificationId?: string;
  /** Changes what is delivered. */
  credential: (jwt: string) => string;
}

const DEFERRED = '/issuer/deferred';
const METADATA = '/issuer/.well-known/openid-credential-issuer';

/** Lets an issuer deliver all its credentials later, again for the same transaction. */
export function deferAll(issuer: TestIssuer, kind: DeferredBehaviour['kind']) {
  const { routes } = issuer.peer;
  const made = new Map<string, string>();
  const events: unknown[] = [];
  const behaviour: DeferredBehaviour & { asked: PeerRequest[]; events: unknown[] } = {
    kind,
    interval: 5,
    isReady: false,
    credential: (jwt) => jwt,
    asked: [],
    events,
  };
  issuer.behaviour.nonces = kind === 'v1' ? 'endpoint' : 'token';
  const [metadata, deliver] = [routes[METADATA], routes['/issuer/credential']];
  routes[METADATA] = async (request) => ({
    body: {
      ...Object((await metadata?.(request))?.body),
      deferred_credential_endpoint: `${issuer.issuer}/deferred`,
      notification_endpoint: `${issuer.issuer}/notification`,
    },
  });
  routes['/issuer/credential'] = async (request) => {
    const reply = await deliver?.(request);
    if ((reply?.status ?? 200) >= 400) return reply;
    const { credentials, credential = credentials[0].credential } = Object(reply?.body);
    const id = `transaction ${made.size}`;
    made.set(id, credential);
    if (kind === 'draft11') return { body: { acceptance_token: id.replace(' ', '-') } };
    const body = { transaction_id: id, interval: behaviour.interval };
    return kind === 'v1' ? { status: 202, body } : { body: { transaction_id: id } };
  };
  routes[DEFERRED] = (request) => {
    behaviour.asked.push(request);
    const answer = behaviour.answer?.(request);
    if (answer) return answer;
    const { interval } = behaviour;
    const token = request.headers.authorization ?? '';
    const { transaction_id: id = token.replace('Bearer ', '').replace('-', ' ') } = JSON.parse(request.body);
    const jwt = made.get(id);
    if (jwt === undefined) return { status: 400, body: { error: 'invalid_transaction_id' } };
    if (!behaviour.isReady && kind === 'v1') return { status: 202, body: { transaction_id: id, interval } };
    if (!behaviour.isReady) return { status: 400, body: { error: 'issuance_pending', interval } };
    const credential = behaviour.credential(jwt);
    const { notificationId: notification_id } = behaviour;
    return { body: kind === 'v1' ? { credentials: [{ credential }], notification_id } : { credential } };
  };
  routes['/issuer/notification'] = ({ body }) => {
    events.push(JSON.parse(body));
    return { status: 204 };
  };
  return behaviour;
}

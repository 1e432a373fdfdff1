import { expect } from 'chai';
import { EventListener } from '../../actors/event-listener.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, Openid4vp, type PresentedJwt } from '../../actors/openid4vp.ts';
import { until } from '../../support/runs/waiting.ts';
import { useServer } from '../../support/servers/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into any member
type Json = Record<string, any>;

/** Where existing portals stop to listen. */
const isFinal = ({ session }: Json): boolean => ['SUCCESSFUL', 'FAILED', 'EXPIRED'].includes(session.status);

const STEPS = [
  ['authorization_request_requested', 'IN_USE'],
  ['attempted_presentation', 'PROCESSING_FLOW'],
  ['parsed_presentation_available', 'PROCESSING_FLOW'],
  ['presentation_validation_available', 'PROCESSING_FLOW'],
  ['validated_credentials_available', 'PROCESSING_FLOW'],
  ['presentation_fulfils_dcql_query', 'PROCESSING_FLOW'],
] as const;

/** How a verification ends, by what the wallet does. */
const ENDINGS: Record<string, { core?: Json; presented?: PresentedJwt | 'refusal'; steps: (readonly string[])[] }> = {
  success: { steps: [...STEPS, ['credential_policy_results_available', 'SUCCESSFUL']] },
  'a presentation for another verifier': {
    presented: { audience: 'another' },
    steps: [...STEPS.slice(0, 4), ['presentation_validation_failed', 'FAILED']],
  },
  'a credential that was not asked for': {
    core: {
      dcql_query: { credentials: [{ id: 'degree', format: 'jwt_vc_json', meta: { type_values: [['Licence']] } }] },
    },
    steps: [...STEPS.slice(0, 5), ['dcql_fulfillment_check_failed', 'FAILED']],
  },
  'an issuer that the policies do not allow': {
    core: { policies: { vc_policies: [{ policy: 'allowed-issuer', allowed_issuer: 'did:web:other.example' }] } },
    steps: [...STEPS, ['credential_policy_results_available', 'FAILED']],
  },
  'a refusal of the wallet': {
    presented: 'refusal',
    steps: [...STEPS.slice(0, 1), ['wallet_error_response_received', 'FAILED']],
  },
};

describe('events of verification sessions: each has the status of its moment', () => {
  const server = useServer();
  const peer = new HttpPeer();
  const posted: Json[] = [];
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
    await peer.listen();
    peer.routes['/events'] = ({ body }) => {
      posted.push(JSON.parse(body));
      return {};
    };
  });
  after(() => peer.close());

  for (const [ending, { core, presented = {}, steps }] of Object.entries(ENDINGS))
    it(`${ending}: who stops at a final status has received every event, by the stream and by the webhook`, async () => {
      const notifications = { webhook: { url: `${peer.url}/events` } };
      const created = await vp.create(crossDevice({ ...core, notifications }));
      const listener = await EventListener.open(server, created.sessionId, {
        operation: 'streamVerificationSessionEvents',
      });
      const request = await vp.request(created);
      await vp.fetch(request.requestId);
      await vp.respond(
        request,
        presented === 'refusal'
          ? { error: 'access_denied', state: request.parameters.state }
          : await vp.response(request, presented),
      );
      const received = () => posted.filter(({ target }) => target === created.sessionId);
      await until(() => listener.events.some(isFinal) && received().some(isFinal));
      for (const events of [listener.events as Json[], received()])
        expect(events.map(({ event, session }) => [event, session.status])).to.deep.equal(steps);
      listener.leave();
    });
});

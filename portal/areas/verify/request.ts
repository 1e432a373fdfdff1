import type { Schemas } from '../../../client/client.ts';
import type { Session } from '../../queries/results.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { to } from '../../shell/place.ts';

export type Setup = Schemas['VerificationSessionSetup'];

/** The page of the builder with a request. */
export const builderPage = (request: unknown): string => to('/verify', { request: JSON.stringify(request) });

/** Creates a session; gives its page. */
export async function createRequest(body: Setup): Promise<Outcome<string>> {
  const session = await ask(api.POST('/verification-session/create', { body }));
  return session.ok ? { ok: true, data: to(`/verify/session/${session.data.sessionId}`) } : session;
}

/** The request of a session, to be made again or changed: what it asked for and checked, for a code. */
export const requestOf = ({ authorizationRequest, policies }: Session): Setup => ({
  flow_type: 'cross_device',
  core_flow: {
    dcql_query: authorizationRequest.dcql_query as Setup['core_flow']['dcql_query'],
    policies: {
      vc_policies: policies.vc_policies,
      ...(Object.keys(policies.specific_vc_policies).length > 0 && {
        specific_vc_policies: policies.specific_vc_policies,
      }),
    },
  },
});

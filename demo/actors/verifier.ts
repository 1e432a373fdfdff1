import { ask, type HttpAnswer, member, textOf } from '../http-client.ts';
import { type Caller, perform } from '../services.ts';

/** A request for one degree, by a presentation definition. */
export const DEGREE_REQUEST = {
  request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }],
  vp_policies: ['signature', 'presentation-definition'],
  vc_policies: ['signature', 'expired', 'not-before'],
};

/** Asks by a presentation definition. Returns the link for the wallet. */
export const startVerification = async (
  caller: Caller,
  json: object,
  headers: Record<string, string> = {},
): Promise<string> => textOf(await perform(caller, 'startVerification', { json, headers }));

/** The state of the request that a link has, which names its session. */
export const stateOf = (link: string): string => textOf(new URL(link).searchParams.get('state'));

/** The session of a request by a presentation definition. */
export const sessionOf = <A extends HttpAnswer>(caller: Caller<A>, state: string): Promise<A['body']> =>
  perform(caller, 'getVerificationResult', { path: { state } });

/** Creates a session of OpenID4VP 1.0. */
export const createSession = <A extends HttpAnswer>(caller: Caller<A>, json: object): Promise<A['body']> =>
  perform(caller, 'createVerificationSession', { json });

/** What is known of a session of OpenID4VP 1.0. */
export const infoOf = <A extends HttpAnswer>(caller: Caller<A>, sessionId: string): Promise<A['body']> =>
  perform(caller, 'getVerificationSession', { path: { sessionId } });

/** Sends a presentation that no wallet created to the verifier that a link names; it must reject it. */
export async function presentForged(link: string, vpToken: string, submission: object): Promise<void> {
  const { searchParams } = new URL(link);
  const { body: definition } = await ask(textOf(searchParams.get('presentation_definition_uri')));
  const form = {
    vp_token: vpToken,
    presentation_submission: JSON.stringify({ ...submission, definition_id: textOf(definition, 'id') }),
    state: stateOf(link),
  };
  await ask(textOf(searchParams.get('response_uri')), { form, expect: [400] });
}

/** Every policy of a session's result: `policy ✓` when it passed, `policy ✗` when it failed. */
export function policiesOf(session: unknown): string {
  const results = member(session, 'policyResults', 'results');
  const lines = (Array.isArray(results) ? results : []).map((result) => {
    const policies = member(result, 'policies');
    const each = (Array.isArray(policies) ? policies : []).map(
      (policy) => `${textOf(policy, 'policy')} ${member(policy, 'is_success') === true ? '✓' : '✗'}`,
    );
    return `${textOf(result, 'credential')}: ${each.join(', ')}`;
  });
  return lines.join('; ');
}

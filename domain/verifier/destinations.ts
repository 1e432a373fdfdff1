import type { PolicyRequest } from './policies/policy.ts';
import type { VerificationRequest } from './session.ts';

/** Every address that a session will call, with the place in the request where it stands. */
export function destinations(
  request: Pick<VerificationRequest, 'vpPolicies' | 'vcPolicies' | 'ownPolicies' | 'statusCallbackUri'>,
): { url: string; at: string }[] {
  const webhooks = (policies: PolicyRequest[], at: string) =>
    policies.flatMap(({ policy, args }, index) =>
      policy === 'webhook' ? [{ url: String(args), at: `${at}/${index}/args` }] : [],
    );
  const { vpPolicies, vcPolicies, ownPolicies, statusCallbackUri } = request;
  return [
    ...(statusCallbackUri === undefined ? [] : [{ url: statusCallbackUri, at: '/header/statusCallbackUri' }]),
    ...webhooks(vpPolicies, '/body/vp_policies'),
    ...webhooks(vcPolicies, '/body/vc_policies'),
    ...ownPolicies.flatMap(({ index, policies }) => webhooks(policies, `/body/request_credentials/${index}/policies`)),
  ];
}

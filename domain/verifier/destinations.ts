import type { RequestedUrl } from '../network/destinations.ts';
import type { PolicyRequest } from './policies/policy.ts';
import type { VerificationRequest } from './verification-session.ts';

/** Every address that a session will call, with the place in the request where it stands. */
export function destinations(
  request: Pick<VerificationRequest, 'vpPolicies' | 'vcPolicies' | 'ownPolicies' | 'statusCallbackUri'>,
): RequestedUrl[] {
  const webhooks = (policies: PolicyRequest[], at: string): RequestedUrl[] =>
    policies.flatMap(({ policy, args }, index) =>
      policy === 'webhook' ? [{ expects: 'webhook-reply', url: String(args), at: `${at}/${index}/args` }] : [],
    );
  const { vpPolicies, vcPolicies, ownPolicies, statusCallbackUri } = request;
  return [
    ...callbacks(statusCallbackUri),
    ...webhooks(vpPolicies, '/body/vp_policies'),
    ...webhooks(vcPolicies, '/body/vc_policies'),
    ...ownPolicies.flatMap(({ index, policies }) => webhooks(policies, `/body/request_credentials/${index}/policies`)),
  ];
}

const callbacks = (url: string | undefined): RequestedUrl[] =>
  url === undefined ? [] : [{ expects: 'callback-reply', url, at: '/header/statusCallbackUri' }];

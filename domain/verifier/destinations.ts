import type { DocumentKind } from '../../ports/outbound.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import type { PolicyRequest } from './policies/policy.ts';
import type { VerificationRequest } from './verification-session.ts';

/** A URL of a request: its place, and what a call of it would return. */
export interface RequestedUrl {
  url: string;
  expects: DocumentKind;
  place: FieldPath;
}

/** Every address that a session will call, with the place in the request where it stands. */
export function destinations(
  request: Pick<VerificationRequest, 'vpPolicies' | 'vcPolicies' | 'ownPolicies' | 'statusCallbackUri'>,
): RequestedUrl[] {
  const webhooks = (policies: PolicyRequest[], place: FieldPath): RequestedUrl[] =>
    policies.flatMap(({ policy, args }, index) =>
      policy === 'webhook' ? [{ expects: 'webhook-reply', url: String(args), place: [...place, index, 'args'] }] : [],
    );
  const { vpPolicies, vcPolicies, ownPolicies, statusCallbackUri } = request;
  return [
    ...callbacks(statusCallbackUri),
    ...webhooks(vpPolicies, ['body', 'vp_policies']),
    ...webhooks(vcPolicies, ['body', 'vc_policies']),
    ...ownPolicies.flatMap(({ index, policies }) =>
      webhooks(policies, ['body', 'request_credentials', index, 'policies']),
    ),
  ];
}

const callbacks = (url: string | undefined): RequestedUrl[] =>
  url === undefined ? [] : [{ expects: 'callback-reply', url, place: ['header', 'statusCallbackUri'] }];

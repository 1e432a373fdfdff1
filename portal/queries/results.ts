import type { Schemas } from '../../client/client.ts';
import { textOf } from '../parts/cards/claims.ts';

export type Session = Schemas['PresentationSession'];

/** One check: of a credential, or of the presentation that it came in. */
export interface CheckLine {
  /** The query that it belongs to, and the place among the credentials for it; a check of a presentation is of all of them. */
  queryId: string;
  index?: number;
  policy: string;
  isPassed: boolean;
  /** Why, for programs. */
  code: string;
  reason: string;
}

/** Every check of a session, each once, in the order in which they ran. */
export function checksOf({ policy_results: results }: Session): CheckLine[] {
  if (!results) return [];
  const ofPresentations = Object.entries(results.vp_policies).flatMap(([queryId, checks]) =>
    Object.entries(checks).map(([name, { success, errors }]) => ({
      queryId,
      policy: name.split('/').at(-1) ?? name,
      isPassed: success,
      code: success ? 'passed' : (errors[0]?.error ?? ''),
      reason: errors.map(({ message }) => message).join(' '),
    })),
  );
  const ofCredentials = [...results.vc_policies, ...Object.values(results.specific_vc_policies).flat()];
  return [
    ...ofPresentations,
    ...ofCredentials.map(({ policy, success, code, reason, query_id: queryId, credential_index: index }) => ({
      queryId,
      index,
      policy: policy.policy,
      isPassed: success,
      code,
      reason: textOf(reason),
    })),
  ];
}

/** Whether nothing more comes of a session. */
export const isClosed = ({ status }: Pick<Session, 'status'>): boolean =>
  ['EXPIRED', 'SUCCESSFUL', 'FAILED'].includes(status);

/** Why a session came to nothing, by a name that texts are written for. */
export function reasonOf(session: Session): string {
  const { status, failure } = session;
  if (status === 'EXPIRED') return 'late';
  if (failure?.type === 'wallet_error_response') return failure.error === 'access_denied' ? 'declined' : 'wallet-error';
  if (failure?.type === 'dcql_fulfillment') return 'not-asked-for';
  if (failure?.type === 'id_token_validation') return failure.code ?? '';
  // What was not run says nothing: another check failed first.
  const failed = checksOf(session).find(({ isPassed, code }) => !isPassed && code !== 'not-run');
  return failed ? whyOf(failed) : 'unreadable';
}

/** Why a check failed, by a name that texts are written for: its code, but for statuses, of which it names the one. */
export function whyOf({ policy, code, reason }: CheckLine): string {
  if (code !== 'status-set' || policy !== 'revoked-status-list') return code;
  return /\bsuspended\b/.test(reason) ? 'suspended' : 'revoked';
}

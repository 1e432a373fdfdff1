import type { Schemas } from '../../../client/client.ts';
import { claimsIn, isTechnical, shortName, shortType, textOf } from '../../parts/claims.ts';
import { Notice } from '../../parts/notice.tsx';
import { Claims } from '../../parts/summary.tsx';
import { texts, timeOfDay } from '../../texts/texts.ts';

type Session = Schemas['PresentationSession'];

/** One check: of a credential of the request, or of the presentation. */
interface Check {
  /** The credential; absent for checks of the presentation. */
  queryId?: string;
  policy: string;
  isPassed: boolean;
  reason?: string;
}

/** Every check of a session, each once. */
function checksOf({ policy_results: results }: Session): Check[] {
  if (!results) return [];
  const ofCredentials = [...results.vc_policies, ...Object.values(results.specific_vc_policies).flat()];
  return [
    ...ofCredentials.map(({ policy, success, reason, query_id: queryId }) => ({
      queryId,
      policy: policy.policy,
      isPassed: success,
      reason,
    })),
    ...Object.values(results.vp_policies).flatMap((checks) =>
      Object.entries(checks).map(([name, { success, errors }]) => ({
        policy: name.split('/').at(-1) ?? name,
        isPassed: success,
        reason: errors.map((error) => textOf(error)).join(' '),
      })),
    ),
  ];
}

/** Failed checks come first, the others keep their order. */
const failedFirst = (checks: readonly Check[]): Check[] =>
  checks.toSorted((one, other) => Number(one.isPassed) - Number(other.isPassed));

/** What came of a presentation: each check with its reason, and what was shown. */
export const Result = ({ session }: { session: Session }) => {
  const t = texts().verify;
  const checks = checksOf(session);
  const failed = checks.filter(({ isPassed }) => !isPassed).length;
  const isVerified = session.status === 'SUCCESSFUL';
  const figures = failed > 0 ? t.failedOf(failed, checks.length) : t.passedOf(checks.length, checks.length);
  const credentials = Object.entries(session.presented_credentials ?? {});
  const named = new Set(credentials.map(([id]) => id));
  const others = checks.filter(({ queryId }) => queryId === undefined || !named.has(queryId));
  return (
    <>
      <Notice kind={isVerified ? 'good' : 'bad'} role="status">
        <p>
          <span aria-hidden="true">{isVerified ? '✓ ' : '✕ '}</span>
          {[figures, t.asked(timeOfDay(session.creationDate)), t.session(session.id.slice(0, 8))].join(' · ')}
        </p>
        {isVerified ? null : <p>{session.failure?.reason ?? session.statusReason ?? t.unreadable}</p>}
      </Notice>
      {credentials.map(([id, [first]]) => (
        <section key={id}>
          <h2>{t.from(shortType(first?.type ?? id), shortName(first?.issuer ?? ''))}</h2>
          <Checks checks={checks.filter(({ queryId }) => queryId === id)} />
          {first?.claims ? <Shown claims={first.claims} /> : null}
        </section>
      ))}
      {others.length > 0 ? (
        <section>
          <h2>{t.presentation}</h2>
          <Checks checks={others} />
        </section>
      ) : null}
    </>
  );
};

const Checks = ({ checks }: { checks: readonly Check[] }) => {
  const t = texts().verify;
  return (
    <ul class="checks">
      {failedFirst(checks).map(({ policy, isPassed, reason }, at) => (
        <li key={at}>
          <strong class={isPassed ? 'good-word' : 'bad-word'}>
            <span aria-hidden="true">{isPassed ? '✓ ' : '✕ '}</span>
            {isPassed ? t.passed : t.failedCheck}
          </strong>{' '}
          {t.policies[policy] ?? policy}
          {reason ? (
            <span class="check-text quiet" lang="en">
              {reason}
            </span>
          ) : null}
          {isPassed ? null : <span class="check-text">{t.whatToDo(t.advice[policy] ?? t.otherAdvice)}</span>}
        </li>
      ))}
    </ul>
  );
};

const Shown = ({ claims }: { claims: Record<string, unknown> }) => {
  const t = texts();
  const all = claimsIn(claims);
  return (
    <>
      <h3>{t.verify.shown}</h3>
      <Claims claims={all.filter((claim) => !isTechnical(claim))} />
      <details>
        <summary>{t.technical}</summary>
        <Claims claims={all.filter(isTechnical)} />
      </details>
    </>
  );
};

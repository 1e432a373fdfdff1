import type { Schemas } from '../../../client/client.ts';
import { claimsIn, isTechnical, shortName, shortType } from '../../parts/cards/claims.ts';
import { Notice } from '../../parts/notice.tsx';
import { Claims } from '../../parts/summary.tsx';
import { credentialsOf, typeOf } from '../../queries/query.ts';
import { type CheckLine, checksOf, reasonOf, type Session, whyOf } from '../../queries/results.ts';
import { texts, timeOfDay } from '../../texts/texts.ts';

type Presented = Schemas['PresentedCredential'];

/** What came of a check; one that was not run has neither passed nor failed. */
const stateOf = ({ isPassed, code }: CheckLine) =>
  isPassed ? 'passed' : code === 'not-run' ? 'notRun' : 'failedCheck';

const hasFailed = (check: CheckLine): boolean => stateOf(check) === 'failedCheck';

const ORDER = ['failedCheck', 'notRun', 'passed'];

/** Failed checks come first, the others keep their order. */
const failedFirst = (checks: readonly CheckLine[]): CheckLine[] =>
  checks.toSorted((one, other) => ORDER.indexOf(stateOf(one)) - ORDER.indexOf(stateOf(other)));

/** What came of a presentation: each check with its reason, below the credential that it belongs to; those that failed come first. */
export const Result = ({ session }: { session: Session }) => {
  const checks = checksOf(session);
  const query = session.authorizationRequest.dcql_query;
  const presented = session.presented_credentials ?? {};
  const asked = credentialsOf(query).map(({ id }) => id);
  const ids = [...new Set([...asked, ...Object.keys(presented), ...checks.map(({ queryId }) => queryId)])];
  const rank = (id: string): number => (checks.some((one) => one.queryId === id && hasFailed(one)) ? 0 : 1);
  const shown = ids
    .filter((id) => presented[id] || checks.some(({ queryId }) => queryId === id))
    .toSorted((one, other) => rank(one) - rank(other));
  const failed = checks.find(hasFailed)?.queryId;
  const where = failed === undefined || shown.length < 2 ? undefined : askedType(query, failed);
  return (
    <>
      <Outcome session={session} checks={checks} where={where} />
      {shown.map((id) => (
        <Answer
          key={id}
          credentials={presented[id] ?? []}
          checks={checks.filter(({ queryId }) => queryId === id)}
          type={askedType(query, id)}
        />
      ))}
    </>
  );
};

/** The type that a query asks for, in short. */
function askedType(query: unknown, id: string): string {
  const asked = credentialsOf(query).find((one) => one.id === id);
  return (asked && shortType(typeOf(asked))) || id;
}

interface OutcomeProps {
  session: Session;
  checks: readonly CheckLine[];
  /** The credential that failed, where there are several. */
  where: string | undefined;
}

/** The outcome as a whole: how many checks failed, why in the reader's words, and in those of the server. */
const Outcome = ({ session, checks, where }: OutcomeProps) => {
  const t = texts().verify;
  const failed = checks.filter(hasFailed).length;
  const isVerified = session.status === 'SUCCESSFUL';
  const figures = failed > 0 ? t.failedOf(failed, checks.length) : t.passedOf(checks.length, checks.length);
  const why = t.why[reasonOf(session)] ?? t.unreadable;
  const words = session.failure?.reason ?? session.statusReason;
  return (
    <Notice kind={isVerified ? 'good' : 'bad'} role="status">
      <p>
        <span aria-hidden="true">{isVerified ? '✓ ' : '✕ '}</span>
        {[
          ...(checks.length > 0 && (isVerified || failed > 0) ? [figures] : []),
          t.asked(timeOfDay(session.creationDate)),
          t.session(session.id.slice(0, 8)),
        ].join(' · ')}
      </p>
      {isVerified ? null : <p>{where === undefined ? why : t.whyIn(where, why)}</p>}
      {isVerified ? null : <Missing session={session} />}
      {isVerified || words === undefined ? null : (
        <p class="quiet" lang="en">
          {words}
        </p>
      )}
      {session.handoverDate === undefined ? null : <p>{t.handedOver}</p>}
    </Notice>
  );
};

/** The credentials that were asked for and did not come. */
const Missing = ({ session: { failure, authorizationRequest } }: { session: Session }) => {
  const ids = failure?.failure?.missing_query_ids ?? [];
  const types = ids.map((id) => askedType(authorizationRequest.dcql_query, id));
  return types.length === 0 ? null : <p>{texts().verify.missing(types.join(', '))}</p>;
};

interface AnswerProps {
  /** What was shown for one query. */
  credentials: readonly Presented[];
  checks: readonly CheckLine[];
  /** The type that was asked for. */
  type: string;
}

const Answer = ({ credentials, checks, type }: AnswerProps) => {
  const t = texts().verify;
  const ofPresentation = checks.filter(({ index }) => index === undefined);
  return (
    <section>
      {credentials.length === 0 ? <h2 translate={false}>{type}</h2> : null}
      {credentials.map((credential, at) => (
        <section key={at}>
          <h2>{t.from(shortType(credential.type), shortName(credential.issuer))}</h2>
          <Checks checks={checks.filter(({ index }) => index === at)} issuer={shortName(credential.issuer)} />
          {credential.claims ? <Shown claims={credential.claims} /> : null}
        </section>
      ))}
      {ofPresentation.length > 0 ? (
        <>
          <h3>{t.presentation}</h3>
          <Checks checks={ofPresentation} issuer={shortName(credentials[0]?.issuer ?? '')} />
        </>
      ) : null}
    </section>
  );
};

const SIGNS = { passed: '✓ ', notRun: '– ', failedCheck: '✕ ' };
const WORDS = { passed: 'good-word', notRun: 'quiet', failedCheck: 'bad-word' };

const Checks = ({ checks, issuer }: { checks: readonly CheckLine[]; issuer: string }) => {
  const t = texts().verify;
  return (
    <ul class="checks">
      {failedFirst(checks).map((check, at) => {
        const state = stateOf(check);
        return (
          <li key={at}>
            <strong class={WORDS[state]}>
              <span aria-hidden="true">{SIGNS[state]}</span>
              {t[state]}
            </strong>{' '}
            {t.policies[check.policy] ?? <span translate={false}>{check.policy}</span>}
            {state === 'failedCheck' ? <Why check={check} issuer={issuer} /> : null}
            {check.reason ? (
              <span class="check-text quiet" lang="en">
                {check.reason}
              </span>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
};

/** Why a check failed, and what the reader can do. */
const Why = ({ check, issuer }: { check: CheckLine; issuer: string }) => {
  const t = texts().verify;
  const why = whyOf(check);
  const advice = t.advice[why]?.(issuer === '' ? t.theIssuer : issuer) ?? t.otherAdvice;
  return (
    <>
      {t.why[why] === undefined ? null : <span class="check-text">{t.why[why]}</span>}
      <span class="check-text">{t.whatToDo(advice)}</span>
    </>
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

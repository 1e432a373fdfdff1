import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { type Claim, textOf } from '../../parts/cards/claims.ts';
import { Countdown } from '../../parts/countdown.tsx';
import { QrCode } from '../../parts/qr.tsx';
import { Summary } from '../../parts/summary.tsx';
import { cardFor, cardsIn, claimLabel, type OfferedCard } from '../../queries/offered.ts';
import { credentialsOf } from '../../queries/query.ts';
import { api, ask, type Failure } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { LoopbackNotice } from '../../shell/loopback.tsx';
import { may, type Office, officePage, readOffice } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { to } from '../../shell/place.ts';
import { hasWallet, settings } from '../../shell/settings.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { day, inLanguage, isCalendarDay, texts } from '../../texts/texts.ts';
import { type Check, readCheck } from './checks.tsx';
import { begin, digital, ending, hasDigital, read } from './running.ts';
import { ageIn, type Verdict, verdictOf } from './verdict.ts';

/** A verdict that is left alone is taken away after this time. */
const SHOWN_MS = 120_000;

/** What the counter shows now; nothing of it is kept when the next person comes. */
type Stage =
  | { is: 'ready'; isUnanswered?: boolean }
  | { is: 'asking' }
  | { is: 'code'; link: string; until: number }
  | { is: 'verdict'; verdict: Verdict }
  | { is: 'failed'; failure: Failure };

/** A saved check at work: full screen, one person after the other. */
export const CounterPage = () => {
  const { target = '', check = '' } = useRoute().params;
  const unit = decodeURIComponent(target);
  const loading = useLoad(async () => {
    const [office, read] = await Promise.all([readOffice(unit), readCheck(decodeURIComponent(check))]);
    if (!office.ok) return office;
    if (!read.ok) return read;
    const cards = await cardsIn(office.data);
    return { ok: true as const, data: { check: read.data, cards, registry: await registryOf(office.data, read.data) } };
  }, check);
  return (
    <Page title={loading.data?.check.name ?? texts().checks.counter}>
      <Loaded of={loading}>{(data) => <Counter key={check} {...data} unit={unit} />}</Loaded>
    </Page>
  );
};

/** The list of issuers of the verifier to which the account may add, if any. */
async function registryOf({ below }: Office, { parent }: Check): Promise<string | undefined> {
  const lists = below.filter((one) => one.type === 'trust-registry' && may(one, 'trusted-issuer-create'));
  const verifier = below.find(({ target }) => target === parent);
  if (lists.length === 0 || !may(verifier, 'resource-view')) return lists[0]?.target;
  const path = { target: parent };
  const used = await ask(api.GET('/v1/{target}/resource-api/dependencies/list', { params: { path } }));
  return lists.find(({ target }) => used.ok && used.data.includes(target))?.target;
}

interface CounterProps {
  check: Check;
  cards: readonly OfferedCard[];
  unit: string;
  /** The list to which an issuer can be added. */
  registry: string | undefined;
}

const Counter = ({ check, cards, unit, registry }: CounterProps) => {
  const t = texts().checks;
  const { stage, isDigital, next, clear } = useCounter(check);
  const { is } = stage;
  const isBusy = stage.is === 'asking' || stage.is === 'code';
  const button = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone meanwhile: who works without a mouse goes on with the next one.
  useEffect(() => {
    if (is === 'verdict') button.current?.focus();
  }, [is]);
  const purpose = inLanguage(check.purpose ?? [])?.text;
  return (
    <div class="counter">
      {purpose === undefined || stage.is === 'verdict' ? null : <p class="purpose">{purpose}</p>}
      <Shown stage={stage} check={check} cards={cards} isDigital={isDigital} next={next} clear={clear} />
      {stage.is === 'verdict' && stage.verdict.issuer !== undefined ? (
        <Untrusted issuer={stage.verdict.issuer} unit={unit} registry={registry} />
      ) : null}
      <div class="actions">
        {isBusy ? null : (
          <button type="button" class="first" ref={button} onClick={() => next(isDigital)}>
            {stage.is === 'verdict' ? t.next : isDigital ? t.start : t.showCode}
          </button>
        )}
        {hasDigital() ? (
          <button type="button" onClick={() => next(!isDigital)}>
            {isDigital ? t.showCode : t.start}
          </button>
        ) : null}
        {document.fullscreenEnabled ? (
          <button type="button" onClick={() => void toggleFullScreen()}>
            {t.fullScreen}
          </button>
        ) : null}
        <a class="button" href={officePage(unit, 'checks')}>
          {t.leave}
        </a>
      </div>
    </div>
  );
};

const toggleFullScreen = (): Promise<void> =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();

interface ShownProps extends Running {
  check: Check;
  cards: readonly OfferedCard[];
}

const Shown = ({ stage, check, cards, isDigital, next, clear }: ShownProps) => {
  const t = texts().checks;
  switch (stage.is) {
    case 'ready':
      return <p role="status">{stage.isUnanswered ? t.unanswered : t.ready}</p>;
    case 'asking':
      return <p role="status">{t.asking}</p>;
    case 'code':
      return (
        <>
          <LoopbackNotice />
          <p role="status">{t.scan}</p>
          <QrCode text={stage.link} label={t.code} />
          <Countdown until={stage.until} over={() => next(false)} />
          {settings().isLoopback && hasWallet() ? (
            <a class="button" href={to('/wallet/present', { request: stage.link })} target="_blank" rel="noreferrer">
              {texts().exchange.openHere}
            </a>
          ) : null}
        </>
      );
    case 'failed':
      return <FailureNotice failure={stage.failure} again={() => next(isDigital)} />;
    case 'verdict':
      return <Said verdict={stage.verdict} check={check} cards={cards} clear={clear} />;
  }
};

/** Names an issuer that is not believed, with the way to believe it for who may. */
const Untrusted = ({ issuer, unit, registry }: Pick<CounterProps, 'unit' | 'registry'> & { issuer: string }) => {
  const t = texts().checks;
  return (
    <>
      <p>
        {t.untrusted} <code>{issuer}</code>
      </p>
      {registry === undefined ? null : (
        <p>
          <a class="button" href={officePage(unit, 'trust', { service: registry, issuer })}>
            {t.believe}
          </a>
        </p>
      )}
    </>
  );
};

interface SaidProps {
  verdict: Verdict;
  check: Check;
  cards: readonly OfferedCard[];
  clear(): void;
}

/** One word that is read from two metres, why, and what was asked for. */
const Said = ({ verdict: { isYes, reason = '', words, portrait, claims }, check, cards, clear }: SaidProps) => {
  const t = texts().checks;
  useEffect(() => {
    const timer = setTimeout(clear, SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  const why = t.why[reason];
  const offered = credentialsOf(check.setup.core_flow.dcql_query).flatMap(
    (asked) => cardFor(asked, cards)?.claims ?? [],
  );
  const rows = claims.flatMap((claim) => [
    [claimLabel(claim.path, offered), shownValue(claim)] as const,
    ...ageRows(claim),
  ]);
  return (
    <>
      <p role="status" class={isYes ? 'verdict good' : 'verdict bad'}>
        <span aria-hidden="true">{isYes ? '✓ ' : '✕ '}</span>
        {isYes ? t.yes : t.no(why ?? t.notAccepted)}
      </p>
      {isYes || why !== undefined || words === undefined ? null : <p lang="en">{words}</p>}
      <div class="beside">
        {portrait === undefined ? null : <img class="portrait" src={portrait} alt={t.portrait} />}
        <Summary rows={rows} isData />
      </div>
    </>
  );
};

const ageRows = (claim: Claim) => {
  const age = ageIn(claim);
  return age === undefined ? [] : [[texts().checks.age, String(age)] as const];
};

function shownValue({ value }: Claim): string {
  const t = texts().checks;
  if (typeof value === 'boolean') return value ? t.true : t.false;
  return isCalendarDay(value) ? day(value) : textOf(value);
}

interface Running {
  stage: Stage;
  /** Whether the browser asked last, or a code was shown. */
  isDigital: boolean;
  next(isDigital: boolean): void;
  /** Takes a verdict away. */
  clear(): void;
}

/** Runs the check for one person after the other; who leaves the page, or calls the next one, ends what goes on. */
function useCounter({ _id: target, parent, setup }: Check): Running {
  const [stage, setStage] = useState<Stage>({ is: 'ready' });
  const [wasDigital, setDigital] = useState(hasDigital);
  const leaving = useRef(new AbortController());
  const next = (isDigital: boolean): void => {
    setDigital(isDigital);
    leaving.current.abort();
    leaving.current = new AbortController();
    void run(isDigital, leaving.current.signal);
  };
  const run = async (isDigital: boolean, signal: AbortSignal): Promise<void> => {
    const show = (shown: Stage): void => {
      if (!signal.aborted) setStage(shown);
    };
    show({ is: 'asking' });
    const begun = await begin(target, isDigital);
    if (!begun.ok) return show({ is: 'failed', failure: begun.failure });
    const { bootstrapAuthorizationRequestUrl: link } = begun.data;
    if (link !== undefined) {
      const waiting = await read(parent, begun.data.sessionId);
      if (!waiting.ok) return show({ is: 'failed', failure: waiting.failure });
      show({ is: 'code', link, until: Date.parse(waiting.data.expirationDate) });
    }
    const ended = await (link === undefined ? digital : ending)(parent, begun.data, signal);
    if (!ended) return show({ is: 'ready', isUnanswered: true });
    show(
      ended.ok
        ? { is: 'verdict', verdict: verdictOf(ended.data, setup.core_flow.dcql_query) }
        : { is: 'failed', failure: ended.failure },
    );
  };
  useEffect(() => {
    if (!hasDigital()) next(false);
    return () => leaving.current.abort();
  }, []);
  // No function of this scope uses `stage`: one that waits for the next person would keep what the last one has shown.
  return { stage, isDigital: wasDigital, next, clear: () => (wasDigital ? setStage({ is: 'ready' }) : next(false)) };
}

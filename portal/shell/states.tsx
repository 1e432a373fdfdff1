import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import { type Failure, isServerGone, wasLoggedIn } from './api.ts';
import { Page } from './page.tsx';
import { go, place, to } from './place.ts';

interface FailureNoticeProps {
  failure: Failure;
  /** Repeats the call. */
  again?: () => void;
  /** What was refused, where that can be said better than for all calls. */
  title?: string;
}

/** Says why a call failed and what to do. */
export const FailureNotice = ({ failure, again, title: refused }: FailureNoticeProps) => {
  const t = texts();
  if (failure.kind === 'offline') return <Offline again={again} />;
  const { status, problem, retryAfterSeconds = 1 } = failure;
  if (status === 401) return <ToLogin />;
  if (status === 429) return <Limited seconds={retryAfterSeconds} again={again} />;
  const [title, text] = explanationOf(status, refused);
  return (
    <Notice kind="bad" title={title} role="alert">
      {text ? <p>{text}</p> : null}
      {problem && (!text || status < 500) ? <p lang="en">{problem.message}</p> : null}
      {problem ? <p class="quiet">{t.failure.request(problem.requestId)}</p> : null}
      {again ? <Again again={again} /> : null}
    </Notice>
  );
};

/** Leads to the login of the area, which leads back to this page; Back leads to the page before it. */
const ToLogin = () => {
  useEffect(() => {
    const { path, url } = place.value;
    // A page that follows the address is rendered once more on the way to the login.
    if (path.endsWith('/login')) return;
    const area = /^\/(office|account)\b/.test(path) ? 'account' : 'wallet';
    go(to(`/${area}/login`, { next: url, ended: wasLoggedIn[area].value ? 'yes' : undefined }), { replace: true });
  }, []);
  return null;
};

/** Title and text for a status; without a text the server's message is the text. */
function explanationOf(status: number, refused?: string): [title: string, text?: string] {
  const t = texts().failure;
  if (status === 403) return [t.forbidden, t.forbiddenText];
  if (status === 404) return [t.missing, t.missingText];
  return status >= 500 ? [t.ours, t.oursText] : [refused ?? t.refused];
}

const Again = ({ again }: { again: () => void }) => (
  <button type="button" onClick={again}>
    {texts().again}
  </button>
);

/** The banner says that the server is gone; this repeats the call when it is back. */
const Offline = ({ again }: { again?: () => void }) => {
  const t = texts().failure;
  const isGone = isServerGone.value;
  useEffect(() => {
    if (!isGone) again?.();
  }, [isGone]);
  return <p>{t.offlineText}</p>;
};

/** Counts down to the next attempt. */
const Limited = ({ seconds, again }: { seconds: number; again?: () => void }) => {
  const t = texts();
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Notice kind="warning" title={t.failure.limited} role="alert">
      {left > 0 ? <p>{t.failure.limitedText(left)}</p> : null}
      {again && left === 0 ? <Again again={again} /> : null}
    </Notice>
  );
};

/** Shown on every page while the server does not answer. */
export const ServerBanner = () =>
  isServerGone.value ? (
    <Notice kind="bad" title={texts().failure.offline} role="alert">
      <p>{texts().failure.offlineText}</p>
    </Notice>
  ) : null;

/** Shown when the script of an area is no longer there. */
export const NewVersion = () => {
  const t = texts().failure;
  return (
    <Page title={t.newVersion}>
      <p>{t.newVersionText}</p>
      <button type="button" class="first" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </Page>
  );
};

export const NoPage = () => {
  const t = texts().failure;
  return (
    <Page title={t.noPage}>
      <p>
        <a href={to('/')}>{t.toStart}</a>
      </p>
    </Page>
  );
};

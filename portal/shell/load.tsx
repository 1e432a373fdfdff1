import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Failure, Outcome } from './api.ts';
import { Page } from './page.tsx';
import { FailureNotice } from './states.tsx';

/** What a page waits for. */
export interface Loading<T> {
  data?: T;
  failure?: Failure;
  /** Calls again; what is shown stays until the answer is here. */
  again(): void;
}

/** Calls when the page is opened, and again when `key` changes. */
export function useLoad<T>(call: () => Promise<Outcome<T>>, key = ''): Loading<T> {
  const [state, setState] = useState<{ key: string; data?: T; failure?: Failure }>({ key });
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    let isCurrent = true;
    void call().then((outcome) => {
      if (!isCurrent) return;
      setState(outcome.ok ? { key, data: outcome.data } : { key, failure: outcome.failure });
    });
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  return state.key === key ? { ...state, again } : { again };
}

/** Shows what was loaded, or that it is loading, or why it could not be. */
export function Loaded<T>({
  of,
  title,
  children,
}: {
  of: Loading<T>;
  /** The heading of a failure, where what is loaded brings the heading of the page. */
  title?: string;
  children: (data: T) => ComponentChildren;
}): ComponentChildren {
  if (of.failure) {
    const notice = <FailureNotice failure={of.failure} again={of.again} />;
    return title === undefined ? notice : <Page title={title}>{notice}</Page>;
  }
  return of.data === undefined ? <Skeleton /> : children(of.data);
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { settings } from './settings.ts';

/** Whether the reader has come from another page: the first one keeps the focus where the browser has it. */
let isFirst = true;

interface PageProps {
  title: string;
  /** Which step of the page is shown, where its title stays the same: a new one is a new page for the focus. */
  step?: string | undefined;
  children: ComponentChildren;
}

/** A page with its heading, which is also the title of the document and has the focus when the page is opened. */
export const Page = ({ title, step, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – ${settings().title}`;
    // Who chooses from a list, such as that of the languages, stays there.
    if (!isFirst && document.activeElement?.tagName !== 'SELECT') heading.current?.focus();
    isFirst = false;
  }, [title, step]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </>
  );
};

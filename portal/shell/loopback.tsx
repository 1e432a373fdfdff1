import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import { settings } from './settings.ts';

/** Where only this machine reaches the server: that a phone does not, and the page that says how it does. */
export const LoopbackNotice = () => {
  const t = texts();
  return settings().isLoopback ? (
    <Notice kind="information">
      <p>{t.loopback}</p>
      <p>
        <a href={document.querySelector<HTMLLinkElement>('link[rel=help]')?.href}>{t.phone}</a>
      </p>
    </Notice>
  ) : null;
};

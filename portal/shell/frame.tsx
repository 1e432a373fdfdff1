import type { Ref } from 'preact';
import { useRef } from 'preact/hooks';
import { Navigation } from '../parts/navigation.tsx';
import { texts } from '../texts/texts.ts';
import { LanguageChoice } from './language.tsx';
import { place, to } from './place.ts';
import { Pages } from './router.tsx';
import { hasOffice, hasWallet, settings } from './settings.ts';
import { ServerBanner } from './states.tsx';
import { ThemeChoice } from './theme.tsx';

/** The pages that have the screen for themselves: those that people look at from some way off. */
const WHOLE = /^\/office\/[^/]+\/counter\//;

const Whole = ({ main }: { main: Ref<HTMLElement> }) => (
  <main class="main whole" ref={main} tabIndex={-1}>
    <ServerBanner />
    <Pages />
  </main>
);

/** What is around every page. */
export const Frame = () => {
  const main = useRef<HTMLElement>(null);
  const t = texts();
  if (WHOLE.test(place.value.path)) return <Whole main={main} />;
  return (
    <>
      <header class="bar">
        {/* The fragment names a page, so the link moves the focus itself. */}
        <a
          class="skip"
          href={`#${place.value.url}`}
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          {t.skip}
        </a>
        <div class="head">
          <strong translate={false}>{settings().title}</strong>
          <Areas />
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </header>
      <main class="main" ref={main} tabIndex={-1}>
        <ServerBanner />
        <Pages />
      </main>
      <Foot />
    </>
  );
};

const Areas = () => {
  const { menu } = texts();
  const { path } = place.value;
  const areas = [
    { href: to('/'), text: menu.start, isHere: path === '/' },
    ...(hasWallet() ? [{ href: to('/wallet'), text: menu.wallet, isHere: path.startsWith('/wallet') }] : []),
    ...(hasOffice() ? [{ href: to('/office'), text: menu.office, isHere: /^\/(office|account)\b/.test(path) }] : []),
  ];
  return <Navigation label={menu.label} ways={areas} />;
};

const Foot = () => {
  const { foot, menu } = texts();
  const { links, version } = settings();
  const pages = (['imprint', 'privacy', 'accessibility'] as const).flatMap((name) => {
    const href = links[name];
    return href === undefined ? [] : [{ name, href }];
  });
  return (
    <footer class="foot">
      <span>{foot.version(version)}</span>
      {pages.map(({ name, href }) => (
        <a key={name} href={href}>
          {foot[name]}
        </a>
      ))}
      <a href="docs">{menu.api}</a>
      <a href={document.querySelector<HTMLLinkElement>('link[rel=license]')?.href}>{foot.licences}</a>
    </footer>
  );
};

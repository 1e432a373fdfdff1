import { encodeQR } from 'qr';
import type { SignInView } from '../../../domain/sign-in/sign-ins.ts';
import { linksOf } from '../../../domain/verifier/verification/v1-view.ts';
import type { ProviderPage } from '../../../ports/open-id-provider.ts';
import type { Headers } from '../messages/operations.ts';
import { Html, html } from './html.ts';
import type { SignInTexts } from './sign-in-texts.ts';

/** Where a page is, and how the installation is called. */
export interface PagePlace {
  /** The URL above the endpoints of the provider. */
  issuer: string;
  title: string;
}

/** A page with its headers. */
interface Page {
  body: string;
  headers: Headers;
}

/** How often a page without script is loaded anew, in seconds. */
const REFRESH_SECONDS = 5;

/** Nothing but our own files; forms go to this server, and on to the address of the client. */
const policy = (target: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action 'self'${target === undefined ? '' : ` ${new URL(target).origin}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const REFRESH = html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`;

/** What every page has around its content. */
function page(
  texts: SignInTexts,
  { issuer, title }: PagePlace,
  { heading, content, target, refresh }: { heading: string; content: Html; target?: string; refresh?: Html | false },
): Page {
  const { text } = html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading} · ${title}</title>
<link rel="stylesheet" href="${issuer}/assets/sign-in.css">
${refresh ?? false}
</head>
<body>
<header>${title}</header>
<main>
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`;
  return {
    body: text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(target),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  };
}

/** The QR code as a picture; what it says stands in no address. */
const picture = (link: string, alt: string): Html => {
  const svg = Buffer.from(encodeQR(link, 'svg', { ecc: 'low', border: 4 })).toString('base64');
  return html`<img class="code" src="data:image/svg+xml;base64,${svg}" alt="${alt}" width="320" height="320">`;
};

/** The number of the last event that the page shows. */
const lastEvent = ({ value: { history } }: NonNullable<SignInView['session']>): number => (history?.next ?? 1) - 1;

/** The page of a sign-in. `path` is its address. */
export function signInPage(
  texts: SignInTexts,
  place: PagePlace & { path: string; redirectUri?: string },
  { client, profile, state, reason, session, secondsLeft }: SignInView,
): Page {
  const { path } = place;
  const { bootstrapAuthorizationRequestUrl: link } = session ? linksOf(session.value.request) : {};
  const isOpen = state === 'waiting' || state === 'opened';
  const names = Object.keys(profile.claims).map((name) =>
    Object.hasOwn(texts.names, name) ? texts.names[name] : name,
  );
  const content = html`
${profile.purpose !== undefined && html`<p>${profile.purpose}</p>`}
<p role="status" class="state ${state}">${texts.states[state]}${reason && html` ${texts.reasons[reason]}`}</p>
${state === 'refused' && html`<form method="post" action="${path}/retry"><button>${texts.again}</button></form>`}
${isOpen && link !== undefined && [picture(link, texts.picture), html`<p class="scan">${texts.scan}</p>`]}
${
  isOpen &&
  profile.flows.includes('same_device') &&
  html`<p><a class="button" href="${path}/wallet">${texts.sameDevice}</a></p>`
}
${
  isOpen &&
  profile.flows.includes('dc_api') &&
  html`<p><button type="button" id="digital" data-failed="${texts.noWallet}" hidden>${texts.digital}</button></p>
<p role="status" id="digital-state"></p>`
}
${names.length > 0 && html`<p class="claims">${texts.claims(client.name)}: ${names.join(', ')}</p>`}
<form method="post" action="${path}/cancel" class="end"><span>${texts.minutes(Math.max(1, Math.round(secondsLeft / 60)))}</span>
<button class="quiet">${texts.cancel}</button></form>
<div id="live" data-path="${path}" data-after="${session && isOpen ? lastEvent(session) : ''}" data-seconds="${secondsLeft}"></div>`;
  const heading = texts.title(client.name);
  const refresh = html`<noscript>${REFRESH}</noscript>
<script src="${place.issuer}/assets/sign-in.js" defer></script>`;
  return page(texts, place, { heading, content, target: place.redirectUri, refresh });
}

/** The page where a browser has no such sign-in. */
export const overPage = (texts: SignInTexts, place: PagePlace): Page =>
  page(texts, place, { heading: texts.over, content: html`<p>${texts.overText}</p>` });

/** The page while the server cannot answer; one that may be asked for again loads itself anew. */
export const downPage = (texts: SignInTexts, place: PagePlace, isRead: boolean): Page =>
  page(texts, place, { heading: texts.down, content: html`<p>${texts.downText}</p>`, refresh: isRead && REFRESH });

/** A page of the provider. */
export function providerPage(texts: SignInTexts, place: PagePlace, shown: ProviderPage): Page {
  if (shown.kind === 'over') return overPage(texts, place);
  if (shown.kind === 'loggedOut')
    return page(texts, place, { heading: texts.loggedOut, content: html`<p>${texts.loggedOutText}</p>` });
  if (shown.kind === 'error') {
    const { error, description = '' } = shown;
    const content = html`<p>${texts.failedText}</p><p><code>${error}</code> ${description}</p>`;
    return page(texts, place, { heading: texts.failed, content });
  }
  const content = html`${new Html(shown.form)}
<p><button form="op.logoutForm" name="logout" value="yes">${texts.confirmLogout}</button>
<button form="op.logoutForm" class="quiet">${texts.stay}</button></p>`;
  return page(texts, place, { heading: texts.logout(shown.client), content, target: shown.goesOnTo });
}

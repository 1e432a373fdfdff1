/** The page of a sign-in while it is open: it loads itself anew with each step, and asks the wallet of the browser. */

/** What the server gives the page for the Digital Credentials API. */
interface DigitalRequest {
  data: CredentialRequestOptions;
  responseUri: string;
}

const live = document.querySelector<HTMLElement>('#live');
const path = live?.dataset.path ?? '';

const reload = (): void => location.replace(path);

/** Milliseconds between two looks where no events come. */
const PAUSE = 5000;

function follow(after: string): void {
  const events = new EventSource(`${path}/events?lastEventId=${after}`);
  events.onmessage = () => {
    events.close();
    reload();
  };
  // The stream ends for good when the sign-in is over or too many are open; the page is looked at then.
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(reload, PAUSE);
  };
}

async function askBrowser(): Promise<void> {
  const answer = await fetch(`${path}/digital`, { method: 'POST' });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  const { data, responseUri } = (await answer.json()) as DigitalRequest;
  const options = { mediation: 'required', ...data } as CredentialRequestOptions;
  const given = (await navigator.credentials.get(options)) as unknown as { protocol: string; data: unknown };
  await fetch(responseUri, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ protocol: given.protocol, data: given.data }),
  });
  reload();
}

const digital = document.querySelector<HTMLButtonElement>('#digital');
if (digital && 'DigitalCredential' in window) {
  digital.hidden = false;
  digital.addEventListener('click', () => {
    askBrowser().catch(() => {
      const state = document.querySelector('#digital-state');
      if (state) state.textContent = digital.dataset.failed ?? '';
    });
  });
}
if (live?.dataset.after) follow(live.dataset.after);
// When the time is over the page says so.
if (live) setTimeout(reload, (Number(live.dataset.seconds) + 1) * 1000);

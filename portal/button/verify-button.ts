import { generate } from 'lean-qr/nano';
import { EN, TEXTS, type TextName } from './texts.ts';

/** What the site's backend says of a session: members of `info`, none of them about the person. */
interface State {
  status?: string;
  /** The `type` of the failure. */
  failure?: string;
  response_code?: string;
}

/** A new session: a link for a wallet, or what the browser is asked for. */
interface Begun {
  link?: string;
  data?: CredentialRequestOptions;
}

/** Without specificity and without inline styles: the site's rules and its strict policy both hold. */
const STYLE = `:where(credenza-verify>a,credenza-verify>button){display:inline-flex;align-items:center;min-height:44px;
min-width:44px;margin:0 1em .5em 0;font:inherit}
:where(credenza-verify>canvas){display:block;width:min(100%,20em);image-rendering:pixelated;forced-color-adjust:none}`;

const style = new CSSStyleSheet();
style.replaceSync(STYLE);

/** In milliseconds, between two questions how the session is. */
const PAUSE = 1000;
/** An hour of an open page. */
const MOST_ASKS = 3600;
const MOST_FAILURES = 5;

/** Waits, and for as long as the page is hidden. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      if (document.hidden && !signal.aborted) document.addEventListener('visibilitychange', go, { once: true });
      else resolve();
    };
    setTimeout(go, PAUSE);
  });

/** How a session ended; nothing while it has not. */
function endOf({ status, failure, response_code: code }: State): TextName | undefined {
  if (status === 'EXPIRED') return 'expired';
  if (status === 'FAILED') return failure === 'wallet_error_response' ? 'declined' : 'refused';
  return status === 'SUCCESSFUL' ? (code ? 'verified' : 'failed') : undefined;
}

/**
 * `<credenza-verify backend="…">`: asks the site's own backend for a verification session, shows it and follows it, and
 * hands over the response code as the value of a form field and with the event `credenza-verified`. The link inside is
 * for a wallet on the same device, and for browsers without script.
 */
class CredenzaVerify extends HTMLElement {
  static readonly formAssociated = true;

  readonly #internals = this.attachInternals();
  readonly #said = document.createElement('p');
  readonly #picture = document.createElement('canvas');
  #leave = new AbortController();

  connectedCallback(): void {
    if (this.contains(this.#said)) return;
    const root = this.getRootNode() as Document | ShadowRoot;
    if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);
    if (this.hasAttribute('digital') && 'DigitalCredential' in window) this.#addButton('digital');
    this.#addButton('qr');
    this.#said.role = 'status';
    this.#picture.role = 'img';
    this.#picture.ariaLabel = this.#text('picture');
    this.append(this.#said);
  }

  disconnectedCallback(): void {
    this.#leave.abort();
  }

  #addButton(name: 'qr' | 'digital'): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = this.#text(name);
    button.addEventListener('click', () => this.#run(name === 'digital'));
    this.append(button);
  }

  #text(name: TextName): string {
    const language = this.closest<HTMLElement>('[lang]')?.lang.slice(0, 2).toLowerCase() ?? '';
    return this.getAttribute(`text-${name}`) ?? (TEXTS[language] ?? EN)[name];
  }

  #say(name: TextName): void {
    const text = this.#text(name);
    if (this.#said.textContent !== text) this.#said.textContent = text;
  }

  async #run(digital: boolean): Promise<void> {
    this.#leave.abort();
    this.#leave = new AbortController();
    const { signal } = this.#leave;
    this.#internals.setFormValue(null);
    this.#picture.remove();
    this.#say('begin');
    const state = await this.#session(digital, signal).catch((error: unknown): State => {
      return { status: error instanceof DOMException ? 'none' : 'failed' };
    });
    if (signal.aborted) return;
    this.#picture.remove();
    this.#finish(endOf(state) ?? (state.status as TextName), state.response_code);
  }

  #finish(end: TextName, responseCode = ''): void {
    this.#say(end);
    const isVerified = end === 'verified';
    if (isVerified) this.#internals.setFormValue(responseCode);
    const detail = isVerified ? { responseCode } : { reason: end };
    const name = isVerified ? 'credenza-verified' : 'credenza-ended';
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
    if (isVerified && this.hasAttribute('autosubmit')) this.#internals.form?.requestSubmit();
  }

  /** Begins a session and follows it to its end. */
  async #session(digital: boolean, signal: AbortSignal): Promise<State> {
    const { link, data }: Begun = await this.#call(signal, 'POST', { digital });
    if (link !== undefined) {
      generate(link).toCanvas(this.#picture, { off: [255, 255, 255] });
      this.append(this.#picture);
      this.#say('scan');
      return this.#end(signal);
    }
    this.#say('choose');
    const options = { mediation: 'required', signal, ...data } as CredentialRequestOptions;
    const answer = (await navigator.credentials.get(options)) as unknown as { protocol: string; data: unknown };
    await this.#call(signal, 'PUT', { protocol: answer.protocol, data: answer.data });
    return this.#end(signal);
  }

  /** Asks for the session until it has ended; an answer that fails is asked for again. */
  async #end(signal: AbortSignal): Promise<State> {
    for (let asks = 0, failures = 0; asks < MOST_ASKS && failures < MOST_FAILURES; asks += 1) {
      const state: State | undefined = await this.#call<State>(signal, 'GET').catch(() => undefined);
      if (signal.aborted || (state && endOf(state))) return state ?? {};
      failures = state ? 0 : failures + 1;
      if (state?.status === 'IN_USE') this.#say('opened');
      await pause(signal);
    }
    return { status: 'failed' };
  }

  async #call<T>(signal: AbortSignal, method: string, json?: object): Promise<T> {
    const answer = await fetch(this.getAttribute('backend') ?? '', {
      method,
      signal,
      headers: { accept: 'application/json', ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
    });
    if (!answer.ok) throw new Error(`The backend answered ${answer.status}`);
    return answer.json();
  }
}

if (!customElements.get('credenza-verify')) customElements.define('credenza-verify', CredenzaVerify);

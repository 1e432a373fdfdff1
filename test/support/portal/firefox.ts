import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { WebSocket } from 'undici';
import type { Commands, Input, Message } from 'webdriver-bidi-protocol';
import type { Walker } from './walk.ts';

/**
 * One process for the pages, and none in reserve: the start of each costs more than a page. A press goes to the page
 * itself: by way of the window it goes to what was painted there last, which is something else while the page scrolls.
 */
const PREFERENCES = {
  'remote.events.async.mouse.enabled': false,
  'dom.ipc.processCount': 1,
  'dom.ipc.processPrelaunch.enabled': false,
  'layout.frame_rate': 10,
  'browser.startup.page': 0,
  'browser.tabs.remote.separatePrivilegedContentProcess': false,
  'fission.autostart': false,
  'intl.accept_languages': 'en-GB, en',
};

/** How long an element may take to come, on any machine. */
const PATIENCE_MS = 60_000;

/** Scripts that find an element by what people read of it. */
const FIND = {
  control: `(name) => [...document.querySelectorAll('main :is(button, a)')]
    .find((one) => one.textContent.trim() === name)`,
  field: `(label) => [...document.querySelectorAll(':is(input, textarea)')]
    .find((one) => one.labels[0]?.textContent.trim() === label)`,
  heading: `(pattern) => [...document.querySelectorAll('h1')].find((one) => new RegExp(pattern).test(one.textContent))`,
  text: `(text) => [...document.querySelectorAll('main')].find((one) => one.innerText.includes(text))`,
  picture: `(name) => document.querySelector('[role=img][aria-label^="' + name + '"]')`,
};

type Found = { sharedId: string };

/** Starts a Firefox for the tests of the enclosing `describe`, in which a person opens a page of the server. */
export function useFirefox(server: { url: string }): (path?: string) => Promise<FirefoxVisitor> {
  let firefox: Firefox;
  before(async () => {
    firefox = await Firefox.start();
  });
  after(() => firefox?.stop());
  afterEach(async () => {
    await firefox.forget();
    const own = [`request: ${server.url}/`, 'request: data:'];
    const faults = firefox.faults.splice(0).filter((fault) => !own.some((start) => fault.startsWith(start)));
    expect(faults).to.deep.equal([]);
  });
  return async (path = '/') => {
    const visitor = new FirefoxVisitor(firefox, await firefox.context());
    await visitor.opens(`${server.url}${path}`);
    return visitor;
  };
}

/** Firefox over WebDriver BiDi, which it speaks itself. */
class Firefox {
  /** Errors of pages, and every request that one sent. */
  readonly faults: string[] = [];
  readonly #waiting = new Map<number, (answer: Message) => void>();
  #count = 0;

  private constructor(
    readonly program: ChildProcess,
    readonly socket: WebSocket,
    readonly profile: string,
  ) {
    socket.addEventListener('message', ({ data }) => this.#read(JSON.parse(String(data)) as Message));
  }

  static async start(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
    const program = spawn('firefox-esr', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const socket = new WebSocket(`${await addressOf(program)}/session`);
    await once(socket, 'open');
    const firefox = new Firefox(program, socket, profile);
    await firefox.send('session.new', { capabilities: {} });
    await firefox.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
    return firefox;
  }

  /** @throws Error with what Firefox says when it refuses the command */
  async send<Name extends keyof Commands>(
    method: Name,
    params: Commands[Name]['params'],
  ): Promise<Commands[Name]['returnType']> {
    this.#count += 1;
    const id = this.#count;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    if (answer.type !== 'success') throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer.result as Commands[Name]['returnType'];
  }

  /** A new tab with cookies of its own. */
  async context(): Promise<string> {
    const { userContext } = await this.send('browser.createUserContext', {});
    return (await this.send('browsingContext.create', { type: 'tab', userContext })).context;
  }

  /** Closes the tabs of all contexts, whose cookies go with them. */
  async forget(): Promise<void> {
    const { userContexts } = await this.send('browser.getUserContexts', {});
    for (const { userContext } of userContexts)
      if (userContext !== 'default') await this.send('browser.removeUserContext', { userContext });
  }

  async stop(): Promise<void> {
    const ended = once(this.program, 'exit');
    await this.send('browser.close', {});
    await ended;
    rmSync(this.profile, { recursive: true, force: true });
  }

  #read(message: Message): void {
    if (message.type === 'event') {
      const { method, params } = message;
      if (method === 'log.entryAdded' && params.level === 'error') this.faults.push(`error: ${params.text}`);
      if (method === 'network.beforeRequestSent') this.faults.push(`request: ${params.request.url}`);
      return;
    }
    const id = message.id ?? 0;
    this.#waiting.get(id)?.(message);
    this.#waiting.delete(id);
  }
}

/** Where Firefox listens, which it says on its standard error. @throws Error when it ends without a word of that */
async function addressOf(program: ChildProcess): Promise<string> {
  if (program.stderr === null) throw new Error('Firefox has no standard error');
  for await (const line of createInterface(program.stderr)) {
    const [address] = /ws:\/\/\S+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('Firefox did not start');
}

/** A person in front of a page of Firefox, who points and types. */
export class FirefoxVisitor implements Walker {
  constructor(
    readonly firefox: Firefox,
    readonly context: string,
  ) {}

  async opens(url: string): Promise<void> {
    await this.firefox.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  async click(name: string): Promise<void> {
    await this.#press('control', name);
  }

  async type(label: string, text: string): Promise<void> {
    await this.#press('field', label);
    const keys = [...text].flatMap((value) => [{ type: 'keyDown', value } as const, { type: 'keyUp', value } as const]);
    await this.#act({ type: 'key', id: 'keyboard', actions: keys });
  }

  async reads(heading: string | RegExp): Promise<void> {
    await this.#find('heading', typeof heading === 'string' ? heading : heading.source);
  }

  async finds(text: string): Promise<void> {
    await this.#find('text', text);
  }

  /** Waits for a picture by its name. */
  async sees(name: string): Promise<void> {
    await this.#find('picture', name);
  }

  forgive(pattern: RegExp): void {
    const { faults } = this.firefox;
    for (const fault of faults.filter((text) => pattern.test(text))) faults.splice(faults.indexOf(fault), 1);
  }

  /** Presses an element until it was pressed: a page that still changes moves it away meanwhile. */
  async #press(by: 'control' | 'field', name: string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await this.#isPressed(by, name)))
      if (performance.now() > deadline) throw new Error(`The ${by} ${name} does not stay where it is`);
  }

  /** Presses where an element is, and looks whether it was still there. */
  async #isPressed(by: 'control' | 'field', name: string): Promise<boolean> {
    const button = { type: 'pointerDown', button: 0 } as const;
    const origin = { type: 'element', element: await this.#find(by, name) } as const;
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin } as const,
      button,
      { type: 'pointerUp', button: 0 } as const,
    ];
    await this.#act({ type: 'pointer', id: 'mouse', actions }).catch((error: Error) => {
      if (!error.message.includes('move target out of bounds')) throw error;
    });
    const target = { context: this.context };
    const asked = { expression: 'globalThis.isPressed', target, awaitPromise: false };
    const { result } = Object(await this.firefox.send('script.evaluate', asked));
    return result.value === true;
  }

  async #act(source: Input.SourceActions): Promise<void> {
    await this.firefox.send('input.performActions', { context: this.context, actions: [source] });
  }

  /**
   * Waits for an element, brings it into view, and waits until it stays there. @throws Error with what is on the page
   * instead after a minute
   */
  async #find(by: keyof typeof FIND, name: string): Promise<Found> {
    const answer = await this.firefox.send('script.callFunction', {
      functionDeclaration: `async (name) => {
        const find = ${FIND[by]};
        const deadline = performance.now() + ${PATIENCE_MS};
        let [found, before] = [];
        for (;;) {
          found = find(name);
          found?.scrollIntoView({ block: 'center' });
          const { x, y } = found?.getBoundingClientRect() ?? {};
          if ((found && before === x + ' ' + y) || performance.now() > deadline) break;
          before = x + ' ' + y;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        globalThis.isPressed = false;
        found?.addEventListener('click', () => (globalThis.isPressed = true), { once: true, capture: true });
        return found ?? document.body.innerText;
      }`,
      arguments: [{ type: 'string', value: name }],
      target: { context: this.context },
      awaitPromise: true,
    });
    const { sharedId } = answer.type === 'success' && answer.result.type === 'node' ? answer.result : {};
    if (sharedId === undefined) throw new Error(`There is no ${by} ${name}: ${JSON.stringify(answer)}`);
    return { sharedId };
  }
}

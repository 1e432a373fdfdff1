import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { startDeadline } from '../../system/deadline.ts';
import { type AnswerMessage, type TokenAccess, type TokenCall, type TokenCalls, TokenFailure } from './calls.ts';

/** What the process of a token runs: beside this file, compiled when it is. */
const SCRIPT = new URL(`./token-process${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
/** How much longer than its first call a process may take to start, before it is ended. */
const START_MS = 10_000;
/** After a process could not open the token, no other is started for so long: calls fail at once. */
const REST_MS = 1000;
/** How many calls may wait for one token: the last of more would end its process by waiting too long. */
const MOST_WAITING = 256;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: TokenFailure): void;
  cancel(): void;
}

/** A process with the calls that it has not answered. */
interface Running {
  child: ChildProcess;
  waiting: Map<number, Waiting>;
  /** Whether the token was open in it. */
  isOpen: boolean;
}

/**
 * The calls to one token. Its library runs in a process of its own, so that one that blocks or crashes stops no request of
 * others: it is ended when it does not answer, and the next call starts another.
 */
export class TokenClient {
  #running?: Running;
  #number = 0;
  #restUntil = 0;
  /** Why the PIN was refused. It is not tried again: tokens lock after a few wrong ones. */
  #refusal?: TokenFailure;

  constructor(private readonly access: TokenAccess) {}

  /** @throws TokenFailure */
  call<C extends TokenCall>(
    call: C,
    wanted: TokenCalls[C]['wanted'],
    timeoutMs: number,
  ): Promise<TokenCalls[C]['result']> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    if (!this.#running && performance.now() < this.#restUntil)
      return Promise.reject(new TokenFailure('unavailable', 'the token could not be opened a moment ago'));
    const running = this.#running ?? this.#start();
    if (running.waiting.size >= MOST_WAITING)
      return Promise.reject(new TokenFailure('throttled', 'too many calls wait for the token'));
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      const cancel = startDeadline(timeoutMs + (running.isOpen ? 0 : START_MS), () => running.child.kill('SIGKILL'));
      running.waiting.set(number, { resolve: resolve as (value: unknown) => void, reject, cancel });
      running.child.send({ number, call, wanted }, () => undefined);
    });
  }

  close(): void {
    this.#running?.child.kill('SIGKILL');
  }

  #start(): Running {
    const child = fork(SCRIPT, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const running: Running = { child, waiting: new Map(), isOpen: false };
    // The calls that wait keep this process, not the child.
    child.unref();
    child.channel?.unref();
    child.on('message', (answer: AnswerMessage) => this.#settle(running, answer));
    child.on('error', () => this.#end(running));
    child.on('exit', () => this.#end(running));
    child.send(this.access, () => undefined);
    this.#running = running;
    return running;
  }

  #settle(running: Running, answer: AnswerMessage): void {
    const waiting = running.waiting.get(answer.number);
    running.waiting.delete(answer.number);
    waiting?.cancel();
    running.isOpen ||= 'result' in answer || !answer.isShut;
    if ('result' in answer) {
      waiting?.resolve(answer.result);
      return;
    }
    const failure = new TokenFailure(answer.fault, answer.reason);
    if (answer.fault === 'pin') this.#refusal = failure;
    waiting?.reject(failure);
  }

  #end(running: Running): void {
    if (this.#running === running) this.#running = undefined;
    if (!running.isOpen) this.#restUntil = performance.now() + REST_MS;
    for (const { reject, cancel } of running.waiting.values()) {
      cancel();
      reject(this.#refusal ?? new TokenFailure('unavailable', 'the connection to the token was lost'));
    }
    running.waiting.clear();
  }
}

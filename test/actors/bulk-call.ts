import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { checkAnswer, operationOf } from '../support/documents/contract.ts';
import { until } from '../support/runs/waiting.ts';

const OPERATION = 'createCredentialOffersInBulk';

/** A line of an answer. */
export interface BulkLine {
  line: number;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  offer?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  error?: any;
  retryAfterSeconds?: number;
}

/** An issuer's backend that sends many offers in one call, and reads the answers meanwhile. */
export class BulkCall {
  readonly #request: ClientRequest;
  #text = '';
  /** Set when the head of the answer is there. */
  answer: IncomingMessage | undefined;
  /** Whether the answer is complete, or broke off. */
  ending: 'complete' | 'broken' | undefined;

  constructor(url: string, from: Record<string, string> = {}) {
    const headers = { 'content-type': 'application/x-ndjson', ...from };
    this.#request = request(`${url}/issuer2/credential-offers/bulk`, { method: 'POST', headers });
    this.#request.on('error', () => {
      this.ending ??= 'broken';
    });
    this.#request.on('response', (answer) => {
      this.answer = answer;
      answer.setEncoding('utf8').on('data', (text) => {
        this.#text += text;
      });
      answer.on('error', () => undefined);
      answer.once('close', () => {
        this.ending ??= answer.complete ? 'complete' : 'broken';
      });
    });
  }

  /** The answers whose line is complete. */
  get lines(): BulkLine[] {
    return this.#text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** Sends values, one a line. */
  async send(...values: object[]): Promise<void> {
    await this.write(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  }

  /** Sends a text as it is; resolves when there is room for more. */
  async write(text: string): Promise<void> {
    if (!this.#request.write(text))
      await Promise.race([once(this.#request, 'drain'), until(() => this.ending !== undefined)]);
  }

  /** Sends the end of the body; resolves with all answers. */
  async finish(): Promise<BulkLine[]> {
    this.#request.end();
    return this.ended();
  }

  async ended(): Promise<BulkLine[]> {
    await until(() => this.ending !== undefined, 110_000);
    if (this.ending === 'complete')
      checkAnswer(await operationOf(OPERATION), { status: 200, type: 'application/x-ndjson', body: this.lines });
    return this.lines;
  }

  /** Cuts the connection. */
  leave(): void {
    this.#request.destroy();
  }
}

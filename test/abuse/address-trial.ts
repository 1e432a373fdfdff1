import { expect } from 'chai';
import { inTurn } from '../support/runs/tier.ts';
import type { Answer } from '../support/servers/server.ts';
import { Canary, HOSTS, urlsOf } from './canary.ts';
import type { UrlInput } from './url-inputs.ts';

/** What one field is sent. */
interface Trial {
  input: UrlInput;
  address: string;
}

const MOST_TURNS = 8;

/** Each address for each field; or each for some, and some for each, since the guard is one for all fields. */
const trials = (inputs: readonly UrlInput[], addresses: string[]): Trial[] =>
  inputs.flatMap((input, turn) =>
    inTurn(addresses, turn, Math.min(MOST_TURNS, inputs.length)).map((address) => ({ input, address })),
  );

/** What became of the addresses that were sent. */
export class AddressTrial {
  readonly canary: Canary;
  #tried = 0;
  #refused = 0;
  #ignored = 0;

  static async start(): Promise<AddressTrial> {
    return new AddressTrial(await Canary.listen());
  }

  private constructor(canary: Canary) {
    this.canary = canary;
  }

  /** This machine and its neighbours with the canary's port, in every spelling. */
  get authorities(): string[] {
    return HOSTS.map((host) => `${host}:${this.canary.port}`);
  }

  /** The same as URLs. */
  spelled(scheme: string, path: string): string[] {
    return this.authorities.map((authority) => `${scheme}://${authority}${path}`);
  }

  /** URLs with credentials and of other schemes. */
  get others(): string[] {
    return urlsOf(this.canary.port);
  }

  /** Sends addresses to fields; fails unless each is refused by an error in the format of its endpoint, and not called. */
  async refusesAll(inputs: readonly UrlInput[], addresses: string[]): Promise<void> {
    for (const { input, address } of trials(inputs, addresses)) {
      const { status, body } = await this.#send(input, address);
      const what = `${input.name}: ${address}: ${JSON.stringify(body)}`;
      expect(status, what).to.be.within(400, 499);
      expect(body.message ?? body.error_description, what)
        .to.be.a('string')
        .that.is.not.equal('');
      expect(JSON.stringify(body), what).not.to.match(/ECONN|EHOST|ENOTFOUND|stack/);
      this.#refused += 1;
    }
  }

  /** Sends addresses to fields; fails unless each is refused or stored, and not called. */
  async callsNone(inputs: readonly UrlInput[], addresses: string[]): Promise<void> {
    for (const { input, address } of trials(inputs, addresses)) {
      const { status, body } = await this.#send(input, address);
      expect([200, 201, 400], `${input.name}: ${address}: ${status} ${JSON.stringify(body)}`).to.include(status);
      this.#ignored += 1;
    }
  }

  /** Sends an address that leads to another; fails unless that is an error. */
  async fails({ name, send }: UrlInput, address: string): Promise<void> {
    const { status, body } = await send(address);
    this.#tried += 1;
    expect(status, `${name}: ${JSON.stringify(body)}`).to.be.oneOf([400, 404, 409, 502]);
    this.#refused += 1;
  }

  /** Prints the counts. */
  close(): void {
    const counts = `addresses tried ${this.#tried} | refused ${this.#refused} | ignored ${this.#ignored}`;
    console.log(`      ${counts} | canary hits ${this.canary.hits}`);
    this.canary.close();
  }

  async #send({ name, send }: UrlInput, address: string): Promise<Answer> {
    const before = this.canary.hits;
    const answer = await send(address);
    this.#tried += 1;
    const what = `${name}: ${address}`;
    expect(this.canary.hits, `${what} was called`).to.equal(before);
    expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).to.be.below(500);
    return answer;
  }
}

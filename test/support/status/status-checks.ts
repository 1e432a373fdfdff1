import { expect } from 'chai';
import { statusEntry } from '../../../demo/actors/status-list.ts';
import { type Answer, type ServerOptions, startServer, type TestServer } from '../servers/server.ts';
import { credentialWith, type ListHost, type ListIssuer, listClaims, listHost, listIssuer } from './status-lists.ts';

export type ListOptions = Partial<Parameters<typeof listClaims>[0]>;

/** A server, a list host and two issuers of one describe block; registers the hooks that start and end them. */
export class StatusChecks {
  #started: { server: TestServer; host: ListHost; issuer: ListIssuer; other: ListIssuer } | undefined;

  constructor(options?: ServerOptions) {
    before(async () => {
      const parties = [startServer(options), listHost(), listIssuer(), listIssuer()] as const;
      const [server, host, issuer, other] = await Promise.all(parties);
      this.#started = { server, host, issuer, other };
    });
    after(() => Promise.all([this.server.close(), this.host.close()]));
  }

  get server(): TestServer {
    return this.#parts.server;
  }

  get host(): ListHost {
    return this.#parts.host;
  }

  get issuer(): ListIssuer {
    return this.#parts.issuer;
  }

  get other(): ListIssuer {
    return this.#parts.other;
  }

  get #parts() {
    if (!this.#started) throw new Error('The tests have not begun');
    return this.#started;
  }

  /** Publishes a list of the issuer, valid except for the options. */
  async publish(options: ListOptions = {}): Promise<string> {
    return this.host.publish(await this.issuer.sign(listClaims({ did: this.issuer.did, ...options })));
  }

  check(credential: unknown): Promise<Answer> {
    return this.server.call('checkRevocation', { text: JSON.stringify(credential) });
  }

  /** Checks a credential of the issuer with this status. */
  checkEntry(status: unknown): Promise<Answer> {
    return this.check(credentialWith(this.issuer.did, status));
  }

  checkList(list: string, index = 7): Promise<Answer> {
    return this.checkEntry(statusEntry(list, index));
  }
}

/** The result of the check; any other status than 200 fails the test. */
export async function isRevoked(sending: Promise<Answer>): Promise<boolean> {
  const { status, body } = await sending;
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.isRevoked;
}

/** The body of an error answer of this status and `id`. */
export async function refused(sending: Promise<Answer>, status: number, id: string) {
  const { body, ...answer } = await sending;
  expect({ status: answer.status, id: body.id }, body.message).to.deep.equal({ status, id });
  return body;
}

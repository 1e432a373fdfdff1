import { expect } from 'chai';
import { type Answer, startServer, useServer } from '../support/server.ts';
import { Canary, HOSTS, urlsOf } from './canary.ts';
import { SsrfTarget, type UrlInput, type UrlInputs } from './url-inputs.ts';

describe('addresses that callers send in', function () {
  this.timeout(120_000);
  const server = useServer({ settings: { outbound: { allow: [] } } });
  let canary: Canary;
  let inputs: UrlInputs;
  const tally = { tried: 0, refused: 0, ignored: 0 };

  before(async () => {
    canary = await Canary.listen();
    inputs = (await SsrfTarget.of(server)).inputs;
  });
  after(() => {
    const { tried, refused, ignored } = tally;
    console.log(
      `      addresses tried ${tried} | refused ${refused} | ignored ${ignored} | canary hits ${canary.hits}`,
    );
    canary.close();
  });

  /** Sends each address and returns the answers; fails when the server called one. */
  async function sendAll({ name, send }: UrlInput, addresses: string[]): Promise<[string, Answer][]> {
    const answers: [string, Answer][] = [];
    for (const address of addresses) {
      const what = `${name}: ${address}`;
      const before = canary.hits;
      const answer = await send(address);
      tally.tried += 1;
      expect(canary.hits, `${what} was called`).to.equal(before);
      expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).to.be.below(500);
      answers.push([what, answer]);
    }
    return answers;
  }

  /** An error that names the defect, in the format of its endpoint. */
  function checkRefusal(what: string, { status, body }: Answer): void {
    expect(status, `${what}: ${JSON.stringify(body)}`).to.be.within(400, 499);
    expect(body.message ?? body.error_description, what)
      .to.be.a('string')
      .that.is.not.equal('');
    expect(JSON.stringify(body), what).not.to.match(/ECONN|EHOST|ENOTFOUND|stack/);
    tally.refused += 1;
  }

  const spelled = (scheme: string, path: string): string[] =>
    HOSTS.map((host) => `${scheme}://${host}:${canary.port}${path}`);

  it('are refused in every field, however the host is spelled', async () => {
    for (const input of inputs.urls)
      for (const [what, answer] of await sendAll(input, spelled('http', '/x'))) checkRefusal(what, answer);
  });

  it('are refused in every field, with credentials and in other schemes', async () => {
    for (const input of inputs.urls)
      for (const [what, answer] of await sendAll(input, urlsOf(canary.port))) checkRefusal(what, answer);
  });

  it('are refused in every did:web', async () => {
    const authorities = HOSTS.map((host) => `${host}:${canary.port}`);
    for (const input of inputs.hosts)
      for (const [what, answer] of await sendAll(input, authorities)) checkRefusal(what, answer);
  });

  it('are never called in fields that only resemble URLs to call', async () => {
    for (const input of inputs.idle)
      for (const [what, { status, body }] of await sendAll(input, [...spelled('http', '/x'), ...urlsOf(canary.port)])) {
        expect(status === 200 || status === 400, `${what}: ${status} ${JSON.stringify(body)}`).to.equal(true);
        tally.ignored += 1;
      }
  });

  it('are refused in every field but those of the wallet when they are those of this server, although their block is allowed', async () => {
    const open = await startServer();
    const { foreign } = (await SsrfTarget.of(open)).inputs;
    for (const { name, send } of foreign) {
      const answer = await send(`${open.url}/livez`);
      tally.tried += 1;
      checkRefusal(`${name}: our own`, answer);
    }
    expect((await open.fetch('/metrics')).body).not.to.match(/operation="getLiveness"/);
    await open.close();
  });

  it('may be those of this server for its own wallet', async () => {
    expect((await inputs.urls.find(({ name }) => name === 'issuer')?.send(`${server.url}/draft13`))?.status).to.equal(
      200,
    );
  });

  it('would be counted by the canary, were they called', async () => {
    const before = canary.hits;
    await fetch(`http://127.0.0.1:${canary.port}/`);
    await fetch(`http://[::1]:${canary.port}/`).catch(() => undefined);
    expect(canary.hits).to.be.greaterThan(before);
    canary.hits = before;
  });
});

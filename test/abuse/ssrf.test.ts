import { expect } from 'chai';
import { startServer, useServer } from '../support/servers/server.ts';
import { AddressTrial } from './address-trial.ts';
import { SsrfTarget, type UrlInputs } from './url-inputs.ts';

describe('addresses that callers send in', () => {
  const server = useServer({ settings: { outbound: { allow: [] } } });
  let trial: AddressTrial;
  let inputs: UrlInputs;

  before(async () => {
    trial = await AddressTrial.start();
    inputs = (await SsrfTarget.of(server)).inputs;
  });
  after(() => trial.close());

  it('are refused in every field, however the host is spelled', async () => {
    await trial.refusesAll(inputs.urls, trial.spelled('http', '/x'));
  });

  it('are refused in every field, with credentials and in other schemes', async () => {
    await trial.refusesAll(inputs.urls, trial.others);
  });

  it('are refused in every did:web', async () => {
    await trial.refusesAll(inputs.hosts, trial.authorities);
  });

  it('are never called in fields that only resemble URLs to call', async () => {
    await trial.callsNone(inputs.idle, [...trial.spelled('http', '/x'), ...trial.others]);
  });

  it('are refused in every field but those of the wallet when they are those of this server, although their block is allowed', async () => {
    const open = await startServer();
    const { foreign } = (await SsrfTarget.of(open)).inputs;
    await trial.refusesAll(foreign, [`${open.url}/livez`]);
    expect((await open.fetch('/metrics')).body).not.to.match(/operation="getLiveness"/);
    await open.close();
  });

  it('may be those of this server for its own wallet', async () => {
    expect((await inputs.urls.find(({ name }) => name === 'issuer')?.send(`${server.url}/draft13`))?.status).to.equal(
      200,
    );
  });

  it('would be counted by the canary, were they called', async () => {
    const { canary } = trial;
    const before = canary.hits;
    await fetch(`http://127.0.0.1:${canary.port}/`);
    await fetch(`http://[::1]:${canary.port}/`).catch(() => undefined);
    expect(canary.hits).to.be.greaterThan(before);
    canary.hits = before;
  });
});

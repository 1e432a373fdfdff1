import { expect } from 'chai';
import { HttpPeer } from '../actors/http-peer.ts';
import { startServer, useServer } from '../support/servers/server.ts';
import { AddressTrial } from './address-trial.ts';
import { type SessionInputs, sessionInputs } from './session-inputs.ts';

describe('addresses that verification sessions and credentials name', () => {
  const server = useServer({ settings: { outbound: { allow: [] } } });
  let trial: AddressTrial;
  let inputs: SessionInputs;

  before(async () => {
    trial = await AddressTrial.start();
    inputs = await sessionInputs(server);
  });
  after(() => trial.close());

  it('are refused in every field, however they are written', async () => {
    await trial.refusesAll([...inputs.urls, ...inputs.later], [...trial.spelled('http', '/x'), ...trial.others]);
  });

  it('are refused in every did:web', async () => {
    await trial.refusesAll(inputs.hosts, trial.authorities);
  });

  it('are never called in fields that only resemble URLs to call', async () => {
    await trial.callsNone(inputs.idle, [...trial.spelled('http', '/x'), ...trial.others]);
  });

  it('are refused when they are those of this server or those that a redirect leads to, although their block is allowed', async () => {
    const open = await startServer();
    const peer = await new HttpPeer().listen();
    const { urls, later } = await sessionInputs(open);
    await trial.refusesAll([...urls, ...later], [`${open.url}/livez`]);
    peer.routes['/hop'] = () => ({ status: 302, headers: { location: `${open.url}/livez` } });
    for (const input of urls) {
      const calls = peer.seen.length;
      await trial.fails(input, `${peer.url}/hop?call=${calls}`);
      expect(peer.seen.length, input.name).to.be.greaterThan(calls);
    }
    expect((await open.fetch('/metrics')).body).not.to.match(/operation="getLiveness"/);
    await Promise.all([open.close(), peer.close()]);
  });
});

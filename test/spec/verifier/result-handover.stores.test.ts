import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { VerificationFixture } from '../../actors/verification.ts';
import type { WalletRequest } from '../../actors/wallet.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';

const ONCE = { settings: { verifier: { presentedData: 'deleteOnHandover' } } } as const;

/** A request that names the value it asks for, with a policy that quotes it. */
const requestFor = (name: string) => ({
  request_credentials: [
    {
      format: 'jwt_vc_json',
      input_descriptor: {
        id: 'degree',
        constraints: { fields: [{ path: ['$.vc.credentialSubject.name'], filter: { const: name } }] },
      },
    },
  ],
  vp_policies: ['signature'],
  vc_policies: ['signature', { policy: 'regex', args: { path: '$.credentialSubject.name', regex: '.*' } }],
});

/** Presents a credential with a name. */
async function presented(on: VerificationFixture, name: string, headers = {}): Promise<WalletRequest> {
  const request = await on.ask(requestFor(name), headers);
  await on.present(request, { credentials: [await on.credential({ subject: { name } })] });
  return request;
}

const shownTo = (on: VerificationFixture, { state }: WalletRequest) =>
  on.server.call('getPresentedCredentials', { path: { state } });

describe('getVerificationResult: presentedData = deleteOnHandover', () => {
  const records = new WrittenRecords();
  const on = new VerificationFixture({ ...ONCE, wrapStore: (store) => records.wrap(store) });

  it('200: what was presented once; then what came of each policy, and handles', async () => {
    const name = canary();
    const request = await presented(on, name);
    const first = await on.session(request);
    expect(first.verificationResult, JSON.stringify(first)).to.equal(true);
    expect(JSON.stringify(first.policyResults)).to.include(name);
    const second = await on.session(request);
    expect(JSON.stringify(second)).to.not.include(name).and.not.include(first.tokenResponse.vp_token);
    expect(second).to.include({
      verificationResult: true,
      handoverDate: new Date(on.server.clock.now()).toISOString(),
    });
    expect(second.tokenResponse).to.deep.equal({ state: request.state });
    expect(second.policyResults.policiesRun).to.equal(first.policyResults.policiesRun);
    const [handle] = second.credentialHandles;
    expect(handle).to.include({ format: 'jwt_vc_json', issuer: on.issuer.did }).and.include.keys('digest');
    const lines: { code: string }[] = second.policyResults.results.flatMap(
      (one: { policies: object[] }) => one.policies,
    );
    expect(lines.map(({ code }) => code)).to.deep.equal(['passed', 'passed', 'passed']);
    const { settings, clock } = on.server;
    expect((await records.opened(settings, clock.now)).join('\n'))
      .to.include(request.state)
      .and.not.include(name);
  });

  it('200: of many who ask at once one gets what was presented', async () => {
    const name = canary();
    const request = await presented(on, name);
    const answers = await Promise.all(Array.from({ length: 20 }, () => on.session(request)));
    expect(answers.filter((answer) => JSON.stringify(answer).includes(name))).to.have.length(1);
  });

  it('200: nothing is handed over before the response', async () => {
    const request = await on.ask(requestFor('Ada'));
    expect(await on.session(request)).to.not.include.keys('handoverDate');
    await on.present(request, { credentials: [await on.credential({ subject: { name: 'Ada' } })] });
    expect((await on.session(request)).tokenResponse).to.include.keys('vp_token');
  });
});

describe('getPresentedCredentials: presentedData = deleteOnHandover', () => {
  const on = new VerificationFixture(ONCE);

  it('200: once; 400: after that', async () => {
    const request = await presented(on, 'Ada');
    expect((await shownTo(on, request)).status).to.equal(200);
    const { status, body } = await shownTo(on, request);
    expect([status, body.message]).to.deep.equal([
      400,
      'There are no presented credentials: they were handed over and deleted',
    ]);
    expect((await on.session(request)).tokenResponse).to.not.include.keys('vp_token');
  });

  it('400: a failed session hands nothing over here', async () => {
    const request = await on.ask(requestFor('Ada'));
    await on.present(request);
    expect((await shownTo(on, request)).status).to.equal(400);
    expect((await on.session(request)).tokenResponse).to.include.keys('vp_token');
  });
});

describe('submitPresentation: presentedData = deleteOnHandover', () => {
  const on = new VerificationFixture(ONCE);
  const peer = new HttpPeer();
  before(() => peer.listen());
  after(() => peer.close());

  it('200: a callback that is taken has what was presented, and nothing after it has', async () => {
    peer.routes['/taken'] = () => ({ status: 204 });
    const name = canary();
    const request = await presented(on, name, { statusCallbackUri: `${peer.url}/taken` });
    expect(peer.seen.at(-1)?.body).to.include(name);
    const session = await on.session(request);
    expect(JSON.stringify(session)).to.not.include(name);
    expect(session).to.include.keys('handoverDate', 'credentialHandles');
  });

  it('200: a callback that is refused or not reached hands nothing over', async () => {
    peer.routes['/refused'] = () => ({ status: 500 });
    for (const uri of [`${peer.url}/refused`, 'http://127.0.0.1:1/closed']) {
      const name = canary();
      const request = await presented(on, name, { statusCallbackUri: uri });
      expect(JSON.stringify(await on.session(request))).to.include(name);
    }
  });
});

import { expect } from 'chai';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

describe('submitPresentation: the store fails', () => {
  const faults = new StoreFaults();
  const on = new VerificationFixture({ wrapStore: (store) => new FaultyStore(store, faults) });

  afterEach(() => {
    faults.failIn = 0;
    faults.down = false;
  });

  for (const call of [1, 2, 3])
    it(`503 at its call ${call}: the session stays undecided, and the wallet can present again within 15 seconds`, async () => {
      const request = await on.ask(DEGREE_REQUEST);
      const form = await on.form(request);
      const post = () => on.server.call('submitPresentation', { path: { state: request.state }, form });
      faults.failIn = call;
      const failed = await post();
      expect(failed.status).to.equal(503);
      expect(failed.body.error).to.equal('temporarily_unavailable');
      expect(await on.session(request)).not.to.have.property('verificationResult');
      if (call === 3) {
        const held = await post();
        expect([held.status, held.headers.get('retry-after')]).to.deep.equal([503, '1']);
        on.server.clock.advance(15_000);
      }
      expect((await post()).status).to.equal(200);
      expect((await on.session(request)).verificationResult).to.equal(true);
    });

  it('503: every other operation reports it, and works again afterwards', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    const path = { state: request.state };
    faults.down = true;
    expect((await on.server.call('startVerification', { json: DEGREE_REQUEST })).status).to.equal(503);
    expect((await on.server.call('getPresentationDefinition', { path })).status).to.equal(503);
    expect((await on.server.call('getVerificationResult', { path })).status).to.equal(503);
    faults.down = false;
    expect((await on.present(request)).status).to.equal(200);
  });
});

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Store } from '../../../ports/store.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { createIssuer, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

describe('listAuditEvents: what is issued and verified', () => {
  /** Of the events alone. */
  const faults = new StoreFaults();
  const wrapStore = (store: Store): Store => {
    const faulty = new FaultyStore(store, faults);
    const collection: Store['collection'] = (spec) => (spec.name === 'audit-events' ? faulty : store).collection(spec);
    return new Proxy(store, {
      get: (target, name: keyof Store) => (name === 'collection' ? collection : target[name].bind(target)),
    });
  };
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise({ features: { enabled: ['eidas-audit'] } }, { wrapStore });
    await createIssuer(world);
  });
  after(() => world.close());

  const events = async (target: string, action: string) =>
    (await world.server.call('listAuditEvents', { path: { target }, query: { action }, token: world.root })).body
      .events;
  const offer = async () => (await world.post('tenantCreateCredentialOffer', ISSUER, offerOf())).body.credentialOffer;

  it('200: a credential, by the digest of what the wallet got; the chain is whole', async () => {
    const user = await newWalletUser(world.server);
    const [{ id, document }] = (await user.call('acceptCredentialOffer', { text: await offer() })).body;
    expect(id).to.be.a('string');
    const [event, ...others] = await events(ISSUER, 'credentialIssued');
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({ outcome: 'succeeded', target: ISSUER, account: '', source: '' });
    const { sessionId, credentialPayloadHash, holderBindingPublicKeyJwk, ...facts } = event.parameters;
    expect(facts).to.deep.equal({ credentialConfigurationId: 'Card', credentialIndex: '0', format: 'dc+sd-jwt' });
    expect(sessionId).to.be.a('string');
    expect(credentialPayloadHash).to.equal(createHash('sha256').update(document).digest('base64url'));
    expect(JSON.parse(holderBindingPublicKeyJwk)).to.include.keys('kty').and.not.include.keys('d');
    const check = { path: { target: 'acme' }, token: world.root };
    expect((await world.server.call('checkAuditTrail', check)).body).to.include({ valid: true });
  });

  it('200: a verification, accepted or refused', async () => {
    const vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    const created = await vp.create(crossDevice());
    const request = await vp.request(created);
    await vp.respond(request, await vp.response(request));
    const declined = await vp.create(crossDevice());
    const other = await vp.request(declined);
    await vp.respond(other, { error: 'access_denied', state: other.parameters.state });
    const found = await events(VERIFIER, 'presentationVerified');
    expect(found.map(({ parameters }: { parameters: object }) => parameters)).to.deep.equal([
      { sessionId: declined.sessionId, result: 'refused' },
      { sessionId: created.sessionId, result: 'accepted' },
    ]);
  });

  it('503: what cannot be recorded is not answered, and nothing is issued or concluded', async () => {
    const [user, text] = [await newWalletUser(world.server), await offer()];
    const vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    const created = await vp.create(crossDevice());
    const request = await vp.request(created);
    const response = await vp.response(request);
    faults.down = true;
    expect((await user.call('acceptCredentialOffer', { text })).status).to.be.at.least(500);
    expect((await vp.respond(request, response)).status).to.equal(503);
    faults.end();
    expect((await user.call('listWalletCredentials')).body).to.deep.equal([]);
    expect((await vp.info(created)).status).to.not.equal('SUCCESSFUL');
    world.server.clock.advance(15_000);
    expect((await vp.respond(request, response)).status).to.equal(200);
  });
});

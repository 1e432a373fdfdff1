import { expect } from 'chai';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { iaca, MDL } from '../../support/credentials/mdoc-issuer.ts';

const STORE = 'acme.t1.certificates1';
const REGISTRY = 'acme.t1.registry1';
const TRUSTING = 'acme.t1.trusting1';
const LISTING = 'acme.t1.listing1';

describe('requests and responses of wallets at a tenant: whom its verifier believes', () => {
  let world: EnterpriseFixture;
  let wallet: HolderOfAll;
  before(async () => {
    world = await startEnterprise(CARD_SETTINGS);
    await world.post('createService', STORE, { type: 'x509-store' });
    await world.post('createService', REGISTRY, { type: 'trust-registry' });
    await world.post('createService', TRUSTING, { type: 'verifier2', dependencies: [STORE] });
    await world.post('createService', LISTING, { type: 'verifier2', dependencies: [REGISTRY] });
    wallet = await holderOfAll(world.server);
  });
  after(() => world.close());

  const mdoc = {
    credentials: [
      {
        id: 'q',
        format: 'mso_mdoc',
        meta: { doctype_value: MDL.docType },
        claims: [{ path: [MDL.namespace, 'age_over_18'] }],
      },
    ],
  };

  /** The status of a session in which our wallet presents its mdoc. */
  async function presentedMdoc(target: string): Promise<string> {
    const vp = await Openid4vp.with(world.server, { target, token: world.root });
    const created = await vp.create(crossDevice({ dcql_query: mdoc }));
    const presentationRequest = created.bootstrapAuthorizationRequestUrl;
    const json = { presentationRequest, selectedCredentials: [wallet.ids.mso_mdoc] };
    await wallet.holder.call('presentCredentials', { json });
    return (await vp.info(created)).status;
  }

  it('an mdoc is believed below a certificate of its own store, from the next response on, and at no other verifier', async () => {
    expect(await presentedMdoc(TRUSTING)).to.equal('FAILED');
    const added = await world.post('addCertificate', `${STORE}.iaca`, { type: 'base', certificatePem: iaca.pem });
    expect(added.status, JSON.stringify(added.body)).to.equal(201);
    expect(await presentedMdoc(TRUSTING)).to.equal('SUCCESSFUL');
    expect(await presentedMdoc(VERIFIER)).to.equal('FAILED');
    await world.server.call('deleteResource', { path: { target: `${STORE}.iaca` }, token: world.root });
    expect(await presentedMdoc(TRUSTING)).to.equal('FAILED');
  });

  it('a registry that names issuers is believed for those only, and for their types', async () => {
    const vp = await Openid4vp.with(world.server, { target: LISTING, token: world.root });
    expect((await vp.outcome()).status).to.equal('SUCCESSFUL');
    const trust = (name: string, issuer: string, credentialTypes?: string[]) =>
      world.post('addTrustedIssuer', `${REGISTRY}.${name}`, { type: 'did', issuer, credentialTypes });
    expect((await trust('other', 'did:example:other')).status).to.equal(201);
    const refused = await vp.outcome();
    expect([refused.status, refused.policy_results.vc_policies[0].code]).to.deep.equal(['FAILED', 'issuer-untrusted']);
    await trust('typed', vp.issuer.did, ['AnotherCredential']);
    expect((await vp.outcome()).status).to.equal('FAILED');
    await trust('own', vp.issuer.did, ['UniversityDegreeCredential']);
    expect((await vp.outcome()).status).to.equal('SUCCESSFUL');
  });
});

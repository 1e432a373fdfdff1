import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { DEGREE, FinalIssuance } from '../actors/openid4vci.ts';
import { Openid4vp } from '../actors/openid4vp.ts';
import { CountingStore } from '../support/stores/counting-store.ts';

describe('A credential of OpenID4VCI 1.0 that is presented over OpenID4VP 1.0', () => {
  let counting: CountingStore;
  let issuance: FinalIssuance;
  before(async () => {
    issuance = await FinalIssuance.start({ wrapStore: (store) => (counting = new CountingStore(store)) });
  });
  after(() => issuance.close());

  /** The result of a request and what it did in the store. */
  async function counted<T>(request: () => Promise<T>): Promise<[result: T, done: string[]]> {
    const before = counting.done.length;
    return [await request(), counting.done.slice(before)];
  }

  /** The operations of each request. */
  async function play(): Promise<Record<string, string[]>> {
    const { server } = issuance;
    const json = { profileId: DEGREE, authMethod: 'PRE_AUTHORIZED' };
    const [created, offer] = await counted(() => server.call('createCredentialOffer', { json }));
    const uri = new URL(new URL(created.body.credentialOffer).searchParams.get('credential_offer_uri') ?? '');
    const [{ body }, fetch] = await counted(() => server.fetch(uri.pathname + uri.search));
    const [redeemed, token] = await counted(() => issuance.redeem(body.grants[GRANT]['pre-authorized_code']));
    const [good, nonce] = await counted(() => issuance.nonce());
    const [claimed, credential] = await counted(() =>
      issuance.claimFor(redeemed.body.access_token, [makeHolderKey()], good),
    );
    expect(claimed.status, JSON.stringify(claimed.body)).to.equal(200);
    const verifier = await Openid4vp.with(server);
    const [session, request] = await counted(() => verifier.create());
    const asked = await verifier.request(session);
    const answer = await verifier.response(asked);
    const [, response] = await counted(() => verifier.respond(asked, answer));
    const [{ status }, result] = await counted(() => verifier.info(session));
    expect(status).to.equal('SUCCESSFUL');
    return { offer, fetch, token, nonce, credential, request, response, result };
  }

  it('takes 9 writes and 6 reads of the store', async () => {
    await play();
    expect(await play()).to.deep.equal({
      offer: ['profile-keys get', 'issuance-sessions insert'],
      fetch: ['issuance-sessions get', 'issuance-sessions replace'],
      token: ['issuance-sessions get', 'issuance-sessions replace'],
      nonce: [],
      credential: [
        'issuance-sessions get',
        'used-nonces insert',
        'issuance-sessions replace',
        'issuance-sessions replace',
      ],
      request: ['presentation-sessions insert'],
      response: ['presentation-sessions get', 'presentation-sessions replace', 'presentation-sessions replace'],
      result: ['presentation-sessions get'],
    });
  });
});

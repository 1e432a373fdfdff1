import { expect } from 'chai';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { FORMATS } from '../../conformance/verifier/credentials.ts';
import { iaca } from '../../support/credentials/mdoc-issuer.ts';
import { useServer } from '../../support/servers/server.ts';
import { akiOf, iaca as otherAuthority } from '../../support/trust/issuer-chains.ts';
import { jsonList, listSigner, signJson } from '../../support/trust/trust-list-makers.ts';

// biome-ignore lint/suspicious/noExplicitAny: queries have any member
type Json = Record<string, any>;

describe('createVerificationSession: trusted authorities, from the query to the outcome', () => {
  const peer = new HttpPeer();
  const server = useServer(async () => {
    await peer.listen();
    for (const [name, certificate] of [['own', iaca] as const, ['other', otherAuthority(3)] as const])
      peer.routes[`/${name}`] = () => ({ body: signJson(jsonList({ services: [{ certificate }] })) });
    const trustLists = ['own', 'other'].map((name) => ({ url: `${peer.url}/${name}`, signers: [listSigner().pem] }));
    return { settings: { ...CARD_SETTINGS, trustedIssuers: { trustLists } } };
  });
  let vp: Openid4vp;
  let wallet: HolderOfAll;
  before(async () => {
    vp = await Openid4vp.with(server);
    wallet = await holderOfAll(server);
  });
  after(() => peer.close());

  const [LICENCE] = FORMATS.iso_mdl.query.credentials;
  const below = (authorities: Json[]): Json => ({ credentials: [{ ...LICENCE, trusted_authorities: authorities }] });

  const cases: [string, () => Json[], boolean][] = [
    ['an aki of the chain', () => [{ type: 'aki', values: [akiOf(iaca)] }], true],
    ['an aki of another authority', () => [{ type: 'aki', values: [akiOf(otherAuthority(3))] }], false],
    ['the list with the authority', () => [{ type: 'etsi_tl', values: [`${peer.url}/own`] }], true],
    ['another list', () => [{ type: 'etsi_tl', values: [`${peer.url}/other`] }], false],
    [
      'one of several authorities',
      () => [
        { type: 'etsi_tl', values: [`${peer.url}/other`] },
        { type: 'aki', values: [akiOf(iaca)] },
      ],
      true,
    ],
  ];
  for (const [name, authorities, isBelow] of cases) {
    it(`${name}: an mdoc is ${isBelow ? 'accepted' : 'refused, although its chain is trusted'}`, async () => {
      const created = await vp.create(crossDevice({ dcql_query: below(authorities()) }));
      const request = await vp.request(created);
      const token = await FORMATS.iso_mdl.present(request, {}, server.clock.now());
      await vp.respond(request, { vp_token: { [LICENCE.id]: [token] }, state: request.parameters.state });
      const { status, failure } = await vp.info(created);
      expect([status, failure?.type]).to.deep.equal(
        isBelow ? ['SUCCESSFUL', undefined] : ['FAILED', 'dcql_fulfillment'],
      );
    });

    it(`${name}: our wallet ${isBelow ? 'offers' : 'does not offer'} its mdoc`, async () => {
      const query = { ...below(authorities()).credentials[0], claims: undefined };
      const created = await vp.create(crossDevice({ dcql_query: { credentials: [query] } }));
      const text = created.bootstrapAuthorizationRequestUrl;
      const { status, body } = await wallet.holder.call('describePresentationRequest', { text });
      expect(status, JSON.stringify(body)).to.equal(200);
      const offered = body.queries[0].credentials.map(({ id }: Json) => id);
      expect(offered).to.deep.equal(isBelow ? [wallet.ids.mso_mdoc] : []);
    });
  }

  it('400: a list that is not configured, and a federation', async () => {
    for (const type of ['etsi_tl', 'openid_federation']) {
      const json = crossDevice({ dcql_query: below([{ type, values: ['https://unknown.example'] }]) });
      const { status, body } = await vp.call('createVerificationSession', { json });
      expect([status, body.message]).to.match(/^400,.*trusted_authorities/);
    }
  });
});

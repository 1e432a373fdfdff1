import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { REQUEST_OBJECT } from '../../../domain/presentation/request-parameters.ts';
import { CARD_SETTINGS, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import { testKeys } from '../../support/trust/certificates.ts';

const ORIGIN = 'https://shop.example';
const query = {
  id: 'card',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:card:1'] },
  claims: [{ path: ['given_name'] }],
};

describe('requests of pages', () => {
  const server = useServer({ settings: CARD_SETTINGS });
  /** Gives up early. */
  const impatient = useServer({ outboundTimeoutMs: 1500 });
  const peer = new HttpPeer();
  let holder: WalletUser;
  let card: string;
  before(async () => {
    await peer.listen();
    const { holder: user, ids } = await holderOfAll(server);
    holder = user;
    card = ids['dc+sd-jwt'] ?? '';
  });
  after(() => peer.close());

  const data = (more: object = {}) => ({
    ...{ response_type: 'vp_token', response_mode: 'dc_api', nonce: 'n', dcql_query: { credentials: [query] } },
    ...more,
  });
  const page = (more: object = {}) => ({ origin: ORIGIN, protocol: 'openid4vp-v1-unsigned', data: data(), ...more });
  const describePage = (json: object) => holder.call('describePageRequest', { json });
  const answer = (json: object) => holder.call('answerPageRequest', { json: { selectedCredentials: [card], ...json } });
  /** A request that a DID of the peer signs, as far as the wallet can find that out. */
  const signed = async (kid: string) => {
    const claims = data({ client_id: `decentralized_identifier:${kid}`, expected_origins: [ORIGIN] });
    const header = { alg: 'ES256', typ: REQUEST_OBJECT.TYP, kid: `${kid}#0` };
    const request = await new SignJWT(claims).setProtectedHeader(header).sign(testKeys('P-256', 30).privateKey);
    return page({ protocol: 'openid4vp-v1-signed', data: { request } });
  };
  const web = (path: string) => `did:web:${encodeURIComponent(new URL(peer.url).host)}:${path}`;

  it('200: the page is who asks; what an unsigned request says of its client counts for nothing', async () => {
    const asked = page({
      data: data({ client_id: 'x509_hash:of-another', expected_origins: ['https://bank.example'] }),
    });
    const { status, body } = await describePage(asked);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.proof).to.deep.equal({ kind: 'origin', host: 'shop.example' });
    expect(body.verifier).to.deep.equal({ responseHost: 'shop.example' });
    const { body: response } = await answer({ ...asked, consent: body.consent, note: 'bought a lamp' });
    expect(response.protocol).to.equal('openid4vp-v1-unsigned');
    const [token] = response.data.vp_token.card;
    const [, claims = ''] = token.slice(token.lastIndexOf('~') + 1).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).to.include({ aud: `origin:${ORIGIN}`, nonce: 'n' });
    const log = (await holder.call('listWalletEvents')).body;
    expect(JSON.stringify(log)).to.include('bought a lamp').and.include('shop.example');
  });

  it('200: answers the request that was described', async () => {
    const asked = page({ data: data({ nonce: randomUUID() }) });
    const { consent } = (await describePage(asked)).body;
    const { status, body } = await answer({ ...asked, consent });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.data.vp_token.card).to.have.length(1);
  });

  it('400: names the member that is wrong', async () => {
    const cases: [object, string | RegExp][] = [
      [{ origin: `${ORIGIN}/` }, '/body/origin'],
      [{ origin: 'shop.example' }, '/body/origin'],
      [{ protocol: 'openid4vp' }, '/body/protocol'],
      [{ protocol: 'openid4vp-v1-signed' }, '/body/data/request'],
      [
        { protocol: 'openid4vp-v1-multisigned', data: { request: { payload: 'e30', signatures: [] } } },
        '/body/data/request',
      ],
      [{ data: data({ response_mode: 'direct_post' }) }, /response_mode that is one of dc_api, dc_api.jwt/],
      [{ data: data({ dcql_query: undefined }) }, /^data: must ask with a dcql_query/],
      [{ data: data({ nonce: undefined }) }, /no nonce/],
      [{ data: data({ filler: 'x'.repeat(65_536) }) }, /65536|64 KiB/],
      [await signed('did:jwk:nonsense'), /not valid UTF-8/],
    ];
    for (const [more, expected] of cases)
      for (const call of [describePage, answer]) {
        const { status, body } = await call(page(more));
        expect(status, JSON.stringify([more, body]).slice(0, 500)).to.equal(400);
        if (typeof expected === 'string') expect(body.details[0].path).to.equal(expected);
        else expect(body.message).to.match(expected);
      }
    const unselected = await answer({ ...page(), selectedCredentials: ['urn:uuid:other'] });
    expect([unselected.status, unselected.body.details[0].path]).to.deep.equal([400, '/body/selectedCredentials']);
  });

  it('409: another request than the user agreed to', async () => {
    const { consent } = (await describePage(page())).body;
    for (const [more, changed] of [
      [{ origin: 'https://evil.example' }, 'response_uri'],
      [{ data: data({ nonce: 'another', response_mode: 'dc_api' }) }, 'nonce'],
      [{ data: data({ dcql_query: { credentials: [{ ...query, claims: [{ path: ['family_name'] }] }] } }) }, 'query'],
    ] as const) {
      const { status, body } = await answer({ ...page(more), consent });
      expect([status, body.message].join()).to.match(new RegExp(`^409,The verifier changed ${changed} since`));
    }
  });

  it('502: the DID of the signer cannot be fetched; 504: its host does not answer', async () => {
    const user = await newWalletUser(impatient);
    const json = await signed(web('signer'));
    for (const [reply, expected] of [
      [{ status: 500 }, 502],
      [undefined, 504],
    ] as const) {
      peer.other = () => reply;
      expect((await user.call('describePageRequest', { json })).status).to.equal(expected);
      const answered = await user.call('answerPageRequest', { json: { ...json, selectedCredentials: [card] } });
      expect(answered.status).to.equal(expected);
    }
  });
});

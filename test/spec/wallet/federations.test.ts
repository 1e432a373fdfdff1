import { expect } from 'chai';
import { type CryptoKey, compactDecrypt, exportJWK, generateKeyPair } from 'jose';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import {
  anchorSettings,
  configurationOf,
  federationJwk,
  signedBy,
  statementOf,
  type TestEntity,
  TestFederation,
} from '../../support/trust/federation.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests have any member
type Json = Record<string, any>;

const TYPE = 'openid_credential_verifier';
/** The key that signs requests, apart from those of entities. */
const REQUESTS = 20;
const MINUTE = 60_000;

describe('describePresentationRequest: verifiers of federations', () => {
  const federation = new TestFederation();
  const { peer } = federation;
  let anchor: TestEntity;
  const server = useServer(async () => {
    await peer.listen();
    anchor = federation.entity('anchor', 0);
    return { settings: { ...CARD_SETTINGS, trustedVerifiers: { federations: [anchorSettings(anchor)] } } };
  });
  const untrusting = useServer();
  let wallet: HolderOfAll;
  let count = 0;
  before(async () => {
    wallet = await holderOfAll(server);
  });
  beforeEach(() => {
    peer.seen.length = 0;
  });
  after(() => peer.close());

  const metadata = (more: Json = {}) => ({
    [TYPE]: { client_name: 'Shop', jwks: { keys: [federationJwk(REQUESTS)] }, ...more },
  });
  /** A verifier of its own for each test, so that none finds the chain of another in the cache. */
  const leafBelow = (superiors: TestEntity[], more: Partial<TestEntity> = {}): TestEntity => {
    count += 1;
    return federation.entity(`leaf${count}`, 10, { superiors, metadata: metadata(), ...more });
  };
  const between = (superiors: TestEntity[], more: Partial<TestEntity> = {}): TestEntity => {
    count += 1;
    return federation.entity(`middle${count}`, 11, { superiors, ...more });
  };

  function linkOf({ id }: TestEntity, { claims = {}, header = {}, key = REQUESTS }: Json = {}): string {
    const client_id = `openid_federation:${id}`;
    const object = signedBy(
      key,
      {
        ...{ client_id, response_uri: `${peer.url}/response`, response_mode: 'direct_post', nonce: 'n' },
        dcql_query: { credentials: [{ id: 'q', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card:1'] } }] },
        client_metadata: { client_name: 'Bank', jwks: { keys: [federationJwk(9)] } },
        ...claims,
      },
      { typ: 'oauth-authz-req+jwt', ...header },
    );
    return `openid4vp://?${new URLSearchParams({ client_id, request: object })}`;
  }
  const describeLink = (text: string) => wallet.holder.call('describePresentationRequest', { text });
  const statements = () => peer.seen.map(({ url }) => url.pathname + url.search);
  async function refused(link: string): Promise<string> {
    const { status, body } = await describeLink(link);
    return `${status} ${body.message}`;
  }

  it('200: the entity is proven, and what the request says of its client is ignored', async () => {
    const middle = between([anchor]);
    const leaf = leafBelow([middle]);
    const { status, body } = await describeLink(linkOf(leaf));
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.proof).to.deep.equal({ kind: 'federation', entity: leaf.id, trustAnchor: anchor.id });
    expect(body.verifier.name).to.equal('Shop');
    const [own, up, top] = [leaf, middle, anchor].map(({ id }) => new URL(id).pathname);
    expect(statements()).to.deep.equal([
      `${own}/.well-known/openid-federation`,
      `${up}/.well-known/openid-federation`,
      `${up}/fetch?sub=${encodeURIComponent(leaf.id)}`,
      `${top}/.well-known/openid-federation`,
      `${top}/fetch?sub=${encodeURIComponent(middle.id)}`,
    ]);
  });

  it('200: a chain is resolved once in five minutes', async () => {
    const link = linkOf(leafBelow([anchor]));
    for (const [advance, fetches] of [
      [0, 3],
      [4 * MINUTE, 3],
      [2 * MINUTE, 6],
    ] as const) {
      server.clock.advance(advance);
      expect((await describeLink(link)).status).to.equal(200);
      expect(statements()).to.have.length(fetches);
    }
  });

  it('200: a chain in the request is taken as it is, and one that is not valid is not missed', async () => {
    const leaf = leafBelow([anchor]);
    const now = server.clock.now();
    const jwks = { keys: [federationJwk(leaf.key)] };
    const chain = [configurationOf(leaf, now), statementOf(anchor, { id: leaf.id, jwks }, now)];
    expect((await describeLink(linkOf(leaf, { header: { trust_chain: chain } }))).status).to.equal(200);
    expect(statements()).to.deep.equal([]);
    const another = leafBelow([anchor]);
    for (const trust_chain of [chain, chain.slice(1), ['x'], Array(9).fill('x'), 'x']) {
      expect((await describeLink(linkOf(another, { header: { trust_chain } }))).status).to.equal(200);
      expect(statements()).to.have.length(3);
    }
  });

  it('200: the superiors are tried in their order', async () => {
    const [absent, circle] = [`${peer.url}/absent`, between([])];
    const leaf = leafBelow([{ id: absent, key: 9 }, circle, anchor]);
    circle.superiors = [circle, leaf];
    expect((await describeLink(linkOf(leaf))).status).to.equal(200);
  });

  it('200: the superiors decide which metadata count', async () => {
    const middle = between([anchor], {
      statement: {
        metadata: metadata({ client_name: 'Shop Ltd' }),
        metadata_policy: { [TYPE]: { client_name: { essential: true } } },
      },
    });
    const { body } = await describeLink(linkOf(leafBelow([middle])));
    expect(body.verifier.name).to.equal('Shop Ltd');
  });

  it('presentCredentials 200: the response is encrypted to the key in the metadata of the federation', async () => {
    const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'e', use: 'enc', alg: 'ECDH-ES' };
    const keys = [federationJwk(REQUESTS), jwk];
    const leaf = leafBelow([anchor], { metadata: metadata({ jwks: { keys } }) });
    let received = '';
    peer.routes['/response'] = ({ body }) => {
      received = new URLSearchParams(body).get('response') ?? '';
      return {};
    };
    const presentationRequest = linkOf(leaf, { claims: { response_mode: 'direct_post.jwt' } });
    const json = { presentationRequest, selectedCredentials: [wallet.ids['dc+sd-jwt']] };
    const { status, body } = await wallet.holder.call('presentCredentials', { json });
    expect(status, JSON.stringify(body)).to.equal(200);
    const { plaintext } = await compactDecrypt(received, pair.privateKey as CryptoKey);
    expect(JSON.parse(new TextDecoder().decode(plaintext)).vp_token).to.have.all.keys('q');
  });

  it('400: a request that no key of the metadata signed', async () => {
    const leaf = leafBelow([anchor]);
    for (const more of [
      { key: 10 },
      { key: 21 },
      { key: 21, header: { kid: `key ${REQUESTS}` } },
      { header: { kid: 7 } },
    ])
      expect(await refused(linkOf(leaf, more))).to.match(/^400 .*not signed with a key of its entity/);
    const keyless = leafBelow([anchor], { metadata: { [TYPE]: {} } });
    expect(await refused(linkOf(keyless))).to.match(/^400 .*not signed with a key of its entity/);
  });

  it('400: what leads to no trust anchor', async () => {
    const other = federation.entity('other', 5);
    expect(await refused(linkOf(leafBelow([])))).to.match(/^400 .*no superior leads to a trust anchor/);
    expect(await refused(linkOf(leafBelow([other])))).to.match(/^400 .*no superior leads to a trust anchor/);
    expect(await refused(linkOf({ id: 'http://verifier.example', key: 1 }))).to.match(/^400 .*no entity identifier/);
    const text = linkOf(leafBelow([anchor]));
    const user = await newWalletUser(untrusting);
    const { status, body } = await user.call('describePresentationRequest', { text });
    expect([status, body.message]).to.match(/^400,.*no trust anchor/);
  });

  it('400: an anchor with another key, a configuration of another entity, and metadata that a policy forbids', async () => {
    const impostor = leafBelow([anchor]);
    peer.routes[`${new URL(impostor.id).pathname}/.well-known/openid-federation`] = () => ({
      body: configurationOf(anchor),
    });
    expect(await refused(linkOf(impostor))).to.match(/^400 .*is of another entity/);
    const middle = between([anchor], {
      statement: { metadata_policy: { [TYPE]: { client_name: { one_of: ['Bank'] } } } },
    });
    expect(await refused(linkOf(leafBelow([middle])))).to.match(/^400 .*client_name does not satisfy/);
    const endless = between([anchor], { metadata: { federation_entity: {} } });
    expect(await refused(linkOf(leafBelow([endless])))).to.match(/^400 .*no federation_fetch_endpoint/);
    anchor.key = 9;
    expect(await refused(linkOf(leafBelow([anchor])))).to.match(/^400 .*is not signed with its key/);
    anchor.key = 0;
  });

  it('400: a chain that is too long, and superiors that lead nowhere cost a bounded number of calls', async () => {
    let top = anchor;
    for (let level = 0; level < 6; level += 1) top = between([top]);
    expect(await refused(linkOf(leafBelow([top])))).to.match(/^400 .*no superior leads/);
    peer.seen.length = 0;
    let layer = Array.from({ length: 4 }, () => between([]));
    for (let level = 0; level < 3; level += 1) {
      const above = layer;
      layer = Array.from({ length: 4 }, () => between(above));
    }
    expect(await refused(linkOf(leafBelow(layer)))).to.match(/^400 /);
    expect(statements()).to.have.length.within(10, 17);
  });

  it('502: an entity that answers with an error; the failure is kept for five seconds', async () => {
    const leaf = leafBelow([anchor]);
    const path = `${new URL(leaf.id).pathname}/.well-known/openid-federation`;
    const route = peer.routes[path];
    peer.routes[path] = () => ({ status: 500 });
    for (let round = 0; round < 2; round += 1) expect(await refused(linkOf(leaf))).to.match(/^502 /);
    expect(statements()).to.have.length(1);
    if (route) peer.routes[path] = route;
    server.clock.advance(6000);
    expect((await describeLink(linkOf(leaf))).status).to.equal(200);
  });
});

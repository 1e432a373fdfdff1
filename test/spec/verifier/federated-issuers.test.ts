import { expect } from 'chai';
import { publicKeyOfDid } from '../../../domain/dids/did-methods.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { CARD_SETTINGS } from '../../actors/holder-of-all.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { ENTERPRISE_SETTINGS, enterpriseOn, VERIFIER } from '../../actors/tenant.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { FORMATS } from '../../conformance/verifier/credentials.ts';
import { newSigner, signSdJwt } from '../../support/credentials/sd-jwts.ts';
import { useServer } from '../../support/servers/server.ts';
import { anchorSettings, type TestEntity, TestFederation } from '../../support/trust/federation.ts';

// biome-ignore lint/suspicious/noExplicitAny: queries have any member
type Json = Record<string, any>;

const [PID] = FORMATS.sd_jwt_vc.query.credentials;
const CARD = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card:1'] } };

describe('createVerificationSession: issuers of federations', () => {
  const federation = new TestFederation();
  const { peer } = federation;
  let anchors: TestEntity[];
  const server = useServer(async () => {
    await peer.listen();
    anchors = ['anchor', 'second'].map((name, key) => federation.entity(name, key));
    const federations = anchors.map(anchorSettings);
    return { settings: { ...CARD_SETTINGS, ...ENTERPRISE_SETTINGS, trustedIssuers: { federations } } };
  });
  const untrusting = useServer({ settings: CARD_SETTINGS });
  let open: Openid4vp;
  let tenant: Openid4vp;
  let holder: WalletUser;
  let signer: Signer;
  before(async () => {
    const { root } = await enterpriseOn(server);
    open = await Openid4vp.with(server);
    tenant = await Openid4vp.with(server, { target: VERIFIER, token: root });
    holder = await newWalletUser(server);
    signer = await newSigner('secp256r1');
  });
  after(() => peer.close());

  const below = (...values: string[]) => [{ type: 'openid_federation', values }];
  const asking = (one: Json, authorities: Json[]) =>
    crossDevice({ dcql_query: { credentials: [{ ...one, trusted_authorities: authorities }] } });

  let count = 0;
  /** An issuer that publishes its key at its URL, with its place in the federation. */
  function issuer({
    superiors = [federation.entity(`middle${count}`, 4, { superiors: anchors.slice(0, 1) })],
    metadata,
  }: Partial<TestEntity> = {}) {
    count += 1;
    const name = `issuer${count}`;
    const jwks = { keys: [signer.publicJwk] };
    const entity = federation.entity(name, 3, {
      superiors,
      metadata: metadata ?? { openid_credential_issuer: { jwks } },
    });
    peer.routes[`/.well-known/jwt-vc-issuer/${name}`] = () => ({ body: { issuer: entity.id, jwks } });
    return { id: entity.id, entity, middle: superiors[0]?.id ?? '', signer };
  }

  async function outcome(vp: Openid4vp, from: { id: string; signer: Signer }, authorities: Json[]): Promise<Json> {
    const created = await vp.create(asking(PID, authorities));
    const request = await vp.request(created);
    const token = await FORMATS.sd_jwt_vc.present(request, { issuer: from }, server.clock.now());
    await vp.respond(request, { vp_token: { [PID.id]: [token] }, state: request.parameters.state });
    return vp.info(created);
  }
  async function refused(from: { id: string; signer: Signer }, authorities: Json[]): Promise<string> {
    const { status, failure } = await outcome(open, from, authorities);
    expect([status, failure?.type]).to.deep.equal(['FAILED', 'dcql_fulfillment']);
    return failure.reason;
  }

  for (const [name, at] of [
    ['the verifier', () => open],
    ['the verifier of a tenant', () => tenant],
  ] as const)
    it(`${name} accepts an issuer below its anchor, by the anchor, a superior or the issuer itself`, async () => {
      const from = issuer();
      for (const entity of [`${peer.url}/anchor`, from.middle, from.id]) {
        const { status, failure } = await outcome(at(), from, below('https://other.example', entity));
        expect([status, failure], entity).to.deep.equal(['SUCCESSFUL', undefined]);
      }
      const { status } = await outcome(at(), from, below(`${peer.url}/second`));
      expect(status).to.equal('FAILED');
    });

  it('an issuer of two federations is below both', async () => {
    const from = issuer({ superiors: anchors });
    for (const { id } of anchors) expect((await outcome(open, from, below(id))).status).to.equal('SUCCESSFUL');
  });

  it('an issuer is not looked for unless a query asks for it', async () => {
    const from = issuer();
    peer.seen.length = 0;
    expect((await outcome(open, from, [{ type: 'aki', values: ['AA'] }])).status).to.equal('FAILED');
    expect(peer.seen.filter(({ url }) => url.pathname.includes('openid-federation'))).to.deep.equal([]);
  });

  it('refuses an issuer of no federation, or of one whose anchor is not configured, and says why', async () => {
    const stranger = issuer({ superiors: [] });
    expect(await refused(stranger, below(`${peer.url}/anchor`))).to.match(
      /as asked: pid; .*no superior leads to a trust anchor \(http.*issuer/,
    );
    const unknown = federation.entity('unknown', 5);
    expect(await refused(issuer({ superiors: [unknown] }), below(unknown.id))).to.match(/no superior leads/);
  });

  it('refuses an issuer whose federation cannot be reached, and accepts it once it can', async () => {
    const from = issuer();
    const path = `${new URL(from.middle).pathname}/.well-known/openid-federation`;
    const { [path]: route } = peer.routes;
    peer.routes[path] = () => ({ status: 503 });
    expect(await refused(from, below(`${peer.url}/anchor`))).to.match(/answered with 503 \(http.*issuer/);
    if (route) peer.routes[path] = route;
    server.clock.advance(6000);
    expect((await outcome(open, from, below(`${peer.url}/anchor`))).status).to.equal('SUCCESSFUL');
  });

  it('refuses a key that the metadata of the federation do not state, although the issuer publishes it', async () => {
    const other = await newSigner('secp256r1');
    const metadata = { openid_credential_issuer: { jwks: { keys: [other.publicJwk] } } };
    expect(await refused(issuer({ metadata }), below(`${peer.url}/anchor`))).to.match(/not signed with a key of http/);
  });

  it('where the metadata state no keys, the issuer must have published the key', async () => {
    const from = issuer({ metadata: { openid_credential_issuer: {} } });
    expect((await outcome(open, from, below(`${peer.url}/anchor`))).status).to.equal('SUCCESSFUL');
    const forged = { ...from, signer: await newSigner('secp256r1') };
    const { status, failure } = await outcome(open, forged, below(`${peer.url}/anchor`));
    expect([status, failure.type]).to.deep.equal(['FAILED', 'vc_policy_violations']);
  });

  it('refuses an entity that is no issuer of credentials', async () => {
    expect(await refused(issuer({ metadata: {} }), below(`${peer.url}/anchor`))).to.match(
      /no openid_credential_issuer/,
    );
  });

  /** Puts a credential into a wallet, and returns its id there. */
  async function imported({ did, call }: WalletUser, { id: iss }: { id: string }): Promise<string> {
    const iat = Math.floor(server.clock.now() / 1000);
    const claims = { iss, vct: 'urn:card:1', iat, cnf: { jwk: publicKeyOfDid(did) } };
    const jwt = await signSdJwt(signer, claims, { header: { kid: undefined } });
    const { status, body } = await call('importWalletCredential', { json: { jwt, associated_did: did } });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.id;
  }

  it('our wallet offers and presents the credential of an issuer below the entity, and no other', async () => {
    const own = await imported(holder, issuer());
    const other = await imported(holder, issuer({ superiors: [] }));
    const created = await open.create(asking(CARD, below(`${peer.url}/anchor`)));
    const text: string = created.bootstrapAuthorizationRequestUrl;
    const { body } = await holder.call('describePresentationRequest', { text });
    expect(body.queries[0].credentials.map(({ id }: Json) => id)).to.deep.equal([own]);
    const matching = await holder.call('matchRequestedCredentials', { text });
    expect(matching.body.map(({ id }: Json) => id)).to.deep.equal([own]);
    const present = (id: string) =>
      holder.call('presentCredentials', { json: { presentationRequest: text, selectedCredentials: [id] } });
    expect((await present(other)).status).to.equal(400);
    expect((await present(own)).status).to.equal(200);
    expect((await open.info(created)).status).to.equal('SUCCESSFUL');
  });

  it('our wallet offers nothing without an anchor of its own, and asks no issuer', async () => {
    const user = await newWalletUser(untrusting);
    const from = issuer();
    await imported(user, from);
    const created = await open.create(asking(CARD, below(from.id)));
    const text: string = created.bootstrapAuthorizationRequestUrl;
    const { status, body } = await user.call('describePresentationRequest', { text });
    expect([status, body.queries[0].credentials]).to.deep.equal([200, []]);
    expect(peer.count(`${new URL(from.id).pathname}/.well-known/openid-federation`)).to.equal(0);
  });

  it('400: a verifier without an anchor cannot ask for issuers of a federation', async () => {
    const json = asking(CARD, below(`${peer.url}/anchor`));
    const { status, body } = await untrusting.call('createVerificationSession', { json });
    const path = '/body/core_flow/dcql_query/credentials/0/trusted_authorities/0/type';
    expect([status, body.details[0].path]).to.deep.equal([400, path]);
  });
});

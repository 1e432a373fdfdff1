import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { CLOUDS, type DemoCloud } from '../../../demo/fake-clouds/clouds.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, fieldsOf, jwkDid, KMS, publicJwkIn, startEnterprise } from '../../actors/tenant.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

describe('tenant verifier configuration', () => {
  // biome-ignore lint/suspicious/noExplicitAny: configurations have any member
  type Json = Record<string, any>;

  const SHOP = 'acme.t1.shop';
  const KEY = `${KMS}.key1`;

  let world: EnterpriseFixture;
  let clouds: DemoCloud[];
  before(async () => {
    clouds = await Promise.all(Object.values(CLOUDS).map((start) => start()));
    const kms = Object.assign({}, ...clouds.map(({ settings }) => settings));
    world = await startEnterprise({ kms });
    await world.post('generateKey', KEY, { keyType: 'secp256r1' });
  });
  after(async () => {
    await world.close();
    for (const cloud of clouds) await cloud.close();
  });

  const create = (config: Json, target = SHOP) =>
    world.post('createService', target, { type: 'verifier2', dependencies: [KMS], ...config });
  const remove = (target = SHOP) => world.server.call('deleteResource', { path: { target }, token: world.root });
  const at = (target: string) => Openid4vp.with(world.server, { target, token: world.root });

  /** The did:jwk of a key of a tenant. */
  async function didOf(target: string): Promise<string> {
    const { body } = await world.server.call('getResource', { path: { target }, token: world.root });
    return jwkDid(publicJwkIn(body.key));
  }

  describe('createService: a verifier', () => {
    afterEach(() => remove());

    it('400: names every member that is unknown or of another kind', async () => {
      const wrong: Record<string, Json> = {
        '/body/surprise': { surprise: 1 },
        '/body/clientId': { clientId: 'with space' },
        '/body/retentionSeconds': { retentionSeconds: 59 },
        '/body/presentedData': { presentedData: 'never' },
        '/body/signingKey': { signingKey: 'a..b' },
        '/body/verifierInfo/0/data': { verifierInfo: [{ format: 'jwt' }] },
      };
      for (const [path, config] of Object.entries(wrong)) {
        const answer = await create(config);
        expect([answer.status, fieldsOf(answer)], path).to.deep.equal([400, [path]]);
      }
    });

    it('400: names what cannot work', async () => {
      const { x5c, sanDns } = await certifiedKey();
      const federation = { authorityHints: ['https://anchor.example'] };
      const wrong: [string, Json][] = [
        ['/body/urlHost', { urlHost: 'javascript:alert(1)' }],
        ['/body/clientMetadata/jwks', { clientMetadata: { jwks: {} } }],
        ['/body/clientId', { clientId: 'openid_federation:https://a.example', signingKey: KEY }],
        ['/body/clientId', { clientId: 'openid_federation:https://a.example', signingKey: KEY, federation }],
        ['/body/federation', { federation }],
        [
          '/body/federation/authorityHints/0',
          { signingKey: KEY, federation: { authorityHints: ['http://a.example'] } },
        ],
        [
          '/body/federation/signingKey',
          { signingKey: KEY, federation: { ...federation, signingKey: `${KMS}.absent` } },
        ],
        ['/body/clientId', { clientId: 'redirect_uri:https://a.example', signingKey: KEY }],
        ['/body/vcPolicies/1', { vcPolicies: ['signature', 'no-such-policy'] }],
        ['/body/vcPolicies/0', { vcPolicies: ['acme.t1.policies.absent'] }],
        ['/body/signingKey', { signingKey: `${KMS}.absent` }],
        ['/body/signingKey', { signingKey: 'acme.t1.kms2.key1' }],
        ['/body/x5c', { x5c }],
        ['/body/x5c/0', { x5c, signingKey: KEY }],
        ['/body/x5c', { clientId: sanDns, signingKey: KEY }],
      ];
      for (const [path, config] of wrong) {
        const answer = await create(config);
        expect([answer.status, fieldsOf(answer)], JSON.stringify(answer.body)).to.deep.equal([400, [path]]);
      }
      const alone = await create({ dependencies: [], signingKey: KEY });
      expect([alone.status, alone.body.message]).to.deep.equal([
        409,
        `${SHOP} needs a service of the type kms: add it as a dependency`,
      ]);
    });

    it('201: its requests are signed with the key of its kms, here or in a cloud, and say what it is', async () => {
      const targets = [KEY];
      for (const [place, { key }] of clouds.entries()) {
        const { status, body } = await world.post('generateKey', `${KMS}.cloud${place}`, {
          ...key,
          keyType: 'secp256r1',
        });
        expect(status, JSON.stringify(body)).to.equal(201);
        targets.push(`${KMS}.cloud${place}`);
      }
      for (const target of targets) {
        const did = await didOf(target);
        const clientId = `decentralized_identifier:${did}`;
        const client_name = canary();
        const config = { signingKey: target, clientId, urlHost: 'haip://', clientMetadata: { client_name } };
        expect((await create(config)).status, target).to.equal(201);
        const vp = await at(SHOP);
        const created = await vp.create(crossDevice({ signed_request: true }));
        expect(created.bootstrapAuthorizationRequestUrl.startsWith('haip://?')).to.equal(true);
        const link = new URL(created.bootstrapAuthorizationRequestUrl);
        const requestId = new URL(link.searchParams.get('request_uri') ?? '').pathname.split('/').at(-2) ?? '';
        const { body: signed } = await vp.fetch(requestId);
        expect(decodeProtectedHeader(signed).kid).to.equal(`${did}#0`);
        const request = decodeJwt<Json>(signed);
        expect(request.client_id).to.equal(clientId);
        expect(request.client_metadata.client_name).to.equal(client_name);
        expect((await remove()).status).to.equal(204);
      }
    });

    it('409: a request is not signed any more when its key was deleted, nor with another key of that name', async () => {
      const key = `${KMS}.fleeting`;
      const removeKey = () => world.server.call('deleteResource', { path: { target: key }, token: world.root });
      for (const replaced of [false, true]) {
        await world.post('generateKey', key, { keyType: 'secp256r1' });
        const clientId = `decentralized_identifier:${await didOf(key)}`;
        expect((await create({ signingKey: key, clientId })).status).to.equal(201);
        const vp = await at(SHOP);
        const { requestId } = await vp.request(await vp.create(crossDevice({ signed_request: true })));
        expect((await removeKey()).status).to.equal(204);
        if (replaced) await world.post('generateKey', key, { keyType: 'secp256r1' });
        const { status, body } = await vp.fetch(requestId);
        expect([status, body.error], JSON.stringify(body)).to.deep.equal([409, 'invalid_request']);
        await remove();
        await removeKey();
      }
    });

    it('201: its retention and its policies are those of its sessions', async () => {
      const regex = { policy: 'regex', path: '$.credentialSubject.degree.type', regex: 'Master.*' };
      await create({ vcPolicies: ['signature', regex], retentionSeconds: 60, presentedData: 'deleteOnHandover' });
      const vp = await at(SHOP);
      const session = await vp.outcome();
      expect([session.status, session.failure.violations[0].code]).to.deep.equal(['FAILED', 'pattern-mismatch']);
      const kept = Date.parse(session.retentionDate) - world.server.clock.now();
      expect(kept).to.equal(60_000);
      const own = await vp.outcome(crossDevice({ policies: { vc_policies: ['signature'] } }));
      expect(own.status).to.equal('SUCCESSFUL');
      expect((await vp.info({ sessionId: own.id })).presented_credentials.degree[0]).to.not.include.keys('claims');
    });

    it('201: policies of its stores stand for themselves, in its configuration and in sessions', async () => {
      const STORE = 'acme.t1.policies1';
      const typed = (regex: string) => ({
        name: 'Degree',
        policy: { policy: 'regex', args: { path: '$.credentialSubject.degree.type', regex } },
      });
      await world.post('createService', STORE, { type: 'policy-store' });
      await world.post('addStoredPolicy', `${STORE}.bachelor`, typed('Bachelor.*'));
      await world.post('addStoredPolicy', `${STORE}.master`, typed('Master.*'));
      const config = { dependencies: [STORE], vcPolicies: ['signature', `${STORE}.bachelor`] };
      expect((await create(config)).status).to.equal(201);
      const vp = await at(SHOP);
      const passed = await vp.outcome();
      const names = passed.policy_results.vc_policies.map(({ policy }: Json) => policy.policy);
      expect(names).to.deep.equal(['signature', 'regex']);
      const listing = (policy: unknown) => crossDevice({ policies: { vc_policies: [policy] } });
      const failed = await vp.outcome(listing({ policy: `${STORE}.master` }));
      expect([failed.status, failed.failure.violations[0].policy.args.regex]).to.deep.equal(['FAILED', 'Master.*']);
      const path = '/body/core_flow/policies/vc_policies/0';
      for (const policy of [`${STORE}.absent`, `${KMS}.key1`, 'other.policies1.bachelor']) {
        const json = listing(policy);
        expect(fieldsOf(await vp.call('createVerificationSession', { json })), policy).to.deep.equal([path]);
      }
      const json = typed('Doctor.*');
      await world.server.call('replaceStoredPolicy', {
        path: { target: `${STORE}.bachelor` },
        json,
        token: world.root,
      });
      expect((await vp.outcome()).status).to.equal('FAILED');
    });

    it('200: a changed configuration holds from the next request on', async () => {
      await create({ urlHost: 'first://' });
      const vp = await at(SHOP);
      const linkOf = async () => (await vp.create()).bootstrapAuthorizationRequestUrl;
      expect(await linkOf()).to.match(/^first:/);
      const json = { type: 'verifier2', urlHost: 'second://' };
      expect(
        (await world.server.call('updateService', { path: { target: SHOP }, json, token: world.root })).status,
      ).to.equal(200);
      expect(await linkOf()).to.match(/^second:/);
    });
  });

  describe('listVerificationSessions', () => {
    it('200: shows neither claims, links, nonces nor secrets, before and after the response', async () => {
      await create({}, 'acme.t1.listed');
      const vp = await at('acme.t1.listed');
      const secret = canary();
      const redirects = { success_redirect_uri: 'https://shop.example.org/done' };
      const webhook = { url: 'https://hook.invalid/', bearer_token: canary() };
      const { key, x5c, hash: clientId } = await certifiedKey();
      const core = { signed_request: true, encrypted_response: true, key, x5c, clientId, notifications: { webhook } };
      const created = await vp.create(crossDevice(core, { redirects }));
      const request = await vp.request(created);
      const list = async () =>
        (await world.server.call('listVerificationSessions', { path: { target: 'acme.t1.listed' }, token: world.root }))
          .body;
      const texts = [await list()];
      const credential = await vp.credential({ subject: { name: secret } });
      const { body } = await vp.respond(request, await vp.response(request, { credential }));
      const code = new URL(body.redirect_uri).searchParams.get('response_code') ?? '';
      texts.push(await list());
      const { nonce, state, client_metadata: metadata } = request.parameters;
      const secrets = [
        secret,
        code,
        nonce,
        state,
        request.requestId,
        webhook.bearer_token,
        metadata.jwks.keys[0].x,
        key.jwk.d,
      ];
      for (const text of texts.map((one) => JSON.stringify(one)))
        expect(secrets.filter((one) => text.includes(String(one)))).to.deep.equal([]);
      const [session] = texts[1];
      expect(session).to.include({
        _id: `acme.t1.listed.${created.sessionId}`,
        parent: 'acme.t1.listed',
        status: 'SUCCESSFUL',
      });
      expect(session.presented_credentials.degree[0].digest).to.match(/^[\w-]{43}$/);
    });
  });
});

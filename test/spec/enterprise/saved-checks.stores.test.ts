import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, DEGREE_QUERY, Openid4vp } from '../../actors/openid4vp.ts';
import {
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  POLICY_STORE,
  publicJwkIn,
  startEnterprise,
  VERIFIER,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { refusesBodies, refusesStrangers } from '../../actors/tenant-refusals.ts';

describe('saved checks', () => {
  const CHECK = `${VERIFIER}.degrees`;
  const WRITTEN = {
    name: 'Degrees',
    description: 'At the door',
    purpose: [
      { locale: 'en', text: 'We ask for your degree.' },
      { locale: 'de', text: 'Wir fragen nach Ihrem Abschluss.' },
    ],
    setup: crossDevice({ policies: { vc_policies: ['signature'] } }),
  };
  const ORIGIN = 'https://shop.example.org';

  let world: EnterpriseFixture;
  let vp: Openid4vp;
  let made = 0;
  before(async () => {
    world = await startEnterprise({}, { outboundTimeoutMs: 1500 });
    vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    await ok(world.post('createSavedCheck', CHECK, WRITTEN), 201);
  });
  after(() => world.close());

  const at = (operationId: string, target: string, token = world.root) =>
    world.server.call(operationId, { path: { target }, token });
  const run = (target: string, json: object = {}, token = world.root) =>
    world.post('createSessionOfCheck', target, json, token);
  const save = (setup: object) => world.post('createSavedCheck', VERIFIER, { name: 'x', setup });
  async function fresh(setup: object = WRITTEN.setup): Promise<string> {
    made += 1;
    return (await ok(world.post('createSavedCheck', `${VERIFIER}.fresh${made}`, { name: 'x', setup }), 201))._id;
  }

  /** A verifier whose checks are signed as a did:web, which the peer publishes. */
  async function ofDidWeb(peer: HttpPeer): Promise<{ verifier: string; setup: object; answer(status: number): void }> {
    made += 1;
    const [verifier, key] = [`acme.t1.web${made}`, `${KMS}.web${made}`];
    const jwk = publicJwkIn((await ok(world.post('generateKey', key, { keyType: 'secp256r1' }), 201)).key);
    await ok(
      world.post('createService', verifier, {
        type: 'verifier2',
        dependencies: [KMS],
        clientId: 'shop',
        signingKey: key,
      }),
      201,
    );
    const did = `did:web:${encodeURIComponent(new URL(peer.url).host)}:${verifier.replaceAll('.', '-')}`;
    const method = { id: `${did}#1`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk };
    const document = { id: did, verificationMethod: [method], authentication: [method.id] };
    const answer = (status: number) => {
      peer.routes[`/${verifier.replaceAll('.', '-')}/did.json`] = () =>
        status === 504 ? undefined : { status: status === 200 ? 200 : 500, body: document };
    };
    const clientId = `decentralized_identifier:${did}`;
    return { verifier, setup: crossDevice({ signed_request: true, clientId }), answer };
  }

  describe('createSavedCheck', () => {
    it('201: shows the check without keys, logins of webhooks and secrets of policies, which it works with', async () => {
      const hook = { policy: 'webhook', args: { url: 'https://policy.example.org/x', bearerauth_token: 'SECRET-1' } };
      const notifications = {
        webhook: { url: 'https://hooks.example.org/$id?token=SECRET-2', bearer_token: 'SECRET-3' },
      };
      const issuer = { policy: 'allowed-issuer', allowed_issuer: 'did:web:university.example.org' };
      const policies = { vc_policies: ['signature', hook], specific_vc_policies: { degree: [issuer] } };
      const setup = crossDevice({ notifications, policies }, { haip: false });
      const target = await fresh(setup);
      const { setup: shown } = (await at('getSavedCheck', target)).body;
      expect(shown).to.deep.equal({
        ...setup,
        core_flow: {
          dcql_query: DEGREE_QUERY,
          notifications: { webhook: { url: 'https://hooks.example.org/$id' } },
          policies: {
            vc_policies: ['signature', { policy: 'webhook', args: { url: hook.args.url } }],
            specific_vc_policies: { degree: [{ policy: 'allowed-issuer', args: issuer.allowed_issuer }] },
          },
        },
      });
      const all = [shown, (await at('listSavedChecks', VERIFIER)).body, world.server.lines];
      expect(JSON.stringify(all)).not.to.contain('SECRET');
      const session = (await run(target)).body;
      expect(
        (await vp.info(session)).policies.vc_policies.map(({ policy }: { policy: string }) => policy),
      ).to.deep.equal(['signature', 'webhook']);
    });

    it('400: names what no session could be created with, and what belongs to one session', async () => {
      expect(fieldsOf(await save(crossDevice({ dcql_query: {} })))).to.deep.equal([
        '/body/setup/core_flow/dcql_query/credentials',
      ]);
      expect(fieldsOf(await save(crossDevice({ policies: { vc_policies: ['absent'] } })))).to.deep.equal([
        '/body/setup/core_flow/policies/vc_policies/0',
      ]);
      for (const own of [{ sessionId: 'one' }, { expiration_date: '2100-01-01T00:00:00Z' }])
        expect(fieldsOf(await save(crossDevice(own)))).to.deep.equal([`/body/setup/core_flow/${Object.keys(own)[0]}`]);
    });

    it('409: once', async () => {
      expect((await world.post('createSavedCheck', CHECK, WRITTEN)).status).to.equal(409);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'createSavedCheck', target: VERIFIER, json: WRITTEN }),
    );
    refusesBodies(() => world, { operationId: 'createSavedCheck', target: VERIFIER });
  });

  describe('getSavedCheck', () => {
    it('200: as it was saved', async () => {
      expect((await at('getSavedCheck', CHECK)).body).to.deep.include({ ...WRITTEN, _id: CHECK, parent: VERIFIER });
      expect((await at('getSavedCheck', 'no target')).status).to.equal(400);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'getSavedCheck', target: CHECK }),
    );
  });

  describe('replaceSavedCheck', () => {
    it('200: sessions are created of what it says then; earlier ones stay', async () => {
      const target = await fresh();
      const before = (await run(target)).body;
      const setup = crossDevice({ policies: { vc_policies: ['signature', 'expired'] } });
      const { status, body } = await world.post('replaceSavedCheck', target, { name: 'y', setup });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ _id: target, name: 'y', setup });
      const policies = async (session: object) => (await vp.info(session)).policies.vc_policies.length;
      expect([await policies(before), await policies((await run(target)).body)]).to.deep.equal([1, 2]);
    });

    it('400: names what no session could be created with', async () => {
      const json = { name: 'x', setup: crossDevice({ dcql_query: {} }) };
      expect(fieldsOf(await world.post('replaceSavedCheck', CHECK, json))).to.deep.equal([
        '/body/setup/core_flow/dcql_query/credentials',
      ]);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'replaceSavedCheck', target: CHECK, json: WRITTEN }),
    );
    refusesBodies(() => world, { operationId: 'replaceSavedCheck', target: CHECK });
  });

  describe('deleteSavedCheck', () => {
    it('204: deletes it once; its sessions stay', async () => {
      const target = await fresh();
      const session = (await run(target)).body;
      const answers = await Promise.all(Array.from({ length: 5 }, () => at('deleteSavedCheck', target)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404, 404, 404]);
      expect((await run(target)).status).to.equal(404);
      expect((await vp.info(session)).status).to.equal('UNUSED');
    });

    it('400: names no target', async () => {
      expect((await at('deleteSavedCheck', 'no target')).status).to.equal(400);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'deleteSavedCheck', target: CHECK }),
    );
  });

  describe('createSessionOfCheck', () => {
    it('200: who may only check creates sessions of this check, which a wallet answers', async () => {
      const { token } = await world.member([may(CHECK, 'check-run'), may(VERIFIER, 'verifier-session-view')]);
      const { status, body: created } = await run(CHECK, { sessionId: 'counter-1' }, token);
      expect(status).to.equal(200);
      expect(created.sessionId).to.equal('counter-1');
      const request = await vp.request(created);
      await vp.respond(request, await vp.response(request));
      const path = { target: VERIFIER, sessionId: created.sessionId };
      const session = await world.server.call('tenantGetVerificationSession', { path, token });
      expect(session.body.status).to.equal('SUCCESSFUL');
      expect((await run(await fresh(), {}, token)).status).to.equal(403);
      const json = crossDevice();
      const own = await world.post('tenantCreateVerificationSession', VERIFIER, json, token);
      expect([own.status, (await at('getSavedCheck', CHECK, token)).status]).to.deep.equal([403, 403]);
    });

    it('200: in another flow, without what the check says for its own', async () => {
      const target = await fresh({ ...WRITTEN.setup, url_config: { url_host: 'haip://' } });
      expect((await run(target)).body.bootstrapAuthorizationRequestUrl).to.match(/^haip:/);
      const page = { flow_type: 'dc_api_openid4vp', expectedOrigins: [ORIGIN] };
      expect((await run(target, page)).body.data.digital.requests).to.have.length(1);
      const redirects = { success_redirect_uri: `${ORIGIN}/done` };
      expect((await run(target, { flow_type: 'same_device', redirects })).status).to.equal(200);
    });

    it('400: names what the flow needs, and members that a check decides', async () => {
      expect(fieldsOf(await run(CHECK, { flow_type: 'dc_api_openid4vp' }))).to.deep.equal(['/body/expectedOrigins']);
      expect(fieldsOf(await run(CHECK, { flow_type: 'same_device' }))).to.deep.equal([
        '/body/redirects/success_redirect_uri',
      ]);
      expect(fieldsOf(await run(CHECK, { expectedOrigins: [ORIGIN] }))).to.deep.equal(['/body/expectedOrigins']);
      expect(fieldsOf(await run(CHECK, { core_flow: { dcql_query: DEGREE_QUERY } }))).to.deep.equal([
        '/body/core_flow',
      ]);
    });

    it('409: of several sessions with one id exactly one is created', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => run(CHECK, { sessionId: 'raced' })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409, 409]);
      expect(fieldsOf(answers.find(({ status }) => status === 409) as (typeof answers)[0])).to.deep.equal([
        '/body/sessionId',
      ]);
    });

    it('409: when the check no longer works, since a policy of a store that it names is gone', async () => {
      const [verifier, stored] = ['acme.t1.storing', `${POLICY_STORE}.gone`];
      const config = { type: 'verifier2', dependencies: [POLICY_STORE] };
      await ok(world.post('createService', verifier, config), 201);
      await ok(world.post('addStoredPolicy', stored, { name: 'Gone', policy: { policy: 'signature' } }), 201);
      const setup = crossDevice({ policies: { vc_policies: [stored, { policy: stored }] } });
      const { _id: target, setup: shown } = await ok(
        world.post('createSavedCheck', verifier, { name: 'x', setup }),
        201,
      );
      expect(shown.core_flow.policies.vc_policies).to.deep.equal([stored, { policy: stored }]);
      expect((await run(target)).status).to.equal(200);
      await at('deleteStoredPolicy', stored);
      expect((await run(target)).status).to.equal(409);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'createSessionOfCheck', target: CHECK, json: {} }),
    );
    refusesBodies(() => world, { operationId: 'createSessionOfCheck', target: CHECK });
  });

  describe('createSavedCheck, replaceSavedCheck and createSessionOfCheck', () => {
    const peer = new HttpPeer();
    before(() => peer.listen());
    after(() => peer.close());

    it('502 and 504: the host of the DID of the verifier fails or does not answer', async () => {
      for (const status of [502, 504]) {
        const { verifier, setup, answer } = await ofDidWeb(peer);
        const json = { name: 'x', setup };
        answer(status);
        expect((await world.post('createSavedCheck', `${verifier}.one`, json)).status).to.equal(status);
        answer(200);
        world.server.clock.advance(3_600_000);
        const { _id: target } = await ok(world.post('createSavedCheck', `${verifier}.one`, json), 201);
        answer(status);
        world.server.clock.advance(3_600_000);
        expect((await world.post('replaceSavedCheck', target, json)).status).to.equal(status);
        expect((await run(target)).status).to.equal(status);
      }
    });
  });
});

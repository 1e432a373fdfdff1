import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createAttester } from '../../actors/client-attester.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { startIssuer as startForeignIssuer } from '../../actors/issuer.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import {
  CREDENTIAL_STORE,
  DID_STORE,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  POLICY_STORE,
  startEnterprise,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { ISSUER } from '../../actors/tenant-issuer.ts';
import { refusesBodies, refusesStrangers } from '../../actors/tenant-refusals.ts';
import {
  askForCard,
  CARD_QUERY,
  cardOffer,
  createWallet,
  startWallet,
  WALLET,
  WALLET_DID,
  WALLET_KEY,
} from '../../actors/tenant-wallet.ts';
import { until } from '../../support/runs/waiting.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

describe('the wallet of a tenant', () => {
  /** It takes requests and does not answer. */
  const silent = new HttpPeer();
  const SILENT_PATHS = ['/request', '/.well-known/openid-credential-issuer'];
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise({}, { outboundTimeoutMs: 2000 });
    await silent.listen();
    for (const path of SILENT_PATHS) silent.routes[path] = () => new Promise(() => undefined);
    await startWallet(world);
  });
  after(async () => {
    await world.close();
    await silent.close();
  });

  const receive = (json: object, target = WALLET) => world.post('receiveTenantCredentials', target, json);
  const present = (json: object, target = WALLET) => world.post('presentTenantCredentials', target, json);
  const entryAt = async (target: string) =>
    ok(world.server.call('getTenantCredential', { path: { target }, token: world.root }));
  const remove = (operationId: string, target: string) =>
    ok(world.server.call(operationId, { path: { target }, token: world.root }), 204);

  const entries = async (): Promise<{ _id: string; credential: { type: string } }[]> => {
    const query = { limit: '100' };
    return ok(world.server.call('listCredentials', { path: { target: CREDENTIAL_STORE }, query, token: world.root }));
  };
  const size = async () => (await entries()).length;

  /** Receives a card, and returns its entry. */
  async function received(more: object = {}): Promise<string> {
    const body = await ok(receive({ offerUrl: await cardOffer(world), ...more }));
    expect(body.deferredTransactionIds).to.deep.equal({});
    return body.credentialIds[0];
  }

  describe('receiveTenantCredentials', () => {
    it('200: the card is an entry of the credential store, bound to the key of the DID, and without what it is presented with', async () => {
      const target = await received();
      const entry = await entryAt(target);
      expect(entry.parent).to.equal(CREDENTIAL_STORE);
      expect(entry.credential.type).to.equal('vc-sd_jwt');
      expect(entry.credential.credentialData.level).to.equal('gold');
      expect(entry.credential.signed).to.match(/^eyJ/);
      expect(entry).to.not.have.property('held');
      const key = await ok(world.server.call('getTenantKey', { path: { target: WALLET_KEY }, token: world.root }));
      expect(entry.credential.credentialData.cnf).to.deep.nested.include({ 'jwk.x': key.key.jwk.x });
      const list = await ok(
        world.server.call('listCredentials', { path: { target: CREDENTIAL_STORE }, token: world.root }),
      );
      expect(list.map(({ _id }: { _id: string }) => _id)).to.include(target);
    });

    it('200: with the offer itself, and with a key of the call under either name', async () => {
      const other = `${KMS}.otherkey`;
      await ok(world.post('generateKey', other, { keyType: 'Ed25519' }), 201);
      const { x } = (await ok(world.server.call('getTenantKey', { path: { target: other }, token: world.root }))).key
        .jwk;
      const link = new URL(await cardOffer(world)).searchParams.get('credential_offer_uri') ?? '';
      const offerJson = await (await fetch(link)).json();
      const first = await ok(receive({ offerJson, keyReference: other }));
      const second = await received({ keyId: other });
      for (const target of [first.credentialIds[0], second])
        expect((await entryAt(target)).credential.credentialData.cnf.jwk.x).to.equal(x);
    });

    it('200: what the issuer delivers later is named, and comes into the store by itself', async () => {
      const issuer = await startForeignIssuer();
      try {
        const later = deferAll(issuer, 'v1');
        const waiting = await ok(receive({ offerUrl: issuer.link() }));
        expect(waiting.credentialIds).to.deep.equal([]);
        expect(Object.keys(waiting.deferredTransactionIds)).to.deep.equal(['Degree_jwt_vc_json']);
        const before = await size();
        later.isReady = true;
        await until(async () => {
          world.server.clock.advance(5000);
          return (await size()) === before + 1;
        });
        expect((await entries()).filter(({ credential }) => credential.type === 'vc-w3c_1_1')).to.have.length(1);
      } finally {
        await issuer.close();
      }
    });

    it('400: names what is wrong', async () => {
      const offerUrl = await cardOffer(world);
      const cases: [object, string][] = [
        [{}, '/body/offerUrl'],
        [{ offerUrl, offerJson: {} }, '/body/offerUrl'],
        [{ offerUrl, keyId: WALLET_KEY, keyReference: WALLET_KEY }, '/body/keyReference'],
        [{ offerUrl, keyId: 'acme.t1.kms9.key' }, '/body/keyId'],
        [{ offerUrl, keyReference: `${KMS}.absent` }, '/body/keyReference'],
        [{ offerUrl, did: 'did:web:other.example' }, '/body/did'],
        [{ offerUrl, did: `${DID_STORE}.absent` }, '/body/did'],
        [{ offerUrl: 'openid-credential-offer://?x=1' }, '/body/offerUrl'],
        [{ offerUrl, surprise: 1 }, '/body/surprise'],
      ];
      for (const [json, field] of cases) {
        const answer = await receive(json);
        expect([answer.status, ...fieldsOf(answer)], JSON.stringify(json)).to.deep.equal([400, field]);
      }
      const used = await receive({ offerUrl });
      expect(used.status).to.equal(200);
      expect((await receive({ offerUrl })).status).to.equal(400);
    });
  });

  for (const operationId of ['receiveTenantCredentials', 'receiveTenantPreAuthorized'])
    describe(operationId, () => {
      const take = (json: object, target = WALLET) => world.post(operationId, target, json);
      const offerOfIssuer = (credential_issuer: string) => ({
        credential_issuer,
        credential_configuration_ids: ['Card'],
        grants: { 'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': 'x' } },
      });

      it('200: with the older name of a key', async () => {
        const body = await ok(take({ offerUrl: await cardOffer(world), keyReference: WALLET_KEY }));
        expect((await entryAt(body.credentialIds[0])).credential.type).to.equal('vc-sd_jwt');
      });

      it('400: without an offer', async () => {
        expect(fieldsOf(await take({}))).to.deep.equal(['/body/offerUrl']);
      });

      it('409: without a credential store, and without a key', async () => {
        const poor = await createWallet(world, `acme.t1.poor${operationId}`, { dependencies: [KMS] });
        const keyless = await createWallet(world, `acme.t1.keyless${operationId}`, {
          dependencies: [CREDENTIAL_STORE],
        });
        const offerUrl = await cardOffer(world);
        for (const { body } of [poor, keyless])
          expect((await take({ offerUrl }, body._id)).status, body._id).to.equal(409);
      });

      it('502, 504: an issuer that cannot be reached, and one that does not answer', async () => {
        expect((await take({ offerJson: offerOfIssuer('http://127.0.0.1:9/issuer') })).status).to.equal(502);
        expect((await take({ offerJson: offerOfIssuer(silent.url) })).status).to.equal(504);
      });

      const operation = { operationId, target: WALLET };
      refusesStrangers(
        () => world,
        () => ({ ...operation, json: { offerUrl: 'openid-credential-offer://' } }),
      );
      refusesBodies(() => world, operation);
    });

  describe('presentTenantCredentials', () => {
    it('200: the verifier of the tenant gets what it asked for', async () => {
      await received();
      const { link, info } = await askForCard(world);
      expect((await ok(present({ requestUrl: link }))).transmission_success).to.equal(true);
      const session = await info();
      expect(session.status, JSON.stringify(session)).to.equal('SUCCESSFUL');
      expect(JSON.stringify(session.presented_credentials.card)).to.contain('gold');
    });

    it('200: a credential that was received for another key is presented with that key', async () => {
      const own = 'acme.t1.own';
      await ok(world.post('createService', 'acme.t1.owncreds', { type: 'credential-store' }), 201);
      await ok(createWallet(world, own, { dependencies: [KMS, 'acme.t1.owncreds'] }), 201);
      await ok(world.post('generateKey', `${KMS}.zz`, { keyType: 'Ed25519' }), 201);
      await ok(receive({ offerUrl: await cardOffer(world), keyId: `${KMS}.zz` }, own));
      const { link, info } = await askForCard(world);
      await ok(present({ requestUrl: link }, own));
      expect((await info()).status).to.equal('SUCCESSFUL');
    });

    it('400: a query without a credential, and a request that is none; nothing is sent', async () => {
      const { link, info } = await askForCard(world, {
        credentials: [{ id: 'other', format: 'dc+sd-jwt', meta: { vct_values: ['urn:absent'] } }],
      });
      const { status, body } = await present({ requestUrl: link });
      expect([status, body.message]).to.deep.equal([400, 'requestUrl: no credential answers the query "other"']);
      expect((await info()).status).to.not.equal('SUCCESSFUL');
      expect(fieldsOf(await present({ requestUrl: 'nothing' }))).to.deep.equal(['/body/requestUrl']);
      const both = { requestUrl: link, keyId: WALLET_KEY, keyReference: WALLET_KEY };
      expect(fieldsOf(await present(both))).to.deep.equal(['/body/keyReference']);
    });

    it('502, 504: a verifier that cannot be reached, and one that does not answer', async () => {
      const requestAt = (url: string) => `openid4vp://?client_id=x&request_uri=${encodeURIComponent(`${url}/request`)}`;
      expect((await present({ requestUrl: requestAt('http://127.0.0.1:9') })).status).to.equal(502);
      expect((await present({ requestUrl: requestAt(silent.url) })).status).to.equal(504);
    });

    it('409: a wallet without the key that a credential is bound to, and without any other', async () => {
      await received();
      await ok(createWallet(world, 'acme.t1.lost', { dependencies: [CREDENTIAL_STORE] }), 201);
      const { link } = await askForCard(world);
      expect((await present({ requestUrl: link }, 'acme.t1.lost')).status).to.equal(409);
    });

    it('only of its own stores: another wallet of the tenant has none of them', async () => {
      await received();
      await ok(world.post('createService', 'acme.t1.empty', { type: 'credential-store' }), 201);
      await ok(createWallet(world, 'acme.t1.other', { dependencies: [KMS, 'acme.t1.empty'] }), 201);
      const { link } = await askForCard(world);
      expect((await present({ requestUrl: link }, 'acme.t1.other')).status).to.equal(400);
    });

    const operation = { operationId: 'presentTenantCredentials', target: WALLET };
    refusesStrangers(
      () => world,
      () => ({ ...operation, json: { requestUrl: 'openid4vp://' } }),
    );
    refusesBodies(() => world, operation);
  });

  describe('policies of holders', () => {
    const policies: string[] = [];
    const add = async (name: string, policy: object) => {
      await ok(world.post('addNamedPolicy', POLICY_STORE, { _id: name, policy }), 201);
      policies.push(`${POLICY_STORE}.${name}`);
    };
    afterEach(async () => {
      for (const policy of policies.splice(0)) await remove('deleteStoredPolicy', policy);
    });

    /** Direction, action and policy of the last decision in the log. */
    const lastDecision = () => {
      const line = world.server.lines.findLast(({ message }) => message === 'policy of a holder decided');
      return line && [line.fields?.direction, line.fields?.action, line.fields?.policy];
    };
    const BLOCKED = { priority: 1, check: { type: 'basic', claims_values: { level: 'gold' } }, action: 'BLOCK' };

    it('403: what a policy blocks is not received; the answer and the log name the policy, and the issuer learns nothing more', async () => {
      await add('nogold', { ...BLOCKED, direction: 'RECEIVE' });
      const before = await size();
      const { status, body } = await receive({ offerUrl: await cardOffer(world) });
      expect([status, body.policy]).to.deep.equal([403, `${POLICY_STORE}.nogold`]);
      expect(body).to.not.have.property('resumable');
      expect(await size()).to.equal(before);
      const line = world.server.lines.find(({ message }) => message === 'policy of a holder decided');
      expect(line?.fields).to.include({
        wallet: WALLET,
        direction: 'RECEIVE',
        action: 'BLOCK',
        policy: `${POLICY_STORE}.nogold`,
      });
    });

    it('403: what a policy blocks is not presented; one of the other direction counts for nothing', async () => {
      await received();
      const { link, info } = await askForCard(world);
      await add('stay', { ...BLOCKED, direction: 'PRESENT' });
      const refused = await present({ requestUrl: link });
      expect([refused.status, refused.body.policy]).to.deep.equal([403, `${POLICY_STORE}.stay`]);
      expect(lastDecision()).to.deep.equal(['PRESENT', 'BLOCK', `${POLICY_STORE}.stay`]);
      expect((await info()).status).to.not.equal('SUCCESSFUL');
      await received();
      await remove('deleteStoredPolicy', policies.pop() ?? '');
      await add('other', { ...BLOCKED, direction: 'RECEIVE' });
      await ok(present({ requestUrl: link }));
    });

    it('403: without a person a policy has to allow each credential, and where one allows any, each has to be allowed', async () => {
      const offerUrl = await cardOffer(world);
      const silent = await receive({ offerUrl, runPolicies: true });
      expect([silent.status, silent.body.policy]).to.deep.equal([403, undefined]);
      expect(lastDecision(), 'none allows').to.deep.equal(['RECEIVE', 'BLOCK', undefined]);
      await add('silver', {
        priority: 1,
        check: { type: 'basic', claims_values: { level: 'silver' } },
        action: 'ALLOW',
      });
      expect((await receive({ offerUrl: await cardOffer(world) })).status).to.equal(403);
      await add('gold', { ...BLOCKED, action: 'ALLOW' });
      await received({ runPolicies: true });
      expect(lastDecision()).to.deep.equal(['RECEIVE', 'ALLOW', `${POLICY_STORE}.gold`]);
      const { link } = await askForCard(world);
      await ok(present({ requestUrl: link, runPolicies: true }));
      expect(lastDecision()).to.deep.equal(['PRESENT', 'ALLOW', `${POLICY_STORE}.gold`]);
    });

    it('policies of verifiers in the same store are none of the wallet', async () => {
      const name = `${POLICY_STORE}.verifying`;
      await ok(world.post('addStoredPolicy', name, { name: 'x', policy: { policy: 'signature' } }), 201);
      await received();
      await remove('deleteStoredPolicy', name);
    });
  });

  describe('createService', () => {
    const create = (changes: object) => createWallet(world, 'acme.t1.configured', changes);

    it('201: with a key and a DID of its own, which receive and present', async () => {
      const jwk = testKeys('P-256', 41).privateKey.export({ format: 'jwk' });
      const made = await ok(create({ staticKey: { type: 'jwk', jwk }, dependencies: [CREDENTIAL_STORE] }), 201);
      expect(JSON.stringify(made)).to.not.contain(jwk.d);
      const { credentialIds } = await ok(receive({ offerUrl: await cardOffer(world) }, 'acme.t1.configured'));
      expect((await entryAt(credentialIds[0])).credential.credentialData.cnf.jwk.x).to.equal(jwk.x);
    });

    it('400: names what cannot work', async () => {
      const jwk = testKeys('P-256', 42).privateKey.export({ format: 'jwk' });
      const { d: _, ...publicJwk } = jwk;
      const staticKey = { type: 'jwk', jwk };
      const cases: [object, string][] = [
        [{ surprise: 1 }, '/body/surprise'],
        [{ staticKey: { type: 'jwk', jwk: publicJwk } }, '/body/staticKey/jwk'],
        [{ staticKey: { type: 'tse', jwk } }, '/body/staticKey/type'],
        [{ staticDid: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' }, '/body/staticDid'],
        [{ staticKey, staticDid: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' }, '/body/staticDid'],
        [{ defaultKeyId: `${KMS}.absent` }, '/body/defaultKeyId'],
        [{ defaultDidId: `${DID_STORE}.absent` }, '/body/defaultDidId'],
        [{ dependencies: [ISSUER] }, '/body/dependencies/0'],
      ];
      for (const [changes, field] of cases) {
        const answer = await createWallet(world, 'acme.t1.bad', changes);
        expect([answer.status, fieldsOf(answer)[0]], JSON.stringify(changes)).to.deep.equal([400, field]);
      }
    });

    it('201: the configured key or DID is used where a call names none', async () => {
      const key = `${KMS}.configured`;
      await ok(world.post('generateKey', key, { keyType: 'Ed25519' }), 201);
      const { x } = (await ok(world.server.call('getTenantKey', { path: { target: key }, token: world.root }))).key.jwk;
      await ok(createWallet(world, 'acme.t1.bykey', { defaultKeyId: key }), 201);
      await ok(createWallet(world, 'acme.t1.bydid', { defaultDidId: WALLET_DID }), 201);
      const boundTo = async (target: string) => {
        const { credentialIds } = await ok(receive({ offerUrl: await cardOffer(world) }, target));
        return (await entryAt(credentialIds[0])).credential.credentialData.cnf.jwk.x;
      };
      expect(await boundTo('acme.t1.bykey')).to.equal(x);
      expect(await boundTo('acme.t1.bydid')).to.not.equal(x);
    });

    it('depends on a further store, by either path and as text', async () => {
      const text = { text: POLICY_STORE, contentType: 'text/plain', token: world.root };
      await ok(createWallet(world, 'acme.t1.growing', { dependencies: [KMS] }), 201);
      const path = { target: 'acme.t1.growing', api: 'wallet-service-api' };
      await ok(world.server.call('addServiceDependencyV2', { ...text, path }));
      await ok(world.server.call('addServiceDependency', { ...text, text: CREDENTIAL_STORE, path }));
      expect(await ok(world.server.call('listServiceDependenciesV2', { path, token: world.root }))).to.have.length(3);
    });
  });

  describe('trust in verifiers', () => {
    it('400: with a trust registry only verifiers below its authorities get an answer', async () => {
      await received();
      const ca = makeCertificate({ subject: 'CN=Verifiers', ca: true, keys: testKeys('P-256', 61) });
      const keys = testKeys('P-256', 62);
      const leaf = makeCertificate({ subject: 'CN=Shop', issuer: ca, keys });
      await ok(world.post('importTenantKey', `${KMS}.shop`, keys.privateKey.export({ format: 'jwk' })), 201);
      await ok(world.post('createService', 'acme.t1.trust', { type: 'trust-registry' }), 201);
      const clientId = `x509_hash:${createHash('sha256').update(leaf.der).digest('base64url')}`;
      const shop = { type: 'verifier2', dependencies: [KMS], signingKey: `${KMS}.shop`, x5c: [leaf.pem], clientId };
      await ok(world.post('createService', 'acme.t1.shop', shop), 201);
      const stores = [KMS, DID_STORE, CREDENTIAL_STORE];
      await ok(createWallet(world, 'acme.t1.trusting', { dependencies: [...stores, 'acme.t1.trust'] }), 201);
      const vp = await Openid4vp.with(world.server, { target: 'acme.t1.shop', token: world.root });
      const answer = async () => {
        const session = await vp.create(crossDevice({ dcql_query: CARD_QUERY, signed_request: true }));
        const { status, body } = await present(
          { requestUrl: session.bootstrapAuthorizationRequestUrl },
          'acme.t1.trusting',
        );
        return [status, status === 200 ? '' : body.message.replace(/:.*/, '')];
      };
      const refused = [400, 'The certificate of the request object is not trusted'];
      const unproven = [400, 'Nothing that this wallet trusts proves who sent the request'];
      expect(await answer()).to.deep.equal(unproven);
      const believe = (issuer: string) =>
        ok(world.post('addTrustedIssuer', 'acme.t1.trust', { type: 'certificate', issuer }), 201);
      await believe(makeCertificate({ subject: 'CN=Others', ca: true, keys: testKeys('P-256', 63) }).pem);
      expect(await answer()).to.deep.equal(refused);
      await believe(ca.pem);
      expect(await answer()).to.deep.equal([200, '']);
    });
  });

  describe('obtainClientAttestation', () => {
    const ATTESTER = 'acme.t1.attester1';
    const clientId = 'https://wallet.example';
    const obtain = (changes: object = {}, target = 'acme.t1.attested') =>
      world.post('obtainClientAttestation', target, {
        clientAttesterServiceRef: ATTESTER,
        instanceKeyReference: WALLET_KEY,
        ...changes,
      });
    before(async () => {
      await createAttester(world);
      const dependencies = [KMS, CREDENTIAL_STORE, ATTESTER];
      await ok(createWallet(world, 'acme.t1.attested', { clientId, dependencies }), 201);
    });

    it('200: the same until a minute before its end, then another', async () => {
      const [first, second] = [await ok(obtain()), await ok(obtain())];
      expect(second).to.deep.equal(first);
      expect(Object.keys(first)).to.deep.equal(['clientAttestationJwt', 'expiresAt']);
      world.server.clock.advance(86_400_000 - 59_000);
      expect((await ok(obtain())).clientAttestationJwt).to.not.equal(first.clientAttestationJwt);
    });

    it('400: names a service that the wallet does not depend on, a key that is none of it, and a client that is not attested', async () => {
      const wrong: [object, string, string?][] = [
        [{ clientAttesterServiceRef: KMS }, '/body/clientAttesterServiceRef'],
        [{ instanceKeyReference: `${KMS}.absent` }, '/body/instanceKeyReference'],
      ];
      for (const [changes, field] of wrong) expect(fieldsOf(await obtain(changes)), field).to.deep.equal([field]);
      await ok(createWallet(world, 'acme.t1.nameless', { dependencies: [KMS, ATTESTER] }), 201);
      expect(fieldsOf(await obtain({}, 'acme.t1.nameless'))).to.deep.equal(['/body/clientAttesterServiceRef']);
    });

    it('409: a wallet that depends on no attester', async () => {
      expect((await obtain({}, WALLET)).status).to.equal(409);
    });

    it('an issuer that believes the attester gives the wallet a credential for the attestation alone', async () => {
      const issuer = 'acme.t1.attesting';
      const profiles = { card: { name: 'Card', credentialConfigurationId: 'Card', credentialData: { level: 'gold' } } };
      const clientAuthenticationConfig = { supportedMethods: [{ type: 'client-attestation', config: {} }] };
      const dependencies = [KMS, ATTESTER];
      const config = { defaultIssuerKey: `${KMS}.key1`, supportedCredentialTypes: { Card: { format: 'dc+sd-jwt' } } };
      const made = await world.post('createService', issuer, {
        ...{ type: 'issuer2', dependencies, profiles, clientAuthenticationConfig },
        ...config,
      });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      const offer = async () => {
        const json = { profileId: 'card', authMethod: 'PRE_AUTHORIZED' };
        return (await ok(world.post('tenantCreateCredentialOffer', issuer, json), 201)).credentialOffer;
      };
      await ok(receive({ offerUrl: await offer() }, 'acme.t1.attested'));
      expect((await receive({ offerUrl: await offer() })).status).to.not.equal(200);
    });

    const operation = { operationId: 'obtainClientAttestation', target: 'acme.t1.attested' };
    const json = { clientAttesterServiceRef: ATTESTER, instanceKeyReference: WALLET_KEY };
    refusesStrangers(
      () => world,
      () => ({ ...operation, json }),
    );
    refusesBodies(() => world, operation);
  });

  describe('deleteResource', () => {
    it('204: what the wallet received stays in the store', async () => {
      const target = await received();
      await remove('deleteResource', WALLET);
      expect((await entryAt(target)).credential.type).to.equal('vc-sd_jwt');
      expect((await receive({ offerUrl: await cardOffer(world) })).status).to.equal(404);
    });
  });
});

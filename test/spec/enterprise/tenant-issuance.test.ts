import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { EventListener } from '../../actors/event-listener.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { signerChain } from '../../actors/issuance-formats.ts';
import { type EnterpriseFixture, KMS, may, startEnterprise } from '../../actors/tenant.ts';
import { CARDS, createIssuer, ISSUER, offerOf, SERVICES_OF_OTHERS, takeCard } from '../../actors/tenant-issuer.ts';
import { decodeJwt, proofOf } from '../../actors/wallet.ts';
import { MDL } from '../../support/credentials/mdoc-issuer.ts';
import { useClouds } from '../../support/kms/clouds.ts';
import type { Answer, Call } from '../../support/servers/server.ts';

describe('tenant issuance', () => {
  const clouds = useClouds();
  let world: EnterpriseFixture;
  let jwk: Record<string, string>;
  before(async () => {
    world = await startEnterprise({ kms: clouds.settings });
    jwk = (await world.post('generateKey', `${KMS}.key1`, { keyType: 'secp256r1' })).body.key.jwk;
    const { card } = CARDS.profiles;
    const degree = { type: ['VerifiableCredential', 'Degree'], credentialSubject: { level: 1 } };
    const profiles = {
      card,
      degree: { name: 'Degree', credentialConfigurationId: 'Degree_jwt_vc_json', credentialData: degree },
      licence: {
        name: 'Licence',
        credentialConfigurationId: 'Licence_mso_mdoc',
        credentialData: { [MDL.namespace]: { family_name: 'Lovelace' } },
        issuerKey: `${KMS}.key1`,
        x5Chain: signerChain(jwk),
      },
      later: { ...card, deferred: true },
      listed: { ...card, statusList: {} },
    };
    const { status, body } = await createIssuer(world, { profiles });
    expect(status, JSON.stringify(body)).to.equal(201);
  });
  after(() => world.close());

  const at = (operationId: string, call: Call = {}, target = ISSUER): Promise<Answer> =>
    world.server.call(operationId, { ...call, path: { target, ...call.path } });

  async function offer(changes: object = {}, target = ISSUER): Promise<string> {
    const { status, body } = await world.post('tenantCreateCredentialOffer', target, offerOf(changes));
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.credentialOffer;
  }

  const grantsOf = async (changes: object = {}, target = ISSUER) =>
    JSON.parse(
      new URL(await offer({ valueMode: 'BY_VALUE', ...changes }, target)).searchParams.get('credential_offer') ?? '',
    ).grants;

  async function access(changes: object = {}, target = ISSUER): Promise<string> {
    const code = (await grantsOf(changes, target))[GRANT]['pre-authorized_code'];
    const form = { grant_type: GRANT, 'pre-authorized_code': code };
    const { status, body } = await at('tenantRequestOpenid4vciToken', { form }, target);
    expect(status).to.equal(200);
    return body.access_token;
  }

  async function claim(token: string, target = ISSUER): Promise<Answer> {
    const { body } = await at('tenantRequestOpenid4vciNonce', {}, target);
    const aud = `${world.server.url}/v2/${target}/issuer-service-api/openid4vci`;
    const { jwt } = proofOf(world.server, makeHolderKey(), { nonce: body.c_nonce, claims: { aud } });
    const json = { credential_configuration_id: 'Card', proofs: { jwt: [jwt] } };
    return at('tenantRequestOpenid4vciCredential', { token, json }, target);
  }

  describe('our wallet at the issuer of a tenant', () => {
    for (const [profileId, format] of [
      ['degree', 'jwt_vc_json'],
      ['card', 'dc+sd-jwt'],
      ['licence', 'mso_mdoc'],
    ] as const)
      it(`takes a credential of the format ${format}, signed with the key of the tenant's kms`, async () => {
        const { status, body } = await takeCard(world, await offer({ profileId }));
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body[0].format).to.equal(format);
        if (format === 'mso_mdoc') return;
        const { iss = '' } = decodeJwt(body[0].document.split('~')[0]).claims as { iss?: string };
        const key = JSON.parse(Buffer.from(iss.slice('did:jwk:'.length), 'base64url').toString());
        expect([key.x, key.y]).to.deep.equal([jwk.x, jwk.y]);
      });

    it('takes a credential that is signed in a cloud, with each of them', async () => {
      for (const [number, cloud] of clouds.all.entries()) {
        const key = `${KMS}.cloud${number}`;
        const made = await world.post('generateKey', key, {
          backend: cloud.backend,
          keyType: 'secp256r1',
          config: cloud.config(),
        });
        expect(made.status, JSON.stringify(made.body)).to.equal(201);
        const target = `acme.t1.cloud${number}`;
        await createIssuer(world, { defaultIssuerKey: key }, target);
        const { status, body } = await takeCard(world, await offer({}, target));
        expect(status, JSON.stringify(body)).to.equal(200);
        const [published] = (await at('tenantListOpenid4vciKeys', {}, target)).body.keys;
        expect(published).to.include({ kty: 'EC', alg: 'ES256' });
        expect(cloud.signing.calls.length).to.be.greaterThan(0);
        expect(decodeJwt(body[0].document.split('~')[0]).header.alg).to.equal('ES256');
      }
    });

    it('takes one with an entry of a status list that is published here', async () => {
      const { body } = await takeCard(world, await offer({ profileId: 'listed' }));
      const { status } = decodeJwt(body[0].document.split('~')[0]).claims as {
        status?: { status_list: { uri: string } };
      };
      const list = await world.server.fetch(new URL(status?.status_list.uri ?? '').pathname);
      expect(list.status).to.equal(200);
    });
  });

  describe('a key that is deleted after an offer', () => {
    const target = 'acme.t1.fleeting';
    const key = `${KMS}.fleeting`;

    async function offered(changes: object = {}) {
      await world.post('generateKey', key, { keyType: 'secp256r1' });
      await createIssuer(world, { defaultIssuerKey: key, ...changes }, target);
      return access({}, target);
    }
    const remove = (one: string) =>
      world.server.call('deleteResource', { path: { target: one }, token: world.root }).then(({ status }) => status);
    afterEach(async () => {
      await remove(target);
      await remove(key);
    });

    it('signs no credential any more, nor does another one that has its name', async () => {
      for (const replaced of [false, true]) {
        const token = await offered();
        expect(await remove(key)).to.equal(204);
        if (replaced) await world.post('generateKey', key, { keyType: 'secp256r1' });
        const { status, body } = await claim(token, target);
        expect([status, body.error], JSON.stringify(body)).to.deep.equal([400, 'credential_request_denied']);
        await remove(target);
        await remove(key);
      }
    });

    it('signs no deferred credential any more', async () => {
      const token = await offered({ profiles: { card: { ...CARDS.profiles.card, deferred: true } } });
      const { body } = await claim(token, target);
      expect(await remove(key)).to.equal(204);
      const json = { transaction_id: body.transaction_id };
      const { status, body: refused } = await at('tenantRequestOpenid4vciDeferredCredential', { token, json }, target);
      expect([status, refused.error]).to.deep.equal([400, 'credential_request_denied']);
    });
  });

  describe('updateSessionStatus', () => {
    it('200: revokes what the session of one of two issuers issued, which have a status service in common', async () => {
      const service = 'acme.t1.status1';
      await world.post('createService', service, { type: 'credential-status', dependencies: [KMS] });
      const issuers = ['acme.t1.listing1', 'acme.t1.listing2'];
      const statusOf = async (document: string) => {
        const check = await world.server.call('checkRevocation', { text: document });
        return check.body.isRevoked;
      };
      const documents: string[] = [];
      for (const target of issuers) {
        const profiles = { card: { ...CARDS.profiles.card, statusList: {} } };
        await createIssuer(world, { dependencies: [KMS, service], profiles }, target);
        const { body } = await takeCard(world, await offer({ sessionId: 'same' }, target));
        documents.push(body[0].document);
      }
      const [first = '', second = ''] = documents;
      const { status } = decodeJwt(first.split('~')[0] ?? '').claims as { status?: { status_list: { uri: string } } };
      expect(status?.status_list.uri).to.include(`/v1/${service}/status-lists/`);
      const changed = await world.server.call('updateSessionStatus', {
        path: { target: service },
        json: { session: `${issuers[0]}.same`, status: '0x1' },
        token: world.root,
      });
      expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
      expect([await statusOf(first), await statusOf(second)]).to.deep.equal([true, false]);
    });
  });

  describe('tenantRequestOpenid4vciCredential', () => {
    it('200: a credential for a proof; 204: the notification of the wallet', async () => {
      const token = await access();
      const { status, body } = await claim(token);
      expect(status, JSON.stringify(body)).to.equal(200);
      const json = { notification_id: body.notification_id, event: 'credential_accepted' };
      expect((await at('tenantNotifyOpenid4vciIssuer', { token, json })).status).to.equal(204);
    });

    it('202: later at the deferred credential endpoint, which answers with 200', async () => {
      const token = await access({ profileId: 'later' });
      const { status, body } = await claim(token);
      expect(status, JSON.stringify(body)).to.equal(202);
      const json = { transaction_id: body.transaction_id };
      expect((await at('tenantRequestOpenid4vciDeferredCredential', { token, json })).status).to.equal(200);
    });
  });

  describe('tenantRequestOpenid4vciDeferredCredential', () => {
    it('202: while another request makes the credential', async () => {
      const target = 'acme.t1.slow';
      const peer = await new HttpPeer().listen();
      const { asked, answer } = peer.hold('/hook');
      const mapping = { note: `<webhook:${peer.url}/hook>` };
      await createIssuer(world, { profiles: { card: { ...CARDS.profiles.card, deferred: true, mapping } } }, target);
      const token = await access({}, target);
      const { body } = await claim(token, target);
      const call = { token, json: { transaction_id: body.transaction_id } };
      const first = at('tenantRequestOpenid4vciDeferredCredential', call, target);
      await asked;
      expect((await at('tenantRequestOpenid4vciDeferredCredential', call, target)).status).to.equal(202);
      answer();
      expect((await first).status).to.equal(200);
      await peer.close();
    });
  });

  describe('tenantPushOpenid4vciAuthorization', () => {
    it('401: a wallet whose attestation is none, at an issuer that demands HAIP; its token requests too', async () => {
      const target = 'acme.t1.haip';
      const attesters = { clientAttesters: [{ jwks: { keys: [jwk] } }] };
      const created = await createIssuer(world, { securityProfile: 'HAIP', ...attesters, profiles: {} }, target);
      expect(created.status, JSON.stringify(created.body)).to.equal(201);
      const client = { client_id: 'wallet', redirect_uri: 'https://wallet.example/callback' };
      const code = { grant_type: 'authorization_code', code: 'a', code_verifier: 'b'.repeat(43) };
      const headers = { 'oauth-client-attestation': 'none', 'oauth-client-attestation-pop': 'none' };
      for (const [operationId, form] of [
        ['tenantPushOpenid4vciAuthorization', { ...client, response_type: 'code' }],
        ['tenantRequestOpenid4vciToken', { ...client, ...code }],
      ] as const) {
        const { status, body } = await at(operationId, { form, headers }, target);
        expect([status, body.error], operationId).to.deep.equal([401, 'invalid_client']);
      }
    });
  });

  describe('tenantGetOpenid4vciOffer', () => {
    it('200: the offer behind its URL; 404: at another issuer', async () => {
      const uri = new URL(await offer()).searchParams.get('credential_offer_uri') ?? '';
      const id = new URL(uri).searchParams.get('id') ?? '';
      const { status, body } = await at('tenantGetOpenid4vciOffer', { query: { id } });
      expect([status, body.credential_configuration_ids]).to.deep.equal([200, ['Card']]);
      await createIssuer(world, {}, 'acme.t1.issuer2');
      expect((await at('tenantGetOpenid4vciOffer', { query: { id } }, 'acme.t1.issuer2')).status).to.equal(404);
      expect((await world.server.call('getOpenid4vciOffer', { query: { id } })).status).to.equal(404);
    });
  });

  describe('tenantAuthorizeOpenid4vci', () => {
    it('302: a code for a pushed request, which becomes a token; both are of this issuer alone', async () => {
      await createIssuer(world, {}, 'acme.t1.issuer2');
      const { authorization_code: grant } = await grantsOf({ authMethod: 'AUTHORIZED' });
      const verifier = randomBytes(32).toString('base64url');
      const redirect = { client_id: 'wallet', redirect_uri: 'https://wallet.example/callback' };
      const form = {
        ...redirect,
        response_type: 'code',
        issuer_state: grant.issuer_state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      const pushed = await at('tenantPushOpenid4vciAuthorization', { form });
      expect(pushed.status, JSON.stringify(pushed.body)).to.equal(201);
      const query = { client_id: 'wallet', request_uri: pushed.body.request_uri };
      expect((await at('tenantAuthorizeOpenid4vci', { query }, 'acme.t1.issuer2')).status).to.equal(400);
      const { status, headers } = await at('tenantAuthorizeOpenid4vci', { query });
      expect(status).to.equal(302);
      const { code = '', iss } = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
      expect(iss).to.equal(`${world.server.url}/v2/${ISSUER}/issuer-service-api/openid4vci`);
      const redemption = { form: { grant_type: 'authorization_code', code, code_verifier: verifier, ...redirect } };
      expect((await at('tenantRequestOpenid4vciToken', redemption, 'acme.t1.issuer2')).status).to.equal(400);
      expect((await at('tenantRequestOpenid4vciToken', redemption)).status).to.equal(200);
    });
  });

  describe('tenantStreamIssuanceSessionEvents', () => {
    const operation = 'tenantStreamIssuanceSessionEvents';
    const call = { path: { sessionId: 'followed' } };

    it('200: the events of this issuer’s session, and not those of another’s with the same id', async () => {
      const second = 'acme.t1.issuer2';
      await createIssuer(world, {}, second);
      const link = await offer({ sessionId: 'followed' });
      await offer({ sessionId: 'followed' }, second);
      await takeCard(world, link);
      const eventsAt = async (target: string) => {
        const listener = await EventListener.open(world.server, 'followed', {
          operation,
          target,
          headers: { authorization: `Bearer ${world.root}` },
        });
        const names = listener.events.map(({ event }) => event);
        listener.leave();
        return names;
      };
      expect(await eventsAt(second)).to.deep.equal(['credential_offer_created']);
      expect(await eventsAt(ISSUER)).to.include('credential_request_sd_jwt_vc_succeeded');
      const open = await world.server.call('streamIssuanceSessionEvents', call);
      expect(open.status).to.equal(404);
    });

    it('401: without a login; 403: without the permission; 404: elsewhere, and for an unknown session', async () => {
      expect((await at(operation, call)).status).to.equal(401);
      const { token } = await world.member([may(ISSUER, 'issuer-credential-issue')]);
      expect((await at(operation, { ...call, token })).status).to.equal(403);
      for (const target of SERVICES_OF_OTHERS)
        expect((await at(operation, { ...call, token: world.root }, target)).status, target).to.equal(404);
      const unknown = { path: { sessionId: 'unknown' }, token: world.root };
      expect((await at(operation, unknown)).status).to.equal(404);
    });
  });

  describe('a process that runs the enterprise services alone', () => {
    it('issues, and publishes the status lists of its credentials', async () => {
      const alone = await startEnterprise({ services: { services: ['enterprise'] } });
      await createIssuer(alone, { profiles: { card: { ...CARDS.profiles.card, statusList: {} } } });
      const { status } = await alone.post('tenantCreateCredentialOffer', ISSUER, offerOf());
      expect(status).to.equal(201);
      const absent = await alone.server.fetch('/status-lists/00000000-0000-4000-8000-000000000000');
      expect([absent.status, absent.body.message]).to.deep.equal([404, 'There is no status list with this id']);
      await alone.close();
    });
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { type EnterpriseFixture, KMS, may, startEnterprise, withoutRequestId } from '../../actors/tenant.ts';
import {
  createIssuer,
  ISSUER,
  offerOf,
  SERVICES_OF_OTHERS,
  startIssuer,
  takeCard,
} from '../../actors/tenant-issuer.ts';
import type { Answer, Call } from '../../support/servers/server.ts';

describe('tenant issuer', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startIssuer();
  });
  after(() => world.close());

  const PATH = `/v2/${ISSUER}/issuer-service-api/openid4vci`;
  const identifier = () => world.server.url + PATH;
  const at = (operationId: string, call: Call = {}, target = ISSUER): Promise<Answer> =>
    world.server.call(operationId, { ...call, path: { target, ...call.path } });
  const managed = (operationId: string, call: Call = {}, target = ISSUER): Promise<Answer> =>
    at(operationId, { token: world.root, ...call }, target);

  /** A call of each operation for wallets, with the status of the answer at an issuer. */
  const OF_WALLETS: Record<string, [Call, number]> = {
    tenantGetOpenid4vciIssuerMetadata: [{}, 200],
    tenantGetOpenid4vciServerMetadata: [{}, 200],
    tenantGetOpenid4vciJwtVcIssuer: [{}, 200],
    tenantListOpenid4vciKeys: [{}, 200],
    tenantGetCredentialType: [{ path: { version: 'openid4vci', type: 'Card' } }, 200],
    tenantGetFinalCredentialType: [{ path: { type: 'Card' } }, 200],
    tenantGetOpenid4vciOffer: [{ query: { id: 'unknown' } }, 404],
    tenantPushOpenid4vciAuthorization: [{ form: { client_id: 'unknown' } }, 400],
    tenantAuthorizeOpenid4vci: [{ query: { client_id: 'unknown' } }, 400],
    tenantRequestOpenid4vciToken: [{ form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } }, 400],
    tenantRequestOpenid4vciNonce: [{}, 200],
    tenantRequestOpenid4vciChallenge: [{}, 200],
    tenantRequestOpenid4vciCredential: [
      { token: 'unknown', json: { credential_configuration_id: 'a', proofs: { jwt: ['a'] } } },
      401,
    ],
    tenantRequestOpenid4vciDeferredCredential: [{ token: 'unknown', json: { transaction_id: 'a' } }, 401],
    tenantNotifyOpenid4vciIssuer: [
      { token: 'unknown', json: { notification_id: 'a', event: 'credential_accepted' } },
      401,
    ],
  };

  /** A call of each operation of the management, with the permission that it needs and the status with it. */
  const OF_TENANTS: Record<string, [Call, action: string, status: number]> = {
    tenantListIssuanceProfiles: [{}, 'issuer-profile-view', 200],
    tenantGetIssuanceProfile: [{ path: { profileId: 'card' } }, 'issuer-profile-view', 200],
    tenantCreateCredentialOffer: [{ json: offerOf() }, 'issuer-credential-issue', 201],
    tenantCreateCredentialOffersInBulk: [{ lines: [offerOf()] }, 'issuer-credential-issue', 200],
    tenantListIssuanceSessions: [{}, 'issuer-session-view', 200],
    tenantGetIssuanceSession: [{ path: { sessionId: 'known' } }, 'issuer-session-view', 200],
    tenantDeleteIssuanceRecipient: [{ path: { sessionId: 'known' } }, 'issuer-recipient-delete', 204],
    tenantReplaceAttributeTable: [
      { path: { tableId: 'people' }, text: 'case,name\r\n7,Ada\r\n', contentType: 'text/csv' },
      'attribute-table-update',
      200,
    ],
    tenantGetAttributeTable: [{ path: { tableId: 'people' } }, 'attribute-table-view', 200],
    tenantDeleteAttributeTable: [{ path: { tableId: 'people' } }, 'attribute-table-delete', 204],
  };

  for (const [operationId, [call, status]] of Object.entries(OF_WALLETS))
    describe(operationId, () => {
      it(`${status}: answers at the target of an issuer, without a login`, async () => {
        const answer = await at(operationId, call);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      });

      it('404: for a service of another type, and for a target without one, in the same words', async () => {
        for (const target of ['acme.absent', ...SERVICES_OF_OTHERS])
          expect((await at(operationId, call, target)).status, target).to.equal(404);
      });
    });

  for (const [operationId, [call, action, status]] of Object.entries(OF_TENANTS))
    describe(operationId, () => {
      before(() => managed('tenantCreateCredentialOffer', { json: offerOf({ sessionId: 'known' }) }));

      it(`${status}: for a caller with the permission ${action}`, async () => {
        const { token } = await world.member([may(ISSUER, action)]);
        const answer = await managed(operationId, { ...call, token });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
        // An answer of many lines is 200, also where each was refused.
        if (call.lines) expect(answer.body.map((line: { status: number }) => line.status)).to.deep.equal([201]);
      });

      it('401: without a login; 403: without the permission', async () => {
        expect((await at(operationId, call)).status).to.equal(401);
        const { token } = await world.member([may(ISSUER, 'resource-view')]);
        expect((await managed(operationId, { ...call, token })).status).to.equal(403);
      });

      it('404: for others’ targets as for targets without a service, and for services of other types', async () => {
        await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
        const { token } = await world.member([may('other')], 'other');
        const foreign = withoutRequestId(await managed(operationId, { ...call, token }));
        const none = withoutRequestId(await managed(operationId, { ...call, token }, `${ISSUER}9`));
        expect(foreign.status).to.equal(404);
        expect(JSON.stringify(foreign)).to.equal(JSON.stringify(none).replaceAll(`${ISSUER}9`, ISSUER));
        for (const target of SERVICES_OF_OTHERS)
          expect((await managed(operationId, call, target)).status, target).to.equal(404);
      });
    });

  describe('tenantGetOpenid4vciIssuerMetadata', () => {
    it('200: the well-known documents name what is below the target, and its own keys sign', async () => {
      const { body } = await at('tenantGetOpenid4vciIssuerMetadata');
      expect(body).to.include({ credential_issuer: identifier(), credential_endpoint: `${identifier()}/credential` });
      expect((await at('tenantGetOpenid4vciServerMetadata')).body).to.include({
        issuer: identifier(),
        token_endpoint: `${identifier()}/token`,
      });
      expect((await at('tenantGetOpenid4vciJwtVcIssuer')).body).to.deep.equal({
        issuer: identifier(),
        jwks_uri: `${identifier()}/jwks`,
      });
      const { body: jwt } = await at('tenantGetOpenid4vciIssuerMetadata', { headers: { accept: 'application/jwt' } });
      const header = JSON.parse(Buffer.from(String(jwt).split('.')[0] ?? '', 'base64url').toString());
      const kids = (await at('tenantListOpenid4vciKeys')).body.keys.map(({ kid }: { kid: string }) => kid);
      expect(kids).to.include(header.kid);
      const open = (await world.server.call('listOpenid4vciKeys')).body.keys.map(({ kid }: { kid: string }) => kid);
      expect(open.filter((kid: string) => kids.includes(kid))).to.deep.equal([]);
    });
  });

  describe('tenantGetCredentialType', () => {
    it('404: unknown, and another version than the issuer speaks', async () => {
      for (const path of [
        { version: 'openid4vci', type: 'IdentityCredential' },
        { version: 'draft13', type: 'Card' },
      ])
        expect((await at('tenantGetCredentialType', { path })).status).to.equal(404);
    });
  });

  describe('tenantGetFinalCredentialType', () => {
    it('200: describes the type at its vct; 404: one of the open issuer', async () => {
      const { body } = await at('tenantGetFinalCredentialType', { path: { type: 'Card' } });
      expect(body).to.include({ vct: `${identifier()}/Card`, name: 'Card' });
      const { status } = await at('tenantGetFinalCredentialType', { path: { type: 'IdentityCredential' } });
      expect(status).to.equal(404);
    });
  });

  describe('tenantListIssuanceSessions', () => {
    it('200: shows the sessions of the service with their paths, and nothing of their keys or data', async () => {
      await managed('tenantCreateCredentialOffer', { json: offerOf({ sessionId: 'listed' }) });
      const { body } = await managed('tenantListIssuanceSessions', { query: { limit: '100' } });
      const found = body.find(({ sessionId }: { sessionId: string }) => sessionId === 'listed');
      expect(found).to.include({ _id: `${ISSUER}.listed`, profileId: 'card', status: 'ACTIVE' });
      expect(JSON.stringify(body)).not.to.match(/issuerKey|pre-authorized|gold/);
      const one = await managed('tenantGetIssuanceSession', { path: { sessionId: 'listed' } });
      expect(one.body).to.deep.equal(found);
      expect((await world.server.call('listIssuanceSessions', { query: { limit: '100' } })).body).to.deep.equal([]);
    });
  });

  describe('an issuer of a tenant', () => {
    it('is unknown to other issuers with its sessions, codes, tokens and events, and so are theirs to it', async () => {
      const second = 'acme.t1.issuer2';
      await createIssuer(world, {}, second);
      const path = { sessionId: 'shared' };
      const stateOf = async (target: string) =>
        (await managed('tenantGetIssuanceSession', { path }, target)).body.status;
      const created = [ISSUER, second].map((target) =>
        managed('tenantCreateCredentialOffer', { json: offerOf({ ...path, valueMode: 'BY_VALUE' }) }, target),
      );
      const [mine = '', other = ''] = (await Promise.all(created)).map(({ body }) => body.credentialOffer);
      await world.server.call('createCredentialOffer', {
        json: { ...offerOf(path), profileId: 'UniversityDegree_jwt_vc_json' },
      });
      const codeOf = (url: string) =>
        JSON.parse(new URL(url).searchParams.get('credential_offer') ?? '{}').grants[GRANT]['pre-authorized_code'];
      const redeem = (url: string, target: string) =>
        at('tenantRequestOpenid4vciToken', { form: { grant_type: GRANT, 'pre-authorized_code': codeOf(url) } }, target);
      expect((await redeem(mine, second)).body).to.include({ error: 'invalid_grant' });
      const { body: token } = await redeem(mine, ISSUER);
      const claim = {
        token: token.access_token,
        json: { credential_configuration_id: 'Card', proofs: { jwt: ['a'] } },
      };
      expect((await at('tenantRequestOpenid4vciCredential', claim, second)).status).to.equal(401);
      expect((await at('tenantRequestOpenid4vciCredential', claim)).body).to.include({ error: 'invalid_proof' });
      expect((await takeCard(world, other)).status).to.equal(200);
      expect([await stateOf(ISSUER), await stateOf(second)]).to.deep.equal(['ACTIVE', 'SUCCESSFUL']);
    });

    it('takes only pushed requests where its configuration says so, by either name', async () => {
      const challenge = createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url');
      const names = ['requirePushedAuthorizationRequests', 'enforcePushedAuthorizationRequests'];
      for (const [place, name] of names.entries()) {
        const target = `acme.t1.pushed${place}`;
        await createIssuer(world, { [name]: true }, target);
        const { body: metadata } = await at('tenantGetOpenid4vciServerMetadata', {}, target);
        expect(metadata.require_pushed_authorization_requests, name).to.equal(true);
        const json = offerOf({ authMethod: 'AUTHORIZED', valueMode: 'BY_VALUE' });
        const { body } = await managed('tenantCreateCredentialOffer', { json }, target);
        const offer = JSON.parse(new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '{}');
        const client = { client_id: 'wallet', redirect_uri: 'https://wallet.example/back' };
        const { issuer_state } = offer.grants.authorization_code;
        const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
        const form = { ...client, ...proof, issuer_state, response_type: 'code' };
        const returned = async (query: Record<string, string>) => {
          const { headers } = await at('tenantAuthorizeOpenid4vci', { query }, target);
          return new URL(headers.get('location') ?? '').searchParams;
        };
        expect((await returned(form)).get('error_description')).to.include('must be pushed');
        const pushed = await at('tenantPushOpenid4vciAuthorization', { form }, target);
        expect(pushed.status, JSON.stringify(pushed.body)).to.equal(201);
        const { request_uri } = pushed.body;
        expect((await returned({ client_id: 'wallet', request_uri })).get('code')).to.be.a('string');
      }
    });

    it('that is created again at the same target has no session, code or key of the one before', async () => {
      const target = 'acme.t1.again';
      await createIssuer(world, { defaultIssuerKey: undefined }, target);
      const { body: offer } = await managed(
        'tenantCreateCredentialOffer',
        { json: offerOf({ sessionId: 'old' }) },
        target,
      );
      const keys = async () => (await at('tenantListOpenid4vciKeys', {}, target)).body.keys;
      expect(await keys()).to.have.length(1);
      expect((await managed('deleteResource', {}, target)).status).to.equal(204);
      expect((await at('tenantListOpenid4vciKeys', {}, target)).status).to.equal(404);
      await createIssuer(world, { defaultIssuerKey: undefined }, target);
      expect(await keys()).to.deep.equal([]);
      expect((await managed('tenantListIssuanceSessions', {}, target)).body).to.deep.equal([]);
      const id = new URL(
        new URL(offer.credentialOffer).searchParams.get('credential_offer_uri') ?? '',
      ).searchParams.get('id');
      expect((await at('tenantGetOpenid4vciOffer', { query: { id: id ?? '' } }, target)).status).to.equal(404);
      const again = await managed('tenantCreateCredentialOffer', { json: offerOf({ sessionId: 'old' }) }, target);
      expect(again.status).to.equal(201);
    });

    it('works with a new configuration from the next request on', async () => {
      const target = 'acme.t1.changing';
      await createIssuer(world, {}, target);
      const displayed = async () => (await at('tenantGetOpenid4vciIssuerMetadata', {}, target)).body.display;
      expect(await displayed()).to.equal(undefined);
      const changed = { type: 'issuer2', dependencies: [KMS], issuerDisplay: [{ name: 'Changed' }] };
      expect((await managed('updateService', { json: changed }, target)).status).to.equal(200);
      expect(await displayed()).to.deep.equal([{ name: 'Changed' }]);
      expect((await managed('tenantCreateCredentialOffer', { json: offerOf() }, target)).status).to.equal(404);
    });

    it('refuses offers of a profile whose key was deleted, and keeps publishing it', async () => {
      const target = 'acme.t1.keyless';
      await managed('generateKey', { json: { keyType: 'secp256r1' } }, `${KMS}.short`);
      await createIssuer(world, { defaultIssuerKey: `${KMS}.short` }, target);
      await managed('tenantCreateCredentialOffer', { json: offerOf() }, target);
      expect((await managed('deleteResource', {}, `${KMS}.short`)).status).to.equal(204);
      const refused = await managed('tenantCreateCredentialOffer', { json: offerOf() }, target);
      expect([refused.status, refused.body.message]).to.deep.equal([
        409,
        `${KMS}.short does not exist any more, or its service is no dependency`,
      ]);
      expect((await at('tenantListOpenid4vciKeys', {}, target)).body.keys).to.have.length(1);
    });
  });

  describe('tenantRequestOpenid4vciToken', () => {
    it('429: limits a source at one issuer, not at another', async () => {
      const limited = await startEnterprise({ rateLimit: { issuer2_token_endpoint: { requestsPerMinute: 2 } } });
      await createIssuer(limited);
      await createIssuer(limited, {}, 'acme.t1.issuer2');
      const call = { form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } };
      const statusAt = async (target: string) =>
        (await limited.server.call('tenantRequestOpenid4vciToken', { ...call, path: { target } })).status;
      expect([await statusAt(ISSUER), await statusAt(ISSUER), await statusAt(ISSUER)]).to.deep.equal([400, 400, 429]);
      expect(await statusAt('acme.t1.issuer2')).to.equal(400);
      expect((await limited.server.call('requestOpenid4vciToken', call)).status).to.equal(400);
      await limited.close();
    });
  });
});

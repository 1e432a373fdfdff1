import { expect } from 'chai';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { crossDevice, idIn, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, fieldsOf, KMS, may, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { refusesStrangers } from '../../actors/tenant-refusals.ts';
import { iaca, MDL } from '../../support/credentials/mdoc-issuer.ts';

describe('tenant verifier', () => {
  // biome-ignore lint/suspicious/noExplicitAny: sessions are read in any member
  type Json = Record<string, any>;

  const OTHER = 'acme.t1.verifier2';
  const BASE = `/v1/${VERIFIER}/verifier2-service-api/verification-session`;
  const SIGNED = { signed_request: true, clientId: 'shop' };

  let world: EnterpriseFixture;
  let vp: Openid4vp;
  let wallet: HolderOfAll;
  before(async () => {
    const trustedIssuers = { certificates: [iaca.pem] };
    world = await startEnterprise({ ...CARD_SETTINGS, trustedIssuers });
    await world.post('createService', OTHER, { type: 'verifier2', presentedData: 'deleteOnHandover' });
    vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    wallet = await holderOfAll(world.server);
  });
  after(() => world.close());

  const own = (target: string) => Openid4vp.with(world.server, { target, token: world.root });
  const onSameDevice = () => ({
    ...crossDevice(),
    flow_type: 'same_device',
    redirects: { success_redirect_uri: 'https://shop.example.org/done' },
  });

  /** Presents a degree in a session on one device; returns the session and the response code. */
  async function answered(): Promise<{ sessionId: string; response_code: string }> {
    const created = await vp.create(onSameDevice());
    const request = await vp.request(created);
    const { body } = await vp.respond(request, await vp.response(request));
    const response_code = new URL(body.redirect_uri).searchParams.get('response_code') ?? '';
    return { sessionId: created.sessionId, response_code };
  }

  describe('tenantCreateVerificationSession', () => {
    refusesStrangers(
      () => world,
      () => ({ operationId: 'tenantCreateVerificationSession', target: VERIFIER, json: crossDevice() }),
    );

    const QUERIES: Record<string, Json> = {
      jwt_vc_json: { meta: { type_values: [['VerifiableCredential', 'UniversityDegree']] } },
      'dc+sd-jwt': { meta: { vct_values: ['urn:card:1'] }, claims: [{ path: ['address', 'street'] }] },
      mso_mdoc: { meta: { doctype_value: MDL.docType }, claims: [{ path: [MDL.namespace, 'age_over_18'] }] },
    };
    for (const [format, query] of Object.entries(QUERIES))
      for (const isEncrypted of [false, true])
        it(`200: our wallet presents ${format}${isEncrypted ? ', encrypted' : ''}`, async () => {
          const dcql_query = { credentials: [{ id: 'q', format, ...query }] };
          const created = await vp.create(crossDevice({ dcql_query, encrypted_response: isEncrypted }));
          const link: string = created.bootstrapAuthorizationRequestUrl;
          const address = new URL(link).searchParams.get('request_uri') ?? '';
          expect(address.startsWith(`${world.server.url}${BASE}/`), address).to.equal(true);
          const presented = { presentationRequest: link, selectedCredentials: [wallet.ids[format]] };
          const answer = await wallet.holder.call('presentCredentials', { json: presented });
          expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
          const session = await vp.info(created);
          expect(session.status, JSON.stringify(session)).to.equal('SUCCESSFUL');
          expect(session.presented_credentials.q[0].format).to.equal(format);
        });

    it('200: a page gets its request, and its response is verified', async () => {
      const expectedOrigins = ['https://shop.example.org'];
      const created = await vp.create({ ...crossDevice(), flow_type: 'dc_api_openid4vp', expectedOrigins });
      const [{ data }] = created.data.digital.requests;
      const request = { parameters: data, requestId: idIn(created.responseUri) };
      const presentation = await vp.presentation(request, { audience: `origin:${expectedOrigins[0]}` });
      const json = { data: { vp_token: { degree: [presentation] } }, origin: expectedOrigins[0] };
      const path = { requestId: request.requestId };
      expect((await vp.call('submitAuthorizationResponse', { path, json })).status).to.equal(200);
      expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
    });

    it('400: a signed request without a key: the verifier does not sign with that of the server', async () => {
      const json = crossDevice(SIGNED);
      expect(fieldsOf(await vp.call('createVerificationSession', { json }))).to.deep.equal(['/body/core_flow/key']);
    });
  });

  describe('tenantGetVerificationSession', () => {
    let sessionId = '';
    before(async () => {
      ({ sessionId } = await vp.create());
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'tenantGetVerificationSession', target: VERIFIER, path: { sessionId } }),
    );

    it('200: for a caller who may see this session; 404: for one who may not', async () => {
      const get = (token: string) =>
        world.server.call('tenantGetVerificationSession', { path: { target: VERIFIER, sessionId }, token });
      const allowed = await world.member([may(`${VERIFIER}.${sessionId}`, 'verifier-session-view')]);
      expect((await get(allowed.token)).status).to.equal(200);
      const denied = await world.member([may(`${VERIFIER}.other`, 'verifier-session-view')]);
      expect((await get(denied.token)).status).to.equal(404);
    });

    it('404: the session of another verifier, and of the open endpoints', async () => {
      const path = { sessionId };
      for (const stranger of [await own(OTHER), await Openid4vp.with(world.server)])
        expect((await stranger.call('getVerificationSession', { path })).status).to.equal(404);
      const open = await (await Openid4vp.with(world.server)).create();
      expect((await vp.call('getVerificationSession', { path: { sessionId: open.sessionId } })).status).to.equal(404);
    });

    it('200: with deleteOnHandover, what was presented once', async () => {
      const other = await own(OTHER);
      const created = await other.create();
      const request = await other.request(created);
      await other.respond(request, await other.response(request));
      expect((await other.info(created)).presented_credentials.degree[0]).to.include.keys('claims');
      expect((await other.info(created)).presented_credentials.degree[0]).to.not.include.keys('claims');
    });
  });

  describe('listVerificationSessions', () => {
    it('201: one that is created anew has none of the sessions of its predecessor', async () => {
      const SHOP = 'acme.t1.shop';
      const create = () => world.post('createService', SHOP, { type: 'verifier2' });
      const remove = () => world.server.call('deleteResource', { path: { target: SHOP }, token: world.root });
      await create();
      const vp = await own(SHOP);
      const before = await vp.create(crossDevice({ sessionId: 'known' }));
      const request = await vp.request(before);
      expect((await remove()).status).to.equal(204);
      await create();
      expect((await vp.call('getVerificationSession', { path: { sessionId: 'known' } })).status).to.equal(404);
      expect((await vp.respond(request, await vp.response(request))).status).to.equal(404);
      const list = () => world.server.call('listVerificationSessions', { path: { target: SHOP }, token: world.root });
      expect((await list()).body).to.deep.equal([]);
      await vp.create(crossDevice({ sessionId: 'known' }));
      expect((await list()).body.map(({ _id }: Json) => _id)).to.deep.equal([`${SHOP}.known`]);
    });
  });

  describe('tenantRedeemResponseCode', () => {
    let session: Awaited<ReturnType<typeof answered>>;
    before(async () => {
      session = await answered();
    });
    refusesStrangers(
      () => world,
      () => ({
        operationId: 'tenantRedeemResponseCode',
        target: VERIFIER,
        path: { sessionId: session.sessionId },
        json: { response_code: session.response_code },
      }),
    );

    it('200: the result for the browser that brings the code', async () => {
      const { sessionId, response_code } = session;
      const redeemed = await vp.call('redeemResponseCode', { path: { sessionId }, json: { response_code } });
      expect([redeemed.status, redeemed.body.status]).to.deep.equal([200, 'SUCCESSFUL']);
    });
  });

  describe('tenantStreamVerificationSessionEvents', () => {
    let created: Json;
    before(async () => {
      created = await vp.create();
    });
    refusesStrangers(
      () => world,
      () => ({
        operationId: 'tenantStreamVerificationSessionEvents',
        target: VERIFIER,
        path: { sessionId: created.sessionId },
      }),
    );

    it('200: the events of the session', async () => {
      const request = await vp.request(created);
      await vp.respond(request, await vp.response(request));
      expect(await vp.events(created)).to.include('presentation_fulfils_dcql_query');
    });
  });

  describe('requests and responses of wallets at a tenant', () => {
    const CALLS: Record<string, { form?: Record<string, string> }> = {
      tenantGetAuthorizationRequest: {},
      tenantPostAuthorizationRequest: { form: {} },
      tenantSubmitAuthorizationResponse: { form: { error: 'access_denied' } },
    };
    for (const [operationId, call] of Object.entries(CALLS))
      describe(operationId, () => {
        it('200: without a login; 404: at another verifier, a service of another type and an unknown target', async () => {
          const created = await vp.create();
          const { requestId, parameters } = await vp.request(created);
          const form = call.form && { ...call.form, state: parameters.state };
          const at = (target: string) => world.server.call(operationId, { path: { target, requestId }, form });
          for (const target of [OTHER, KMS, 'acme.absent', 'acme.t1']) {
            const { status, body } = await at(target);
            expect([status, body.error], target).to.deep.equal([404, 'invalid_request']);
          }
          expect((await at('a..b')).status).to.equal(400);
          expect((await at(VERIFIER)).status).to.equal(200);
        });
      });

    it('one tenant at its limit does not limit another, nor the open endpoints', async () => {
      const limited = await startEnterprise({ rateLimit: { verifier2_request_endpoint: { requestsPerMinute: 2 } } });
      await limited.post('createService', OTHER, { type: 'verifier2' });
      const get = (target: string) =>
        limited.server.call('tenantGetAuthorizationRequest', { path: { target, requestId: 'unknown' } });
      const statuses = async (target: string) =>
        (await Promise.all([1, 2, 3].map(() => get(target)))).map((a) => a.status);
      expect((await statuses(VERIFIER)).toSorted()).to.deep.equal([404, 404, 429]);
      expect((await statuses(OTHER)).toSorted()).to.deep.equal([404, 404, 429]);
      const open = await limited.server.call('getAuthorizationRequest', { path: { requestId: 'unknown' } });
      expect(open.status).to.equal(404);
      await limited.close();
    });
  });
});

import { sign } from 'node:crypto';
import { cborDecode, DeviceRequest } from '@owf/mdoc';
import { expect } from 'chai';
import { digest } from '../../../domain/foundation/bytes.ts';
import { canonicalKey, readPublicJwk } from '../../../domain/jose/jwk.ts';
import type { Handover } from '../../../ports/credential-formats.ts';
import type { PublicJwk, Signer } from '../../../ports/key-service.ts';
import { idIn, Openid4vp, type ReadRequest } from '../../actors/openid4vp.ts';
import { IsoDcApiWallet } from '../../support/credentials/iso-dc-api-wallet.ts';
import { issueWith, MDL } from '../../support/credentials/mdoc-issuer.ts';
import { presentMdocs } from '../../support/credentials/mdoc-presenter.ts';
import { useServer } from '../../support/servers/server.ts';
import { documentSigner, iaca } from '../../support/trust/issuer-chains.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups are changed in any member
type Json = Record<string, any>;

const { docType, namespace } = MDL;
const PHOTO_ID = 'org.iso.23220.photoid.1';
const ORIGIN = 'https://shop.example.org';

const AUTHORITY = iaca();
const SIGNER = documentSigner(AUTHORITY);
const signerOf = ({ keys }: typeof SIGNER): Signer => ({
  keyType: 'secp256r1',
  publicJwk: keys.publicKey.export({ format: 'jwk' }) as PublicJwk,
  sign: async (data) => sign('sha256', data, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }),
});
const signer = signerOf(SIGNER);
const OTHER_AUTHORITY = iaca(7);
const OTHER_SIGNER = documentSigner(OTHER_AUTHORITY);

/** The checks of an mdoc that the key of its device did not sign for this exchange. */
const NOT_THE_HOLDERS = ['mdl/mso_mdoc/device-auth', 'mdl/mso_mdoc/holder-binding-check'];

const setup = (core: Json = {}, more: Json = {}): Json => ({
  flow_type: 'dc_api_18013_7',
  core_flow: { requestedElements: { [docType]: { [namespace]: ['family_name', 'age_over_18'] } }, ...core },
  expectedOrigins: [ORIGIN],
  ...more,
});

describe('sessions for mdocs', () => {
  const server = useServer({ settings: { trustedIssuers: { certificates: [AUTHORITY.pem] } } });
  let vp: Openid4vp;
  let licence: string;
  let wallet: IsoDcApiWallet;
  before(async () => {
    vp = await Openid4vp.with(server);
    const document = { 'org.iso.23220.1': { family_name: 'Roe', sex: 1 } };
    const issued = {
      issuedAt: Math.floor(server.clock.now() / 1000) * 1000,
      x5c: [SIGNER, AUTHORITY].map(({ der }) => Buffer.from(der).toString('base64')),
    };
    const photoId = await issueWith(signer, { ...issued, type: PHOTO_ID, document });
    licence = await issueWith(signer, issued);
    wallet = new IsoDcApiWallet({ [docType]: licence, [PHOTO_ID]: photoId });
  });

  const post = (created: Json, json: Json) =>
    server.call('submitAuthorizationResponse', { path: { requestId: idIn(created.responseUri) }, json });

  async function refused(change: Json): Promise<string> {
    const { status, body } = await server.call('createVerificationSession', { json: change });
    expect([status, body.id], JSON.stringify(body)).to.deep.equal([400, 'BadRequest']);
    return body.details[0].path;
  }

  it('a page asks for elements, and the response is verified with every document of it', async () => {
    const requestedElements = {
      [docType]: { [namespace]: ['family_name', 'age_over_18'] },
      [PHOTO_ID]: { 'org.iso.23220.1': ['family_name'] },
    };
    const created = await vp.create(setup({ requestedElements }));
    expect(created).to.have.all.keys('sessionId', 'requestUri', 'responseUri', 'data');
    const { body } = await vp.fetch(idIn(created.requestUri));
    expect(body).to.deep.equal(created.data).and.to.include({ protocol: 'org-iso-mdoc' });
    expect(Object.keys(body.data)).to.deep.equal(['deviceRequest', 'encryptionInfo']);
    const answer = await post(created, { data: { response: await wallet.answer(body.data, ORIGIN) }, origin: ORIGIN });
    expect([answer.status, answer.body.status], JSON.stringify(answer.body)).to.deep.equal([200, 'received']);
    const session = await vp.info(created);
    expect(session, JSON.stringify(session)).to.include({ status: 'SUCCESSFUL', flow_type: 'dc_api_18013_7' });
    expect(Object.keys(session.presented_credentials)).to.deep.equal([docType, PHOTO_ID]);
    expect((await post(created, { data: { response: 'gg' } })).status).to.equal(409);
    expect(await vp.events(created)).to.include('presentation_fulfils_dcql_query');
  });

  it('believes the authorities that a session names, beside those of the configuration, and for that session alone', async () => {
    const issuedAt = Math.floor(server.clock.now() / 1000) * 1000;
    const x5c = [OTHER_SIGNER, OTHER_AUTHORITY].map(({ der }) => Buffer.from(der).toString('base64'));
    const foreign = new IsoDcApiWallet({ [docType]: await issueWith(signerOf(OTHER_SIGNER), { issuedAt, x5c }) });
    const outcome = async (presenting: IsoDcApiWallet, core: Json) => {
      const created = await vp.create(setup(core));
      await post(created, { data: { response: await presenting.answer(created.data.data, ORIGIN) } });
      return (await vp.info(created)).status;
    };
    const own = { trusted_root_cas: [OTHER_AUTHORITY.pem] };
    expect(await outcome(foreign, {})).to.equal('FAILED');
    expect(await outcome(foreign, own)).to.equal('SUCCESSFUL');
    expect(await outcome(wallet, own)).to.equal('SUCCESSFUL');
    expect(await outcome(foreign, {})).to.equal('FAILED');
    expect(await refused(setup({ trusted_root_cas: ['no certificate'] }))).to.equal(
      '/body/core_flow/trusted_root_cas/0',
    );
  });

  it('a signed request has the certificates of the reader', async () => {
    const { key, x5c, sanDns: clientId } = await certifiedKey();
    const { data } = await vp.create(setup({ signed_request: true, clientId, key, x5c }));
    const request = DeviceRequest.decode(Buffer.from(data.data.deviceRequest, 'base64url'));
    expect(request.version).to.equal('1.1');
    expect(request.docRequests.map(({ readerAuth }) => readerAuth?.certificateChain.length)).to.deep.equal([1]);
    expect(await refused(setup({ signed_request: true, clientId: 'shop' }))).to.equal('/body/core_flow/x5c');
  });

  it('invalid-session-transcript: a response for another page or session leaves the session usable', async () => {
    const [created, other] = [await vp.create(setup()), await vp.create(setup())];
    for (const [request, origin] of [
      [created.data.data, 'https://evil.example.org'],
      [other.data.data, ORIGIN],
    ] as const) {
      const { status, body } = await post(created, { data: { response: await wallet.answer(request, origin) } });
      expect([status, body.error], JSON.stringify(body)).to.deep.equal([400, 'invalid_request']);
      expect(body.error_description).to.include('decrypt');
    }
    const response = await wallet.answer(created.data.data, ORIGIN);
    expect((await post(created, { data: { response }, origin: 'https://evil.example.org' })).status).to.equal(400);
    for (const json of [{}, { data: {} }, { data: { response: 'AA' } }, { credential: { data: { response: 1 } } }])
      expect((await post(created, json)).status, JSON.stringify(json)).to.equal(400);
    expect((await post(created, { credential: { data: { response } } })).status).to.equal(200);
    expect(await vp.info(created)).to.include({ status: 'SUCCESSFUL' });
  });

  it('a response that is signed for another exchange, or withholds an element, fails', async () => {
    const created = await vp.create(setup());
    const request = created.data.data;
    const elsewhere = await wallet.present(request, 'https://evil.example.org');
    const replayed = await post(created, { data: { response: wallet.encrypt(elsewhere, request, ORIGIN) } });
    expect([replayed.status, replayed.body.error]).to.deep.equal([400, 'invalid_request']);
    expect(await vp.info(created)).to.include({ status: 'FAILED' });
    const asked = await vp.create(setup({ requestedElements: { [docType]: { [namespace]: ['height'] } } }));
    const withheld = await post(asked, { data: { response: await wallet.answer(asked.data.data, ORIGIN) } });
    expect([withheld.status, withheld.body.error]).to.deep.equal([400, 'invalid_request']);
    const cancelled = await vp.create(setup());
    expect((await post(cancelled, { error: 'access_denied' })).body).to.include({ status: 'acknowledged' });
  });

  describe('of OpenID4VP 1.0', () => {
    const path = [namespace, 'family_name'];
    const dcql_query = {
      credentials: [{ id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: docType }, claims: [{ path }] }],
    };
    const disclosed = [path];

    it('400: a claim of an mdoc is named by its namespace and its name, and by nothing else', async () => {
      const [query] = dcql_query.credentials;
      for (const wrong of [
        [namespace],
        [...path, 'x'],
        [namespace, null],
        [namespace, 0],
        [namespace, ''],
        ['', 'x'],
      ]) {
        const core_flow = { dcql_query: { credentials: [{ ...query, claims: [{ path }, { path: wrong }] }] } };
        const place = await refused({ flow_type: 'cross_device', core_flow });
        expect(place, JSON.stringify(wrong)).to.equal('/body/core_flow/dcql_query/credentials/0/claims/1/path');
      }
    });

    /** The response to a request by link; `change` makes it that of another exchange. */
    async function presented({ parameters }: ReadRequest, change: Json = {}): Promise<Json> {
      const { client_id: clientId, response_uri: responseUri, nonce, state, client_metadata: metadata } = parameters;
      const [key] = metadata.jwks?.keys ?? [];
      const encryptionKey = key && { encryptionKey: digest('sha256', canonicalKey(readPublicJwk(key))) };
      const handover: Handover = { kind: 'redirect', clientId, responseUri, nonce, ...encryptionKey, ...change };
      return {
        vp_token: { mdl: [await presentMdocs([], { credentials: [{ document: licence, disclosed }], handover })] },
        state,
      };
    }

    it('happy-flow: by a link, plain and encrypted', async () => {
      for (const encrypted_response of [false, true]) {
        const created = await vp.create({ flow_type: 'cross_device', core_flow: { dcql_query, encrypted_response } });
        const request = await vp.request(created);
        const answer = await vp.respond(request, await presented(request));
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        expect(await vp.info(created)).to.include({ status: 'SUCCESSFUL' });
      }
    });

    it('invalid-session-transcript: a response to another verifier, address, nonce or key is rejected', async () => {
      const changes = [
        { clientId: 'redirect_uri:https://evil.example.org' },
        { responseUri: 'https://evil.example.org' },
        { nonce: 'another' },
        { encryptionKey: undefined },
      ];
      for (const change of changes) {
        const core_flow = { dcql_query, encrypted_response: true };
        const created = await vp.create({ flow_type: 'cross_device', core_flow });
        const request = await vp.request(created);
        const answer = await vp.respond(request, await presented(request, change));
        expect([answer.status, answer.body.error], JSON.stringify(change)).to.deep.equal([400, 'invalid_request']);
        const { status, failure } = await vp.info(created);
        expect([status, failure.failed_policies]).to.deep.equal(['FAILED', NOT_THE_HOLDERS]);
      }
    });

    it('over the Digital Credentials API, for the origin of the page alone', async () => {
      for (const [origin, expected] of [
        [ORIGIN, 'SUCCESSFUL'],
        ['https://evil.example.org', 'FAILED'],
      ] as const) {
        const more = { flow_type: 'dc_api_openid4vp', expectedOrigins: [ORIGIN] };
        const created = await vp.create({ ...more, core_flow: { dcql_query } });
        const [{ data }] = created.data.digital.requests;
        const handover: Handover = { kind: 'dc-api', origin, nonce: data.nonce };
        const mdl = await presentMdocs([], { credentials: [{ document: licence, disclosed }], handover });
        const { status } = await post(created, { data: { vp_token: { mdl: [mdl] } }, origin: ORIGIN });
        expect(status).to.equal(expected === 'SUCCESSFUL' ? 200 : 400);
        const session = await vp.info(created);
        expect(session.status, JSON.stringify(session.failure)).to.equal(expected);
        if (expected === 'FAILED') expect(session.failure.failed_policies).to.deep.equal(NOT_THE_HOLDERS);
      }
    });
  });

  it('400: refuses what has no meaning for the flow, and elements that cannot be asked for', async () => {
    const at = '/body/core_flow';
    expect(await refused(setup({ requestedElements: undefined }))).to.equal(`${at}/requestedElements`);
    expect(await refused(setup({ dcql_query: {} }))).to.equal(`${at}/dcql_query`);
    expect(await refused(setup({ encrypted_response: false }))).to.equal(`${at}/encrypted_response`);
    expect(await refused(setup({}, { openid: {} }))).to.equal('/body/openid');
    expect(await refused(setup({}, { expectedOrigins: [ORIGIN, 'https://b.example.org'] }))).to.equal(
      '/body/expectedOrigins',
    );
    expect(await refused(setup({}, { flow_type: 'dc_api_openid4vp' }))).to.equal(`${at}/requestedElements`);
    expect(await refused({ flow_type: 'cross_device', core_flow: {} })).to.equal(`${at}/dcql_query`);
    const asks = (requestedElements: unknown) => refused(setup({ requestedElements }));
    expect(await asks({})).to.equal(`${at}/requestedElements`);
    expect(await asks({ [docType]: {} })).to.equal(`${at}/requestedElements/${docType}`);
    for (const names of [[], [1], ['a', 'a'], ['x'.repeat(257)], 'a'])
      expect(await asks({ a: { b: names } })).to.equal(`${at}/requestedElements/a/b`);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);
    expect(await asks({ a: { b: many(257) } })).to.equal(`${at}/requestedElements`);
    expect(await asks(Object.fromEntries(many(17).map((name) => [name, { b: ['a'] }])))).to.equal(
      `${at}/requestedElements`,
    );
    const [, parameters] = cborDecode(
      Buffer.from((await vp.create(setup())).data.data.encryptionInfo, 'base64url'),
    ) as [string, Map<string, Uint8Array>];
    expect(parameters.get('nonce')).to.have.length(32);
  });
});

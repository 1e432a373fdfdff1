import { expect } from 'chai';
import { CompactEncrypt, exportJWK, generateKeyPair, importJWK, UnsecuredJWT } from 'jose';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { jwkParty } from '../../actors/party.ts';
import { definitionOf, startVerifier, type TestVerifier } from '../../actors/verifier.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const SCHEMES = ['openid4vp://authorize', 'openid://', 'haip://', 'mdoc-openid4vp://', 'https://wallet.example/use'];

describe('presenting credentials', () => {
  const server = useServer();
  let issuer: TestIssuer;
  let verifier: TestVerifier;
  let holder: WalletUser;
  let degree: string;
  let passport: string;
  before(async () => {
    issuer = await startIssuer();
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    verifier = await startVerifier();
    const text = issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']);
    const { body } = await holder.call('acceptCredentialOffer', { text });
    [degree, passport] = body.map(({ id }: { id: string }) => id);
  });
  afterEach(() => verifier.close());
  after(() => issuer.close());

  const resolve = (text: string) =>
    holder.call('resolvePresentationRequest', { text, contentType: 'application/json' });
  const present = (presentationRequest: string, selectedCredentials: string[], more = {}) =>
    holder.call('presentCredentials', { json: { presentationRequest, selectedCredentials, ...more } });

  describe('resolvePresentationRequest', () => {
    it('200: adds the definition to the link, keeping scheme, state, nonce and response_uri', async () => {
      for (const base of SCHEMES) {
        const { status, body } = await resolve(verifier.byUri(base));
        expect(status).to.equal(200);
        expect(body.startsWith(`${base}?`)).to.equal(true);
        const params = new URL(body).searchParams;
        expect(JSON.parse(params.get('presentation_definition') ?? '')).to.deep.equal(verifier.behaviour.definition);
        expect(params.has('presentation_definition_uri')).to.equal(false);
        expect(params.get('response_uri')).to.equal(`${verifier.peer.url}/verify?session=7`);
        expect(params.get('state')).to.equal('state 7');
        expect((await resolve(body)).body).to.equal(body);
      }
    });

    it('200: with inner URIs that are not encoded and quotes that are', async () => {
      const { url } = verifier.peer;
      const definition = JSON.stringify(definitionOf('Degree')).replaceAll('"', '%22').replaceAll(' ', '%20');
      const text = `openid://?response_type=vp_token&client_id=${url}/verify&presentation_definition=${definition}&response_uri=${url}/verify?session=7&nonce=n&state=s`;
      const params = new URL((await resolve(text)).body).searchParams;
      expect(JSON.parse(params.get('presentation_definition') ?? '')).to.deep.equal(definitionOf('Degree'));
      expect(params.get('response_uri')).to.equal(`${url}/verify?session=7`);
      expect([params.get('nonce'), params.get('state')]).to.deep.equal(['n', 's']);
    });

    it('200: from a request object behind a URL, in the link, signed by the named DID, and unsigned', async () => {
      const { did, sign } = await jwkParty();
      const claims = { ...verifier.params(), presentation_definition: verifier.behaviour.definition };
      const exp = Math.floor(Date.now() / 1000) + 300;
      const signed = await sign(
        { ...claims, client_id: did, client_id_scheme: 'did', exp },
        { typ: 'oauth-authz-req+jwt' },
      );
      const unsigned = new UnsecuredJWT(claims).encode();
      verifier.peer.routes['/request'] = () => ({ body: signed });
      verifier.peer.routes['/posted'] = async ({ body }) => {
        const wallet_nonce = new URLSearchParams(body).get('wallet_nonce');
        const fresh = { ...claims, client_id: did, client_id_scheme: 'did', exp, wallet_nonce };
        return { body: await sign(fresh, { typ: 'oauth-authz-req+jwt' }) };
      };
      const links = [
        `openid4vp://?client_id=${did}&request_uri=${verifier.peer.url}/request`,
        `openid4vp://?client_id=${did}&request_uri=${verifier.peer.url}/posted&request_uri_method=post`,
        `openid4vp://?client_id=${encodeURIComponent(did)}&request=${signed}`,
        `openid4vp://?request=${unsigned}`,
      ];
      for (const link of links) {
        const { status, body } = await resolve(link);
        expect(status, JSON.stringify(body)).to.equal(200);
        const params = new URL(body).searchParams;
        expect(JSON.parse(params.get('presentation_definition') ?? '')).to.deep.equal(verifier.behaviour.definition);
        expect(params.has('exp') || params.has('wallet_nonce')).to.equal(false);
      }
    });

    it('200: a request object that the verifier encrypted to the wallet; 400: one to another key', async () => {
      const { did, sign } = await jwkParty();
      const claims = { ...verifier.params(), client_id: did, presentation_definition: verifier.behaviour.definition };
      const link = `openid4vp://?client_id=${did}&request_uri=${verifier.peer.url}/request&request_uri_method=post`;
      const other = await exportJWK((await generateKeyPair('ECDH-ES', { crv: 'P-256' })).publicKey);
      for (const [replaced, status] of [[{}, 200] as const, [other, 400] as const]) {
        verifier.peer.routes['/request'] = async ({ body }) => {
          const form = new URLSearchParams(body);
          const { jwks, ...metadata } = JSON.parse(form.get('wallet_metadata') ?? '');
          expect(metadata.request_object_encryption_alg_values_supported).to.deep.equal(['ECDH-ES']);
          expect(metadata.vp_formats_supported).to.have.all.keys('jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc');
          const [jwk] = jwks.keys;
          const signed = await sign({ ...claims, wallet_nonce: form.get('wallet_nonce') });
          const enc = metadata.request_object_encryption_enc_values_supported[0];
          const header = { alg: jwk.alg, enc, kid: jwk.kid, cty: 'JWT' };
          const key = await importJWK({ ...jwk, ...replaced });
          return { body: await new CompactEncrypt(Buffer.from(signed)).setProtectedHeader(header).encrypt(key) };
        };
        const answer = await resolve(link);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      }
      const keys = verifier.peer.seen
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => JSON.parse(new URLSearchParams(body).get('wallet_metadata') ?? '').jwks.keys[0].x);
      expect(new Set(keys).size).to.equal(keys.length);
    });

    it('400: a request object without the nonce that the wallet posted is refused', async () => {
      const { did, sign } = await jwkParty();
      const claims = { ...verifier.params(), client_id: did, presentation_definition: verifier.behaviour.definition };
      const link = `openid4vp://?client_id=${did}&request_uri=${verifier.peer.url}/request&request_uri_method=post`;
      for (const wallet_nonce of [undefined, 'another']) {
        verifier.peer.routes['/request'] = async () => ({ body: await sign({ ...claims, wallet_nonce }) });
        const { status, body } = await resolve(link);
        expect([status, body.message]).to.deep.equal([
          400,
          'The request object has not the wallet_nonce that it was asked for with',
        ]);
      }
    });

    it('400: refuses a request object that its client did not sign, that is another client’s, or that has expired', async () => {
      const [{ did }, attacker] = await Promise.all([jwkParty(), jwkParty()]);
      const claims = { ...verifier.params(), presentation_definition: verifier.behaviour.definition };
      const forged = await attacker.sign({ ...claims, client_id: did }, { kid: `${did}#0`, typ: undefined });
      const unsigned = new UnsecuredJWT({ ...claims, client_id: did }).encode();
      const other = new UnsecuredJWT(claims).encode();
      const old = new UnsecuredJWT(claims).setExpirationTime(1).encode();
      for (const text of [
        `openid4vp://?client_id=${did}&request=${forged}`,
        `openid4vp://?client_id=${did}&request=${unsigned}`,
        `openid4vp://?client_id=${did}&request=${other}`,
        `openid4vp://?request=${old}`,
        'openid4vp://?request=nonsense',
      ])
        expect((await resolve(text)).status).to.equal(400);
    });

    it('400: refuses request objects over 64 KiB and filters with keywords of the validator alone', async () => {
      const { definition } = verifier.behaviour;
      const claims = { ...verifier.params(), presentation_definition: { ...definition, more: 'x'.repeat(65_536) } };
      const large = new UnsecuredJWT(claims).encode();
      expect((await resolve(`openid4vp://?request=${large}`)).status).to.equal(400);
      const constraints = { fields: [{ path: ['$.vc.type'], filter: { type: 'string', $async: true } }] };
      const json = { id: 'd', input_descriptors: [{ id: 'a', constraints }] };
      const answer = await holder.call('matchWalletCredentials', { json });
      expect([answer.status, answer.body.details[0].path]).to.deep.equal([
        400,
        '/body/input_descriptors/0/constraints/fields/0/filter',
      ]);
    });

    it('400: refuses links without a definition or an address, and invalid definitions', async () => {
      const definition = encodeURIComponent(JSON.stringify(definitionOf('Degree')));
      for (const text of [
        'nothing',
        'openid4vp://?client_id=a',
        `openid4vp://?client_id=a&presentation_definition=${definition}`,
        `openid4vp://?client_id=a&presentation_definition=${definition}&response_uri=javascript:alert(1)`,
        `openid4vp://?client_id=a&presentation_definition=${definition}&response_uri=http://a&response_mode=fragment`,
        'openid4vp://?client_id=a&presentation_definition={}&response_uri=http://a',
        'openid4vp://?client_id=a&presentation_definition={&response_uri=http://a',
        'openid4vp://?client_id=a&presentation_definition_uri=http://10.0.0.1/&response_uri=http://a',
      ])
        expect((await resolve(text)).status, text).to.equal(400);
    });

    it('502: the verifier fails', async () => {
      verifier.peer.routes['/pd'] = () => ({ status: 500 });
      expect((await resolve(verifier.byUri())).status).to.equal(502);
    });
  });

  describe('matchWalletCredentials', () => {
    const match = async (json: unknown) => {
      const { status, body } = await holder.call('matchWalletCredentials', { json });
      expect(status).to.equal(200);
      return body.map(({ id }: { id: string }) => id);
    };

    it('200: returns each credential that matches any descriptor, once', async () => {
      expect(await match(definitionOf('Degree'))).to.deep.equal([degree]);
      expect(await match(definitionOf('Licence'))).to.deep.equal([]);
      expect(await match(definitionOf('Passport', 'Degree', 'Degre.'))).to.have.members([degree, passport]);
    });

    it('200: omits deleted and pending credentials', async () => {
      await holder.call('deleteWalletCredential', { path: { credentialId: degree } });
      await holder.call('acceptCredentialOffer', { text: issuer.link(), query: { requireUserInput: 'true' } });
      expect(await match(definitionOf('Degree'))).to.deep.equal([]);
    });

    it('200: does not filter by the algorithms of a format', async () => {
      const definition = definitionOf('Degree');
      const format = { jwt_vc_json: { alg: ['EdDSA'] } };
      const input_descriptors = definition.input_descriptors.map((one) => ({ ...one, format }));
      expect(await match({ ...definition, format, input_descriptors })).to.deep.equal([degree]);
    });

    it('200: omits formats that are not requested', async () => {
      const definition = definitionOf('Degree');
      const descriptors = definition.input_descriptors.map((one) => ({ ...one, format: { mso_mdoc: {} } }));
      expect(await match({ ...definition, input_descriptors: descriptors })).to.deep.equal([]);
    });

    it('400: refuses a definition that is too expensive', async () => {
      const fields = Array.from({ length: 250 }, () => ({
        path: ['$..a', '$..b'],
        filter: { enum: ['x'.repeat(2000)] },
      }));
      for (let round = 0; round < 10; round += 1) await holder.call('acceptCredentialOffer', { text: issuer.link() });
      const json = { id: 'a', input_descriptors: [{ id: 'a', constraints: { fields } }] };
      expect((await holder.call('matchWalletCredentials', { json })).status).to.equal(400);
    });

    it('400: names the invalid member of a definition', async () => {
      const field = (constraints: object) => ({ id: 'a', input_descriptors: [{ id: 'a', constraints }] });
      for (const [json, path] of [
        [{}, '/body/id'],
        [{ id: 'a', input_descriptors: [] }, '/body/input_descriptors'],
        [field({ fields: [{ path: [] }] }), '/body/input_descriptors/0/constraints/fields/0/path'],
        [field({ fields: [{ path: ['not a path'] }] }), '/body/input_descriptors/0/constraints/fields/0/path/0'],
        [
          field({ fields: [{ path: ['$.a'], filter: { pattern: '^(a+)+(?=b)' } }] }),
          '/body/input_descriptors/0/constraints/fields/0/filter',
        ],
      ] as const) {
        const { status, body } = await holder.call('matchWalletCredentials', { json });
        expect(status).to.equal(400);
        expect(body.details[0].path).to.equal(path);
      }
    });
  });

  describe('presentCredentials', () => {
    it('200: the verifier receives a presentation that the holder signed for it and this request', async () => {
      const { body: request } = await resolve(verifier.byUri());
      const { status, body } = await present(request, [degree], { disclosures: null });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({});
      const [{ claims, submission, state } = { claims: {}, submission: {}, state: '' }] = verifier.received;
      const { nonce, client_id: clientId } = Object.fromEntries(new URL(request).searchParams);
      expect(claims).to.include({ iss: holder.did, sub: holder.did, nonce, aud: clientId });
      expect(claims.exp - claims.iat).to.equal(300);
      expect(claims.vp).to.include({ holder: holder.did, id: claims.jti });
      expect(claims.vp.type).to.deep.equal(['VerifiablePresentation']);
      const document = (await holder.call('getWalletCredential', { path: { credentialId: degree } })).body.document;
      expect(claims.vp.verifiableCredential).to.deep.equal([document]);
      expect(state).to.equal('state 7');
      const id = 'Degree & more';
      expect(submission.definition_id).to.equal('wanted');
      expect(submission.descriptor_map).to.deep.equal([
        {
          id,
          format: 'jwt_vp',
          path: '$',
          path_nested: { id, format: 'jwt_vc_json', path: '$.vp.verifiableCredential[0]' },
        },
      ]);
    });

    it('200: accepts an unresolved link and binds each credential to the descriptor that it matches', async () => {
      verifier.behaviour.definition = definitionOf('Degree', 'Passport');
      expect((await present(verifier.byUri('openid://'), [passport, degree])).status).to.equal(200);
      const map = verifier.received[0]?.submission.descriptor_map;
      expect(
        map.map((entry: { id: string; path_nested: { path: string } }) => [entry.id, entry.path_nested.path]),
      ).to.deep.equal([
        ['Degree & more', '$.vp.verifiableCredential[1]'],
        ['Passport & more', '$.vp.verifiableCredential[0]'],
      ]);
    });

    it('200: presents two credentials that match one descriptor, and each id only once', async () => {
      const [{ id: second }] = (await holder.call('acceptCredentialOffer', { text: issuer.link() })).body;
      expect((await present(verifier.byUri(), [degree, second, degree])).status).to.equal(200);
      expect(verifier.received[0]?.claims.vp.verifiableCredential).to.have.length(2);
      expect(verifier.received[0]?.submission.descriptor_map).to.have.length(2);
    });

    it('200: presents as the subject DID of the credential, or as the named one', async () => {
      const { body: did } = await holder.call('createWalletDid', { path: { method: 'jwk' } });
      await holder.call('setDefaultWalletDid', { query: { did } });
      await present(verifier.byUri(), [degree]);
      await present(verifier.byUri(), [degree], { did });
      expect(verifier.received.map(({ claims }) => claims.iss)).to.deep.equal([holder.did, did]);
    });

    it('200: returns the redirect of the verifier, but no script URL', async () => {
      verifier.behaviour.reply = { body: { redirect_uri: 'https://shop.example/done?id=1' } };
      expect((await present(verifier.byUri(), [degree])).body).to.deep.equal({
        redirectUri: 'https://shop.example/done?id=1',
      });
      verifier.behaviour.reply = { body: { redirect_uri: 'javascript:alert(1)' } };
      expect((await present(verifier.byUri(), [degree])).body).to.deep.equal({});
    });

    it('400: has errorMessage and redirectUri when the verifier refuses', async () => {
      verifier.behaviour.reply = {
        status: 400,
        body: { error_uri: 'https://shop.example/failed', message: 'expired' },
      };
      const { status, body } = await present(verifier.byUri(), [degree]);
      expect(status).to.equal(400);
      expect(body).to.include({ redirectUri: 'https://shop.example/failed', message: body.errorMessage });
      expect(body.errorMessage).to.include('expired');
    });

    it('400: sends nothing when the selection does not match the request', async () => {
      verifier.behaviour.definition = definitionOf('Degree', 'Passport');
      for (const [selected, text] of [
        [[degree], 'Passport & more'],
        [['unknown'], 'unknown'],
      ] as const) {
        const { status, body } = await present(verifier.byUri(), [...selected]);
        expect(status).to.equal(400);
        expect(body.errorMessage).to.include(text);
      }
      verifier.behaviour.definition = definitionOf('Degree');
      expect((await present(verifier.byUri(), [degree, passport])).body.errorMessage).to.include('not asked for');
      expect(verifier.received).to.deep.equal([]);
    });

    it('400: names the field of a malformed body', async () => {
      for (const [json, path] of [
        [{ selectedCredentials: ['a'] }, '/body/presentationRequest'],
        [{ presentationRequest: 'openid://?a=b' }, '/body/selectedCredentials'],
        [{ presentationRequest: 'openid://?a=b', selectedCredentials: [] }, '/body/selectedCredentials'],
        [{ presentationRequest: 'openid://?a=b', selectedCredentials: [7] }, '/body/selectedCredentials/0'],
        [{ presentationRequest: 7, selectedCredentials: ['a'] }, '/body/presentationRequest'],
        [{ presentationRequest: 'openid://?a=b', selectedCredentials: ['a'], colour: 'red' }, '/body/colour'],
      ] as const) {
        const { status, body } = await holder.call('presentCredentials', { json });
        expect(status).to.equal(400);
        expect(body.details[0].path).to.equal(path);
      }
    });

    it('502: the verifier fails', async () => {
      verifier.behaviour.reply = { status: 500 };
      const { status, body } = await present(verifier.byUri(), [degree]);
      expect(status).to.equal(502);
      expect(body.errorMessage).to.equal(body.message);
    });
  });
});

import { expect } from 'chai';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { definitionOf, startVerifier, type TestVerifier } from '../../actors/verifier.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

type Json = Record<string, unknown>;

interface Unsigned {
  header: Json;
  payload: JWTPayload;
}

describe('signatures from outside the wallet', () => {
  const faults = new StoreFaults();
  const server = useServer({ outboundTimeoutMs: 1500, wrapStore: (store) => new FaultyStore(store, faults) });
  let issuer: TestIssuer;
  let verifier: TestVerifier;
  let holder: WalletUser;
  let did: string;
  let key: CryptoKey;
  let credential: string;
  before(async () => {
    issuer = await startIssuer();
    holder = await newWalletUser(server);
    const pair = await generateKeyPair('ES256', { extractable: true });
    key = pair.privateKey;
    const { body: keyId } = await holder.call('importWalletKey', { text: JSON.stringify(await exportJWK(key)) });
    did = (await holder.call('createWalletDid', { path: { method: 'jwk' }, query: { keyId } })).body;
    const { body } = await holder.call('acceptCredentialOffer', { text: issuer.link(), query: { did } });
    credential = body[0].id;
  });
  beforeEach(async () => {
    verifier = await startVerifier();
  });
  afterEach(() => verifier.close());
  after(() => issuer.close());

  const sign = ({ header, payload }: Unsigned, by = key): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ ...header, alg: 'ES256' }).sign(by);
  const stranger = async (): Promise<CryptoKey> => (await generateKeyPair('ES256')).privateKey;
  const paths = (body: { details: { path: string }[] }): string[] => body.details.map(({ path }) => path);

  describe('prepareExternalPresentation, submitExternalPresentation', () => {
    const prepare = async (presentationRequest = verifier.byUri()) => {
      const json = { did, presentationRequest, selectedCredentialIdList: [credential] };
      return holder.call('prepareExternalPresentation', { json });
    };
    const submit = ({ w3CJwtVpProofParameters: _, ...prepared }: Json, w3cJwtVpProof: string, more: Json = {}) =>
      holder.call('submitExternalPresentation', { json: { ...prepared, w3cJwtVpProof, ...more } });

    it('200: the verifier receives what was prepared, with the signature of the caller', async () => {
      const { status, body } = await prepare();
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.include({ did, presentationRequest: body.presentationRequest });
      expect(verifier.received).to.deep.equal([]);
      const { header, payload } = body.w3CJwtVpProofParameters;
      verifier.behaviour.reply = { body: { redirect_uri: 'https://shop.example/done?id=1' } };
      const signed = await sign({ header, payload: Object.fromEntries(Object.entries(payload).reverse()) });
      const answer = await submit(body, signed);
      expect([answer.status, answer.body]).to.deep.equal([200, { redirectUri: 'https://shop.example/done?id=1' }]);
      const [{ claims, submission, state } = { claims: {}, submission: {}, state: '' }] = verifier.received;
      expect(claims).to.deep.equal(payload);
      expect(claims).to.include({ iss: did, nonce: payload.nonce, aud: `${verifier.peer.url}/verify` });
      expect([submission, state]).to.deep.equal([body.presentationSubmission, 'state 7']);
      const events = (await holder.call('listWalletEvents', { query: { filter: 'action=Present' } })).body.items;
      expect(events.at(-1)).to.include({ credentialId: credential, originator: `${verifier.peer.url}/verify` });
    });

    it('200: our own verifier accepts it', async () => {
      const requested = { request_credentials: [{ type: 'Degree', format: 'jwt_vc_json' }] };
      const { body: request } = await server.call('startVerification', { json: requested });
      const { body } = await prepare(request);
      expect((await submit(body, await sign(body.w3CJwtVpProofParameters))).body).to.deep.equal({});
      const state = new URL(request).searchParams.get('state') ?? '';
      const result = (await server.call('getVerificationResult', { path: { state } })).body;
      expect(result.verificationResult).to.equal(true);
    });

    it('400: sends nothing that was changed or that the DID did not sign, and nothing twice', async () => {
      const { body } = await prepare();
      const { header, payload } = body.w3CJwtVpProofParameters as Unsigned;
      const right = await sign({ header, payload });
      for (const [signed, more, path] of [
        [await sign({ header, payload: { ...payload, nonce: 'other' } }), {}, 'w3cJwtVpProof'],
        [await sign({ header, payload: { ...payload, more: 1 } }), {}, 'w3cJwtVpProof'],
        [await sign({ header, payload: { ...payload, jti: 'other' } }), {}, 'w3cJwtVpProof'],
        [await sign({ header: { ...header, typ: 'other' }, payload }), {}, 'w3cJwtVpProof'],
        [await sign({ header, payload }, await stranger()), {}, 'w3cJwtVpProof'],
        [`${right.split('.').slice(0, 2).join('.')}.`, {}, 'w3cJwtVpProof'],
        [right, { did: holder.did }, 'did'],
        [right, { presentationRequest: 'openid4vp://?a=b' }, 'presentationRequest'],
        [right, { selectedCredentialIdList: ['other'] }, 'selectedCredentialIdList'],
        [right, { presentationSubmission: {} }, 'presentationSubmission'],
      ] as const) {
        const answer = await submit(body, signed, more);
        expect([answer.status, paths(answer.body)], path).to.deep.equal([400, [`/body/${path}`]]);
      }
      expect((await submit(body, 'nonsense')).status).to.equal(400);
      expect(verifier.received).to.deep.equal([]);
      const twice = await Promise.all([submit(body, right), submit(body, right)]);
      expect(twice.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
      expect(verifier.received).to.have.length(1);
    });

    it('400: what was prepared ends after ten minutes, and belongs to its wallet', async () => {
      const { body } = await prepare();
      const signed = await sign(body.w3CJwtVpProofParameters);
      const other = await newWalletUser(server);
      const { w3CJwtVpProofParameters: _, ...members } = body;
      const json = { ...members, w3cJwtVpProof: signed };
      expect((await other.call('submitExternalPresentation', { json })).status).to.equal(400);
      server.clock.advance(10 * 60_000 + 1);
      expect((await submit(body, signed)).status).to.equal(400);
    });

    it('400: refuses to prepare what was not asked for, DCQL, and a DID or credential that the wallet does not have', async () => {
      const dcql = { credentials: [{ id: 'd', format: 'jwt_vc_json', meta: {} }] };
      const { presentation_definition_uri: __, ...params } = Object.fromEntries(new URL(verifier.byUri()).searchParams);
      const query = new URLSearchParams({ ...params, dcql_query: JSON.stringify(dcql) });
      expect((await prepare(`openid4vp://?${query}`)).status).to.equal(400);
      verifier.behaviour.definition = definitionOf('Licence');
      expect((await prepare()).status).to.equal(400);
      verifier.behaviour.definition = definitionOf('Degree');
      for (const more of [{ did: 'did:key:other' }, { selectedCredentialIdList: ['other'] }]) {
        const json = { did, presentationRequest: verifier.byUri(), selectedCredentialIdList: [credential], ...more };
        expect((await holder.call('prepareExternalPresentation', { json })).status).to.equal(400);
      }
    });

    it('502, 504: the verifier fails or does not answer', async () => {
      const answers = [];
      for (const reply of [{ status: 500 }, undefined]) {
        verifier.peer.routes['/pd'] = () => ({ body: definitionOf('Degree') });
        const { body } = await prepare();
        verifier.peer.routes['/verify'] = () => reply;
        verifier.peer.routes['/pd'] = () => reply;
        const signed = await sign(body.w3CJwtVpProofParameters);
        const [first, second] = await Promise.all([prepare(), submit(body, signed)]);
        answers.push(first.status, second.status);
      }
      expect(answers).to.deep.equal([502, 502, 504, 504]);
    });
  });

  describe('prepareExternalOffer, submitExternalOffer', () => {
    interface PreparedProof {
      offeredCredential: Json;
      proofOfPossessionParameters: Unsigned;
    }
    const prepare = (offerURL: string, more: Json = {}) =>
      holder.call('prepareExternalOffer', { json: { did, offerURL, ...more } });
    const submit = async (
      {
        offeredCredentialsProofRequests: proofs,
        ...prepared
      }: Json & { offeredCredentialsProofRequests: PreparedProof[] },
      more: Json = {},
      change: (token: Unsigned) => Promise<string> = (token) => sign(token),
    ) => {
      const signed = proofs.map(async ({ offeredCredential, proofOfPossessionParameters: token }) => {
        return { offeredCredential, proofType: 'jwt', signedProofOfPossession: await change(token) };
      });
      const offeredCredentialProofsOfPossession = await Promise.all(signed);
      return holder.call('submitExternalOffer', {
        json: { ...prepared, offeredCredentialProofsOfPossession, ...more },
      });
    };

    it('200: the credentials are in the wallet, and the access token of the issuer was never shown', async () => {
      issuer.behaviour.nonces = 'endpoint';
      const { status, body } = await prepare(issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']));
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.include({ did, credentialIssuer: issuer.issuer });
      expect(JSON.stringify(body)).not.to.include('the-token');
      expect(body.offeredCredentialsProofRequests).to.have.length(2);
      const answer = await submit(body, { requireUserInput: true });
      issuer.behaviour.nonces = 'token';
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(answer.body.map(({ pending }: Json) => pending)).to.deep.equal([true, true]);
      const subjects = answer.body.map(
        (one: { parsedDocument: { credentialSubject: Json } }) => one.parsedDocument.credentialSubject.id,
      );
      expect(subjects).to.deep.equal([did, did]);
    });

    it('200: after a failure of the second request the same call goes on, and the first is not asked for again', async () => {
      issuer.behaviour.nonces = 'endpoint';
      const { body } = await prepare(issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']));
      const deliver = issuer.peer.routes['/issuer/credential'];
      const asked: string[] = [];
      issuer.peer.routes['/issuer/credential'] = (request) => {
        asked.push(JSON.parse(request.body).credential_configuration_id);
        return asked.length === 2 ? { status: 500 } : deliver?.(request);
      };
      const failed = await submit(body);
      expect([failed.status, failed.body.resumable]).to.deep.equal([502, true]);
      const { status, body: received } = await submit(body);
      issuer.behaviour.nonces = 'token';
      if (deliver) issuer.peer.routes['/issuer/credential'] = deliver;
      expect([status, received.length]).to.deep.equal([200, 2]);
      expect(asked).to.deep.equal(['Degree_jwt_vc_json', 'Passport_jwt_vc_json', 'Passport_jwt_vc_json']);
    });

    it('a process that ends at any call of the store loses no credential that the issuer gave', async () => {
      issuer.behaviour.nonces = 'endpoint';
      const held = async (): Promise<Json[]> => (await holder.call('listWalletCredentials')).body;
      for (let call = 1, isDone = false; !isDone; call += 3) {
        const link = `${issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json'])}&round=${call}`;
        const before = (await held()).length;
        const { body } = await prepare(link);
        const tokens = issuer.peer.count('/issuer/token');
        Object.assign(faults, { failIn: call, isDeadly: true });
        await submit(body);
        isDone = faults.failIn > 0;
        faults.end();
        server.clock.advance(LEASE_MS);
        const again = isDone ? { status: 200, body } : await submit(body);
        // A proof whose nonce the issuer has seen is made anew, without another code.
        if (again.status === 400 && again.body.upstreamError === 'invalid_nonce') {
          const { body: rest } = await prepare(link);
          expect((await submit(rest)).status, `at call ${call}`).to.equal(200);
        }
        expect((await held()).length - before, `at call ${call}`).to.equal(2);
        expect(issuer.peer.count('/issuer/token'), `at call ${call}`).to.equal(tokens);
        expect(call).to.be.below(100);
      }
      issuer.behaviour.nonces = 'token';
    });

    it('400, 503: an offer goes on for the DID that it was prepared for, and for one request at a time', async () => {
      issuer.behaviour.nonces = 'endpoint';
      const deliver = issuer.peer.routes['/issuer/credential'];
      const { body } = await prepare(`${issuer.link()}&state=1`);
      const statuses: number[] = [];
      issuer.peer.routes['/issuer/credential'] = async () => {
        statuses.push((await submit(body)).status, (await prepare(`${issuer.link()}&state=1`)).status);
        return { status: 500 };
      };
      expect((await submit(body)).status).to.equal(502);
      expect(statuses).to.deep.equal([503, 503]);
      const other = await prepare(`${issuer.link()}&state=1`, { did: holder.did });
      expect([other.status, paths(other.body)]).to.deep.equal([400, ['/body/did']]);
      issuer.peer.routes['/issuer/credential'] = deliver ?? (() => undefined);
      expect((await submit((await prepare(`${issuer.link()}&state=1`)).body)).status).to.equal(200);
      issuer.behaviour.nonces = 'token';
    });

    it('200: an offer of our own issuer', async () => {
      const json = degree(await onboard(server, { key: { keyType: 'secp256r1' } }));
      const { body: offer } = await server.call('issueJwtCredential', { json });
      const { status, body } = await prepare(offer);
      expect(status, JSON.stringify(body)).to.equal(200);
      const [request] = body.offeredCredentialsProofRequests;
      const { format, credential_definition } = request.offeredCredential;
      const proof = { ...request, offeredCredential: { format, credential_definition } };
      const answer = await submit({ ...body, offeredCredentialsProofRequests: [proof] });
      expect([answer.status, answer.body.length, answer.body[0].pending]).to.deep.equal([200, 1, false]);
      const asked = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }] };
      const text: string = (await server.call('startVerification', { json: asked })).body;
      expect((await holder.call('matchRequestedCredentials', { text })).body).to.deep.equal(answer.body);
    });

    it('200: with a transaction code, and to the default DID', async () => {
      issuer.behaviour.txCode = '4711';
      const link = issuer.link();
      expect(paths((await prepare(link)).body)).to.deep.equal(['/body/pinOrTxCode']);
      const { body } = await holder.call('prepareExternalOffer', { json: { offerURL: link, pinOrTxCode: '4711' } });
      issuer.behaviour.txCode = undefined;
      expect(body.did).to.equal(holder.did);
    });

    it('400: requests nothing with changed or foreign proofs, and nothing twice', async () => {
      const { body } = await prepare(issuer.link());
      const asked = issuer.peer.count('/issuer/credential');
      const strangers = await stranger();
      for (const [more, change, path] of [
        [
          {},
          (token: Unsigned) => sign({ ...token, payload: { ...token.payload, nonce: 'x' } }),
          'offeredCredentialProofsOfPossession/0',
        ],
        [{}, (token: Unsigned) => sign(token, strangers), 'offeredCredentialProofsOfPossession/0'],
        [{ did: holder.did }, sign, 'did'],
        [{ offerURL: 'openid-credential-offer://?a=b' }, sign, 'offerURL'],
        [{ credentialIssuer: 'https://other.example' }, sign, 'credentialIssuer'],
        [{ accessToken: 'other' }, sign, 'accessToken'],
      ] as const) {
        const answer = await submit(body, more, (token) => change(token));
        expect([answer.status, paths(answer.body)], path).to.deep.equal([400, [`/body/${path}`]]);
      }
      const proofs = [...body.offeredCredentialsProofRequests, ...body.offeredCredentialsProofRequests];
      expect((await submit({ ...body, offeredCredentialsProofRequests: proofs })).status).to.equal(400);
      expect(issuer.peer.count('/issuer/credential')).to.equal(asked);
      expect((await submit(body)).status).to.equal(200);
      expect((await submit(body)).status).to.equal(400);
    });

    it('502, 504: the issuer fails or does not answer', async () => {
      const answers = [];
      const { '/issuer/token': token, '/issuer/credential': deliver } = issuer.peer.routes;
      for (const [round, reply] of [{ status: 500 }, undefined].entries()) {
        const { body } = await prepare(`${issuer.link()}&round=${round}`);
        issuer.peer.routes['/issuer/token'] = () => reply;
        issuer.peer.routes['/issuer/credential'] = () => reply;
        const [first, second] = await Promise.all([prepare(issuer.link()), submit(body)]);
        answers.push(first.status, second.status);
        Object.assign(issuer.peer.routes, { '/issuer/token': token, '/issuer/credential': deliver });
      }
      expect(answers).to.deep.equal([502, 502, 504, 504]);
    });
  });
});

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type CryptoKey, calculateJwkThumbprint, compactDecrypt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { readDcqlQuery } from '../../../domain/presentation/dcql/query.ts';
import { inOrder } from '../../../domain/verifier/verification/evaluation.ts';
import type { Handover } from '../../../ports/credential-formats.ts';
import { CARD_SETTINGS, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import type { WalletUser } from '../../actors/wallet-user.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { iaca, MDL } from '../../support/credentials/mdoc-issuer.ts';
import { testVerification } from '../../support/credentials/verification.ts';
import { useServer } from '../../support/servers/server.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

type Json = Record<string, unknown>;

const NONCE = 'n-0S6_WzA2Mj';

describe('presentCredentials: credentials of our issuer in every format', () => {
  const transactionDataProfiles = [{ type: 'payment', displayName: 'Payment', fields: ['amount'] }];
  const settings = { trustedIssuers: { certificates: [iaca.pem] }, wallet: { transactionDataProfiles } };
  const server = useServer({ settings: { ...CARD_SETTINGS, ...settings } });
  let holder: WalletUser;
  let ids: Record<string, string>;

  before(async () => {
    ({ holder, ids } = await holderOfAll(server));
  });

  const present = (presentationRequest: string, formats: string[], more: Json = {}) => {
    const selectedCredentials = formats.map((format) => ids[format]);
    return holder.call('presentCredentials', { json: { presentationRequest, selectedCredentials, ...more } });
  };

  describe('to our verifier, for a definition', () => {
    const fields: Record<string, Json[]> = {
      jwt_vc_json: [{ path: ['$.vc.type'] }, { path: ['$.vc.credentialSubject.degree'] }],
      'vc+sd-jwt': [{ path: ['$.vct'] }, { path: ['$.address.street'] }],
      'dc+sd-jwt': [{ path: ['$.vct'], filter: { const: 'urn:card:1' } }],
      mso_mdoc: [{ path: [`$['${MDL.namespace}']['age_over_18']`], intent_to_retain: false }],
    };
    const descriptor = (format: string, id = format === 'mso_mdoc' ? MDL.docType : `a ${format}`): Json => ({
      id,
      format: { [format]: {} },
      constraints: { limit_disclosure: 'required', fields: fields[format] },
    });
    const policies = { vp_policies: ['signature', 'presentation-definition'], vc_policies: ['signature'] };

    async function ask(formats: string[], responseMode: string): Promise<string> {
      const json = {
        ...policies,
        trusted_root_cas: [iaca.pem],
        request_credentials: formats.slice(0, 1).map((format) => ({ format, input_descriptor: descriptor(format) })),
        ...(formats.length > 1 && {
          presentation_definition: { input_descriptors: formats.map((format) => descriptor(format)) },
        }),
      };
      const { status, body } = await server.call('startVerification', { json, headers: { responseMode } });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    }

    async function outcome(link: string) {
      const state = new URL(link).searchParams.get('state') ?? '';
      return (await server.call('getVerificationResult', { path: { state } })).body;
    }

    const modes = ['direct_post', 'direct_post.jwt'];
    const cases = [['jwt_vc_json'], ['vc+sd-jwt'], ['dc+sd-jwt'], ['jwt_vc_json', 'vc+sd-jwt', 'dc+sd-jwt']];
    for (const mode of modes)
      for (const formats of cases)
        it(`200: ${formats.join(', ')} by ${mode}`, async () => {
          const link = await ask(formats, mode);
          const { status, body } = await present(link, formats);
          expect(status, JSON.stringify(body)).to.equal(200);
          const { verificationResult, policyResults, tokenResponse } = await outcome(link);
          expect(verificationResult, JSON.stringify(policyResults)).to.equal(true);
          expect(policyResults.results).to.have.length(2 * formats.length);
          const entries = tokenResponse.presentation_submission.descriptor_map;
          expect(entries.map(({ path }: { path: string }) => path)).to.deep.equal(
            formats.length === 1 ? ['$'] : formats.map((_, place) => `$[${place}]`),
          );
        });

    it('200: mso_mdoc, alone and beside the others, by direct_post.jwt', async () => {
      for (const formats of [['mso_mdoc'], ['jwt_vc_json', 'vc+sd-jwt', 'mso_mdoc']]) {
        const link = await ask(formats, 'direct_post.jwt');
        const { status, body } = await present(link, formats);
        expect(status, JSON.stringify(body)).to.equal(200);
        const { verificationResult, policyResults } = await outcome(link);
        expect(verificationResult, JSON.stringify(policyResults)).to.equal(true);
      }
    });

    it('200: of an SD-JWT VC only the claims of the definition are shown', async () => {
      const link = await ask(['vc+sd-jwt'], 'direct_post');
      await present(link, ['vc+sd-jwt']);
      const { vp_token: token } = (await outcome(link)).tokenResponse;
      const shown = token
        .split('~')
        .slice(1, -1)
        .map((one: string) => JSON.parse(Buffer.from(one, 'base64url').toString()));
      expect(shown.map(([, name]: string[]) => name)).to.deep.equal(['street']);
    });
  });

  describe('to our verifier of OpenID4VP 1.0', () => {
    const queries: Record<string, Json> = {
      jwt_vc_json: { meta: { type_values: [['VerifiableCredential', 'UniversityDegree']] } },
      'dc+sd-jwt': { meta: { vct_values: ['urn:card:1'] }, claims: [{ path: ['address', 'street'] }] },
      mso_mdoc: { meta: { doctype_value: MDL.docType }, claims: [{ path: [MDL.namespace, 'age_over_18'] }] },
    };
    const cases = [
      ...Object.keys(queries).map((format) => [format]),
      ['jwt_vc_json', 'dc+sd-jwt'],
      Object.keys(queries),
    ];
    for (const encrypted_response of [false, true])
      for (const formats of cases)
        it(`200: ${formats.join(', ')}${encrypted_response ? ', encrypted' : ''}`, async () => {
          const credentials = formats.map((format, place) => ({ id: `q${place}`, format, ...queries[format] }));
          const json = { flow_type: 'cross_device', core_flow: { dcql_query: { credentials }, encrypted_response } };
          const created = await server.call('createVerificationSession', { json });
          expect(created.status, JSON.stringify(created.body)).to.equal(200);
          const { sessionId, bootstrapAuthorizationRequestUrl: link } = created.body;
          const { status, body } = await present(link, formats);
          expect(status, JSON.stringify(body)).to.equal(200);
          const session = await server.call('getVerificationSession', { path: { sessionId } });
          expect(session.body.status, JSON.stringify(session.body)).to.equal('SUCCESSFUL');
        });
  });

  it('200: to our verifier of OpenID4VP 1.0, whose signed request the wallet fetches', async () => {
    const { key, x5c, hash: clientId } = await certifiedKey();
    const query = { id: 'q', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card:1'] } };
    for (const encrypted_response of [false, true]) {
      const core_flow = {
        dcql_query: { credentials: [query] },
        encrypted_response,
        signed_request: true,
        key,
        x5c,
        clientId,
      };
      const { body: created } = await server.call('createVerificationSession', {
        json: { flow_type: 'cross_device', core_flow },
      });
      const { status, body } = await present(created.bootstrapAuthorizationRequestUrl, ['dc+sd-jwt']);
      expect(status, JSON.stringify(body)).to.equal(200);
      const { sessionId } = created;
      const session = await server.call('getVerificationSession', { path: { sessionId } });
      expect(session.body.status, JSON.stringify(session.body)).to.equal('SUCCESSFUL');
    }
  });

  describe('for a DCQL query', () => {
    const peer = new HttpPeer();
    let privateKey: CryptoKey;
    let jwk: Json;
    const received: Json[] = [];
    before(async () => {
      const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
      privateKey = pair.privateKey;
      jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ECDH-ES', use: 'enc' };
      await peer.listen();
      peer.routes['/verify'] = async ({ body }) => {
        const form = Object.fromEntries(new URLSearchParams(body));
        const { response } = form;
        const plain = response && (await compactDecrypt(response, privateKey));
        received.push(
          plain
            ? JSON.parse(new TextDecoder().decode(plain.plaintext))
            : { ...form, vp_token: form.vp_token && JSON.parse(form.vp_token) },
        );
        return {};
      };
    });
    after(() => peer.close());

    const address = () => `${peer.url}/verify`;
    const asked = (format: string, more: Json = {}): Json => {
      const byFormat: Record<string, Json> = {
        jwt_vc_json: {
          meta: { type_values: [['VerifiableCredential', 'UniversityDegree']] },
          claims: [{ path: ['credentialSubject', 'degree', 'name'] }],
        },
        'vc+sd-jwt': { meta: {}, claims: [{ path: ['given_name'], values: ['Ada'] }] },
        'dc+sd-jwt': { meta: { vct_values: ['urn:card:1'] }, claims: [{ path: ['address', 'street'] }] },
        mso_mdoc: {
          meta: { doctype_value: MDL.docType },
          claims: [{ path: [MDL.namespace, 'age_over_18'], values: [true] }],
        },
      };
      return { id: format.replace(/\W/, '_'), format, ...byFormat[format], ...more };
    };

    function request(credentials: Json[], { isEncrypted = false, transactions = [] as string[] } = {}): string {
      const metadata = { jwks: { keys: [jwk] }, encrypted_response_enc_values_supported: ['A256GCM'] };
      return `openid4vp://?${new URLSearchParams({
        ...{ response_type: 'vp_token', nonce: NONCE, state: 's', dcql_query: JSON.stringify({ credentials }) },
        ...{ client_id: `redirect_uri:${address()}`, response_uri: address() },
        response_mode: isEncrypted ? 'direct_post.jwt' : 'direct_post',
        ...(isEncrypted && { client_metadata: JSON.stringify(metadata) }),
        ...(transactions.length > 0 && { transaction_data: JSON.stringify(transactions) }),
      })}`;
    }

    /** Verifies what was received last, as a verifier of OpenID4VP 1.0 does. */
    async function verified(credentials: Json[], { isEncrypted = false, transactions = [] as string[] } = {}) {
      const verification = testVerification(testFormats);
      const audience = `redirect_uri:${address()}`;
      const encryptionKey = Buffer.from(await calculateJwkThumbprint(jwk as never), 'base64url');
      const handover: Handover = {
        ...{ kind: 'redirect', clientId: audience, responseUri: address(), nonce: NONCE },
        ...(isEncrypted && { encryptionKey }),
      };
      const task = {
        query: { language: 'dcql', query: readDcqlQuery({ credentials }, testFormats) } as const,
        ...{ nonce: NONCE, audience, vpPolicies: [], vcPolicies: [{ policy: 'signature' }], ownPolicies: [] },
        ...(transactions.length > 0 && { transactionData: transactions }),
      };
      const vpToken = JSON.stringify(received.at(-1)?.vp_token);
      const submission = await verification.read(task, { vpToken, handover });
      const results = inOrder(await verification.evaluatePolicies(task, submission, Date.now()));
      const failures = results.flatMap(({ policies }) => policies.filter(({ is_success }) => !is_success));
      return { submission, failures };
    }

    const formats = ['jwt_vc_json', 'vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc'];
    for (const isEncrypted of [false, true])
      it(`200: all formats in one ${isEncrypted ? 'encrypted ' : ''}response, each with the claims that are asked for`, async () => {
        const credentials = formats.map((format) => asked(format));
        const { status, body } = await present(request(credentials, { isEncrypted }), formats);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(received.at(-1)?.state).to.equal('s');
        const { submission, failures } = await verified(credentials, { isEncrypted });
        expect(failures).to.deep.equal([]);
        const [w3c, older, newer, mdoc] = submission.credentials;
        expect(w3c?.withholdable).to.deep.equal([['vc', 'credentialSubject', 'degree']]);
        expect(older?.withholdable).to.deep.equal([['given_name']]);
        expect(newer?.withholdable).to.deep.equal([['address', 'street']]);
        expect(mdoc?.claims).to.deep.equal({ [MDL.namespace]: { age_over_18: true } });
      });

    it('200: nothing that can be withheld is shown where no claims are asked for', async () => {
      const credentials = ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'].map((format) => {
        const { claims: _none, ...query } = asked(format);
        return query;
      });
      expect((await present(request(credentials), ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'])).status).to.equal(200);
      const { submission, failures } = await verified(credentials);
      expect(failures).to.deep.equal([]);
      expect(submission.credentials.map(({ withholdable }) => withholdable)).to.deep.equal([[], [], []]);
    });

    it('200: the first claim set that is complete decides what is shown', async () => {
      const claims = [
        { id: 'a', path: ['family_name'] },
        { id: 'b', path: ['address', 'street'] },
        { id: 'c', path: ['given_name'] },
      ];
      const credentials = [asked('dc+sd-jwt', { claims, claim_sets: [['a'], ['b'], ['c']] })];
      await present(request(credentials), ['dc+sd-jwt']);
      const { submission, failures } = await verified(credentials);
      expect(failures).to.deep.equal([]);
      expect(submission.credentials[0]?.withholdable).to.deep.equal([['address', 'street']]);
    });

    it('200: a credential stands alone where no holder is to be proven', async () => {
      const credentials = ['jwt_vc_json', 'dc+sd-jwt'].map((format) =>
        asked(format, { require_cryptographic_holder_binding: false }),
      );
      await present(request(credentials), ['jwt_vc_json', 'dc+sd-jwt']);
      const { submission, failures } = await verified(credentials);
      expect(failures).to.deep.equal([]);
      expect(submission.presentations.map(({ parsed }) => parsed.binding.kind)).to.deep.equal(['none', 'none']);
      expect(submission.credentials[1]?.withholdable).to.deep.equal([['address', 'street']]);
    });

    it('200: the holder signs the transactions; 400: where no selected credential can', async () => {
      const transaction = (ids: string[], more: Json = {}) =>
        Buffer.from(JSON.stringify({ type: 'payment', credential_ids: ids, amount: '10 EUR', ...more })).toString(
          'base64url',
        );
      const transactions = [
        transaction(['dc_sd-jwt'], { transaction_data_hashes_alg: ['sha-512', 'sha-256'] }),
        transaction(['jwt_vc_json', 'dc_sd-jwt'], { amount: '20 EUR' }),
      ];
      const credentials = [asked('dc+sd-jwt', { id: 'dc_sd-jwt' }), asked('jwt_vc_json')];
      const { status, body } = await present(request(credentials, { transactions }), ['dc+sd-jwt', 'jwt_vc_json']);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect((await verified(credentials, { transactions })).failures).to.deep.equal([]);
      const refused = await present(request(credentials, { transactions: [transaction(['jwt_vc_json'])] }), [
        'dc+sd-jwt',
        'jwt_vc_json',
      ]);
      expect([refused.status, refused.body.message]).to.deep.equal([
        400,
        'None of the selected credentials can authorize the transaction payment',
      ]);
    });

    it('400: a transaction of a kind without a profile, or with other members, is refused, and the verifier learns why', async () => {
      const before = received.length;
      const contents = [
        { type: 'loan', amount: '1 EUR' },
        { type: 'payment' },
        { type: 'payment', amount: '1 EUR', tip: '1 EUR' },
      ];
      for (const content of contents) {
        const transaction = { ...content, credential_ids: ['dc_sd-jwt'] };
        const transactions = [Buffer.from(JSON.stringify(transaction)).toString('base64url')];
        const text = request([asked('dc+sd-jwt')], { transactions });
        const { status, body } = await present(text, ['dc+sd-jwt']);
        expect([status, body.message]).to.match(/^400,.*transaction_data/);
        expect(received.at(-1)).to.deep.equal({ error: 'invalid_transaction_data', state: 's', vp_token: undefined });
        expect((await holder.call('describePresentationRequest', { text })).status).to.equal(400);
      }
      expect(received).to.have.length(before + contents.length);
    });

    it('200: a request behind its link that is not signed, as JSON and as a request object without a signature', async () => {
      const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const plain = Object.fromEntries(new URL(request([asked('dc+sd-jwt')])).searchParams);
      const parameters = { ...plain, dcql_query: JSON.parse(plain.dcql_query ?? '') };
      const link = (client_id: string) =>
        `openid4vp://?${new URLSearchParams({ client_id, request_uri: `${peer.url}/request` })}`;
      const clientId = `redirect_uri:${address()}`;
      const bodies = [parameters, `${part({ alg: 'none', typ: 'oauth-authz-req+jwt' })}.${part(parameters)}.`];
      for (const body of bodies) {
        peer.routes['/request'] = () => ({ body });
        const answer = await present(link(clientId), ['dc+sd-jwt']);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        expect((await verified([asked('dc+sd-jwt')])).failures).to.deep.equal([]);
        expect(peer.seen.at(-2)?.headers.accept).to.match(/^application\/oauth-authz-req\+jwt/);
        expect((await present(link('redirect_uri:https://other.example'), ['dc+sd-jwt'])).status).to.equal(400);
      }
      const named = { ...parameters, client_id: 'x509_san_dns:shop.example' };
      const unsigned = `${part({ alg: 'none', typ: 'oauth-authz-req+jwt' })}.${part(named)}.`;
      for (const body of ['[]', '{"a":', '{"a":1,"a":2}', { ...parameters, client_id: 'verifier_attestation:shop' }]) {
        peer.routes['/request'] = () => ({ body });
        expect((await present(link(clientId), ['dc+sd-jwt'])).status, JSON.stringify(body)).to.equal(400);
      }
      peer.routes['/request'] = () => ({ body: unsigned });
      expect((await present(link(named.client_id), ['dc+sd-jwt'])).status).to.equal(400);
    });

    it('400: a signed request of this version is of the type of request objects', async () => {
      const { der, keys } = makeCertificate({ subject: 'CN=Shop', keys: testKeys('P-256', 7) });
      const client_id = `x509_hash:${createHash('sha256').update(der).digest('base64url')}`;
      const claims = { client_id, response_uri: address(), dcql_query: { credentials: [asked('dc+sd-jwt')] } };
      for (const typ of ['JWT', undefined]) {
        const x5c = [Buffer.from(der).toString('base64')];
        const object = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ, x5c }).sign(keys.privateKey);
        const text = `openid4vp://?${new URLSearchParams({ client_id, request: object })}`;
        const { status, body } = await holder.call('describePresentationRequest', { text });
        expect([status, body.message]).to.match(/^400,.*not of the type oauth-authz-req/);
      }
    });

    it('describePresentationRequest 200: what would be shown, and the transactions', async () => {
      const content = { type: 'payment', credential_ids: ['dc_sd-jwt'], amount: '10 EUR' };
      const transactions = [Buffer.from(JSON.stringify(content)).toString('base64url')];
      const text = request([asked('dc+sd-jwt', { id: 'dc_sd-jwt' })], { transactions });
      const { status, body } = await holder.call('describePresentationRequest', { text });
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.transactions).to.deep.equal([{ type: 'payment', queryIds: ['dc_sd-jwt'], content }]);
      const [{ disclosed, withheld, isWhole }] = body.queries[0].credentials;
      expect(isWhole).to.equal(false);
      expect(disclosed).to.deep.include({ path: ['address', 'street'], value: 'St. James’s Square' });
      expect(withheld).to.deep.equal([{ path: ['given_name'], value: 'Ada' }]);
    });

    it('describePresentationRequest 200: the certificate that signed the request is proven', async () => {
      const { der, keys } = makeCertificate({
        subject: 'CN=Shop',
        issuerName: 'CN=Authority',
        keys: testKeys('P-256', 7),
      });
      const client_id = `x509_hash:${createHash('sha256').update(der).digest('base64url')}`;
      const object = await new SignJWT({
        ...{ client_id, response_uri: address(), response_mode: 'direct_post', nonce: NONCE },
        dcql_query: { credentials: [asked('dc+sd-jwt')] },
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: [Buffer.from(der).toString('base64')] })
        .sign(keys.privateKey);
      const text = `openid4vp://?${new URLSearchParams({ client_id, request: object })}`;
      const { status, body } = await holder.call('describePresentationRequest', { text });
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.proof).to.deep.equal({ kind: 'certificate', name: 'shop', issuer: 'authority', isTrusted: false });
    });

    it('400: a request for an encrypted response without a usable key is refused, and nothing is sent', async () => {
      const before = received.length;
      const link = new URL(request([asked('dc+sd-jwt')], { isEncrypted: true }));
      for (const metadata of ['{}', '[]', JSON.stringify({ jwks: { keys: [{ ...jwk, alg: 'RSA-OAEP' }] } })]) {
        link.searchParams.set('client_metadata', metadata);
        expect((await present(link.toString(), ['dc+sd-jwt'])).status, metadata).to.equal(400);
      }
      expect(received).to.have.length(before);
    });
  });
});

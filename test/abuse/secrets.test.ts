import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { CLOUDS, type DemoCloud } from '../../demo/kms/clouds.ts';
import { byCertificate } from '../actors/accounts.ts';
import { HttpPeer } from '../actors/http-peer.ts';
import { degree, type Issuer, makeOffer } from '../actors/issuance.ts';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import { accountRequest, registration } from '../actors/tenant.ts';
import {
  credentialRequest,
  GRANT,
  makeHolderKey,
  proofOf,
  readRequest,
  redeem,
  requestCredential,
} from '../actors/wallet.ts';
import { testKeys } from '../support/certificates.ts';
import { changed, foreign, membersOf } from '../support/kms/cloud-configs.ts';
import { PLANTED } from '../support/secret-fields.ts';
import { canary, PLACES, type Place } from '../support/secret-places.ts';
import { SecretSweep } from '../support/secret-sweep.ts';
import { type Answer, type Call, startServer, type TestServer } from '../support/server.ts';
import { certifiedKey } from '../support/verifier-chains.ts';
import { until } from '../support/waiting.ts';

type Json = Record<string, unknown>;

for (const [name, openPlace] of Object.entries(PLACES))
  describe(`Secrets with ${name}`, function () {
    this.timeout(60_000);
    const sweep = new SecretSweep();
    const peer = new HttpPeer();
    const clouds: Record<string, DemoCloud> = {};
    const token = canary();
    const superadminPassword = canary();
    const root = `root-${randomUUID()}@example.org`;
    let place: Place;
    let opened: TestServer;
    let server: TestServer;
    before(async () => {
      await peer.listen();
      peer.routes['/events'] = () => ({ status: 204 });
      for (const [cloud, start] of Object.entries(CLOUDS)) clouds[cloud] = await start();
      place = await openPlace(sweep);
      const entry = registration(root);
      entry.account.data.password = sweep.plant('superadmin password', superadminPassword);
      sweep.plant('superadmin token', token);
      const masterKeys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('hex'));
      sweep.plant('master key', masterKeys[0] ?? '');
      sweep.plant('old master key', masterKeys[1] ?? '');
      const kms = Object.assign({}, ...Object.values(clouds).map(({ settings }) => settings));
      const outbound = { callbacks: { signingSecrets: [sweep.plant('callback secret', canary())] } };
      const settings = { masterKeys, kms, outbound, superadminRegistration: { tokens: { [token]: entry } } };
      opened = await startServer({
        ...place.options,
        settings: { ...settings, ...place.options.settings },
      });
      server = sweep.watch(opened);
    });
    after(async () => {
      await opened.close();
      await place.close();
      await peer.close();
      for (const cloud of Object.values(clouds)) await cloud.close();
    });

    const call = async (operationId: string, status: number | number[], request: Call = {}): Promise<Answer> => {
      const answer = await server.call(operationId, request);
      expect([status].flat(), `${operationId}: ${JSON.stringify(answer.body)}`).to.include(answer.status);
      return answer;
    };
    const plantCloud = (cloud: string, { config }: DemoCloud['key']): void => {
      for (const [member, value] of Object.entries(membersOf(config as Json)))
        if (/secret|pem/i.test(member)) sweep.plant(`${cloud} ${member}`, value, ['onboardIssuer']);
    };
    let wallet: { id: string; token: string };
    let enterprise: string;
    let credentialId: string;
    const issuers: Issuer[] = [];

    it('of wallet accounts: passwords, certificate tokens, bearer tokens and cookies', async () => {
      const password = sweep.plant('wallet password', canary());
      const account = { type: 'email', email: `${randomUUID()}@example.org`, password, name: 'Ada' };
      await call('registerAccount', 201, { json: account });
      await call('registerAccount', 409, { json: account });
      await call('registerAccount', [400, 409], { json: { ...account, [password]: 1 } });
      await call('registerAccount', 400, { text: `{"password": "${password}"`, contentType: 'application/json' });
      await call('registerAccount', [400, 415], { text: password });
      await call('loginAccount', 401, { json: { ...account, password: `${password}x` } });
      await call('loginAccount', 400, { json: { ...account, type: password } });
      const { body } = await call('loginAccount', 200, { json: account });
      const bearer = sweep.plant('wallet token', body.token, ['loginAccount', 'getLoginSession']);
      await call('getLoginSession', 200, { token: bearer });
      await call('getUserInfo', 200, { cookie: `login=${bearer}` });
      await call('getUserInfo', 401, { token: `x${bearer}` });
      const { body: list } = await call('listAccountWallets', 200, { token: bearer });
      wallet = { id: list.wallets[0].id, token: bearer };
      await call('listWalletKeys', 403, { token: bearer, path: { wallet: randomUUID() } });
      await call('listWalletKeys', 400, { token: bearer, path: { wallet: wallet.id }, query: { token: bearer } });
      const x5c = byCertificate(0);
      sweep.plant('certificate token', x5c.token);
      await call('registerWithCertificate', 201, { json: x5c });
      await call('registerWithCertificate', [400, 401, 409], { json: x5c });
      await call('loginWithCertificate', [400, 401], { json: { ...x5c, token: `${x5c.token}x` } });
      const { body: certified } = await call('loginWithCertificate', 200, { json: x5c });
      sweep.plant('wallet token', certified.token, ['loginWithCertificate']);
      await call('logoutAccount', 200, { token: certified.token });
      await call('getUserInfo', 401, { token: certified.token });
    });

    it('of wallet keys: imported private keys, and the credentials of a cloud', async () => {
      const at = { path: { wallet: wallet.id }, token: wallet.token };
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = privateKey.export({ format: 'jwk' });
      sweep.plant('imported key', jwk.d ?? '', ['exportWalletKey']);
      const { body: keyId } = await call('importWalletKey', 201, { ...at, text: JSON.stringify(jwk) });
      await call('importWalletKey', 409, { ...at, text: JSON.stringify(jwk) });
      await call('importWalletKey', 400, { ...at, text: JSON.stringify({ ...jwk, x: jwk.d }) });
      await call('importWalletKey', [400, 415], { ...at, text: `${JSON.stringify(jwk)}}` });
      const pem = testKeys('RSA', 44).privateKey.export({
        format: 'pem',
        type: 'pkcs8',
      });
      const text = sweep.plant('imported key', String(pem), []);
      await call('importWalletKey', 201, { ...at, text });
      await call('importWalletKey', 400, { ...at, text: text.replace('BEGIN PRIVATE', 'BEGIN RSA PRIVATE') });
      const of = { ...at, path: { ...at.path, keyId } };
      await call('exportWalletKey', 200, of);
      await call('exportWalletKey', 200, { ...of, query: { loadPrivateKey: 'true' } });
      await call('verifyWithWalletKey', [200, 400], { ...at, query: { JWK: JSON.stringify(jwk) }, text: 'e30.e30.AA' });
      for (const [cloud, { key }] of Object.entries(clouds)) {
        plantCloud(cloud, key);
        const { body: inCloud } = await call('generateWalletKey', 201, { ...at, json: key });
        await call('exportWalletKey', 400, {
          ...at,
          path: { ...at.path, keyId: inCloud },
          query: { loadPrivateKey: 'true' },
        });
        await call('generateWalletKey', 400, {
          ...at,
          json: { ...key, config: changed(key.config as Json, { unknown: 'x' }) },
        });
      }
      await call('listWalletKeys', 200, at);
      await call('listWalletEvents', 200, at);
    });

    it('of administrators: registration tokens, passwords, bearer tokens and settings of services', async () => {
      await call('createSuperadmin', [400, 401, 403, 404], { text: `${token}x` });
      await call('createSuperadmin', 200, { text: token });
      await call('createSuperadmin', [400, 401, 403, 404, 409], { text: token });
      const { body } = await call('loginEnterpriseAccount', 200, {
        json: { email: root, password: superadminPassword },
      });
      enterprise = sweep.plant('enterprise token', body.token, ['loginEnterpriseAccount']);
      const json = accountRequest(`${randomUUID()}@example.org`);
      json.initialAuth.data.password = sweep.plant('account password', canary());
      await call('registerEnterpriseAccount', 201, { json, token: enterprise });
      await call('registerEnterpriseAccount', 409, { json, token: enterprise });
      const org = { _id: 'acme', profile: { name: 'Acme' } };
      await call('createOrganization', 201, { json: org, token: enterprise });
      await call('createTenant', 201, { path: { target: 'acme.t1' }, json: {}, token: enterprise });
      const secret = sweep.plant('setting of a service', canary());
      const service = { type: 'wallet', api_key: secret, config: { auth: { clientSecret: secret }, list: [secret] } };
      const path = { target: 'acme.t1.wallet1' };
      await call('createService', 201, { path, json: service, token: enterprise });
      await call('createService', 409, { path, json: service, token: enterprise });
      await call('getResource', 200, { path, token: enterprise });
      await call('listResources', 200, { path: { target: 'acme.t1' }, token: enterprise });
      await call('getUserInfo', 401, { token: enterprise });
    });

    it('of issuers: private keys and the credentials of the three clouds, in requests that succeed and that fail', async () => {
      const { body } = await call('onboardIssuer', 200, { json: { key: { backend: 'jwk', keyType: 'secp256r1' } } });
      sweep.plant('jwk d', body.issuerKey.jwk.d, ['onboardIssuer']);
      issuers.push(body);
      for (const [cloud, { key }] of Object.entries(clouds)) {
        issuers.push((await call('onboardIssuer', 200, { json: { key } })).body);
        const change = (members: object) => ({ key: { ...key, config: changed(key.config as Json, members) } });
        await call('onboardIssuer', 400, { json: change({ unknown: 'x' }) });
        await call('onboardIssuer', 400, { json: { key: { ...key, keyType: 'Ed25519' } } });
        await call('onboardIssuer', [400, 502, 504], { json: change(foreign(cloud)) });
      }
      for (const issuer of issuers) {
        await call('issueJwtCredential', 400, { json: degree(issuer, { issuerDid: 'did:jwk:e30' }) });
        await call('issueJwtCredential', 400, { json: degree(issuer, { mapping: { id: '<unknown>' } }) });
        await call('issueJwtCredentialBatch', 400, { json: [degree(issuer), 7] });
      }
      const [own] = issuers;
      const twice = { ...own?.issuerKey, more: own?.issuerKey.jwk };
      await call('issueJwtCredential', 400, {
        json: degree({ issuerDid: own?.issuerDid ?? '', issuerKey: twice as never }),
      });
    });

    it('of issuance: codes, access tokens and transaction codes', async () => {
      const pin = sweep.plant('transaction code', canary());
      const code = sweep.plant('authorization code', canary());
      await call('requestOpenid4vciToken', 400, {
        form: { grant_type: 'authorization_code', code, code_verifier: code },
      });
      for (const issuer of issuers) {
        const offer = await makeOffer(server, degree(issuer), { headers: { statusCallbackUri: `${peer.url}/events` } });
        sweep.plant('pre-authorized code', offer.code, ['getCredentialOffer', 'callback']);
        await call('requestAccessToken', 400, {
          form: { grant_type: GRANT, 'pre-authorized_code': offer.code, tx_code: pin },
        });
        const { body } = await redeem(server, offer.code);
        const access = sweep.plant('access token', body.access_token, ['requestAccessToken']);
        await redeem(server, offer.code);
        const proof = proofOf(server, makeHolderKey(), { nonce: body.c_nonce });
        await requestCredential(server, `${access}x`, credentialRequest(proof));
        await requestCredential(server, access, { ...credentialRequest(proof), format: access });
        const { status } = await requestCredential(server, access, credentialRequest(proof));
        expect(status).to.equal(200);
      }
      const [issuer] = issuers as [Issuer];
      const { body: link } = await call('issueJwtCredential', 200, { json: degree(issuer) });
      const { body: offered } = await server.fetch(new URL(linked(link)).pathname + new URL(linked(link)).search);
      sweep.plant('pre-authorized code', offered.grants[GRANT]['pre-authorized_code'], ['resolveCredentialOffer']);
      const at = { path: { wallet: wallet.id }, token: wallet.token };
      await call('resolveCredentialOffer', 200, { ...at, text: link });
      await call('acceptCredentialOffer', [200, 400], { ...at, text: link, query: { pinOrTxCode: pin } });
      const { body: another } = await call('issueJwtCredential', 200, { json: degree(issuer) });
      const { body: accepted } = await call('acceptCredentialOffer', 200, { ...at, text: another });
      credentialId = accepted[0].id;
      await call('acceptCredentialOffer', 400, { ...at, text: another });
    });

    it('of status tokens: what revokes', async () => {
      const { body } = await call('createStatusToken', 201, {});
      const text = sweep.plant('base token', body.baseToken, ['createStatusToken']);
      await call('revokeCredential', 200, { text });
      await call('revokeCredential', 404, { text: text.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) });
      await call('getStatusToken', 200, { path: { id: body.token } });
    });

    it('of managed offers: keys, transaction codes and what webhooks are called with', async () => {
      const [issuer] = issuers as [Issuer];
      const webhook = {
        url: `${peer.url}/events`,
        bearerToken: sweep.plant('webhook token', canary()),
        signingSecret: sweep.plant('webhook secret', `secret-${canary()}`),
      };
      const txCodeValue = sweep.plant('transaction code of an offer', canary(), ['createCredentialOffer']);
      const json = {
        profileId: 'UniversityDegree_jwt_vc_json',
        authMethod: 'PRE_AUTHORIZED',
        txCode: { input_mode: 'text' },
        txCodeValue,
        runtimeOverrides: { ...issuer, notifications: { webhook } },
      };
      const { body } = await call('createCredentialOffer', 201, { json });
      await call('createCredentialOffer', 409, { json: { ...json, sessionId: body.offerId } });
      await call('createCredentialOffer', 400, { json: { ...json, authMethod: 'AUTHORIZED' } });
      await call('createCredentialOffer', 400, { json: { ...json, txCode: { length: 3 } } });
      await call('getIssuanceSession', 200, { path: { sessionId: body.offerId } });
      const uri = new URL(new URL(body.credentialOffer).searchParams.get('credential_offer_uri') ?? '');
      const { body: offer } = await call('getOpenid4vciOffer', 200, {
        query: { id: uri.searchParams.get('id') ?? '' },
      });
      const code = sweep.plant('pre-authorized code', offer.grants[GRANT]['pre-authorized_code'], [
        'getOpenid4vciOffer',
      ]);
      const form = { grant_type: GRANT, 'pre-authorized_code': code, tx_code: txCodeValue, client_id: 'wallet' };
      const { body: tokens } = await call('requestOpenid4vciToken', 200, { form });
      sweep.plant('access token', tokens.access_token, ['requestOpenid4vciToken']);
      const refresh = sweep.plant('refresh token', tokens.refresh_token, ['requestOpenid4vciToken']);
      const again = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'wallet' };
      await call('requestOpenid4vciToken', 400, { form: { ...again, refresh_token: `${refresh}x` } });
      await call('requestOpenid4vciToken', 200, { form: again });
      await call('requestOpenid4vciToken', 400, { form: again });
      for (const list of ['listIssuanceSessions', 'listIssuanceProfiles']) await call(list, 200);
      await until(() => peer.seen.some(({ headers }) => headers.authorization === `Bearer ${webhook.bearerToken}`));
    });

    it('of verification: callback keys', async () => {
      const key = sweep.plant('callback key', canary());
      const headers = { statusCallbackUri: `${peer.url}/events`, statusCallbackApiKey: key };
      const json = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }] };
      const { body } = await call('startVerification', 200, { json, headers });
      await call('startVerification', 400, {
        json,
        headers: { ...headers, statusCallbackApiKey: `${key}\t`.repeat(400) },
      });
      const { state } = readRequest(body);
      await call('submitPresentation', 400, {
        path: { state },
        form: { vp_token: 'x', state, presentation_submission: '{}' },
      });
      const at = { path: { wallet: wallet.id }, token: wallet.token };
      const { body: request } = await call('startVerification', 200, { json, headers });
      const presented = { presentationRequest: request, selectedCredentials: [credentialId] };
      await call('presentCredentials', 200, { ...at, json: presented });
      await call('presentCredentials', 400, { ...at, json: presented });
      expect(peer.seen.some((callback) => callback.headers.authorization === key)).to.equal(true);
      await call('getVerificationResult', 200, { path: { state } });
    });

    it('of verification sessions: keys, what webhooks are called with, and response codes', async () => {
      const vp = await Openid4vp.with(server);
      const { key, hash: clientId, x5c } = await certifiedKey();
      sweep.plant('jwk d', String(key.jwk.d), []);
      const [bearer_token, basic_auth_password] = [canary(), canary()];
      sweep.plant('webhook token of a session', bearer_token);
      sweep.plant('password of a webhook', basic_auth_password);
      const url = `${peer.url}/events`;
      const redirects = { success_redirect_uri: 'https://shop.example.org/done' };
      for (const credentials of [{ bearer_token }, { basic_auth_username: 'ada', basic_auth_password }]) {
        const core = { signed_request: true, encrypted_response: true, key, x5c, clientId };
        const json = crossDevice({ ...core, notifications: { webhook: { url, ...credentials } } }, { redirects });
        await call('createVerificationSession', 400, { json: { ...json, haip: true } });
        const { body: created } = await call('createVerificationSession', 200, { json });
        const request = await vp.request(created);
        const { body } = await vp.respond(request, await vp.response(request));
        const code = new URL(body.redirect_uri).searchParams.get('response_code') ?? '';
        sweep.plant('response code', code, ['submitAuthorizationResponse']);
        const path = { sessionId: created.sessionId };
        await call('redeemResponseCode', 400, { path, json: { response_code: `${code}x` } });
        await call('redeemResponseCode', 200, { path, json: { response_code: code } });
        await call('redeemResponseCode', 409, { path, json: { response_code: code } });
        await call('getVerificationSession', 200, { path });
      }
      const basic = `Basic ${Buffer.from(`ada:${basic_auth_password}`).toString('base64')}`;
      for (const authorization of [`Bearer ${bearer_token}`, basic])
        await until(() => peer.seen.some(({ headers }) => headers.authorization === authorization));
    });

    it('are nowhere in the store, logs, metrics, callbacks and answers, but where they are documented to be', async () => {
      await call('getMetrics', 200);
      await call('getReadiness', 200);
      sweep.note('log', opened.lines.map((line) => inspect(line, { depth: 12, maxStringLength: null })).join('\n'));
      for (const {
        headers: { authorization: _, ...headers },
        body,
        url,
      } of peer.seen)
        sweep.note('callback', [url.href, inspect(headers), body].join('\n'));
      sweep.note('store', await place.bytes());
      expect([opened.lines.length > 0, sweep.count('callback') > 0, sweep.count('getMetrics')]).to.deep.equal([
        true,
        true,
        1,
      ]);
      expect(sweep.sightings()).to.deep.equal([]);
      expect(sweep.unshown()).to.deep.equal([]);
      const expected = new Set(Object.values(PLANTED).flat());
      if (name !== 'Redis') expected.delete('Redis password');
      expect([...expected].filter((secret) => !sweep.names.includes(secret))).to.deep.equal([]);
    });
  });

const linked = (offer: string): string => new URL(offer).searchParams.get('credential_offer_uri') ?? '';

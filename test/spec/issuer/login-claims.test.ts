import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { returned } from '../../actors/draft-authorization.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { LoginServer } from '../../actors/login-server.ts';
import { decodeJwt, proofOf } from '../../actors/wallet.ts';
import { useServer } from '../../support/servers/server.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const REDIRECT = 'https://wallet.example/callback';
const PROFILE = {
  name: 'Degree',
  credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
  credentialData: { type: ['VerifiableCredential', 'UniversityDegree'], credentialSubject: {} },
  idTokenClaimsMapping: {
    given_name: '$.credentialSubject.givenName',
    '$.address.city': "$.credentialSubject['home.city']",
  },
};
const ADA = { given_name: 'Ada', address: { city: 'London' } };

describe('finishExternalLogin: claims of the login in the credential', () => {
  let login: LoginServer;
  const registry = new HttpPeer();
  const server = useServer(async () => {
    login = await LoginServer.start();
    await registry.listen();
    registry.routes['/people'] = () => ({ body: { city: 'Paris' } });
    const { idTokenClaimsMapping: _, ...plain } = PROFILE;
    const url = `${registry.url}/people`;
    const claims = { city: '$.credentialSubject.city' };
    const sourced = { ...plain, attributeSource: { url, keyClaim: 'number', claims } };
    const rateLimit = {
      issuer2_token_endpoint: { requestsPerMinute: 1000 },
      open_endpoints: { requestsPerMinute: 1000 },
    };
    return {
      settings: {
        authenticationService: { server: login.settings },
        issuer2Profiles: { profiles: { degree: PROFILE, sourced } },
        outbound: { allow: [new URL(registry.url).host] },
        rateLimit,
      },
    };
  });
  after(() => Promise.all([login.close(), registry.close()]));

  async function offer(runtimeOverrides?: object, profileId = 'degree'): Promise<string> {
    const json = { profileId, authMethod: 'AUTHORIZED', valueMode: 'BY_VALUE', runtimeOverrides };
    const { status, body } = await server.call('createCredentialOffer', { json });
    expect(status, JSON.stringify(body)).to.equal(201);
    const value = new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '';
    return JSON.parse(value).grants.authorization_code.issuer_state;
  }

  /** A user with these claims logs in for an offer: the parameters with which the wallet is answered. */
  async function loggedIn(issuer_state: string, claims?: object) {
    login.behaviour.claims = claims as Record<string, unknown>;
    const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const query = {
      response_type: 'code',
      client_id: 'wallet',
      redirect_uri: REDIRECT,
      issuer_state,
      code_challenge,
      code_challenge_method: 'S256',
    };
    const started = await server.call('authorizeOpenid4vci', { query });
    expect(started.status, JSON.stringify(started.body)).to.equal(302);
    const answer = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '').searchParams;
    return returned(await server.call('finishExternalLogin', { query: Object.fromEntries(back) }));
  }

  async function claim(code: string) {
    const form = {
      grant_type: 'authorization_code',
      code,
      client_id: 'wallet',
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    };
    const { body: token } = await server.call('requestOpenid4vciToken', { form });
    const { c_nonce: nonce } = (await server.call('requestOpenid4vciNonce')).body;
    const { jwt } = proofOf(server, makeHolderKey(), { nonce, claims: { aud: `${server.url}/openid4vci` } });
    const json = { credential_configuration_id: PROFILE.credentialConfigurationId, proofs: { jwt: [jwt] } };
    const { status, body } = await server.call('requestOpenid4vciCredential', { token: token.access_token, json });
    expect(status, JSON.stringify(body)).to.equal(200);
    return decodeJwt(body.credentials[0].credential).claims.vc.credentialSubject;
  }

  it('302: the claims become members of the data, and a second login of the same user changes nothing', async () => {
    const state = await offer();
    await loggedIn(state, ADA);
    const { code = '' } = await loggedIn(state, ADA);
    expect(await claim(code)).to.include({ givenName: 'Ada', 'home.city': 'London' });
  });

  it('302: another user who logs in for the same offer is refused', async () => {
    const state = await offer();
    const { code = '' } = await loggedIn(state, ADA);
    const other = await loggedIn(state, { ...ADA, given_name: 'Eve' });
    expect([other.error, other.code]).to.deep.equal(['access_denied', undefined]);
    expect(await claim(code)).to.include({ givenName: 'Ada' });
  });

  it('302: a claim names the person to the source of attributes, and is in no credential', async () => {
    const { code = '' } = await loggedIn(await offer(undefined, 'sourced'), { number: 4711 });
    expect(await claim(code)).to.include({ city: 'Paris' });
    expect(registry.seen.map(({ body }) => JSON.parse(body).key)).to.deep.equal(['4711']);
    expect((await loggedIn(await offer(undefined, 'sourced'), {})).error).to.equal('server_error');
    const json = { profileId: 'sourced', authMethod: 'PRE_AUTHORIZED' };
    const { status, body } = await server.call('createCredentialOffer', { json });
    expect([status, body.details?.[0]?.path]).to.deep.equal([400, '/body/authMethod']);
  });

  it('302: server_error for a claim that is not stated; access_denied for an ID token of another client or the past', async () => {
    const cases: [object | undefined, string][] = [
      [undefined, 'server_error'],
      [{ given_name: 'Ada' }, 'server_error'],
      [{ ...ADA, aud: 'another-client' }, 'access_denied'],
      [{ ...ADA, exp: 1 }, 'access_denied'],
    ];
    for (const [claims, error] of cases) {
      const answer = await loggedIn(await offer(), claims);
      expect([answer.error, answer.code], JSON.stringify(claims)).to.deep.equal([error, undefined]);
    }
  });

  it('201: an offer replaces the claims of its profile', async () => {
    const state = await offer({ idTokenClaimsMapping: { given_name: '$.credentialSubject.name.first' } });
    const { code = '' } = await loggedIn(state, ADA);
    expect(await claim(code)).to.deep.include({ name: { first: 'Ada' } });
  });

  it('400: what is no path of names, or leads through a value that is no object, is refused by its claim', async () => {
    for (const path of ['$', 'name', '$.a[0]', '$..a', '$.type.name']) {
      const json = {
        profileId: 'degree',
        authMethod: 'AUTHORIZED',
        runtimeOverrides: { idTokenClaimsMapping: { given_name: path } },
      };
      const { status, body } = await server.call('createCredentialOffer', { json });
      expect([status, body.details?.[0]?.path], path).to.deep.equal([
        400,
        '/body/runtimeOverrides/idTokenClaimsMapping/given_name',
      ]);
    }
  });
});

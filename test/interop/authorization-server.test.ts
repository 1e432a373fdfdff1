import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { calculateJwkThumbprint } from 'jose';
import { browse } from '../actors/code-grant.ts';
import { startIssuer, type TestIssuer } from '../actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { OutsideAuthorizationServer } from './outside-authorization-server.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';
const REDIRECT_URI = 'https://wallet.example/callback';
const CLIENTS = { private_key_jwt: 'https://wallet.example', none: 'https://public.example' };

describe('our wallet and an independent authorization server', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let authorization: OutsideAuthorizationServer;
  let issuer: TestIssuer;
  before(async () => {
    const common = {
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    };
    const jwk = publicKey.export({ format: 'jwk' });
    const keys = [{ ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig' }];
    authorization = await OutsideAuthorizationServer.start({
      clients: Object.entries(CLIENTS).map(([method, client_id]) => ({
        ...common,
        client_id,
        token_endpoint_auth_method: method,
        ...(method === 'private_key_jwt' && { jwks: { keys } }),
      })),
      scopes: ['degree'],
      cookies: { keys: ['a key of the test'] },
      features: {
        devInteractions: { enabled: false },
        pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
        dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
      },
    });
    issuer = await startIssuer();
    behind(authorization);
  });
  after(() => Promise.all([issuer.close(), authorization.close()]));

  /** The issuer delivers for bound tokens of the server. */
  function behind(server: OutsideAuthorizationServer): void {
    const { routes } = issuer.peer;
    const [metadata, deliver] = [routes[METADATA], routes['/issuer/credential']];
    routes[METADATA] = async (request) => {
      const { token_endpoint: _, ...body } = Object((await metadata?.(request))?.body);
      const configurations = structuredClone(body.credential_configurations_supported);
      configurations.Degree_jwt_vc_json.scope = 'degree';
      const servers = { authorization_servers: [server.url] };
      return { body: { ...body, ...servers, credential_configurations_supported: configurations } };
    };
    routes['/issuer/nonce'] ??= () => ({ body: {} });
    issuer.behaviour.nonces = 'endpoint';
    routes['/issuer/credential'] = async (request) => {
      const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
      const isGood = scheme === 'DPoP' && request.headers.dpop !== undefined && (await server.isBound(token));
      if (!isGood) return { status: 401, body: { error: 'invalid_token' } };
      return deliver?.({ ...request, headers: { ...request.headers, authorization: 'Bearer the-token' } });
    };
  }

  const offer = (): string => {
    const grants = { authorization_code: { authorization_server: authorization.url } };
    const json = { credential_issuer: issuer.issuer, credential_configuration_ids: ['Degree_jwt_vc_json'], grants };
    return `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(json))}`;
  };

  for (const [method, clientId] of Object.entries(CLIENTS))
    it(`pushes, logs in and redeems with ${method}, proof keys, iss and nonces`, async () => {
      const clientAssertionKey = { type: 'jwk', jwk: privateKey.export({ format: 'jwk' }) };
      const key = method === 'none' ? {} : { clientAssertionKey };
      const wallet = { clientId, redirectUris: [REDIRECT_URI], ...key };
      const server: TestServer = await startServer({ settings: { wallet } });
      const holder: WalletUser = await newWalletUser(server);
      const begun = await holder.call('beginOfferAuthorization', {
        json: { offer: offer(), redirectUri: REDIRECT_URI },
      });
      expect(begun.status, JSON.stringify(begun.body)).to.equal(200);
      const answer = await browse(begun.body.authorizationUrl, REDIRECT_URI);
      expect(answer.iss).to.equal(authorization.url);
      const { status, body } = await holder.call('finishOfferAuthorization', { json: answer });
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body[0].parsedDocument.type).to.deep.equal(['VerifiableCredential', 'Degree']);
      await server.close();
    });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { DidResolver } from '../../domain/dids/did-resolver.ts';
import { signJws } from '../../domain/jose/jws.ts';
import type { AuthorizationRequest } from '../../domain/oauth/authorization-requests.ts';
import { ExternalLogin } from '../../domain/oauth/external-login.ts';
import { LOGIN_SECONDS, PendingLogins } from '../../domain/oauth/pending-logins.ts';
import { codeChallenge } from '../../domain/oauth/pkce.ts';
import { SelfIssuedTokens } from '../../domain/oauth/self-issued-tokens.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { ISSUER, newSigner, oauthPlatform, outcomeOf, START } from '../support/oauth.ts';

const REQUEST: AuthorizationRequest = { clientId: 'wallet', redirectUri: 'https://wallet.example/callback' };

/** A network that no test of this file may reach. */
const unreachable: Outbound = {
  check: () => undefined,
  send: async () => {
    throw new Error('Nothing is fetched here');
  },
};

describe('Logins that are under way', () => {
  it('end with the first answer, at their own issuer, within ten minutes', async () => {
    const platform = oauthPlatform();
    const logins = new PendingLogins<string>(platform);
    const { state, nonce } = await logins.start(ISSUER, { request: REQUEST, asked: 'a password' });
    expect(await logins.take('other', state)).to.equal(undefined);
    const answers = await Promise.all(Array.from({ length: 5 }, () => logins.take(ISSUER, state)));
    expect(answers.filter((login) => login !== undefined)).to.deep.equal([
      { request: REQUEST, asked: 'a password', nonce },
    ]);
    const late = await logins.start(ISSUER, { request: REQUEST, asked: 'a password' });
    platform.clock.ms += LOGIN_SECONDS * 1000;
    expect(await logins.take(ISSUER, late.state)).to.equal(undefined);
  });
});

describe('Self-issued ID tokens', () => {
  const expected = { audience: 'https://issuer.example', nonce: 'of the request' };
  const platform = oauthPlatform();
  const tokens = new SelfIssuedTokens({ ...platform, dids: new DidResolver(unreachable) });

  async function subject() {
    const signer = await newSigner();
    const { publicJwk: sub_jwk, thumbprint: sub } = signer;
    const now = START / 1000;
    const claims = { iss: sub, sub, sub_jwk, aud: expected.audience, nonce: expected.nonce, iat: now, exp: now + 60 };
    const check = async (changes: object) => {
      const payload = JSON.parse(JSON.stringify({ ...claims, ...changes }));
      const token = await signJws({}, payload, signer);
      return outcomeOf(() => tokens.check(token, expected));
    };
    return { claims, check };
  }

  it('property: each claim must be what the request says; any other value is refused', async () => {
    const { claims, check } = await subject();
    expect(await check({})).to.equal(undefined);
    const names = fc.constantFrom('iss', 'sub', 'aud', 'nonce', 'sub_jwk');
    await fc.assert(
      fc.asyncProperty(names, fc.jsonValue(), async (name, value) => {
        fc.pre(JSON.stringify(value) !== JSON.stringify(claims[name]));
        expect(await check({ [name]: value }), name).to.be.oneOf(['access_denied', 'BadRequest']);
      }),
      { numRuns: 60 },
    );
    for (const name of Object.keys(claims))
      expect(await check({ [name]: undefined }), name).to.be.oneOf(['access_denied', 'BadRequest']);
  });

  it('property: a token is accepted for as long as it says, within a minute of both clocks, and no older than five', async () => {
    const { check } = await subject();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -400, max: 120 }),
        fc.integer({ min: -120, max: 400 }),
        async (from, until) => {
          const isGood = from <= 60 && from >= -300 && until > -60;
          const outcome = await check({ iat: START / 1000 + from, exp: START / 1000 + until });
          expect(outcome, `${from} ${until}`).to.equal(isGood ? undefined : 'access_denied');
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('Logins at another server', () => {
  const server = {
    name: 'test',
    authorizeUrl: 'https://login.example/authorize?tenant=1',
    accessTokenUrl: 'https://login.example/token',
    clientId: 'credenza',
    defaultScopes: ['openid'],
    forwardIssuerStateToAuthorizationServer: false,
  };
  const login = new ExternalLogin({ server, callbackUrl: 'https://issuer.example/callback', outbound: unreachable });

  it('the URL has what the operator wrote, and does not have the verifier or the offer', () => {
    const url = new URL(login.url({ state: 'a', verifier: 'v', issuerState: 'offer' }));
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      tenant: '1',
      response_type: 'code',
      client_id: 'credenza',
      redirect_uri: 'https://issuer.example/callback',
      scope: 'openid',
      state: 'a',
      code_challenge: codeChallenge('v'),
      code_challenge_method: 'S256',
    });
  });

  it('property: an error of the server is one of three, and nothing is exchanged, also with a code beside it', async () => {
    const known = ['invalid_request', 'invalid_scope', 'server_error', 'temporarily_unavailable', 'access_denied'];
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(...known), fc.string()), async (error) => {
        const outcome = await outcomeOf(() => login.check({ error, code: 'a' }, 'v'));
        expect(outcome).to.be.oneOf(['access_denied', 'server_error', 'temporarily_unavailable']);
      }),
    );
    expect(await outcomeOf(() => login.check({}, 'v'))).to.equal('access_denied');
  });
});

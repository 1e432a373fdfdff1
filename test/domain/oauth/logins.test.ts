import { expect } from 'chai';
import fc from 'fast-check';
import { didJwk } from '../../../domain/dids/did-methods.ts';
import { DidResolver } from '../../../domain/dids/did-resolver.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import type { AuthorizationRequest } from '../../../domain/oauth/authorization-requests.ts';
import { ExternalLogin } from '../../../domain/oauth/external-login.ts';
import { LOGIN_SECONDS, PendingLogins } from '../../../domain/oauth/pending-logins.ts';
import { codeChallenge } from '../../../domain/oauth/pkce.ts';
import { parseIdToken, SelfIssuedTokens } from '../../../domain/oauth/self-issued-tokens.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import { ISSUER, newSigner, oauthPlatform, outcomeOf, START } from '../../support/credentials/oauth.ts';

const REQUEST: AuthorizationRequest = { clientId: 'wallet', redirectUri: 'https://wallet.example/callback' };

/** A network that no test of this file may reach. */
const unreachable: Outbound = {
  check: () => undefined,
  send: async () => {
    throw new DomainError('UpstreamFailed', 'Nothing is fetched here');
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

describe('Self-issued ID tokens of a DID', () => {
  const platform = oauthPlatform();
  const tokens = new SelfIssuedTokens({ ...platform, dids: new DidResolver(unreachable) });
  const expected = { audience: 'the client', nonce: 'of the request', alg: 'ES256' };

  async function subject() {
    const signer = await newSigner();
    const did = didJwk(signer.publicJwk);
    const now = START / 1000;
    const claims = { iss: did, sub: did, aud: expected.audience, nonce: expected.nonce, iat: now, exp: now + 60 };
    const verify = async (changes: object, header: JsonObject = {}) => {
      const payload = JSON.parse(JSON.stringify({ ...claims, ...changes }));
      return tokens.verify(parseIdToken(await signJws(header, payload, signer)), expected);
    };
    return { did, claims, verify };
  }

  it('the subject is the DID, with all claims, by any kid of it', async () => {
    const { did, claims, verify } = await subject();
    for (const kid of [undefined, did, `${did}#0`, '#0'])
      expect(await verify({ name: 'Ada' }, { kid })).to.deep.equal({
        subject: did,
        claims: { ...claims, name: 'Ada' },
      });
  });

  it('property: each wrong claim has its own problem', async () => {
    const { claims, verify } = await subject();
    const problems = { iss: 'wrong-subject', sub: 'wrong-subject', aud: 'wrong-audience', nonce: 'wrong-nonce' };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.entries(problems)), fc.jsonValue(), async ([name, problem], value) => {
        fc.pre(JSON.stringify(value) !== JSON.stringify({ ...claims, aud: [claims.aud] }[name]));
        fc.pre(value !== { ...claims }[name]);
        expect(await verify({ [name]: value }), name).to.deep.equal({ problem });
      }),
      { numRuns: 60 },
    );
    for (const [name, problem] of Object.entries({ ...problems, iat: 'not-signed-now', exp: 'not-signed-now' }))
      expect(await verify({ [name]: undefined }), name).to.deep.equal({ problem });
  });

  it('a key that is not of the subject, another algorithm or key, and a DID that is not reached have theirs', async () => {
    const { verify } = await subject();
    const other = didJwk((await newSigner()).publicJwk);
    const of = (did: string) => ({ iss: did, sub: did });
    expect(await verify({}, { kid: `${other}#0` })).to.deep.equal({ problem: 'signer-unknown' });
    expect(await verify({ sub_jwk: (await newSigner()).publicJwk })).to.deep.equal({ problem: 'signer-unknown' });
    expect(await verify(of('did:jwk:e30'))).to.deep.equal({ problem: 'signer-unknown' });
    expect(await verify(of('Ada'))).to.deep.equal({ problem: 'signer-unknown' });
    expect(await verify(of(other))).to.deep.equal({ problem: 'signature-invalid' });
    expect(await verify(of('did:web:ada.example'))).to.deep.equal({ problem: 'unreachable' });
    expect(await verify({}, { alg: 'ES384' })).to.deep.equal({ problem: 'algorithm-not-allowed' });
  });

  it('a failure of the store is no fault of the token', async () => {
    const dids = { key: async () => Promise.reject(new DomainError('StoreUnavailable', 'down')) };
    const { did, claims } = await subject();
    const token = await signJws({}, { ...claims, iss: did, sub: did }, await newSigner());
    const outcome = await outcomeOf(() =>
      new SelfIssuedTokens({ ...platform, dids }).verify(parseIdToken(token), expected),
    );
    expect(outcome).to.equal('StoreUnavailable');
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
  const login = new ExternalLogin({
    server,
    callbackUrl: 'https://issuer.example/callback',
    outbound: unreachable,
    clock: { now: Date.now },
  });

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

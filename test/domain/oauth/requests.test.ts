import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError, oauthError } from '../../../domain/foundation/errors.ts';
import { checkTokenClient, HAIP_POLICY, OPEN_POLICY } from '../../../domain/oauth/authorization-policy.ts';
import { type RequestContext, readAuthorizationRequest } from '../../../domain/oauth/authorization-requests.ts';
import { authorizationRedirect } from '../../../domain/oauth/authorization-responses.ts';
import { PushedRequests } from '../../../domain/oauth/pushed-requests.ts';
import type { Parameters } from '../../../domain/oauth/request-parameters.ts';
import { ISSUER, oauthPlatform, outcomeOf } from '../../support/credentials/oauth.ts';
import { Actor } from '../../support/stores/stepped-store.ts';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const THUMBPRINT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';
const DETAILS = '[{"type":"openid_credential","credential_configuration_id":"pid"}]';

/** OpenID4VCI 1.0 §5.1.1, with the parameters that others add. */
const PARAMETERS: Parameters = {
  response_type: 'code',
  client_id: 's6BhdRkqt3',
  redirect_uri: 'https://client.example.org/cb',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  authorization_details: DETAILS,
  scope: 'pid  mdl pid',
  state: 'a state',
  issuer_state: 'of the offer',
  resource: ['https://issuer.example', 'https://other.example'],
  dpop_jkt: THUMBPRINT,
  unknown: 'ignored',
};

const CONTEXT: RequestContext = {
  policy: OPEN_POLICY,
  isPushed: false,
  detailTypes: ['openid_credential'],
  redirectUrisOf: () => undefined,
  acceptsUnknownClients: true,
  proven: {},
};

const read = (changes: Parameters = {}, context: Partial<RequestContext> = {}) =>
  readAuthorizationRequest({ ...PARAMETERS, ...changes }, { ...CONTEXT, ...context });

/** The code of the refusal, and whether it may be sent to the client. */
const refusalOf = (changes: Parameters = {}, context: Partial<RequestContext> = {}): string => {
  const outcome = read(changes, context);
  if ('request' in outcome) return 'accepted';
  return `${outcome.refusal.oauthError} ${outcome.returnTo ? 'redirected' : 'shown'}`;
};

describe('Authorization requests', () => {
  it('a complete one is read', () => {
    expect(read()).to.deep.equal({
      request: {
        clientId: 's6BhdRkqt3',
        redirectUri: 'https://client.example.org/cb',
        state: 'a state',
        scopes: ['pid', 'mdl'],
        details: JSON.parse(DETAILS),
        codeChallenge: CHALLENGE,
        issuerState: 'of the offer',
        resources: ['https://issuer.example', 'https://other.example'],
        dpopThumbprint: THUMBPRINT,
        instanceThumbprint: undefined,
      },
    });
  });

  it('what is wrong with the client or its redirect URI is never redirected', () => {
    expect(refusalOf({ client_id: undefined })).to.equal('invalid_request shown');
    expect(refusalOf({ client_id: '' })).to.equal('invalid_request shown');
    expect(refusalOf({ client_id: ['a', 'b'] })).to.equal('invalid_request shown');
    expect(refusalOf({ redirect_uri: undefined })).to.equal('invalid_request shown');
    expect(refusalOf({ redirect_uri: ['https://a.example', 'https://b.example'] })).to.equal('invalid_request shown');
    for (const uri of [
      '/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://a.example/#f',
      'https://a.example\\b',
      'https://bank.example@a.example/cb',
      'https://user:pw@a.example/cb',
      'https://a.example/cb?code=of-another',
      'https://a.example/cb?own=1&%73tate=of-another',
      'https://a.example/\u00e9',
      'https://a.example/\u65e5',
      'https://\u65e5.example/',
      'wallet://\u65e5/cb',
    ])
      expect(refusalOf({ redirect_uri: uri }), uri).to.equal('invalid_request shown');
    expect(refusalOf({}, { acceptsUnknownClients: false })).to.equal('invalid_client shown');
    expect(refusalOf({}, { proven: { clientId: 'another' } })).to.equal('invalid_client shown');
  });

  it('the redirect URI of a known client is one of its own, to the letter', () => {
    const redirectUrisOf = () => ['https://client.example.org/cb', 'com.example.wallet:/cb'];
    expect(refusalOf({}, { redirectUrisOf })).to.equal('accepted');
    expect(refusalOf({ redirect_uri: 'com.example.wallet:/cb' }, { redirectUrisOf })).to.equal('accepted');
    for (const uri of [
      'https://client.example.org/cb/',
      'https://CLIENT.example.org/cb',
      'https://client.example.org/cb?x',
    ])
      expect(refusalOf({ redirect_uri: uri }, { redirectUrisOf }), uri).to.equal('invalid_request shown');
  });

  it('everything else is redirected, with the code of its specification', () => {
    const refused: [Parameters, string][] = [
      [{ response_type: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: 'code token' }, 'unsupported_response_type'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ state: ['a', 'b'] }, 'invalid_request'],
      [{ scope: 'p\u00efd' }, 'invalid_scope'],
      [{ scope: 'a"b' }, 'invalid_scope'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ authorization_details: '{' }, 'invalid_authorization_details'],
      [{ authorization_details: '{}' }, 'invalid_authorization_details'],
      [{ authorization_details: '[]' }, 'invalid_authorization_details'],
      [{ authorization_details: '[1]' }, 'invalid_authorization_details'],
      [{ authorization_details: '[{"type":"payment"}]' }, 'invalid_authorization_details'],
      [
        { authorization_details: `[${Array(33).fill('{"type":"openid_credential"}').join()}]` },
        'invalid_authorization_details',
      ],
      [{ resource: 'relative' }, 'invalid_target'],
      [{ resource: 'https://a.example/#b' }, 'invalid_target'],
      [{ resource: Array(9).fill('https://a.example') }, 'invalid_target'],
      [{ dpop_jkt: 'short' }, 'invalid_request'],
      [{ issuer_state: 'x'.repeat(8193) }, 'invalid_request'],
      [{ request: 'a.b.c' }, 'request_not_supported'],
      [{ request_uri: 'urn:x' }, 'invalid_request'],
    ];
    for (const [changes, code] of refused)
      expect(refusalOf(changes), JSON.stringify(changes).slice(0, 80)).to.equal(`${code} redirected`);
  });

  it('any of the known parameters sent twice is refused, except resource', () => {
    const { resource, unknown, ...once } = PARAMETERS;
    for (const name of Object.keys(once))
      expect(refusalOf({ [name]: [String(once[name]), String(once[name])] }), name).to.match(/^invalid_request /);
    expect(refusalOf({ resource, unknown: ['a', 'b'] })).to.equal('accepted');
  });

  it('no parameters at all, in any combination, are more than a refusal', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 }), fc.constant(undefined), fc.json());
    const names = [...Object.keys(PARAMETERS), 'request', 'response_mode'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, '__proto__', 'constructor'), value), (changes) => {
        const outcome = read(changes);
        if ('refusal' in outcome) expect(outcome.refusal).to.be.instanceOf(DomainError);
      }),
    );
  });
});

describe('The policy of an issuer', () => {
  const HAIP = { policy: HAIP_POLICY, isPushed: true, proven: { clientId: 's6BhdRkqt3', instanceThumbprint: 'i' } };

  it('HAIP demands pushed requests with an attestation and a proof key', () => {
    expect(refusalOf({}, HAIP)).to.equal('accepted');
    expect(refusalOf({}, { ...HAIP, isPushed: false })).to.equal('invalid_request redirected');
    expect(refusalOf({}, { ...HAIP, proven: {} })).to.equal('invalid_client shown');
    const noKey = { code_challenge: undefined, code_challenge_method: undefined };
    expect(refusalOf(noKey, HAIP)).to.equal('invalid_request redirected');
    expect(refusalOf(noKey)).to.equal('accepted');
  });

  it('HAIP demands both keys of a token request; an open policy none', async () => {
    const both = { instanceThumbprint: 'i', dpopThumbprint: 'd' };
    expect(await outcomeOf(() => checkTokenClient(HAIP_POLICY, both))).to.equal(undefined);
    expect(await outcomeOf(() => checkTokenClient(HAIP_POLICY, { dpopThumbprint: 'd' }))).to.equal('invalid_client');
    expect(await outcomeOf(() => checkTokenClient(HAIP_POLICY, { instanceThumbprint: 'i' }))).to.equal(
      'invalid_request',
    );
    expect(await outcomeOf(() => checkTokenClient(OPEN_POLICY, {}))).to.equal(undefined);
  });

  it('the code is bound to the keys that were proven; dpop_jkt must name the same key', () => {
    const proven = { dpopThumbprint: THUMBPRINT, instanceThumbprint: 'i' };
    for (const dpop_jkt of [THUMBPRINT, undefined]) {
      const outcome = read({ dpop_jkt }, { isPushed: true, proven });
      expect('request' in outcome && outcome.request).to.include(proven);
    }
    expect(refusalOf({}, { isPushed: true, proven: { dpopThumbprint: CHALLENGE } })).to.equal(
      'invalid_dpop_proof redirected',
    );
  });
});

describe('Redirects to the client', () => {
  const ISS = 'https://issuer.example/a b';

  it('carry the code or the error, the state and the issuer', () => {
    const url = authorizationRedirect(
      { redirectUri: 'https://c.example/cb?x=1', state: 'ä&=' },
      { code: 'the code' },
      ISS,
    );
    expect(url).to.match(/^https:\/\/c\.example\/cb\?x=1&code=/);
    expect(Object.fromEntries(new URL(url).searchParams)).to.deep.equal({
      x: '1',
      code: 'the code',
      state: 'ä&=',
      iss: ISS,
    });
    const refused = authorizationRedirect(
      { redirectUri: 'wallet://cb' },
      { error: oauthError('access_denied', 'say "no"') },
      ISS,
    );
    expect(Object.fromEntries(new URL(refused).searchParams)).to.deep.equal({
      error: 'access_denied',
      error_description: "say 'no'",
      iss: ISS,
    });
  });

  it('say nothing of a failure that is not of the protocol', () => {
    const url = authorizationRedirect(
      { redirectUri: 'https://c.example' },
      { error: new DomainError('StoreUnavailable', 'secret') },
      ISS,
    );
    expect(Object.fromEntries(new URL(url).searchParams)).to.deep.equal({ error: 'server_error', iss: ISS });
  });

  it('return every state unchanged and keep the query of the redirect URI', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.constantFrom('', '?', '?x=1', '?x=1&'),
        (state, query) => {
          const redirectUri = `https://c.example/cb${query}`;
          const url = authorizationRedirect({ redirectUri, state }, { code: 'c' }, ISS);
          expect(url.startsWith(redirectUri)).to.equal(true);
          const answer = new URL(url).searchParams;
          expect(answer.getAll('state')).to.deep.equal([state]);
          expect(answer.getAll('code')).to.deep.equal(['c']);
        },
      ),
    );
  });
});

describe('Pushed authorization requests', () => {
  const REQUEST = { clientId: 'wallet', redirectUri: 'https://c.example/cb', state: 's', dpopThumbprint: 'd' };

  const newWorld = () => {
    const platform = oauthPlatform();
    const on = (store = platform.store) => new PushedRequests({ ...platform, store });
    const requests = on();
    const push = async () => {
      const { requestUri } = await requests.push(ISSUER, REQUEST);
      return { issuerId: ISSUER, requestUri, clientId: 'wallet' };
    };
    return { ...platform, requests, on, push };
  };

  it('one is opened under its URI for 60 seconds', async () => {
    const { clock, requests } = newWorld();
    const { requestUri, expiresInSeconds } = await requests.push(ISSUER, REQUEST);
    expect(requestUri).to.match(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    expect(expiresInSeconds).to.equal(60);
    const reference = { issuerId: ISSUER, requestUri, clientId: 'wallet' };
    clock.ms += 59_999;
    expect(await requests.open(reference)).to.deep.equal(REQUEST);
    const late = await requests.push(ISSUER, REQUEST);
    clock.ms += 60_000;
    expect(await outcomeOf(() => requests.open({ ...reference, ...late }))).to.equal('invalid_request_uri');
  });

  it('one can be opened again until its login is complete, for ten minutes, and never after', async () => {
    const { clock, requests, push } = newWorld();
    const [reference, slow] = [await push(), await push()];
    for (const one of [reference, slow]) await requests.open(one);
    clock.ms += 599_999;
    expect(await requests.open(reference)).to.deep.equal(REQUEST);
    await requests.complete(reference);
    for (const again of [() => requests.open(reference), () => requests.complete(reference)])
      expect(await outcomeOf(again)).to.equal('invalid_request_uri');
    clock.ms += 1;
    expect(await outcomeOf(() => requests.complete(slow))).to.equal('invalid_request_uri');
  });

  it('one of another client or issuer is unknown, and stays', async () => {
    const { requests, push } = newWorld();
    const reference = await push();
    for (const change of [
      { clientId: 'other' },
      { clientId: undefined },
      { issuerId: 'other' },
      { requestUri: 'urn:x' },
    ])
      for (const call of [requests.open.bind(requests), requests.complete.bind(requests)])
        expect(await outcomeOf(() => call({ ...reference, ...change }))).to.equal('invalid_request_uri');
    expect(await requests.open(reference)).to.deep.equal(REQUEST);
  });

  it('one that is too large is refused', async () => {
    const { requests } = newWorld();
    const request = { ...REQUEST, issuerState: 'x'.repeat(32_768) };
    expect(await outcomeOf(() => requests.push(ISSUER, request))).to.equal('invalid_request');
  });

  it('in every interleaving of two completions exactly one succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 6 }), async (turns) => {
        const { store, on, requests, push } = newWorld();
        const reference = await push();
        await requests.open(reference);
        const actor = () => new Actor(store, (stepped) => on(stepped).complete(reference));
        const [one, other] = [actor(), actor()];
        for (const isFirst of turns) await (isFirst ? one : other).step();
        await one.run();
        await other.run();
        expect([one, other].filter(({ isDone }) => isDone)).to.have.length(1);
      }),
      { numRuns: 30 },
    );
  });

  it('opening while another request completes it brings nothing back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 6 }), async (turns) => {
        const { store, on, requests, push } = newWorld();
        const reference = await push();
        const opening = new Actor(store, (stepped) => on(stepped).open(reference));
        const completing = new Actor(store, (stepped) => on(stepped).complete(reference));
        for (const isFirst of turns) await (isFirst ? opening : completing).step();
        await completing.run();
        await opening.run();
        expect(completing.isDone).to.equal(true);
        expect(await outcomeOf(() => requests.open(reference))).to.equal('invalid_request_uri');
      }),
      { numRuns: 30 },
    );
  });
});

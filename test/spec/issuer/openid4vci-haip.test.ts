import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { AttestedIssuance, type AttestedWallet, IDENTITY, type Sent, SIGNER } from '../../actors/attested-wallet.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import { type Answer, startServer } from '../../support/servers/server.ts';

const outcome = ({ status, body }: Answer) => [status, body.error];
const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return (error as Error).message;
  }
  return 'started';
};

describe('OpenID4VCI 1.0, an issuer that demands HAIP', () => {
  let issuance: AttestedIssuance;
  let wallet: AttestedWallet;
  before(async () => {
    issuance = await AttestedIssuance.start();
  });
  after(() => issuance.close());
  beforeEach(() => {
    wallet = issuance.wallet();
  });

  describe('getOpenid4vciServerMetadata', () => {
    it('200: names what it demands, and only what it accepts', async () => {
      const { body } = await issuance.server.call('getOpenid4vciServerMetadata');
      expect(body).to.deep.include({
        require_pushed_authorization_requests: true,
        token_endpoint_auth_methods_supported: ['attest_jwt_client_auth', 'attest_jwt_client_auth_dpop'],
        client_attestation_signing_alg_values_supported: ['EdDSA', 'ES256'],
        client_attestation_pop_signing_alg_values_supported: ['EdDSA', 'ES256'],
        dpop_signing_alg_values_supported: ['EdDSA', 'ES256'],
        challenge_endpoint: `${wallet.issuer}/challenge`,
        'pre-authorized_grant_anonymous_access_supported': false,
      });
    });
  });

  describe('pushOpenid4vciAuthorization', () => {
    const refused: [string, Sent, number, string][] = [
      ['no attestation', { attestation: false, pop: false }, 401, 'invalid_client'],
      ['a proof without its attestation', { attestation: false }, 401, 'invalid_client'],
      ['an attestation without its proof', { pop: false }, 401, 'invalid_client'],
      ['an attestation of another client', { attestation: { claims: { sub: 'other' } } }, 401, 'invalid_client'],
      ['an unknown attester', { attestation: { key: makeHolderKey() } }, 401, 'invalid_client'],
      ['a proof of another key', { pop: { key: makeHolderKey() } }, 401, 'invalid_client'],
      ['a proof for another server', { pop: { claims: { aud: 'https://other.example' } } }, 401, 'invalid_client'],
      ['another challenge', { pop: { claims: { challenge: 'other' } } }, 400, 'use_attestation_challenge'],
      [
        'a DPoP proof for another endpoint',
        { dpop: { claims: { htu: 'https://x.example' } } },
        400,
        'invalid_dpop_proof',
      ],
    ];
    for (const [title, sent, status, error] of refused)
      it(`${status}: ${error} for ${title}`, async () => {
        const answer = await wallet.push({}, sent);
        expect(outcome(answer)).to.deep.equal([status, error]);
        const challenge = answer.headers.get('oauth-client-attestation-challenge');
        if (error === 'use_attestation_challenge')
          expect((await wallet.push({}, { pop: { claims: { challenge } } })).status).to.equal(201);
        expect(answer.headers.get('www-authenticate')).to.equal(null);
      });

    it('400: invalid_dpop_proof when dpop_jkt is of another key than the proof', async () => {
      expect((await wallet.push({ dpop_jkt: wallet.thumbprint }, { dpop: {} })).status).to.equal(201);
      const other = { dpop_jkt: issuance.wallet().thumbprint };
      expect(outcome(await wallet.push(other, { dpop: {} }))).to.deep.equal([400, 'invalid_dpop_proof']);
    });

    it('400: use_dpop_nonce with a nonce; a proof with it is accepted, once', async () => {
      const first = await wallet.sendOnce('par', { form: wallet.parameters() }, { dpop: {} });
      expect(outcome(first)).to.deep.equal([400, 'use_dpop_nonce']);
      const text = wallet.dpop('par');
      expect((await wallet.push({}, { dpop: { text } })).status).to.equal(201);
      expect(outcome(await wallet.push({}, { dpop: { text } }))).to.deep.equal([400, 'invalid_dpop_proof']);
    });
  });

  describe('requestOpenid4vciChallenge', () => {
    it('200: a challenge for a proof of possession, which no cache keeps', async () => {
      const { status, body, headers } = await issuance.server.call('requestOpenid4vciChallenge');
      expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
      const pop = { claims: { challenge: body.attestation_challenge } };
      expect((await wallet.push({}, { pop })).status).to.equal(201);
    });
  });

  describe('authorizeOpenid4vci', () => {
    it('302: invalid_request for a request that was not pushed', async () => {
      const answer = await wallet.authorize(wallet.parameters());
      expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).to.equal('invalid_request');
    });
  });

  describe('requestOpenid4vciToken', () => {
    it('200: with an offer and without one, the token is bound to the key and gets the credential, signed under a chain', async () => {
      for (const changes of [{}, { issuer_state: await issuance.issuerState() }]) {
        const one = issuance.wallet();
        const body = await one.tokens(changes);
        expect(body).to.include({ token_type: 'DPoP', scope: IDENTITY });
        const claimed = await one.claim(body.access_token);
        expect(claimed.status, JSON.stringify(claimed.body)).to.equal(200);
        const { header } = decodeJwt(claimed.body.credentials[0].credential.split('~')[0]);
        expect(header.x5c).to.have.length(1);
        const notified = { notification_id: claimed.body.notification_id, event: 'credential_accepted' };
        expect((await one.present('notification', body.access_token, { json: notified })).status).to.equal(204);
      }
    });

    it('400 and 401: no DPoP proof, no attestation; a code is bound to the instance of the wallet', async () => {
      const code = await wallet.code();
      expect(outcome(await wallet.redeem(code, {}, { dpop: false }))).to.deep.equal([400, 'invalid_request']);
      const plain = await wallet.redeem(code, {}, { attestation: false, pop: false });
      expect(outcome(plain)).to.deep.equal([401, 'invalid_client']);
      const key = makeHolderKey();
      const copy: Sent = { attestation: { claims: { cnf: { jwk: key.jwk } } }, pop: { key } };
      expect(outcome(await wallet.redeem(code, {}, copy))).to.deep.equal([400, 'invalid_grant']);
      expect((await wallet.redeem(code)).status).to.equal(200);
    });

    it('400: a code whose request named a key is good with that key only', async () => {
      const code = await wallet.code({ dpop_jkt: wallet.thumbprint });
      expect(outcome(await wallet.redeem(code, {}, { dpop: { key: makeHolderKey() } }))).to.deep.equal([
        400,
        'invalid_grant',
      ]);
      expect((await wallet.redeem(code)).status).to.equal(200);
    });

    it('a pre-authorized code needs the same of the wallet', async () => {
      const { grants } = await issuance.offer({ authMethod: 'PRE_AUTHORIZED' });
      const form = { grant_type: GRANT, 'pre-authorized_code': grants[GRANT]['pre-authorized_code'] };
      expect(outcome(await issuance.server.call('requestOpenid4vciToken', { form }))).to.deep.equal([
        401,
        'invalid_client',
      ]);
      const { status, body } = await wallet.send('token', { form });
      expect([status, body.token_type]).to.deep.equal([200, 'DPoP']);
      expect((await wallet.claim(body.access_token)).status).to.equal(200);
    });

    it('a refresh token stays, and is good for its client and its keys', async () => {
      const { refresh_token: token } = await wallet.tokens();
      const other = issuance.wallet('https://other.example');
      expect(outcome(await other.refresh(token))).to.deep.equal([400, 'invalid_grant']);
      expect(outcome(await wallet.refresh(token, {}, { dpop: false }))).to.deep.equal([400, 'invalid_request']);
      for (let turn = 0; turn < 2; turn += 1) {
        const { status, body } = await wallet.refresh(token);
        expect([status, body.refresh_token]).to.deep.equal([200, token]);
        if (turn === 1) expect((await wallet.claim(body.access_token)).status).to.equal(200);
      }
    });

    it('400: a refresh token is over with its session', async () => {
      const { refresh_token: token } = await wallet.tokens();
      issuance.server.clock.advance(301_000);
      expect(outcome(await wallet.refresh(token))).to.deep.equal([400, 'invalid_grant']);
      expect(outcome(await wallet.refresh('a.b'))).to.deep.equal([400, 'invalid_grant']);
      expect(outcome(await wallet.refresh('', { refresh_token: undefined }))).to.deep.equal([400, 'invalid_request']);
    });
  });

  describe('requestOpenid4vciCredential', () => {
    it('401: names the scheme for a token as Bearer, without its proof, with that of another key or with an old one', async () => {
      const { access_token: token } = await wallet.tokens();
      const refused: [string, Sent, Record<string, string>, string][] = [
        ['as Bearer', {}, { authorization: `Bearer ${token}` }, 'invalid_token'],
        ['no proof', { dpop: false }, {}, 'invalid_dpop_proof'],
        ['another key', { dpop: { key: makeHolderKey() } }, {}, 'invalid_token'],
        ['a proof for another token', { dpop: { claims: { ath: 'other' } } }, {}, 'invalid_dpop_proof'],
        ['no token', {}, { authorization: '' }, 'invalid_token'],
      ];
      for (const [title, sent, headers, error] of refused) {
        const answer = await wallet.claim(token, sent, headers);
        expect(outcome(answer), title).to.deep.equal([401, error]);
        expect(answer.headers.get('www-authenticate'), title).to.match(/^DPoP .*algs="EdDSA ES256"$/);
      }
      const unknown = await wallet.present('notification', 'unknown', {
        json: { notification_id: 'a', event: 'credential_accepted' },
      });
      expect(outcome(unknown)).to.deep.equal([401, 'invalid_token']);
      wallet.nonce = undefined;
      const json = { credential_configuration_id: IDENTITY };
      const answer = await wallet.sendOnce(
        'credential',
        { json, headers: { authorization: `DPoP ${token}` } },
        {},
        token,
      );
      expect(outcome(answer)).to.deep.equal([401, 'use_dpop_nonce']);
      expect((await wallet.claim(token)).status).to.equal(200);
    });
  });

  it('the nonce endpoint brings the nonce of DPoP proofs', async () => {
    const { headers } = await issuance.server.call('requestOpenid4vciNonce');
    wallet.nonce = headers.get('dpop-nonce') ?? undefined;
    const answer = await wallet.sendOnce('par', { form: wallet.parameters() }, { dpop: {} });
    expect(answer.status).to.equal(201);
  });
});

describe('OpenID4VCI 1.0, a profile that demands HAIP of an open issuer', () => {
  let issuance: AttestedIssuance;
  before(async () => {
    issuance = await AttestedIssuance.start('OPEN', { securityProfile: 'HAIP' });
  });
  after(() => issuance.close());

  describe('authorizeOpenid4vci', () => {
    it('302: only a pushed request of an attested wallet gets a code', async () => {
      const wallet = issuance.wallet();
      const changes = { issuer_state: await issuance.issuerState() };
      const direct = await wallet.authorize(wallet.parameters(changes));
      expect(new URL(direct.headers.get('location') ?? '').searchParams.get('error')).to.equal('invalid_request');
      const plain: Sent = { attestation: false, pop: false };
      expect(outcome(await wallet.push(changes, plain))).to.deep.equal([401, 'invalid_client']);
      const code = await wallet.code(changes);
      expect(outcome(await wallet.redeem(code, {}, { dpop: false }))).to.deep.equal([400, 'invalid_request']);
      expect((await wallet.redeem(code)).body.token_type).to.equal('DPoP');
    });

    it('302: a profile that is not issued without an offer is not found by its scope', async () => {
      const answer = await issuance.wallet().push();
      expect(outcome(answer)).to.deep.equal([400, 'invalid_request']);
    });
  });
});

describe('the security profile HAIP', () => {
  const start = async (settings: object) => (await startServer({ settings })).close();
  const jwks = { keys: [makeHolderKey().jwk] };
  const identity = { name: 'Identity', credentialConfigurationId: IDENTITY, credentialData: { given_name: 'Ada' } };

  it('starts only with attesters, and with certificates for SD-JWT VCs', async () => {
    const haip = { securityProfile: 'HAIP', clientAttesters: [{ jwks }] };
    expect(await refusal(start({ issuerMetadata: { securityProfile: 'HAIP' } }))).to.include(
      'clientAttesters is required',
    );
    const profiles = { identity };
    const message = await refusal(start({ issuerMetadata: haip, issuer2Profiles: { profiles } }));
    expect(message).to.equal('issuer2-profiles.conf: profiles.identity.x5Chain is required by HAIP for an SD-JWT VC');
    const own = { ...identity, securityProfile: 'HAIP' };
    expect(await refusal(start({ issuer2Profiles: { profiles: { identity: own } } }))).to.include('clientAttesters');
    const signed = { ...identity, ...SIGNER };
    expect(await refusal(start({ issuerMetadata: haip, issuer2Profiles: { profiles: { signed } } }))).to.equal(
      'started',
    );
  });

  it('a profile whose holders log in needs a server for it', async () => {
    const profiles = { identity: { ...identity, authenticationMethod: 'PWD' } };
    const message = 'issuer2-profiles.conf: profiles.identity.authenticationMethod PWD needs a server';
    expect(await refusal(start({ issuer2Profiles: { profiles } }))).to.include(message);
  });

  it('a key of an attester that is private or no key is refused, naming it', async () => {
    for (const [jwk, why] of [
      [{ ...makeHolderKey().jwk, d: 'AA' }, 'The JWK must not hold a private key'],
      [{ kty: 'oct' }, 'A JWK needs kty'],
    ] as const) {
      const clientAttesters = [{ jwks }, { jwks: { keys: [jwk] } }];
      const message = await refusal(start({ issuerMetadata: { clientAttesters } }));
      expect(message).to.include(`credential-issuer-metadata.conf: clientAttesters[1].jwks.keys[0] ${why}`);
    }
  });

  it('who attests clients can be written as the reference implementation does, and in one way only', async () => {
    const jwk = { ...makeHolderKey().jwk };
    const attested = {
      type: 'client-attestation',
      config: { verificationMethod: { type: 'static-jwk', jwk } },
    } as const;
    const clientAuthenticationConfig = { supportedMethods: [attested] };
    const server = await startServer({ settings: { issuerMetadata: { clientAuthenticationConfig } } });
    const { body } = await server.call('getOpenid4vciServerMetadata');
    await server.close();
    expect(body).to.include({ 'pre-authorized_grant_anonymous_access_supported': false });
    const both = { issuerMetadata: { clientAuthenticationConfig, clientAttesters: [{ jwks }] } };
    expect(await refusal(start(both))).to.include('credential-issuer-metadata.conf: clientAuthenticationConfig says');
  });
});

import { expect } from 'chai';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { CodeWallet, REDIRECT_URI, returned } from '../../actors/draft-authorization.ts';
import { offerId } from '../../actors/issuance.ts';
import { type Answer, type Call, useServer } from '../../support/servers/server.ts';

const LARGE = 'x'.repeat(1024 * 1024);
const outcome = ({ status, body }: Answer) => [status, body.error];
const DEGREE = 'UniversityDegree_jwt_vc_json';
const BADGE = 'OpenBadgeCredential_jwt_vc_json';

describe('OpenID4VCI draft 13, authorization codes', () => {
  const server = useServer();
  const wallet = new CodeWallet(server);
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  it('the offer names its session to the authorization endpoint and has no code', async () => {
    const id = await wallet.offer(issuer);
    const { body } = await server.call('getCredentialOffer', { query: { id } });
    expect(body.grants).to.deep.equal({ authorization_code: { issuer_state: id } });
  });

  describe('requestAuthorization', () => {
    it('302: a code, the state and the issuer; the code becomes a token and that a credential', async () => {
      const redirect_uri = `${REDIRECT_URI}?own=1`;
      const answer = await wallet.authorize(await wallet.offer(issuer), {
        redirect_uri,
        dpop_jkt: 'unknown to drafts',
      });
      expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([302, 'no-store']);
      const { code, ...others } = returned(answer);
      expect(others).to.deep.equal({ own: '1', state: '7f3a', iss: `${server.url}/draft13` });
      expect((await wallet.claim(code, { redirect_uri })).status).to.equal(200);
    });

    it('302: a code without a proof key, and then none is accepted at the token endpoint', async () => {
      const without = { code_challenge: undefined, code_challenge_method: undefined };
      const { code } = returned(await wallet.authorize(await wallet.offer(issuer), without));
      expect(outcome(await wallet.redeem(code))).to.deep.equal([400, 'invalid_grant']);
      expect((await wallet.claim(code, { code_verifier: undefined })).status).to.equal(200);
    });

    const refused: [string, Record<string, string | undefined>, string][] = [
      ['a proof key of the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
      ['no issuer_state', { issuer_state: undefined }, 'invalid_request'],
      ['an issuer_state of no offer', { issuer_state: 'unknown' }, 'invalid_request'],
      [
        'metadata with a wallet that has a query',
        { client_metadata: '{"authorization_endpoint":"openid://?state=1"}' },
        'invalid_request',
      ],
      [
        'metadata with a wallet that runs a script',
        { client_metadata: '{"authorization_endpoint":"javascript:alert(1)"}' },
        'invalid_request',
      ],
      [
        'details of nothing that was offered',
        { authorization_details: `[{"type":"openid_credential","credential_configuration_id":"${BADGE}"}]` },
        'invalid_authorization_details',
      ],
      [
        'details of a format that was not offered',
        { authorization_details: '[{"type":"openid_credential","format":"mso_mdoc","doctype":"a"}]' },
        'invalid_authorization_details',
      ],
    ];
    for (const [title, changes, error] of refused)
      it(`302: ${error} with the state and the issuer for ${title}; a pushed request is refused at once`, async () => {
        const state = await wallet.offer(issuer);
        const answer = await wallet.authorize(state, changes);
        expect(answer.status).to.equal(302);
        const { error: code, state: back, iss } = returned(answer);
        expect([code, back, iss]).to.deep.equal([error, '7f3a', `${server.url}/draft13`]);
        expect(outcome(await wallet.push(state, changes))).to.deep.equal([400, error]);
      });

    it('302: invalid_request for an offer with a pre-authorized code', async () => {
      const state = await wallet.offer(issuer, { authenticationMethod: 'PRE_AUTHORIZED' });
      expect(returned(await wallet.authorize(state)).error).to.equal('invalid_request');
    });

    for (const [title, changes] of [
      ['no client', { client_id: undefined }],
      ['no redirect URI', { redirect_uri: undefined }],
      ['a redirect URI that runs a script', { redirect_uri: 'javascript:alert(1)' }],
    ] as const)
      it(`400: without a redirect for ${title}`, async () => {
        const answer = await wallet.authorize(await wallet.offer(issuer), changes);
        expect([answer.status, answer.headers.get('location')]).to.deep.equal([400, null]);
      });
  });

  describe('pushAuthorization', () => {
    it('201: a reference that becomes one code', async () => {
      const { status, body, headers } = await wallet.push(await wallet.offer(issuer));
      expect([status, body.expires_in, headers.get('cache-control')]).to.deep.equal([201, 60, 'no-store']);
      const answers = await Promise.all(Array.from({ length: 5 }, () => wallet.open(body.request_uri)));
      const [good, ...others] = answers.filter((answer) => answer.status === 302);
      expect(others).to.deep.equal([]);
      expect(outcome(await wallet.open(body.request_uri))).to.deep.equal([400, 'invalid_request_uri']);
      expect((await wallet.claim(returned(good as Answer).code)).status).to.equal(200);
    });

    it('400: a reference is good for a minute', async () => {
      const { request_uri } = (await wallet.push(await wallet.offer(issuer))).body;
      server.clock.advance(60_001);
      expect(outcome(await wallet.open(request_uri))).to.deep.equal([400, 'invalid_request_uri']);
    });

    const bodies: Record<string, { large: Call; foreign: Call }> = {
      pushAuthorization: { large: { form: { client_id: LARGE } }, foreign: { json: {} } },
      answerLogin: { large: { form: { state: LARGE } }, foreign: { json: {} } },
    };
    for (const [operationId, { large, foreign }] of Object.entries(bodies))
      it(`413 and 415: a body of ${operationId} that is too large, or of another media type`, async () => {
        expect((await server.call(operationId, large)).status).to.equal(413);
        expect((await server.call(operationId, foreign)).status).to.equal(415);
      });
  });

  describe('requestAccessToken', () => {
    it('400: invalid_grant for another client, redirect URI or verifier; the code stays good', async () => {
      const { code } = returned(await wallet.authorize(await wallet.offer(issuer)));
      for (const changes of [
        { client_id: 'other' },
        { redirect_uri: undefined },
        { code_verifier: 'a'.repeat(43) },
        { code_verifier: undefined },
      ])
        expect(outcome(await wallet.redeem(code, changes)), JSON.stringify(changes)).to.deep.equal([
          400,
          'invalid_grant',
        ]);
      expect(outcome(await wallet.redeem(undefined))).to.deep.equal([400, 'invalid_request']);
      expect((await wallet.redeem(code)).status).to.equal(200);
    });

    it('400: a code is good for a minute and for one of five requests at once, and not at 1.0', async () => {
      const { code: late } = returned(await wallet.authorize(await wallet.offer(issuer)));
      server.clock.advance(60_001);
      expect(outcome(await wallet.redeem(late))).to.deep.equal([400, 'invalid_grant']);
      const { code = '' } = returned(await wallet.authorize(await wallet.offer(issuer)));
      const form = { grant_type: 'authorization_code', code, client_id: 'wallet' };
      expect(outcome(await server.call('requestOpenid4vciToken', { form }))).to.deep.equal([400, 'invalid_grant']);
      const statuses = (await Promise.all(Array.from({ length: 5 }, () => wallet.redeem(code)))).map(
        (one) => one.status,
      );
      // 503: while another request redeems it.
      expect(statuses.filter((status) => ![400, 503].includes(status))).to.deep.equal([200]);
      expect(outcome(await wallet.redeem(code))).to.deep.equal([400, 'invalid_grant']);
    });

    it('200: the token permits only what the details or scopes name, by configuration or format; `openid` is ignored', async () => {
      const badge = { credentialData: { type: ['VerifiableCredential', 'OpenBadgeCredential'] }, mapping: undefined };
      const json = [
        degree(issuer, { authenticationMethod: 'NONE' }),
        degree(issuer, { ...badge, credentialConfigurationId: BADGE }),
      ];
      const detail = { type: 'openid_credential' };
      const definition = { type: ['VerifiableCredential', 'OpenBadgeCredential'] };
      for (const [changes, status] of [
        [{ scope: 'openid' }, 200],
        [{ authorization_details: JSON.stringify([{ ...detail, credential_configuration_id: DEGREE }]) }, 200],
        [
          {
            scope: 'openid',
            authorization_details: JSON.stringify([
              { ...detail, format: 'jwt_vc_json', credential_definition: definition },
            ]),
          },
          400,
        ],
      ] as const) {
        const state = offerId((await server.call('issueJwtCredentialBatch', { json })).body);
        const { code } = returned(await wallet.authorize(state, changes));
        expect((await wallet.claim(code)).status, JSON.stringify(changes)).to.equal(status);
      }
    });
  });

  describe('a transaction code', () => {
    const form = (code: string, txCode?: string) => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
      'pre-authorized_code': code,
      ...(txCode !== undefined && { tx_code: txCode }),
    });
    const txCode = { input_mode: 'numeric', description: 'By letter' };

    it('is described in the offer and redeemed with its value, not with another one', async () => {
      const id = await wallet.offer(issuer, { authenticationMethod: 'PRE_AUTHORIZED', txCode, txCodeValue: '493536' });
      const { body } = await server.call('getCredentialOffer', { query: { id } });
      const [grant] = Object.values<{ 'pre-authorized_code': string; tx_code: object }>(body.grants);
      expect(grant?.tx_code).to.deep.equal({ ...txCode, length: 6 });
      const code = grant?.['pre-authorized_code'] ?? '';
      for (const [value, error] of [
        [undefined, 'invalid_request'],
        ['000000', 'invalid_grant'],
      ] as const)
        expect(outcome(await server.call('requestAccessToken', { form: form(code, value) }))).to.deep.equal([
          400,
          error,
        ]);
      expect((await server.call('requestAccessToken', { form: form(code, '493536') })).status).to.equal(200);
    });

    it('is refused without its value, with another length, and for an offer without a pre-authorized code', async () => {
      for (const [changes, field] of [
        [{ txCode }, '/body/txCodeValue'],
        [{ txCodeValue: '123' }, '/body/txCodeValue'],
        [{ txCode: { length: 4 }, txCodeValue: '123' }, '/body/txCodeValue'],
        [{ authenticationMethod: 'NONE', txCode, txCodeValue: '123' }, '/body/txCode'],
      ] as const) {
        const { status, body } = await server.call('issueJwtCredential', { json: degree(issuer, changes) });
        expect([status, body.details?.[0]?.path], JSON.stringify(changes)).to.deep.equal([400, field]);
      }
    });
  });
});

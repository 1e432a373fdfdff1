import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { DEGREE, FinalIssuance } from '../../actors/openid4vci.ts';
import type { Answer } from '../../support/servers/server.ts';

type Parameters = Record<string, string>;

const REDIRECT_URI = 'https://wallet.example/callback?own=1';
const outcome = ({ status, body }: Answer) => [status, body.error];

describe('OpenID4VCI 1.0, authorization codes', () => {
  let issuance: FinalIssuance;
  const holder = makeHolderKey();
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  before(async () => {
    issuance = await FinalIssuance.start();
  });
  after(() => issuance.close());

  const offer = async (changes = {}) => (await issuance.offer({ authorization: {}, ...changes })).id;
  const parametersOf = (issuerState: string): Parameters => ({
    response_type: 'code',
    client_id: 'wallet',
    redirect_uri: REDIRECT_URI,
    issuer_state: issuerState,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: '7f3a',
  });
  /** The parameters without those that are undefined. */
  const changed = (parameters: Parameters, changes: Record<string, string | undefined>): Parameters =>
    Object.fromEntries(
      Object.entries({ ...parameters, ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
  const authorize = (query: Parameters) => issuance.server.call('authorizeOpenid4vci', { query });
  const push = (form: Parameters) => issuance.server.call('pushOpenid4vciAuthorization', { form });
  const returned = ({ headers }: Answer) => new URL(headers.get('location') ?? '').searchParams;
  const codeFor = async (issuerState: string, changes = {}) =>
    returned(await authorize(changed(parametersOf(issuerState), changes))).get('code') ?? '';
  const redeem = (code: string, changes: Record<string, string | undefined> = {}) => {
    const form = { grant_type: 'authorization_code', code, client_id: 'wallet', redirect_uri: REDIRECT_URI };
    return issuance.server.call('requestOpenid4vciToken', {
      form: changed({ ...form, code_verifier: verifier }, changes),
    });
  };

  it('the offer names its session to the authorization endpoint and has no code', async () => {
    const id = await offer();
    const { body } = await issuance.server.call('getOpenid4vciOffer', { query: { id } });
    expect(body.grants).to.deep.equal({ authorization_code: { issuer_state: id } });
  });

  describe('authorizeOpenid4vci', () => {
    it('302: a code, the state and the issuer; the code becomes a token and that a credential', async () => {
      const answer = await authorize(parametersOf(await offer()));
      expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([302, 'no-store']);
      const { code, ...others } = Object.fromEntries(returned(answer));
      expect(others).to.deep.equal({ own: '1', state: '7f3a', iss: `${issuance.server.url}/openid4vci` });
      const { status, body } = await redeem(code ?? '');
      expect([status, body.expires_in]).to.deep.equal([200, 900]);
      expect((await issuance.claimFor(body.access_token, [holder])).status).to.equal(200);
    });

    const refused: [string, Record<string, string | undefined>, string][] = [
      ['no proof key', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
      ['a proof key of the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
      ['no issuer_state', { issuer_state: undefined }, 'invalid_request'],
      ['an issuer_state of no offer', { issuer_state: 'unknown' }, 'invalid_request'],
      ['a scope of nothing that was offered', { scope: 'other' }, 'invalid_scope'],
      [
        'details of nothing that was offered',
        { authorization_details: '[{"type":"openid_credential","credential_configuration_id":"Other"}]' },
        'invalid_authorization_details',
      ],
    ];
    for (const [title, changes, error] of refused)
      it(`302: ${error} with the state and the issuer for ${title}; a pushed request is refused at once`, async () => {
        const parameters = changed(parametersOf(await offer()), changes);
        const answer = await authorize(parameters);
        expect(answer.status).to.equal(302);
        const { error: code, state, iss, own } = Object.fromEntries(returned(answer));
        expect([code, state, iss, own]).to.deep.equal([error, '7f3a', `${issuance.server.url}/openid4vci`, '1']);
        expect(outcome(await push(parameters))).to.deep.equal([400, error]);
      });

    it('302: access_denied for an offer whose holder must be authenticated, and invalid_request for one with a code', async () => {
      const login = await offer({ authorization: { method: 'ID_TOKEN' } });
      expect(returned(await authorize(parametersOf(login))).get('error')).to.equal('access_denied');
      const { id } = await issuance.offer();
      expect(returned(await authorize(parametersOf(id))).get('error')).to.equal('invalid_request');
    });

    for (const [title, changes] of [
      ['no client', { client_id: undefined }],
      ['no redirect URI', { redirect_uri: undefined }],
      ['a redirect URI that runs a script', { redirect_uri: 'javascript:alert(1)' }],
    ] as const)
      it(`400: without a redirect for ${title}`, async () => {
        const answer = await authorize(changed(parametersOf(await offer()), changes));
        expect(answer.status).to.equal(400);
        expect(answer.headers.get('location')).to.equal(null);
      });
  });

  describe('pushOpenid4vciAuthorization', () => {
    it('201: a reference that becomes one code, for its own client', async () => {
      const { status, body, headers } = await push(parametersOf(await offer()));
      expect([status, body.expires_in, headers.get('cache-control')]).to.deep.equal([201, 60, 'no-store']);
      const reference = { client_id: 'wallet', request_uri: body.request_uri };
      expect(outcome(await authorize({ ...reference, client_id: 'other' }))).to.deep.equal([
        400,
        'invalid_request_uri',
      ]);
      const answers = await Promise.all(Array.from({ length: 5 }, () => authorize(reference)));
      const [good, ...others] = answers.filter(({ status: one }) => one === 302);
      expect(others).to.deep.equal([]);
      expect(outcome(await authorize(reference))).to.deep.equal([400, 'invalid_request_uri']);
      expect((await redeem(returned(good as Answer).get('code') ?? '')).status).to.equal(200);
    });

    it('400: a reference is good for a minute', async () => {
      const { request_uri } = (await push(parametersOf(await offer()))).body;
      issuance.server.clock.advance(60_001);
      expect(outcome(await authorize({ client_id: 'wallet', request_uri }))).to.deep.equal([
        400,
        'invalid_request_uri',
      ]);
    });
  });

  describe('requestOpenid4vciToken', () => {
    it('400: invalid_grant for another client, redirect URI or verifier; the code stays good', async () => {
      const code = await codeFor(await offer());
      for (const changes of [
        { client_id: 'other' },
        { client_id: undefined },
        { redirect_uri: 'https://wallet.example/callback' },
        { redirect_uri: undefined },
        { code_verifier: randomBytes(32).toString('base64url') },
        { code_verifier: undefined },
      ])
        expect(outcome(await redeem(code, changes)), JSON.stringify(changes)).to.deep.equal([400, 'invalid_grant']);
      expect(outcome(await redeem('unknown'))).to.deep.equal([400, 'invalid_grant']);
      expect(outcome(await redeem(code, { code: undefined }))).to.deep.equal([400, 'invalid_request']);
      expect((await redeem(code)).status).to.equal(200);
    });

    it('400: a code is good for a minute', async () => {
      const code = await codeFor(await offer());
      issuance.server.clock.advance(60_001);
      expect(outcome(await redeem(code))).to.deep.equal([400, 'invalid_grant']);
    });

    it('400: a second use of a code makes the token of the first one void', async () => {
      const code = await codeFor(await offer());
      const { body } = await redeem(code);
      expect(outcome(await redeem(code))).to.deep.equal([400, 'invalid_grant']);
      expect((await issuance.claimFor(body.access_token, [holder])).status).to.equal(401);
    });

    it('503: a code that is repeated while it is redeemed is to come again after a second; the token of the first is good', async () => {
      const peer = await new HttpPeer().listen();
      const statusCallbackUri = `${peer.url}/hook`;
      peer.routes['/hook'] = () => ({});
      const code = await codeFor(await offer({ statusCallbackUri }));
      const { asked, answer } = peer.hold('/hook');
      const first = redeem(code);
      await asked;
      const { status, body, headers } = await redeem(code);
      expect([status, body.error, headers.get('retry-after')]).to.deep.equal([503, 'temporarily_unavailable', '1']);
      expect(outcome(await redeem(code, { client_id: 'other' }))).to.deep.equal([400, 'invalid_grant']);
      answer();
      const { access_token: token } = (await first).body;
      expect((await issuance.claimFor(token, [holder])).status).to.equal(200);
      expect(outcome(await redeem(code))).to.deep.equal([400, 'invalid_grant']);
      await peer.close();
    });

    it('200: details are answered with identifiers, and the token permits only what they or the scopes name', async () => {
      const other = 'OpenBadgeCredential_jwt_vc_json';
      const degree = { ...issuance.issuer, credentialData: { type: ['VerifiableCredential', 'UniversityDegree'] } };
      const badge = { ...issuance.issuer, credentialData: { type: ['VerifiableCredential', 'OpenBadgeCredential'] } };
      const content = [
        { ...degree, credentialConfigurationId: DEGREE },
        { ...badge, credentialConfigurationId: other },
      ];
      const id = await offer({ content });
      const details = JSON.stringify([{ type: 'openid_credential', credential_configuration_id: other }]);
      const { configurations } = await scopes();
      for (const changes of [{ authorization_details: details }, { scope: configurations[other] }]) {
        const { body } = await redeem(await codeFor(id, changes));
        if ('authorization_details' in changes)
          expect(body.authorization_details[0].credential_identifiers).to.deep.equal([`${other}-1`]);
        const refused = await issuance.claimFor(body.access_token, [holder]);
        expect(outcome(refused)).to.deep.equal([400, 'unknown_credential_configuration']);
      }
    });

    async function scopes(): Promise<{ configurations: Record<string, string> }> {
      const { body } = await issuance.server.call('getOpenid4vciIssuerMetadata');
      const all = Object.entries<{ scope: string }>(body.credential_configurations_supported);
      return { configurations: Object.fromEntries(all.map(([id, { scope }]) => [id, scope])) };
    }
  });
});

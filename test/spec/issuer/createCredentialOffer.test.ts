import { expect } from 'chai';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { onboard } from '../../../demo/actors/issuer.ts';
import { HttpPeer, type PeerRequest } from '../../actors/http-peer.ts';
import { until } from '../../support/runs/waiting.ts';
import { useServer } from '../../support/servers/server.ts';

const PROFILE = 'UniversityDegree_jwt_vc_json';
const PRE_AUTHORIZED = { profileId: PROFILE, authMethod: 'PRE_AUTHORIZED' };
const AUTHORIZED = { profileId: PROFILE, authMethod: 'AUTHORIZED' };

describe('createCredentialOffer', () => {
  const server = useServer();
  const create = (json: object) => server.call('createCredentialOffer', { json });
  const created = async (json: object) => {
    const { status, body } = await create(json);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body;
  };
  const parameter = (url: string, name: string): string => new URL(url).searchParams.get(name) ?? '';
  const inUrl = (url: string) => JSON.parse(parameter(url, 'credential_offer'));

  it('201: makes a session for five minutes and the URL of its offer, which does not name the session', async () => {
    const { status, headers, body } = await create(PRE_AUTHORIZED);
    expect([status, headers.get('cache-control')]).to.deep.equal([201, 'no-store']);
    expect(body).to.have.all.keys('offerId', 'profileId', 'authMethod', 'expiresAt', 'credentialOffer');
    expect(body).to.include({ profileId: PROFILE, authMethod: 'PRE_AUTHORIZED' });
    expect(body.expiresAt).to.be.within(server.clock.now() + 299_000, server.clock.now() + 300_000);
    const uri = parameter(body.credentialOffer, 'credential_offer_uri');
    expect(uri.startsWith(`${server.settings.publicUrl}/openid4vci/credential-offer?id=`)).to.equal(true);
    expect(body.credentialOffer).to.not.include(body.offerId);
  });

  it('201: a session with the id of an earlier one is reached by nothing that led to that one', async () => {
    const request = { ...PRE_AUTHORIZED, sessionId: 'enrolment-2026-7' };
    const offerOf = async ({ credentialOffer }: { credentialOffer: string }) => {
      const { pathname, search } = new URL(parameter(credentialOffer, 'credential_offer_uri'));
      return server.fetch(pathname + search);
    };
    const redeem = (code: string) =>
      server.call('requestOpenid4vciToken', { form: { grant_type: GRANT, 'pre-authorized_code': code } });
    const earlier = await created(request);
    const code = (await offerOf(earlier)).body.grants[GRANT]['pre-authorized_code'];
    const { access_token: token } = (await redeem(code)).body;
    server.clock.advance(3_600_000);
    const later = await created(request);
    expect((await offerOf(earlier)).status).to.equal(404);
    expect((await redeem(code)).body.error).to.equal('invalid_grant');
    const json = { credential_configuration_id: PROFILE, proofs: { jwt: ['x'] } };
    expect((await server.call('requestOpenid4vciCredential', { token, json })).status).to.equal(401);
    expect((await offerOf(later)).status).to.equal(200);
  });

  it('201: BY_VALUE writes the whole offer into the URL', async () => {
    const { credentialOffer } = await created({ ...PRE_AUTHORIZED, valueMode: 'BY_VALUE' });
    const offer = inUrl(credentialOffer);
    expect(offer.credential_issuer).to.equal(`${server.settings.publicUrl}/openid4vci`);
    expect(offer.credential_configuration_ids).to.deep.equal([PROFILE]);
    expect(offer.grants[GRANT]['pre-authorized_code']).to.match(/^[A-Za-z0-9_-]{86}$/);
  });

  it('201: a transaction code is generated or taken, and is shown in the answer only', async () => {
    const byValue = { ...PRE_AUTHORIZED, valueMode: 'BY_VALUE' };
    const made = await created({ ...byValue, txCode: { description: 'By letter' } });
    expect(made.txCodeValue).to.match(/^[0-9]{6}$/);
    expect(inUrl(made.credentialOffer).grants[GRANT].tx_code).to.deep.equal({
      input_mode: 'numeric',
      length: 6,
      description: 'By letter',
    });
    const taken = await created({ ...byValue, txCode: { input_mode: 'text' }, txCodeValue: 'HORSE' });
    expect(taken.txCodeValue).to.equal('HORSE');
    expect(decodeURIComponent(taken.credentialOffer)).to.include('"length":5').and.not.include('HORSE');
    expect((await created({ ...PRE_AUTHORIZED, txCode: {} })).txCodeValue).to.match(/^[0-9]{6}$/);
  });

  it('201: AUTHORIZED has an issuer state that is not the id of the session', async () => {
    const byValue = { ...AUTHORIZED, valueMode: 'BY_VALUE' };
    const included = await created(byValue);
    expect(included.issuerStateMode).to.equal('INCLUDE');
    const { authorization_code: grant } = inUrl(included.credentialOffer).grants;
    expect(grant.issuer_state).to.be.a('string').and.not.equal(included.offerId);
  });

  it('201: expiresInSeconds is the life of the offer; -1 stands for ten years', async () => {
    const seconds = async (expiresInSeconds: number) =>
      Math.round(((await created({ ...PRE_AUTHORIZED, expiresInSeconds })).expiresAt - server.clock.now()) / 1000);
    expect([await seconds(60), await seconds(-1)]).to.deep.equal([60, 315_360_000]);
  });

  it('201: the webhook of an offer gets the first event with its bearer token and a signature, and no key', async () => {
    const peer = await new HttpPeer().listen();
    peer.other = () => ({ status: 204 });
    const webhook = { url: `${peer.url}/events/$id`, bearerToken: 'b3arer', signingSecret: 's'.repeat(32) };
    const { offerId } = await created({ ...PRE_AUTHORIZED, runtimeOverrides: { notifications: { webhook } } });
    await until(() => peer.seen.length === 1);
    const [{ url, headers, body }] = peer.seen as [PeerRequest];
    await peer.close();
    expect(url.pathname).to.equal(`/events/${offerId}`);
    expect(headers.authorization).to.equal('Bearer b3arer');
    expect(headers['x-signature']).to.match(/^t=[0-9]+,v1=[0-9a-f]{64}$/);
    const { target, event, session } = JSON.parse(body);
    expect([target, event, session.status, session.profileId]).to.deep.equal([
      offerId,
      'credential_offer_created',
      'ACTIVE',
      PROFILE,
    ]);
    expect(body).to.not.match(/"d":|b3arer|sss/);
  });

  it('201: an own id names the session; 409: once, also for two at the same time', async () => {
    const sessionId = 'order-4711';
    const answers = await Promise.all([1, 2, 3].map(() => create({ ...PRE_AUTHORIZED, sessionId })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409]);
    expect((await create({ ...PRE_AUTHORIZED, sessionId })).status).to.equal(409);
    const { body } = await server.call('getIssuanceSession', { path: { sessionId } });
    expect(body).to.include({ sessionId, status: 'ACTIVE' });
  });

  it('404: for a profile that does not exist', async () => {
    expect((await create({ ...PRE_AUTHORIZED, profileId: 'unknown' })).status).to.equal(404);
  });

  const refused: [string, object, string][] = [
    ['no profile', { authMethod: 'AUTHORIZED' }, '/body/profileId'],
    ['a blank profile', { ...PRE_AUTHORIZED, profileId: ' ' }, '/body/profileId'],
    ['no method', { profileId: PROFILE }, '/body/authMethod'],
    ['an issuer state with a code', { ...PRE_AUTHORIZED, issuerStateMode: 'INCLUDE' }, '/body/issuerStateMode'],
    ['a transaction code without a code', { ...AUTHORIZED, txCode: {} }, '/body/txCode'],
    ['a value without a transaction code', { ...PRE_AUTHORIZED, txCodeValue: '1' }, '/body/txCodeValue'],
    ['a value of another length', { ...PRE_AUTHORIZED, txCode: { length: 4 }, txCodeValue: '1' }, '/body/txCodeValue'],
    ['letters in digits', { ...PRE_AUTHORIZED, txCode: {}, txCodeValue: 'abc' }, '/body/txCodeValue'],
    ['an offer that expires at once', { ...PRE_AUTHORIZED, expiresInSeconds: 0 }, '/body/expiresInSeconds'],
    ['a negative life', { ...PRE_AUTHORIZED, expiresInSeconds: -2 }, '/body/expiresInSeconds'],
    ['an id with a dot', { ...PRE_AUTHORIZED, sessionId: 'a.b' }, '/body/sessionId'],
    ['an unknown field', { ...PRE_AUTHORIZED, more: 1 }, '/body/more'],
    [
      'an offer that no wallet could redeem, since it does not name its session',
      { ...AUTHORIZED, issuerStateMode: 'OMIT' },
      '/body/issuerStateMode',
    ],
    [
      'an unknown data function',
      { ...PRE_AUTHORIZED, runtimeOverrides: { mapping: { id: '<nonsense>' } } },
      '/body/runtimeOverrides/mapping/id',
    ],
    [
      'the DID of another key',
      { ...PRE_AUTHORIZED, runtimeOverrides: { issuerDid: 'did:jwk:e30' } },
      '/body/runtimeOverrides/issuerDid',
    ],
    [
      'a key that is none',
      { ...PRE_AUTHORIZED, runtimeOverrides: { issuerKey: { type: 'jwk', jwk: { kty: 'EC' } } } },
      '/body/runtimeOverrides/issuerKey',
    ],
    [
      'a webhook that is no URL',
      { ...PRE_AUTHORIZED, runtimeOverrides: { notifications: { webhook: { url: 'ftp://x' } } } },
      '/body/runtimeOverrides/notifications/webhook/url',
    ],
  ];
  for (const [title, json, path] of refused)
    it(`400: refuses ${title}, naming it, and makes no session`, async () => {
      const count = async () => (await server.call('listIssuanceSessions', { query: { limit: '100' } })).body.length;
      const before = await count();
      const { status, body } = await create(json);
      expect(status, JSON.stringify(body)).to.equal(400);
      expect(String(body.details?.[0].path).startsWith(path), JSON.stringify(body)).to.equal(true);
      expect(await count()).to.equal(before);
    });

  it('201: an offer can bring its own key', async () => {
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    await created({ ...PRE_AUTHORIZED, runtimeOverrides: { ...issuer } });
  });

  it('413: refuses a body over 1 MiB; 415: another media type', async () => {
    const credentialData = { text: 'x'.repeat(1024 * 1024) };
    expect((await create({ ...PRE_AUTHORIZED, runtimeOverrides: { credentialData } })).status).to.equal(413);
    expect((await server.call('createCredentialOffer', { text: '{}' })).status).to.equal(415);
  });
});

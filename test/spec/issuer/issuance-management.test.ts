import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { EventListener } from '../../actors/event-listener.ts';
import { FinalIssuance } from '../../actors/openid4vci.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import { until } from '../../support/runs/waiting.ts';
import { startServer, useServer } from '../../support/servers/server.ts';

const PROFILE = 'UniversityDegree_jwt_vc_json';
const card = {
  name: 'Membership card',
  credentialConfigurationId: 'MembershipCard',
  credentialData: { given_name: 'Alex', level: 'gold' },
  issuerDid: 'did:web:university.example.org',
  selectiveDisclosure: { fields: { given_name: { sd: true } } },
  notifications: { webhook: { url: 'https://hooks.example.org', bearerToken: 'secret-token' } },
};
const supportedCredentialTypes = {
  MembershipCard: {
    format: 'dc+sd-jwt',
    vct: 'urn:example:membership',
    scope: 'membership',
    display: [{ name: 'Membership card', locale: 'en-US' }],
    claims: [{ path: ['given_name'], mandatory: true }],
  },
};

describe('listIssuanceProfiles', () => {
  const server = useServer();

  it('200: without a file has a profile with data for every configuration, and no key', async () => {
    const { status, body } = await server.call('listIssuanceProfiles');
    expect(status).to.equal(200);
    const degree = body.find(({ profileId }: { profileId: string }) => profileId === PROFILE);
    expect(degree).to.include({ credentialConfigurationId: PROFILE, format: 'jwt_vc_json' });
    expect(degree.credentialData.type).to.deep.equal(['VerifiableCredential', 'UniversityDegree']);
    expect(JSON.stringify(body)).to.not.match(/issuerKey|"d":|"jwk"/);
    for (const { profileId } of body) expect(profileId).to.match(/^[A-Za-z0-9_-]+$/);
  });

  it('200: each of them can be offered', async () => {
    const { body } = await server.call('listIssuanceProfiles');
    for (const { profileId } of body) {
      const json = { profileId, authMethod: 'PRE_AUTHORIZED' };
      const answer = await server.call('createCredentialOffer', { json });
      expect(answer.status, `${profileId}: ${JSON.stringify(answer.body)}`).to.equal(201);
    }
  });
});

describe('getIssuanceProfile', () => {
  const server = useServer({
    settings: { issuerMetadata: { supportedCredentialTypes }, issuer2Profiles: { profiles: { membership: card } } },
  });
  const get = (profileId: string) => server.call('getIssuanceProfile', { path: { profileId } });

  it('200: shows the profile with the description of its credential, without key and webhook', async () => {
    const { status, body } = await get('membership');
    expect(status).to.equal(200);
    const { notifications: _, ...shown } = card;
    expect(body).to.deep.equal({
      ...shown,
      profileId: 'membership',
      format: 'dc+sd-jwt',
      vct: 'urn:example:membership',
      scope: 'membership',
      display: supportedCredentialTypes.MembershipCard.display,
      claims: supportedCredentialTypes.MembershipCard.claims,
    });
  });

  it('404: for an unknown profile; 400: for an id that is too long', async () => {
    expect((await get('unknown')).status).to.equal(404);
    expect((await get('constructor')).status).to.equal(404);
    expect((await get('x'.repeat(129))).status).to.equal(400);
  });

  it('is not served by a server whose profiles are wrong', async () => {
    const profiles = { one: { ...card, credentialConfigurationId: 'Unknown' } };
    const error = await startServer({ settings: { issuer2Profiles: { profiles } } }).catch((caught) => caught);
    expect(String(error)).to.include('issuer2-profiles.conf: profiles.one.credentialConfigurationId');
  });
});

describe('listIssuanceSessions', () => {
  const server = useServer();
  const ids = ['a', 'b', 'c'];
  const list = async (query?: Record<string, string>) => {
    const { status, body } = await server.call('listIssuanceSessions', { query });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.map(({ sessionId }: { sessionId: string }) => sessionId);
  };
  before(async () => {
    for (const sessionId of ['b', 'c', 'a']) {
      await server.call('createCredentialOffer', { json: { profileId: PROFILE, authMethod: 'AUTHORIZED', sessionId } });
      server.clock.advance(10);
    }
  });

  it('200: has every session of 1.0 by id, or in the order of its times, in pages', async () => {
    expect(await list()).to.deep.equal(ids);
    expect(await list({ sort: 'createdDateTime' })).to.deep.equal(['a', 'c', 'b']);
    expect(await list({ sort: 'updatedDateTime+' })).to.deep.equal(['b', 'c', 'a']);
    expect(await list({ limit: '1', offset: '1' })).to.deep.equal(['b']);
  });

  it('400: names every parameter that is wrong', async () => {
    const { status, body } = await server.call('listIssuanceSessions', {
      query: { limit: '0', offset: '01', sort: 'id' },
    });
    expect(status).to.equal(400);
    expect(body.details.map(({ path }: { path: string }) => path)).to.have.members([
      '/query/limit',
      '/query/offset',
      '/query/sort',
    ]);
  });
});

describe('getIssuanceSession', () => {
  const server = useServer();
  const get = (sessionId: string) => server.call('getIssuanceSession', { path: { sessionId } });

  it('200: shows how far the session is, no code and no data, and its expiry', async () => {
    const json = {
      profileId: PROFILE,
      authMethod: 'PRE_AUTHORIZED',
      expiresInSeconds: 60,
      txCode: {},
      runtimeOverrides: { credentialData: { credentialSubject: { given_name: 'Grace' } } },
    };
    const { offerId, txCodeValue, expiresAt } = (await server.call('createCredentialOffer', { json })).body;
    const { status, body } = await get(offerId);
    expect(status).to.equal(200);
    const { createdDateTime, updatedDateTime, ...session } = body;
    expect(createdDateTime).to.equal(updatedDateTime);
    expect(session).to.deep.equal({
      sessionId: offerId,
      profileId: PROFILE,
      authenticationMethod: 'PRE_AUTHORIZED',
      credentialConfigurationId: PROFILE,
      credentialConfigurationIds: [PROFILE],
      status: 'ACTIVE',
      isClosed: false,
      expiresAt: new Date(expiresAt).toISOString(),
      offered: 1,
      issued: 0,
      credentials: 0,
    });
    expect(JSON.stringify(body)).to.not.include(txCodeValue).and.not.include('Grace');
    server.clock.advance(60_000);
    expect((await get(offerId)).body).to.include({ status: 'EXPIRED', isClosed: true });
  });

  it('200: a wallet redeems the offer of a profile; the session is successful and its history has every step', async () => {
    const issuance = await FinalIssuance.start();
    const { call } = issuance.server;
    try {
      const json = { profileId: PROFILE, authMethod: 'PRE_AUTHORIZED' };
      const { offerId, credentialOffer } = (await call('createCredentialOffer', { json })).body;
      const uri = new URL(new URL(credentialOffer).searchParams.get('credential_offer_uri') ?? '');
      const offer = await issuance.server.fetch(uri.pathname + uri.search);
      const { body: token } = await issuance.redeem(offer.body.grants[GRANT]['pre-authorized_code']);
      const holder = makeHolderKey();
      const { status, body } = await issuance.claimFor(token.access_token, [holder]);
      expect(status, JSON.stringify(body)).to.equal(200);
      const { claims } = decodeJwt(body.credentials[0].credential);
      expect(claims.iss).to.match(/^did:jwk:/);
      expect(claims.vc.credentialSubject).to.include({ given_name: 'Alex' });
      const session = (await call('getIssuanceSession', { path: { sessionId: offerId } })).body;
      expect(session).to.include({ status: 'SUCCESSFUL', isClosed: true, offered: 1, issued: 1, credentials: 1 });
      expect(session).to.include({ issuedCredentialFormat: 'jwt_vc_json', profileId: PROFILE });
      const listener = await EventListener.open(issuance.server, offerId);
      await until(() => listener.ids.length === 5);
      listener.leave();
      expect(listener.events.map(({ event }) => event)).to.deep.equal([
        'credential_offer_created',
        'credential_offer_retrieved',
        'token_request_pre_authorized_code_succeeded',
        'credential_request_w3c_vc_succeeded',
        'issuance_status_changed',
      ]);
      const sessions = listener.events.map((event) => event.session as { status: string });
      expect(sessions.map(({ status }) => status)).to.deep.equal([...Array(4).fill('ACTIVE'), 'SUCCESSFUL']);
      expect(sessions.at(-1)).to.include({ sessionId: offerId, isClosed: true });
    } finally {
      await issuance.close();
    }
  });

  it('404: for an unknown session; 400: for an id that is too long', async () => {
    expect((await get('unknown')).status).to.equal(404);
    expect((await get('x'.repeat(129))).status).to.equal(400);
  });
});

describe('deleteIssuanceRecipient', () => {
  const SEEN: string[] = [];
  const server = useServer();
  const of = { reference: 'File 4711/a \u{1F4C1}', recipient: 'Ada Byron <ada@example.org>' };
  const create = (json: object) =>
    server.call('createCredentialOffer', { json: { profileId: PROFILE, authMethod: 'PRE_AUTHORIZED', ...json } });
  const get = async (sessionId: string) => (await server.call('getIssuanceSession', { path: { sessionId } })).body;
  const remove = async (sessionId: string) =>
    (await server.call('deleteIssuanceRecipient', { path: { sessionId } })).status;

  it('204: the session has its reference and no recipient, again too; 404: for an unknown session; 400: for an id that is too long', async () => {
    const { body: offer } = await create({ ...of, valueMode: 'BY_VALUE' });
    const before = await get(offer.offerId);
    expect(before).to.include(of);
    SEEN.push(JSON.stringify(offer), JSON.stringify((await server.call('listIssuanceSessions')).body));
    expect(SEEN.filter((text) => text.includes('Ada Byron'))).to.deep.equal([]);
    for (let times = 0; times < 2; times += 1) expect(await remove(offer.offerId)).to.equal(204);
    const { recipient: _, updatedDateTime, ...left } = before;
    expect(await get(offer.offerId))
      .to.deep.include(left)
      .and.not.have.property('recipient');
    expect(await remove('unknown')).to.equal(404);
    expect(await remove('x'.repeat(129))).to.equal(400);
  });

  it('204: of a session that is over', async () => {
    const { body: offer } = await create({ ...of, expiresInSeconds: 60 });
    server.clock.advance(60_000);
    expect(await remove(offer.offerId)).to.equal(204);
    expect(await get(offer.offerId)).to.include({ status: 'EXPIRED', reference: of.reference });
    expect(await get(offer.offerId)).not.to.have.property('recipient');
  });

  it('the offer of the same request comes again without the recipient too, and not for another one', async () => {
    const line = { profileId: PROFILE, authMethod: 'PRE_AUTHORIZED', sessionId: 'again', ...of };
    const send = async (changes: object) => {
      const call = { lines: [{ ...line, ...changes }] };
      return (await server.call('createCredentialOffersInBulk', call)).body[0].status;
    };
    expect([await send({}), await send({}), await send({ recipient: 'Bob' })]).to.deep.equal([201, 201, 409]);
    expect(await remove('again')).to.equal(204);
    expect([await send({}), await send({ reference: 'File 4712' })]).to.deep.equal([201, 409]);
    expect(await get('again')).not.to.have.property('recipient');
  });

  it('400: names a reference or a recipient that is too long, has several lines or goes with no session', async () => {
    const wrong = { reference: 'x'.repeat(129), recipient: 'Ada\nByron' };
    const fields = async (json: object) => (await create(json)).body.details.map(({ path }: { path: string }) => path);
    expect(await fields(wrong)).to.have.members(['/body/reference', '/body/recipient']);
    expect(await fields({ recipient: 'x'.repeat(321) })).to.have.length(1);
    expect(await fields({ authMethod: 'AUTHORIZED', issuerStateMode: 'OMIT', reference: 'x' })).to.have.length(1);
  });
});

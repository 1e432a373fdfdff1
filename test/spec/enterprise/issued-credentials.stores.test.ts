import { expect } from 'chai';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  mayNot,
  oversized,
  startEnterprise,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { CARDS, createIssuer, ISSUER, MEMBER, offerOf } from '../../actors/tenant-issuer.ts';
import { refusesStrangers } from '../../actors/tenant-refusals.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { operationOf } from '../../support/documents/contract.ts';
import { exampleOf } from '../../support/documents/examples.ts';
import type { Call } from '../../support/servers/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into in any member
type Json = Record<string, any>;
type Query = Record<string, string>;

const STATUS = 'acme.t1.status1';
const DAY_MS = 86_400_000;
const LIST = { profiles: { ...CARDS.profiles, badge: { ...CARDS.profiles.card, credentialConfigurationId: 'Badge' } } };
const TYPES = { ...CARDS.supportedCredentialTypes, Badge: { format: 'dc+sd-jwt' } };

describe('what an issuer of a tenant issued', () => {
  let world: EnterpriseFixture;
  let wallet: WalletUser;
  let card: Json;
  let badge: Json;
  before(async () => {
    world = await startEnterprise({ auth: { tokenLifetimeSeconds: 31_536_000 } });
    await ok(world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
    const statusLists = { Card: { type: 'TokenStatusList' } };
    const config = { dependencies: [KMS, STATUS], statusLists, ...LIST, supportedCredentialTypes: TYPES };
    await ok(createIssuer(world, config), 201);
    wallet = await newWalletUser(world.server);
    card = await issue({ reference: 'File 4711', recipient: 'Alice <alice@example.org>', sessionId: 'alice' });
    badge = await issue({ reference: 'File 4712', recipient: 'bob@example.org', profileId: 'badge' });
    await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ reference: 'File 4711' })), 201);
  });
  after(() => world.close());

  const call = (operationId: string, issuedId: string, json?: object, target = ISSUER) =>
    world.server.call(operationId, { path: { target, issuedId }, json, token: world.root });
  const list = async (query: Query = {}, target = ISSUER): Promise<Json[]> =>
    ok(world.server.call('listIssuedCredentials', { path: { target }, query, token: world.root }));
  const idsOf = async (query: Query) => (await list(query)).map(({ id }) => id);
  const show = (id: string) => ok(call('getIssuedCredential', id));
  const sessionOf = (sessionId: string) =>
    world.server.call('tenantGetIssuanceSession', { path: { target: ISSUER, sessionId }, token: world.root });

  /** Offers a credential, which the wallet takes; returns what the list then has first. */
  async function issue(changes: object, target = ISSUER): Promise<Json> {
    world.server.clock.advance(1000);
    const { credentialOffer } = await ok(world.post('tenantCreateCredentialOffer', target, offerOf(changes)), 201);
    await ok(wallet.call('acceptCredentialOffer', { text: credentialOffer }));
    const [latest] = await list({ limit: '1' }, target);
    return latest ?? {};
  }

  describe('listIssuedCredentials', () => {
    it('200: has what wallets took, the latest first, without data of credentials', async () => {
      expect(await list()).to.deep.equal([badge, card]);
      expect(card).to.deep.include({
        _id: `${ISSUER}.${card.id}`,
        parent: ISSUER,
        sessionId: 'alice',
        profileId: 'card',
        credentialConfigurationId: 'Card',
        format: 'dc+sd-jwt',
        credentials: 1,
        reference: 'File 4711',
        recipient: 'Alice <alice@example.org>',
        state: 'valid',
      });
      expect(JSON.stringify(card)).not.to.contain('gold');
      expect((await sessionOf('alice')).body).to.include({ issuedId: card.id, issued: 1 });
    });

    it('200: finds by case, recipient, type, state and time, and by all of them', async () => {
      const { issuedDateTime: then } = card;
      const all = { reference: ' file  4711', recipient: 'ALICE <alice@example.org>', type: 'Card', state: 'valid' };
      for (const [name, text] of Object.entries(all))
        expect(await idsOf({ [name]: text }), name).to.deep.equal(name === 'state' ? [badge.id, card.id] : [card.id]);
      expect(await idsOf({ ...all, from: then, to: then })).to.deep.equal([card.id]);
      expect(await idsOf({ to: then })).to.deep.equal([card.id]);
      expect(await idsOf({ from: badge.issuedDateTime })).to.deep.equal([badge.id]);
      const none: Query[] = [
        { reference: 'File' },
        { state: 'revoked' },
        { ...all, type: 'Badge' },
        { to: '2020-01-01T00:00:00.000Z' },
      ];
      for (const query of none) expect(await list(query)).to.deep.equal([]);
      expect(await list({ offset: '1', limit: '1' })).to.deep.equal([card]);
    });

    it('200: leaves out what the caller is denied, of a search too', async () => {
      const action = 'issued-credential-list';
      const { token } = await world.member([may('acme'), mayNot(`${ISSUER}.${badge.id}`, action)]);
      const queries: Query[] = [{}, { state: 'valid' }, { reference: 'File 4712' }, { type: 'Card' }];
      for (const query of queries) {
        const answer = await world.server.call('listIssuedCredentials', { path: { target: ISSUER }, query, token });
        const isBadge = 'reference' in query;
        expect(answer.body, JSON.stringify(query)).to.deep.equal(isBadge ? [] : [card]);
      }
    });

    it('400: names every parameter that is wrong', async () => {
      const query = { state: 'lost', from: '2026-02-30T25:00:00Z', reference: '', limit: '0', sort: 'createdDateTime' };
      const answer = await world.server.call('listIssuedCredentials', {
        path: { target: ISSUER },
        query,
        token: world.root,
      });
      const names = ['/query/state', '/query/from', '/query/reference', '/query/limit', '/query/sort'];
      expect([...new Set(fieldsOf(answer))]).to.have.members(names);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'listIssuedCredentials', target: ISSUER }),
    );
  });

  describe('getIssuedCredential', () => {
    it('200: has the entries of status lists with which it is revoked, and their history', async () => {
      const { entries, ...shown } = await show(card.id);
      expect(shown).to.deep.equal({ ...card, statusTarget: STATUS });
      const [entry] = entries;
      expect(entries).to.have.length(1);
      expect(entry).to.deep.include({ status: 'valid', session: `${ISSUER}.alice`, history: [] });
      const path = { target: STATUS, listId: entry.listId, index: String(entry.index) };
      const { body } = await world.server.call('tenantGetStatusEntry', { path, token: world.root });
      expect(body).to.deep.equal(entry);
      expect(await show(badge.id)).to.deep.equal({ ...badge, entries: [] });
    });

    it('400: names no entry; 404: for an unknown one', async () => {
      expect((await call('getIssuedCredential', 'x')).status).to.equal(400);
      expect((await call('getIssuedCredential', `${card.id.slice(0, -1)}!`)).status).to.equal(400);
      expect((await call('getIssuedCredential', `1${card.id.slice(1)}`)).status).to.equal(404);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'getIssuedCredential', target: ISSUER, path: { issuedId: card.id } }),
    );
  });

  describe('changeIssuedCredential', () => {
    it('200: suspends, lifts and revokes; a change at its status list is found here too', async () => {
      const one = await issue({ reference: 'Changed', sessionId: 'changed' });
      const change = async (action: string) => ok(call('changeIssuedCredential', one.id, { action, reason: 'Why' }));
      const found = async (state: string) => (await idsOf({ state })).includes(one.id);
      expect(await change('suspend')).to.deep.equal({ id: one.id, state: 'suspended' });
      expect([await found('suspended'), await found('valid'), await found('revoked')]).to.deep.equal([
        true,
        false,
        false,
      ]);
      expect((await show(one.id)).entries[0]).to.include({ status: 'suspended' });
      expect(await change('lift')).to.include({ state: 'valid' });
      expect([await found('suspended'), await found('valid')]).to.deep.equal([false, true]);
      const status = { path: { target: STATUS }, token: world.root };
      const json = { session: `${ISSUER}.changed`, status: '0x1' };
      await ok(world.server.call('updateSessionStatus', { ...status, json }));
      expect([await found('revoked'), await found('valid')]).to.deep.equal([true, false]);
      expect(await list({ reference: 'changed', state: 'revoked' })).to.have.length(1);
      const { state, entries } = await show(one.id);
      expect([state, entries[0].status, entries[0].history.length]).to.deep.equal(['revoked', 'revoked', 3]);
      expect(await change('revoke')).to.include({ state: 'revoked' });
      expect((await call('changeIssuedCredential', one.id, { action: 'lift' })).status).to.equal(409);
      expect((await show(card.id)).state).to.equal('valid');
    });

    it('200: of the lists of an issuer without a service for them, which only this changes', async () => {
      const target = 'acme.t1.alone';
      await ok(createIssuer(world, {}, target), 201);
      await ok(world.post('createCredentialType', target, { ...MEMBER, id: 'member', revocable: true }), 201);
      const runtimeOverrides = { credentialData: { name: 'Ada' } };
      const one = await issue({ profileId: 'member_dc-sd-jwt', runtimeOverrides }, target);
      expect(await ok(call('getIssuedCredential', one.id, undefined, target))).to.include({ statusTarget: target });
      const answer = await ok(call('changeIssuedCredential', one.id, { action: 'revoke' }, target));
      expect(answer).to.include({ state: 'revoked' });
    });

    it('400: names what is wrong; 409: without an entry of a status list', async () => {
      expect(fieldsOf(await call('changeIssuedCredential', card.id, { action: 'forget' }))).to.deep.equal([
        '/body/action',
      ]);
      expect((await call('changeIssuedCredential', badge.id, { action: 'revoke' })).status).to.equal(409);
    });

    it('413: refuses a body over 1 MiB; 415: other media types', async () => {
      const change = { path: { target: ISSUER, issuedId: card.id }, token: world.root };
      const send = async (body: Call) =>
        (await world.server.call('changeIssuedCredential', { ...change, ...body })).status;
      expect([await send(oversized), await send(asForm)]).to.deep.equal([413, 415]);
    });

    it('200: the example of the document, as often as it is sent', async () => {
      await ok(world.post('createCredentialType', ISSUER, { ...MEMBER, id: 'member', revocable: true }), 201);
      const runtimeOverrides = { credentialData: { name: 'Ada' } };
      const offered = { reference: 'File 4711', recipient: 'ada@example.org', runtimeOverrides };
      const one = await issue({ ...offered, profileId: 'member_dc-sd-jwt' });
      expect(one).to.include({ typeVersion: 1, credentialConfigurationId: 'member_dc+sd-jwt' });
      const example = exampleOf(await operationOf('changeIssuedCredential')) as { reason: string };
      for (let times = 0; times < 2; times += 1)
        expect(await ok(call('changeIssuedCredential', one.id, example))).to.include({ state: 'revoked' });
      expect((await show(one.id)).entries[0].history[0]).to.include({ reason: example.reason });
    });
    refusesStrangers(
      () => world,
      () => ({
        operationId: 'changeIssuedCredential',
        target: ISSUER,
        path: { issuedId: card.id },
        json: { action: 'revoke' },
      }),
    );
  });

  describe('deleteIssuedRecipient', () => {
    const of = { reference: 'Forgotten', recipient: 'Carol' };

    it('204: the credential is found by the rest and revoked as before, long after its session', async () => {
      const one = await issue({ ...of, sessionId: 'carol' });
      world.server.clock.advance(DAY_MS);
      expect((await sessionOf('carol')).status).to.equal(404);
      expect(await idsOf({ recipient: 'carol' })).to.deep.equal([one.id]);
      for (let times = 0; times < 2; times += 1)
        expect((await call('deleteIssuedRecipient', one.id)).status).to.equal(204);
      expect(await idsOf({ recipient: 'carol' })).to.deep.equal([]);
      expect(await show(one.id)).not.to.have.property('recipient');
      expect(await idsOf({ reference: 'forgotten' })).to.deep.equal([one.id]);
      expect(await ok(call('changeIssuedCredential', one.id, { action: 'revoke' }))).to.include({ state: 'revoked' });
    });

    it('204: in the session too, and the session forgets it here', async () => {
      const one = await issue({ ...of, sessionId: 'dora' });
      expect((await call('deleteIssuedRecipient', one.id)).status).to.equal(204);
      expect((await sessionOf('dora')).body).not.to.have.property('recipient');
      const two = await issue({ ...of, sessionId: 'emma' });
      const path = { target: ISSUER, sessionId: 'emma' };
      const { status } = await world.server.call('tenantDeleteIssuanceRecipient', { path, token: world.root });
      expect([status, (await show(two.id)).recipient]).to.deep.equal([204, undefined]);
    });

    it('204: of the record of an earlier session, not of a later one with the same id', async () => {
      const one = await issue({ ...of, sessionId: 'same', expiresInSeconds: 60 });
      world.server.clock.advance(DAY_MS);
      const two = await issue({ ...of, sessionId: 'same' });
      expect((await call('deleteIssuedRecipient', one.id)).status).to.equal(204);
      expect((await sessionOf('same')).body).to.include({ recipient: 'Carol', issuedId: two.id });
      expect((await show(two.id)).recipient).to.equal('Carol');
      expect((await show(one.id)).entries).to.have.length(1);
    });

    it('400: names no entry; 404: for an unknown one', async () => {
      expect((await call('deleteIssuedRecipient', 'x')).status).to.equal(400);
      expect((await call('deleteIssuedRecipient', `1${card.id.slice(1)}`)).status).to.equal(404);
    });
    refusesStrangers(
      () => world,
      () => ({ operationId: 'deleteIssuedRecipient', target: ISSUER, path: { issuedId: card.id } }),
    );
  });

  describe('a record', () => {
    it('goes with its service, and is kept as long as that says', async () => {
      const target = 'acme.t1.brief';
      await ok(createIssuer(world, { issuedRetentionDays: 2 }, target), 201);
      const one = await issue({ reference: 'Brief' }, target);
      world.server.clock.advance(DAY_MS);
      const two = await issue({ reference: 'Brief' }, target);
      expect((await list({ reference: 'brief' }, target)).map(({ id }) => id)).to.deep.equal([two.id, one.id]);
      world.server.clock.advance(DAY_MS);
      expect((await list({ reference: 'brief' }, target)).map(({ id }) => id)).to.deep.equal([two.id]);
      await ok(world.post('deleteResource', target), 204);
      await ok(createIssuer(world, {}, target), 201);
      expect(await list({}, target)).to.deep.equal([]);
    });
  });
});

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Store } from '../../../ports/store.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  mayNot,
  oversized,
  startEnterprise,
  VERIFIER,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { createIssuer, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: events have any facts
type Json = Record<string, any>;

const STATUS = 'acme.t1.status1';

describe('listAuditEvents: what is issued and verified', () => {
  /** Of the events alone. */
  const faults = new StoreFaults();
  const wrapStore = (store: Store): Store => {
    const faulty = new FaultyStore(store, faults);
    const collection: Store['collection'] = (spec) => (spec.name === 'audit-events' ? faulty : store).collection(spec);
    return new Proxy(store, {
      get: (target, name: keyof Store) => (name === 'collection' ? collection : target[name].bind(target)),
    });
  };
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise({ features: { enabled: ['eidas-audit'] } }, { wrapStore });
    await ok(world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
    const statusLists = { Card: { type: 'TokenStatusList', statusSize: 2 } };
    await ok(createIssuer(world, { dependencies: [KMS, STATUS], statusLists }), 201);
  });
  after(() => world.close());

  const events = async (target: string, action: string) =>
    (await world.server.call('listAuditEvents', { path: { target }, query: { action }, token: world.root })).body
      .events;
  const offer = async () => (await world.post('tenantCreateCredentialOffer', ISSUER, offerOf())).body.credentialOffer;

  it('200: a credential, by the digest of what the wallet got; the chain is whole', async () => {
    const user = await newWalletUser(world.server);
    const [{ id, document }] = (await user.call('acceptCredentialOffer', { text: await offer() })).body;
    expect(id).to.be.a('string');
    const [event, ...others] = await events(ISSUER, 'credentialIssued');
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({ outcome: 'succeeded', target: ISSUER, account: '', source: '' });
    const { sessionId, credentialPayloadHash, holderBindingPublicKeyJwk, ...facts } = event.parameters;
    expect(facts).to.deep.equal({ credentialConfigurationId: 'Card', credentialIndex: '0', format: 'dc+sd-jwt' });
    expect(sessionId).to.be.a('string');
    expect(credentialPayloadHash).to.equal(createHash('sha256').update(document).digest('base64url'));
    expect(JSON.parse(holderBindingPublicKeyJwk)).to.include.keys('kty').and.not.include.keys('d');
    const check = { path: { target: 'acme' }, token: world.root };
    expect((await world.server.call('checkAuditTrail', check)).body).to.include({ valid: true });
  });

  it('200: a verification, accepted or refused', async () => {
    const vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    const created = await vp.create(crossDevice());
    const request = await vp.request(created);
    await vp.respond(request, await vp.response(request));
    const declined = await vp.create(crossDevice());
    const other = await vp.request(declined);
    await vp.respond(other, { error: 'access_denied', state: other.parameters.state });
    const found = await events(VERIFIER, 'presentationVerified');
    expect(found.map(({ parameters }: { parameters: object }) => parameters)).to.deep.equal([
      { sessionId: declined.sessionId, result: 'refused' },
      { sessionId: created.sessionId, result: 'accepted' },
    ]);
  });

  const SESSION = 'card-of-alice';
  const set = (status: string) =>
    world.server.call('updateSessionStatus', {
      path: { target: STATUS },
      json: { session: `${ISSUER}.${SESSION}`, status },
      token: world.root,
    });

  it('200: each change of a status, also where what is issued is changed', async () => {
    const offer = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ sessionId: SESSION })), 201);
    await ok((await newWalletUser(world.server)).call('acceptCredentialOffer', { text: offer.credentialOffer }));
    await ok(set('0x2'));
    await ok(set('0x0'));
    const [{ id: issuedId }] = await ok(
      world.server.call('listIssuedCredentials', { path: { target: ISSUER }, token: world.root }),
    );
    const revoked = { path: { target: ISSUER, issuedId }, json: { action: 'revoke' }, token: world.root };
    await ok(world.server.call('changeIssuedCredential', revoked));
    const found = await events(STATUS, 'credentialStatusChanged');
    const facts = found.map(({ parameters: { statusListId, ...others } }: { parameters: Json }) => {
      expect(statusListId).to.be.a('string');
      return others;
    });
    const [{ index }] = facts;
    const of = (event: string) => ({ event, index, session: `${ISSUER}.${SESSION}` });
    expect(facts).to.deep.equal([of('REVOKED'), of('UNSUSPENDED'), of('SUSPENDED')]);
  });

  it('503: a change that cannot be recorded is not answered, and is recorded when it is repeated', async () => {
    const sessionId = 'card-of-bob';
    const offer = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ sessionId })), 201);
    await ok((await newWalletUser(world.server)).call('acceptCredentialOffer', { text: offer.credentialOffer }));
    const revoke = () =>
      world.server.call('updateSessionStatus', {
        path: { target: STATUS },
        json: { session: `${ISSUER}.${sessionId}`, status: '0x1' },
        token: world.root,
      });
    faults.down = true;
    expect((await revoke()).status).to.equal(503);
    faults.end();
    await ok(revoke());
    const [last] = await events(STATUS, 'credentialStatusChanged');
    expect(last.parameters).to.include({ event: 'REVOKED', session: `${ISSUER}.${sessionId}` });
  });

  describe('queryAuditEntries', () => {
    const ask = (json: object, token = world.root) => world.server.call('queryAuditEntries', { json, token });

    it('200: the entries below a target in the form of the reference, in pages, by kind and time', async () => {
      const { entries } = await ok(ask({ organizationId: 'acme', target: 'acme' }));
      const kinds = new Set(entries.map(({ entryType }: Json) => entryType));
      expect([...kinds].sort()).to.deep.equal([
        'CREDENTIAL_ISSUED',
        'CREDENTIAL_LIFECYCLE',
        'PRESENTATION_VERIFICATION_COMPLETED',
      ]);
      const numbers = entries.map(({ sequenceNumber }: Json) => sequenceNumber);
      expect(numbers).to.deep.equal(numbers.toSorted((one: number, other: number) => other - one));
      const issued = entries.filter(({ entryType }: Json) => entryType === 'CREDENTIAL_ISSUED');
      expect(issued[0].holderBindingPublicKeyJwk).to.include.keys('kty');
      expect(issued[0]).to.include({ target: ISSUER, organizationId: 'acme', credentialIndex: 0 });
      const ofTypes = await ok(ask({ target: ISSUER, entryTypes: ['CREDENTIAL_ISSUED'] }));
      expect(ofTypes.entries).to.deep.equal(issued);
      expect((await ok(ask({ target: STATUS, entryTypes: ['CREDENTIAL_ISSUED'] }))).entries).to.deep.equal([]);
      const paged = [];
      for (let after: number | undefined, ended = false; !ended; ) {
        const page = await ok(
          ask({ target: 'acme', limit: 2, ...(after !== undefined && { afterSequenceNumber: after }) }),
        );
        paged.push(...page.entries);
        after = page.nextSequenceNumber;
        ended = after === undefined;
      }
      expect(paged).to.deep.equal(entries);
      const { timestamp } = entries[0];
      expect((await ok(ask({ target: 'acme', fromTimestamp: timestamp + 1 }))).entries).to.deep.equal([]);
      expect((await ok(ask({ target: 'acme', fromTimestamp: 0, toTimestamp: timestamp }))).entries).to.deep.equal(
        entries,
      );
      const { body } = await world.server.call('listAuditEvents', {
        path: { target: 'acme' },
        query: { limit: '1000' },
        token: world.root,
      });
      for (const { sequenceNumber, entryHash, prevEntryHash } of entries) {
        const event = body.events.find(({ sequence }: Json) => sequence === sequenceNumber);
        expect(event).to.include({ hash: entryHash, previous: prevEntryHash });
      }
    });

    it('200: only what the caller may see', async () => {
      const { token } = await world.member([may('acme', 'audit-view'), mayNot(ISSUER, 'audit-view')]);
      const targets = (await ok(ask({ target: 'acme' }, token))).entries.map(({ target }: Json) => target);
      expect(new Set(targets)).to.deep.equal(new Set([STATUS, VERIFIER]));
    });

    it('400: names the member', async () => {
      for (const [json, field] of [
        [{}, 'target'],
        [{ target: 'a..b' }, 'target'],
        [{ target: 'acme', organizationId: 'other' }, 'organizationId'],
        [{ target: 'acme', entryTypes: ['OTHER'] }, 'entryTypes/0'],
        [{ target: 'acme', fromTimestamp: '2026' }, 'fromTimestamp'],
        [{ target: 'acme', limit: 1001 }, 'limit'],
        [{ target: 'acme', other: 1 }, 'other'],
      ] as const)
        expect(fieldsOf(await ask(json)), JSON.stringify(json)).to.deep.equal([`/body/${field}`]);
    });

    it('401, 403, 404, 413 and 415', async () => {
      expect((await ask({ target: 'acme' }, 'x')).status).to.equal(401);
      const { token } = await world.member([may('acme', 'did-list')]);
      expect((await ask({ target: 'acme' }, token)).status).to.equal(403);
      expect((await ask({ target: 'other' }, token)).status).to.equal(404);
      for (const [call, status] of [
        [oversized, 413],
        [asForm, 415],
      ] as const)
        expect((await world.server.call('queryAuditEntries', { ...call, token: world.root })).status).to.equal(status);
    });
  });

  it('503: what cannot be recorded is not answered, and nothing is issued or concluded', async () => {
    const [user, text] = [await newWalletUser(world.server), await offer()];
    const vp = await Openid4vp.with(world.server, { target: VERIFIER, token: world.root });
    const created = await vp.create(crossDevice());
    const request = await vp.request(created);
    const response = await vp.response(request);
    faults.down = true;
    expect((await user.call('acceptCredentialOffer', { text })).status).to.be.at.least(500);
    expect((await vp.respond(request, response)).status).to.equal(503);
    faults.end();
    expect((await user.call('listWalletCredentials')).body).to.deep.equal([]);
    expect((await vp.info(created)).status).to.not.equal('SUCCESSFUL');
    world.server.clock.advance(15_000);
    expect((await vp.respond(request, response)).status).to.equal(200);
  });
});

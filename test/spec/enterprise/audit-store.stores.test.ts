import { expect } from 'chai';
import type { AuditEvent } from '../../../domain/tenancy/audit/audit-event.ts';
import type { Body, Store } from '../../../ports/store.ts';
import { type EnterpriseFixture, KMS, login, may, SUPERADMIN, startEnterprise } from '../../actors/tenant.ts';
import { CountingStore } from '../../support/stores/counting-store.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const idOf = (sequence: number | undefined): string => String(sequence).padStart(16, '0');
/** The events as they are at rest: each value is what was sealed, in base64url. */
const EVENTS = {
  name: 'audit-events',
  listed: true,
  sealed: false,
  afterRestore: 'kept' as const,
  sealing: {
    seal: (text: string) => Buffer.from(JSON.parse(text), 'base64url'),
    unseal: (body: Body) => JSON.stringify(Buffer.from(body as Uint8Array).toString('base64url')),
  },
};

describe('recorded events and the store', () => {
  const faults = new StoreFaults();
  let world: EnterpriseFixture;
  let store: CountingStore;
  before(async () => {
    const wrapStore = (inner: Store) => {
      store = new CountingStore(inner);
      return new FaultyStore(store, faults);
    };
    world = await startEnterprise({ audit: { retentionDays: 1 } }, { wrapStore });
  });
  after(() => world.close());

  /** The operations of a call on collections, the one that records the master key left out. */
  async function doneBy(call: () => Promise<unknown>): Promise<string[]> {
    const from = store.done.length;
    await call();
    return store.done.slice(from);
  }
  const ofAudit = (done: string[]): string[] => done.filter((one) => one.startsWith('audit-'));
  const create = (target: string, token = world.root) => world.post('createTenant', target, {}, token);
  const check = async () =>
    (await world.server.call('checkAuditTrail', { path: { target: 'acme' }, token: world.root })).body;
  const eventsOf = async (target: string): Promise<AuditEvent[]> =>
    (await world.server.call('listAuditEvents', { path: { target }, token: world.root })).body.events;

  it('a change costs three operations more, one that is read costs none', async () => {
    await create('acme.a0');
    expect(ofAudit(await doneBy(() => create('acme.a1')))).to.deep.equal([
      'audit-events insert',
      'audit-events insert',
      'audit-chains replace',
    ]);
    const read = () => world.server.call('getResource', { path: { target: 'acme.a1' }, token: world.root });
    expect(ofAudit(await doneBy(read))).to.deep.equal([]);
  });

  it('a change costs the same number of operations where nothing is visible and where nothing is', async () => {
    await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
    await world.post('createTenant', 'other.t1', {});
    const { token } = await world.member([may('acme')]);
    await create('other.t1.t2', token);
    const [foreign, absent] = [
      await doneBy(() => create('other.t1.t2', token)),
      await doneBy(() => create('absent.t1.t2', token)),
    ];
    expect(foreign).to.deep.equal(absent);
  });

  it('nothing is changed when the store fails before, and a change whose end cannot be recorded is one that began', async () => {
    await create('acme.f0');
    const { length } = await doneBy(() => create('acme.f1'));
    let changed = 0;
    for (let failIn = 1; failIn <= length; failIn += 1) {
      const target = `acme.g${failIn}`;
      faults.failIn = failIn;
      const { status } = await create(target);
      faults.failIn = 0;
      const call = { path: { target }, token: world.root };
      const exists = (await world.server.call('getResource', call)).status === 200;
      const recorded = (await eventsOf(target)).map(({ outcome }) => outcome);
      if (exists) expect(recorded, `${failIn}: ${status}`).to.include('begun');
      if (exists) changed += 1;
      if (status === 201) expect(recorded, `${failIn}`).to.deep.equal(['succeeded', 'begun']);
    }
    expect(changed).to.be.greaterThan(0);
    expect((await check()).valid).to.equal(true);
  });

  it('the check finds an event that was altered or removed in the store, and where', async () => {
    const collection = store.collection<unknown>(EVENTS);
    for (let n = 0; n < 4; n += 1) await world.post('generateKey', KMS, {});
    const [, , third, fourth] = await eventsOf(KMS);
    const at = (event: AuditEvent | undefined) => ({ parent: 'acme', id: idOf(event?.sequence) });
    const record = await collection.get(at(third));
    const altered = String(record?.value).replace(/.{4}$/, (end) => [...end].reverse().join(''));
    await collection.replace({ ...at(third), value: altered }, record?.revision ?? 0);
    expect(await check()).to.deep.include({
      valid: false,
      break: { sequence: third?.sequence, reason: 'The event was altered' },
    });
    await collection.replace({ ...at(third), value: record?.value }, (record?.revision ?? 0) + 1);
    expect((await check()).valid).to.equal(true);
    await collection.remove(at(fourth));
    const { last, ...broken } = await check();
    expect(broken).to.deep.equal({
      valid: false,
      checked: (fourth?.sequence ?? 0) - 1,
      break: { sequence: fourth?.sequence, reason: 'The event is missing' },
    });
    expect(last.sequence).to.equal((fourth?.sequence ?? 0) - 1);
  });

  it('the check finds a removed event of the installation too', async () => {
    const ask = async (operationId: string) => (await world.server.call(operationId, { token: world.root })).body;
    const { events } = await ask('listInstallationEvents');
    const sequence = events[1].sequence;
    await store.collection(EVENTS).remove({ parent: '', id: idOf(sequence) });
    expect(await ask('checkInstallationTrail')).to.deep.equal({
      valid: false,
      checked: sequence - 1,
      last: { sequence: sequence - 1, hash: events[2].hash },
      break: { sequence, reason: 'The event is missing' },
    });
  });

  it('events are removed after the configured time, and the others are still checked', async () => {
    await world.server.call('createOrganization', { json: { _id: 'short' }, token: world.root });
    await world.post('createTenant', 'short.t1', {});
    world.server.clock.advance(86_400_000 - 1000);
    const root = await login(world.server, SUPERADMIN);
    await world.post('createTenant', 'short.t2', {}, root);
    const ask = (operationId: string) => world.server.call(operationId, { path: { target: 'short' }, token: root });
    world.server.clock.advance(3_600_000);
    // The removal looks for a minute without a recorded call, beside requests.
    while ((await ask('listAuditEvents')).body.events.length > 2) world.server.clock.advance(60_000);
    const { events } = (await ask('listAuditEvents')).body;
    expect(events.map(({ target }: AuditEvent) => target)).to.deep.equal(['short.t2', 'short.t2']);
    expect((await ask('checkAuditTrail')).body).to.include({ valid: true, checked: 2 });
  });
});

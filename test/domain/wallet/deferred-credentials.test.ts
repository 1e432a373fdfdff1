import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Activity } from '../../../domain/holdings/activity.ts';
import { DeferredCredentials } from '../../../domain/wallet/delivery/deferred-credentials.ts';
import { DeferredTransactions } from '../../../domain/wallet/delivery/deferred-transactions.ts';
import { DeliveredNotes } from '../../../domain/wallet/delivery/delivered-notes.ts';
import type { CredentialRequests } from '../../../domain/wallet/issuance/credential-requests.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('a credential that an issuer defers for ever', () => {
  it('is asked for less and less, and given up after 30 days with an entry in the event log', async () => {
    let [time, asked, id] = [0, 0, 0];
    const clock = { now: () => time };
    const recorded: Activity[] = [];
    const activity = { record: async (_: string, entry: Activity) => void recorded.push(entry) };
    const parts = { store: new MemoryStore(clock), clock, activity, ids: { uuid: () => String(++id) } };
    const transactions = new DeferredTransactions(parts, 'accounts');
    const unused = () => Promise.reject(new Error('Nothing is delivered'));
    const deferred = new DeferredCredentials(
      {
        ...parts,
        transactions,
        notes: new DeliveredNotes(parts),
        timers: { every: () => () => {} },
        requests: {
          sendDeferred: async () => {
            asked += 1;
            return { status: 202, headers: {}, body: Buffer.from('{"transaction_id":"t","interval":1}') };
          },
        } as unknown as CredentialRequests,
        access: { send: (_owner, grant, send) => send(grant) },
        offers: { requireRoom: async () => {}, store: unused, note: unused, report: () => {} },
      },
      { check: () => {}, send: unused },
    );
    const pending = { transactionId: 't', isToken: false, configurationId: 'Card', described: { format: 'dc+sd-jwt' } };
    const redeemed = { accessToken: 'a', metadata: {}, issued: [], deferred: [pending] };
    const recipient = { holder: 'did:example', issuer: 'https://issuer.example', requireUserInput: false };
    await transactions.keep('wallet', redeemed, recipient);
    for (let [one] = await deferred.list('wallet'); one; [one] = await deferred.list('wallet')) {
      time = one.nextAt;
      // A mark that is too early is moved to the time of its transaction first.
      await deferred.resume();
      await deferred.resume();
    }
    expect(time).to.equal(30 * DAY);
    expect(asked).to.be.within(720, 740);
    expect(recorded.map(({ action }) => action)).to.deep.equal(['Defer', 'Fail']);
    expect(recorded[1]?.note).to.equal('The issuer did not deliver the credential in time');
    const refusal = await deferred.poll('wallet', 't').catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DomainError).with.property('code', 'NotFound');
  });
});

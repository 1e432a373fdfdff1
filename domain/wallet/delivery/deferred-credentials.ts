import type { OutboundReply } from '../../../ports/outbound.ts';
import type { Clock, Timers } from '../../../ports/system.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import { underLease } from '../../foundation/lease.ts';
import type { HeldRecord } from '../../foundation/leased-records.ts';
import type { ActivityRecorder } from '../../holdings/activity.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import type { CredentialRequests } from '../issuance/credential-requests.ts';
import { isRefusal } from '../issuance/interrupted-offers.ts';
import { type IssuedCredential, issuedCredentials } from '../issuance/issuances.ts';
import type { DeferredCredential, OfferRedemption } from '../issuance/offer-redemption.ts';
import { parseCredentialResponse, readInterval } from '../issuance/openid4vci.ts';
import { isSuccess, ProtocolClient, readErrorCode, readObject } from '../protocol-client.ts';
import { activityOf, type DeferredTransaction, type DeferredTransactions } from './deferred-transactions.ts';
import type { DeliveredNotes } from './delivered-notes.ts';
import type { WalletRecord } from './due-marks.ts';
import type { RenewedAccess } from './renewed-access.ts';

/** What came of a question for a deferred credential: what is in the wallet now, or what is still waited for. */
interface CollectedCredentials {
  credentials: StoredCredential[];
  pending?: DeferredCredential;
}

/** What an issuer answers while it has no credential (draft 13 §9.3), and to a wallet that asks too often. */
const PENDING: readonly unknown[] = ['issuance_pending', 'slow_down'];
/** Answers after which the same request may succeed. */
const TEMPORARY: readonly number[] = [408, 425, 429];

/** Collects credentials that issuers deliver later (OpenID4VCI 1.0 §9, draft 13 §9, draft 11 §9). */
export class DeferredCredentials {
  readonly #client: ProtocolClient;

  constructor(
    private readonly parts: {
      transactions: DeferredTransactions;
      notes: DeliveredNotes;
      requests: CredentialRequests;
      access: Pick<RenewedAccess, 'send'>;
      offers: Pick<OfferRedemption, 'requireRoom' | 'store' | 'note' | 'report'>;
      clock: Clock;
      timers: Timers;
      activity: ActivityRecorder;
    },
    outbound: ConstructorParameters<typeof ProtocolClient>[0],
  ) {
    this.#client = new ProtocolClient(outbound, 'issuer');
  }

  /** What a wallet waits for, the oldest first. */
  list(walletId: string): Promise<DeferredCredential[]> {
    return this.parts.transactions.list(walletId);
  }

  /**
   * Asks for a credential now, unless the issuer said to wait; `name` is the id of the transaction or the issuer's
   * `transaction_id`. What is delivered is in the wallet afterwards. A `BadRequest` ends the transaction.
   * @throws DomainError `NotFound`, `Busy` while another request asks, `BadRequest` with the issuer's reason, `Conflict` when
   * the wallet is full, `UpstreamFailed`, `UpstreamTimeout`
   */
  async poll(walletId: string, name: string): Promise<CollectedCredentials> {
    const { id, value } = await this.parts.transactions.find(walletId, name);
    await this.parts.offers.requireRoom(walletId);
    if (!value.issued && this.parts.clock.now() < value.askableAt) return this.#pending(walletId, id);
    const collected = await this.#collect({ owner: walletId, id });
    if (collected.credentials.length > 0) await this.parts.notes.take(walletId, id);
    return collected;
  }

  /** The ids of what a transaction, named as for `poll`, brought that no caller has seen, once. */
  delivered(walletId: string, name: string): Promise<string[] | undefined> {
    return this.parts.notes.take(walletId, name);
  }

  /** Gives up on a credential. @throws DomainError `NotFound` */
  async abandon(walletId: string, name: string): Promise<void> {
    const { id, value } = await this.parts.transactions.find(walletId, name);
    await this.#end({ owner: walletId, id }, value, 'The wallet gave up on it');
  }

  /** Forgets what a wallet that is removed waits for. */
  removeAll(walletId: string): Promise<void> {
    return this.parts.transactions.removeAll(walletId);
  }

  /** Asks for everything that is due, and goes on with what a killed process left. */
  async resume(): Promise<void> {
    const { transactions } = this.parts;
    const dueAt = async (record: WalletRecord): Promise<number | undefined> => {
      const value = await transactions.get(record);
      return value && Math.max(value.dueAt, value.lease?.until ?? 0);
    };
    const work = async (record: WalletRecord): Promise<void> => {
      try {
        await this.#collect(record);
      } catch (error) {
        // Any other failure is in the record and in the event log.
        if (!isDomainError(error) || error.code === 'StoreUnavailable') throw error;
      }
    };
    await transactions.marks.round(dueAt, work);
  }

  async #collect(record: WalletRecord): Promise<CollectedCredentials> {
    const { transactions, timers, clock } = this.parts;
    const taken = await transactions.leases.hold(record);
    if (!taken) return { credentials: [] };
    const { held, value } = taken;
    if (value.endsAt <= clock.now()) {
      const reason = 'The issuer did not deliver the credential in time';
      await this.#end(held, value, reason);
      throw new DomainError('BadRequest', reason);
    }
    const renew = () => transactions.leases.change(held, (unchanged) => unchanged);
    return underLease(timers, renew, () => this.#receive(held, value));
  }

  /** What is delivered is kept before anything else is done with it, so that no failure after that loses it. */
  async #receive(held: HeldRecord, value: DeferredTransaction): Promise<CollectedCredentials> {
    const { transactions, offers, notes } = this.parts;
    const { owner } = held;
    let issued = value.issued;
    try {
      await offers.requireRoom(owner);
      if (!issued) issued = await this.#ask(held, value);
      if (!issued) return await this.#pending(owner, held.id);
      const credentials = await offers.store(owner, { ...value, issued });
      await notes.keep(
        held,
        value.transactionId,
        credentials.map(({ id }) => id),
      );
      if (await transactions.remove(held)) {
        await offers.note(owner, credentials, { ...value, issued });
        offers.report(owner, { ...value, issued }, 'credential_accepted');
      }
      return { credentials };
    } catch (error) {
      if (!isRefusal(error)) await transactions.postpone(held, value).catch(() => undefined);
      else if ((await this.#end(held, value, error.message)) && issued)
        offers.report(owner, { ...value, issued }, 'credential_failure');
      throw error;
    }
  }

  /** Undefined when the issuer has no credential yet; then the transaction is put off. */
  async #ask(held: HeldRecord, value: DeferredTransaction): Promise<IssuedCredential[] | undefined> {
    const { transactions, requests, access } = this.parts;
    // A token of draft 11 is good for its transaction alone, and nothing renews it.
    const reply = value.isToken
      ? await requests.sendDeferred(value)
      : await access.send(held.owner, value, (granted) => requests.sendDeferred({ ...value, ...granted }));
    const body = readObject(reply);
    const isPending = !isSuccess(reply) && PENDING.includes(body?.error);
    if (!isPending && !isSuccess(reply)) throw this.#refusal(reply);
    const answer = isPending ? undefined : parseCredentialResponse(body);
    if (answer && 'credentials' in answer) {
      const issued = issuedCredentials(value.described, answer);
      await transactions.leases.change(held, (before) => ({ ...before, issued }));
      return issued;
    }
    await transactions.postpone(held, { ...value, intervalSeconds: readInterval(body?.interval) });
    return undefined;
  }

  #refusal(reply: OutboundReply): DomainError {
    const error = this.#client.errorFrom(reply);
    if (!TEMPORARY.includes(reply.status)) return error;
    const upstreamError = readErrorCode(readObject(reply)?.error);
    return new DomainError('UpstreamFailed', error.message, { extra: { ...(upstreamError && { upstreamError }) } });
  }

  async #pending(walletId: string, id: string): Promise<CollectedCredentials> {
    const pending = (await this.list(walletId)).find((one) => one.id === id);
    return { credentials: [], ...(pending && { pending }) };
  }

  /** Returns whether this request ended it. */
  async #end(record: WalletRecord, value: DeferredTransaction, note: string): Promise<boolean> {
    const isEnded = await this.parts.transactions.remove(record);
    if (isEnded) await this.parts.activity.record(record.owner, { ...activityOf(value), action: 'Fail', note });
    return isEnded;
  }
}

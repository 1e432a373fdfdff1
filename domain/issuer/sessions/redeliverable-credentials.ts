import type { Collection, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import type { Holder } from '../protocol.ts';
import { countItems, type ItemPlan } from './item-plan.ts';

/** For how long issued credentials can be asked for again, in milliseconds. */
export const REDELIVERY_MS = 300_000;
/** Credentials that were made, for the wallet that lost the answer. */
export interface RedeliverableCredential {
  /** The grant of the access token that asked for them. */
  grantId: string;
  /** The digest of the holder's keys. */
  holder: string;
  format: string;
  credentials: string[];
}

/** The largest copy that its session holds, in characters of all its credentials: a session is written at each step. */
const MAX_HELD_CHARACTERS = 4096;

/**
 * Whether a session is to hold the copy of its issued credentials: of few small ones, and when its record goes soon after
 * the copy cannot be asked for any more.
 */
export const holdsCopy = (
  { plan, expiresAt }: { plan: ItemPlan; expiresAt: number },
  { credentials }: RedeliverableCredential,
  now: number,
): boolean =>
  countItems(plan) === 1 && expiresAt - now <= REDELIVERY_MS && credentials.join('').length <= MAX_HELD_CHARACTERS;

/** Which copy: that of one item, made by one attempt. */
interface CopyKey {
  owner: string;
  id: number;
}

/** Sealed copies of issued credentials that their sessions do not hold, each until the wallet's notification or for a short time. */
export class RedeliverableCredentials {
  readonly #copies: Collection<RedeliverableCredential>;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#copies = store.collection({ name: 'issued-credentials', afterRestore: 'void' });
    this.#clock = clock;
  }

  async insert(key: CopyKey, value: RedeliverableCredential): Promise<void> {
    await this.#copies.insert({ id: idOf(key), value, expiresAt: this.#clock.now() + REDELIVERY_MS });
  }

  /** The copy for the same holder and grant. */
  async get(
    key: CopyKey,
    { grantId, holder }: Pick<RedeliverableCredential, 'grantId' | 'holder'>,
  ): Promise<RedeliverableCredential | undefined> {
    const copy = (await this.#copies.get({ id: idOf(key) }))?.value;
    return copy?.grantId === grantId && copy.holder === holder ? copy : undefined;
  }

  async remove(key: CopyKey): Promise<void> {
    await this.#copies.remove({ id: idOf(key) });
  }
}

const idOf = ({ owner, id }: CopyKey): string => `${owner}.${id}`;

/** The digest of the holders of one item, in their order. */
export const holderDigest = (holders: readonly Holder[]): string => fingerprint(JSON.stringify(holders));

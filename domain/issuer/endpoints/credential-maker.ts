import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { DomainError, oauthError, replacing } from '../../foundation/errors.ts';
import { isSameKey } from '../../jose/jwk.ts';
import type { PresentedGrant } from '../../oauth/access-tokens.ts';
import type { Attributes } from '../attributes/attributes.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuedRecords } from '../issued/issued-records.ts';
import type { CredentialBuilder } from '../offers/credential-builder.ts';
import type { DeliveredCredentials, Holder } from '../protocol.ts';
import type { IssuableContent } from '../sessions/issuable-content.ts';
import type { IssuanceContents } from '../sessions/issuance-contents.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import { type ActiveSession, issued, type RedeliverableItem } from '../sessions/issuance-session.ts';
import { type Access, ItemFailure, type ItemLeases, type LeasedItems } from '../sessions/item-leases.ts';
import { countContents, itemAt, itemsOf, type PlannedItem } from '../sessions/item-plan.ts';
import { withLoginValues } from '../sessions/login-claims.ts';
import { recordIdOf } from '../sessions/record-id.ts';
import {
  holderDigest,
  holdsCopy,
  type RedeliverableCredential,
  type RedeliverableCredentials,
} from '../sessions/redeliverable-credentials.ts';
import type { LiveSession } from '../sessions/session-repository.ts';
import type { NotificationIds } from './notification-ids.ts';

/** How many credentials of one request are made at the same time. */
const AT_ONCE = 8;
/** The size of the contents of all credentials of one request, in characters of JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** One item with the holders of its credentials. */
interface ItemOrder {
  id: number;
  holders: readonly Holder[];
  /** Names this wish: repeated after a failure, it has the same name. */
  step: string;
}

/** The items that are issued at once. */
interface Issuance {
  orders: readonly ItemOrder[];
  /** That of the verified proofs; of deferred credentials they were verified before. */
  nonce?: string;
  isDeferred?: boolean;
  /** Whether they are of a batch request; a session that had one reports all of its credentials so. */
  isBatch?: boolean;
}

/** Whose credentials are made, and how they are reported. */
interface MakingContext {
  issuer: Pick<CredentialIssuer, 'keys' | 'id' | 'keepsIssuedMs' | 'witness' | 'profiles' | 'target'>;
  grantId: string;
  /** Whether they are reported as credentials of a batch. */
  isBatch: boolean;
  /** The copies that the session is to hold, by item. */
  held: Map<number, RedeliverableCredential>;
}

/** Makes the credentials of items, once (see `ItemLeases`), and keeps a copy of each for a wallet that loses the answer. */
export class CredentialMaker {
  constructor(
    private readonly parts: {
      leases: ItemLeases;
      contents: IssuanceContents;
      attributes: Pick<Attributes, 'values'>;
      builder: CredentialBuilder;
      copies: RedeliverableCredentials;
      issuedRecords: Pick<IssuedRecords, 'add'>;
      events: IssuanceEvents;
      notificationIds: NotificationIds;
      clock: Clock;
    },
  ) {}

  /** Makes the credentials of items under a lease and marks the items as issued. @throws as `ItemLeases.run` */
  async issue(access: Access, { orders, nonce, isDeferred, isBatch = false }: Issuance) {
    const { leases, clock } = this.parts;
    const { issuer, grant, session: before } = access;
    const items = orders.map(({ id }) => id);
    const count = orders.reduce((sum, { holders }) => sum + holders.length, 0);
    const holders = new Map(orders.map((order) => [order.id, holderDigest(order.holders)]));
    const held = new Map<number, RedeliverableCredential>();
    const { made, next, session } = await leases.run(
      access,
      { items, nonce, isDeferred },
      {
        make: (leased) =>
          this.#make(leased, orders, {
            issuer,
            grantId: grant.grantId,
            isBatch: isBatch || leased.session.isBatch,
            held,
          }),
        settle: (current, attempt) => issued(current, attempt, { now: clock.now(), holders, count, held }),
      },
    );
    await this.#clean(before.value, { items, state: session.state });
    return { made, next };
  }

  /** Makes the credentials of all items, at most eight at once. @throws ItemFailure */
  #make(leased: LeasedItems, orders: readonly ItemOrder[], context: MakingContext): Promise<RedeliverableCredential[]> {
    return mapBounded(orders, AT_ONCE, async (order) => {
      try {
        return await this.#item(leased, order, context);
      } catch (error) {
        throw new ItemFailure(order.id, error);
      }
    });
  }

  /** The copy of an issued item for its own holder and grant. */
  async copyOf(
    { owner, id, copy }: RedeliverableItem,
    own: Pick<RedeliverableCredential, 'grantId' | 'holder'>,
  ): Promise<RedeliverableCredential | undefined> {
    if (!copy) return this.parts.copies.get({ owner, id }, own);
    return copy.grantId === own.grantId && copy.holder === own.holder ? copy : undefined;
  }

  /** What the wallet with this grant gets of an item. */
  async delivered(
    grant: PresentedGrant,
    item: number,
    { format, credentials }: RedeliverableCredential,
  ): Promise<DeliveredCredentials> {
    const notificationId = await this.parts.notificationIds.of(grant, item);
    return { kind: 'delivered', format, credentials, notificationId };
  }

  /** Removes the contents that no item needs any more, now that some are issued; a shared one when the session is over. */
  async #clean(session: LiveSession, { items, state }: { items: readonly number[]; state: string }): Promise<void> {
    const { contents } = this.parts;
    const { plan, id, contentsId = id } = session;
    if (heldContent(session)) return;
    if (state === 'UNSUCCESSFUL') {
      await contents.remove(contentsId, [...Array(countContents(plan)).keys()]);
      return;
    }
    const sole = items.flatMap((item) => contentOf(itemAt(plan, item), false));
    const shared = state === 'ACTIVE' ? [] : [...itemsOf(plan)].flatMap((item) => contentOf(item, true));
    await contents.remove(contentsId, [...new Set([...sole, ...shared])]);
  }

  async #item(
    leased: LeasedItems,
    order: ItemOrder,
    { issuer, grantId, isBatch, held }: MakingContext,
  ): Promise<RedeliverableCredential> {
    const { copies } = this.parts;
    const holder = holderDigest(order.holders);
    for (const owner of leased.earlier) {
      // A killed attempt had made it, and no wallet has it.
      const made = await copies.get({ owner, id: order.id }, { grantId, holder });
      if (made) return this.#kept(leased, order, made, held);
    }
    const item = itemAt(leased.session.plan, order.id);
    const offered = item && (await this.#content(leased.session, item));
    if (!offered) throw new DomainError('Conflict', 'The issuance session is over');
    const { loginValues = [] } = leased.session;
    const attributes = await this.parts.attributes.values(issuer, leased.session, offered.configurationId);
    const credentialData = withLoginValues(offered.credentialData, [...loginValues, ...attributes]);
    const content = await withPresentKey(issuer, { ...offered, credentialData });
    checkSize(content, order.holders.length);
    const { format, configurationId } = content;
    const record = issuer.keepsIssuedMs === undefined ? undefined : recordIdOf(leased.session);
    const credentials = await mapBounded(order.holders, AT_ONCE, async (one, index) => {
      const step = `credential ${order.id}.${index} ${fingerprint(JSON.stringify([order.step, one]))}`;
      const session = { ...leased.session, isBatch };
      const built = () => this.parts.builder.build(content, one, { session: session.id, record });
      const credential = await this.parts.events.issued(session, { format, step }, built);
      leased.count();
      const { id: sessionId } = leased.session;
      await issuer.witness?.({ sessionId, configurationId, format, index, credential, key: one.jwk });
      return credential;
    });
    await this.#note(issuer, leased.session, content, credentials.length);
    return this.#kept(leased, order, { grantId, holder, format, credentials }, held);
  }

  /** Keeps a record of credentials before a wallet can have them, for an issuer that does. */
  async #note(
    { id: parent, keepsIssuedMs }: MakingContext['issuer'],
    session: ActiveSession,
    { configurationId, format, statusList }: IssuableContent,
    credentials: number,
  ): Promise<void> {
    if (keepsIssuedMs === undefined) return;
    const { id: sessionId, managed } = session;
    const facts = { sessionId, ...managed?.file, configurationId, format, credentials };
    const { profileId, typeVersion } = managed ?? {};
    const record = { ...facts, profileId, typeVersion, statusLists: statusList?.target, state: 'valid' } as const;
    await this.parts.issuedRecords.add({ parent, id: recordIdOf(session) }, record, keepsIssuedMs);
  }

  async #kept(
    { session, owner, finished }: LeasedItems,
    { id }: ItemOrder,
    copy: RedeliverableCredential,
    held: MakingContext['held'],
  ): Promise<RedeliverableCredential> {
    if (holdsCopy(session, copy, this.parts.clock.now())) held.set(id, copy);
    else await this.parts.copies.insert({ owner, id }, copy);
    finished(copy.format);
    return copy;
  }

  #content({ id, contentsId = id, content: held }: ActiveSession, { content }: PlannedItem) {
    const { contents } = this.parts;
    return held ? contents.whole(held) : contents.get({ contentsId, content });
  }
}

const heldContent = (session: LiveSession) => (session.state === 'ACTIVE' ? session.content : undefined);

/** @throws DomainError `BadRequest` when the issuer's own key was removed or replaced: the offer has no signer then */
async function withPresentKey(
  { keys }: Pick<CredentialIssuer, 'keys'>,
  content: IssuableContent,
): Promise<IssuableContent> {
  const { ownKey, issuerKey: offered } = content;
  if (!ownKey || !keys) return content;
  const issuerKey = await keys.reference(ownKey.name).catch(replacing('Conflict', noKey));
  if (!isSameKey(issuerKey.publicJwk, offered.publicJwk)) throw noKey();
  return { ...content, issuerKey };
}

const noKey = (cause?: unknown): DomainError =>
  new DomainError('BadRequest', 'The issuer does not have the key of the offer any more', { cause });

/** @throws DomainError `invalid_proof` when all credentials of one request together would be too large to be kept in memory */
function checkSize(content: IssuableContent, holders: number): void {
  if (holders === 1) return;
  const most = Math.max(1, Math.floor(MAX_CHARACTERS / JSON.stringify(content).length));
  if (holders > most) throw oauthError('invalid_proof', `proofs: at most ${most} credentials of this size at once`);
}

const contentOf = (item: PlannedItem | undefined, isShared: boolean): number[] =>
  item?.isShared === isShared ? [item.content] : [];

import type { Outbound } from '../../../ports/outbound.ts';
import type { PublishedKeys } from '../../../ports/published-keys.ts';
import type { Clock, Timers } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { at, invalidField, isDomainError } from '../../foundation/errors.ts';
import { memoryOf } from '../../foundation/json.ts';
import { underLease } from '../../foundation/lease.ts';
import { type Loaded, TimedCache } from '../../foundation/timed-cache.ts';
import type { ActivityRecorder } from '../../holdings/activity.ts';
import { credentialActivity } from '../../holdings/credential-activity.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { ExchangePolicies, HolderCredentials, HolderDids } from '../../holdings/holder.ts';
import type { CredentialRecord, IssuedRecord } from '../../holdings/records.ts';
import { ProtocolClient } from '../protocol-client.ts';
import type { ClientOptions } from './client-authentication.ts';
import type { EmbeddedImages } from './embedded-images.ts';
import {
  type HeldOffer,
  type InterruptedOffer,
  type InterruptedOffers,
  interrupted,
  isRefusal,
} from './interrupted-offers.ts';
import type { IssuanceClient } from './issuance-client.ts';
import {
  checkWhole,
  type IssuedCredential,
  type NotificationEvent,
  type RedeemedOffer,
  type ReportedCredentials,
} from './issuances.ts';
import { type ParsedOffer, parseOffer, parseOfferLink } from './offer-links.ts';
import { type HolderBinding, narrowed, type SelectedCredential } from './openid4vci.ts';
import { type HolderDid, holderFinder, type VerifiedCredential, verifyReceived } from './received-credential.ts';

/** An offer to accept, and how. */
export interface OfferAnswer extends Pick<HolderChoice, 'keyId' | 'key'>, StorageOptions {
  link: string;
  /** The DID that the credentials are issued to; the default one when absent. */
  did?: string;
  txCode?: string;
  client?: ClientOptions;
  /** What of the offer is requested; all when absent. */
  selection?: OfferSelection;
}

/** A choice of what is offered. */
export interface OfferSelection {
  /** Equal for equal choices. */
  name: string;
  /** @throws DomainError `BadRequest` for what the offer does not have */
  of(offer: ParsedOffer): Promise<SelectedCredential[]>;
}

/** How received credentials are stored. */
interface StorageOptions {
  /** Whether the user has yet to accept the credentials. */
  requireUserInput: boolean;
  /** What their owner says of them. */
  notes?: Pick<CredentialRecord, 'label' | 'metadata'>;
}

/** For whom credentials were requested, and of whom. */
export interface Recipient extends StorageOptions {
  /** The DID that the credentials were requested for. */
  holder: string;
  issuer: string;
}

/** A credential that an issuer delivers later. Times are milliseconds since the epoch. */
export interface DeferredCredential {
  id: string;
  /** The issuer's name of it; absent where that is a secret. */
  transactionId?: string;
  issuer: string;
  configurationId: string;
  format: string;
  /** The `vct` or document type that was offered. */
  type?: string;
  requestedAt: number;
  /** The issuer's identifier of the credential, if it has one. */
  identifier?: string;
  /** How long the issuer said to wait, from now on; absent for what it delivered and the wallet has yet to store. */
  intervalSeconds?: number;
  /** When the wallet asks next. */
  nextAt: number;
  /** When it gives up. */
  endsAt: number;
}

/** What came of an offer. */
export interface ReceivedOffer {
  credentials: StoredCredential[];
  /** What the issuer delivers later. */
  deferred: DeferredCredential[];
}

/** Keeps what issuers deliver later. */
export interface DeferralStore {
  /** @throws DomainError `Conflict` when the wallet waits for too many */
  keep(walletId: string, redeemed: RedeemedOffer, recipient: Recipient): Promise<DeferredCredential[]>;
  remove(record: { owner: string; id: string }): Promise<boolean>;
}

const CACHE_MS = 15 * 60 * 1000;

/** What was granted for credentials. */
export type GrantedOffer = Pick<Recipient, 'issuer' | 'holder'> & Omit<RedeemedOffer, 'deferred' | 'clientId'>;

/** Keeps what was granted for credentials, until they are gone. */
export interface GrantStore {
  keep(walletId: string, granted: GrantedOffer, stored: StoredCredential[]): Promise<void>;
}

/** Notifies issuers of what became of their credentials. */
interface Notifier {
  /** @throws DomainError for an issuer that does not take it */
  notify(walletId: string, reported: ReportedCredentials, event: NotificationEvent): Promise<void>;
}

/** Credential offers, from the link to the credentials in the wallet. */
export class OfferRedemption {
  readonly #client: ProtocolClient;
  /** Offers that were resolved and not yet accepted, by wallet: some issuers answer an offer URL only once. */
  readonly #resolved: TimedCache<ParsedOffer>;

  constructor(
    private readonly parts: {
      dids: HolderDids;
      credentials: Pick<HolderCredentials, 'requireRoom' | 'addAll'>;
      policies: ExchangePolicies;
      client: IssuanceClient;
      interrupted: InterruptedOffers;
      deferrals: DeferralStore;
      grants: GrantStore;
      notifications: Notifier;
      images: EmbeddedImages;
      formats: CredentialFormats;
      resolver: DidResolver;
      issuers: PublishedKeys;
      activity: ActivityRecorder;
      /** Does work beside what its caller does; a failure is logged. */
      timers: Timers;
      background: { once(name: string, work: () => Promise<void>): void };
    },
    outbound: Outbound,
    clock: Clock,
  ) {
    this.#client = new ProtocolClient(outbound, 'issuer');
    this.#resolved = new TimedCache({
      name: 'looked-at-offers',
      load: (url) => this.#fetch(url),
      failureTtlMs: 0,
      clock,
    });
  }

  /** Returns the offer of a link; cached for 15 minutes. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async resolve(walletId: string, link: string): Promise<ParsedOffer> {
    const source = parseOfferLink(link);
    if ('json' in source) return parseOffer(source.json);
    return this.#resolved.get(source.url, walletId);
  }

  /**
   * Accepts an offer. Either all its credentials are in the wallet afterwards, or waited for where the issuer delivers them
   * later; or, when anything fails, none: then what was delivered is kept, and accepting the same link again goes on with the
   * rest. Where the issuer takes the access token no more, what was delivered is in the wallet beside the error.
   * @throws DomainError `Conflict` when the wallet is full, `BadRequest` with the issuer's reason, `UpstreamFailed`,
   * `UpstreamTimeout`; with the member `resumable`
   */
  async accept(walletId: string, answer: OfferAnswer): Promise<ReceivedOffer> {
    await this.requireRoom(walletId);
    const begun = (await this.#continued(walletId, answer)) ?? (await this.#begin(walletId, answer));
    const { link, key, requireUserInput, notes } = answer;
    return this.complete(walletId, begun, { link, key, requireUserInput, notes });
  }

  /** Gets what is left of a redeemed offer, as `accept`. */
  async complete(
    walletId: string,
    begun: InterruptedOffer | HeldOffer,
    options: Pick<OfferAnswer, 'link' | 'requireUserInput' | 'notes' | 'key'>,
  ): Promise<ReceivedOffer> {
    // Nothing is requested that could not be kept: what an issuer gives is not lost when the process ends.
    const held = 'offer' in begun ? begun : await this.parts.interrupted.begin(walletId, options.link, begun);
    const received = await this.#complete(walletId, held, options);
    checkWhole(held.offer.running);
    return received;
  }

  async #complete(
    walletId: string,
    held: HeldOffer,
    { link, key, ...storage }: Pick<OfferAnswer, 'link' | 'requireUserInput' | 'notes' | 'key'>,
  ): Promise<ReceivedOffer> {
    const { dids, client, interrupted: kept, timers } = this.parts;
    const holderOf = (binding: HolderBinding) => dids.signingDid(walletId, binding);
    const { running, did, issuer } = held.offer;
    const note = () => kept.note(held);
    try {
      const received = await underLease(timers, note, async () => {
        const holder = await dids.signingDid(walletId, { did, key });
        const delivering = { owner: walletId, hasCopies: key === undefined, holderOf, delivered: note };
        await client.finish(running, holder, delivering);
        return this.receive(walletId, running, { ...storage, holder: did, link, issuer });
      });
      await kept.end(held).catch(unlessForeign);
      return received;
    } catch (error) {
      const isDelivered = running.wanted.length === 0 || running.isCutShort === true;
      if (isDelivered && isRefusal(error)) this.report(walletId, running, 'credential_failure');
      const failure = await interrupted(error, { isDelivered, keep: () => kept.keep(walletId, link, held) });
      if (failure === error && isRefusal(error)) await kept.end(held).catch(unlessForeign);
      throw failure;
    }
  }

  /** Notifies the issuer, which the wallet does not wait for. */
  report(walletId: string, reported: ReportedCredentials, event: NotificationEvent): void {
    const { background, notifications } = this.parts;
    background.once('notification of an issuer', () => notifications.notify(walletId, reported, event));
  }

  /** Checks that a wallet may receive credentials, before the code of an offer is spent. @throws DomainError `Conflict` */
  requireRoom(walletId: string): Promise<void> {
    return this.parts.credentials.requireRoom(walletId);
  }

  /** An offer that was redeemed before. @throws DomainError `BadRequest` when that was for another DID */
  async #continued(walletId: string, { link, did, selection }: OfferAnswer): Promise<HeldOffer | undefined> {
    const { interrupted: kept } = this.parts;
    const known = await kept.get(walletId, link);
    if (known && did !== undefined && did !== known.did)
      throw invalidField(['did'], `the offer was redeemed for ${known.did.slice(0, 200)}`);
    if (known && known.selection !== selection?.name)
      throw invalidField(['credentials'], 'the offer was redeemed for another selection of its credentials');
    return known && kept.take(walletId, link);
  }

  async #begin(
    walletId: string,
    { link, txCode, client, selection, ...choice }: OfferAnswer,
  ): Promise<InterruptedOffer> {
    const offer = await at(['link'], () => this.resolve(walletId, link));
    const { did } = await this.parts.dids.signingDid(walletId, choice);
    const asked = narrowed(offer, await selection?.of(offer));
    const running = await this.parts.client.open({ offer: asked, txCode, client });
    return { running, did, issuer: offer.issuer, ...(selection && { selection: selection.name }) };
  }

  /**
   * Keeps what is delivered later, and stores all that was delivered. What is kept is withdrawn when a delivered credential is
   * not acceptable. @throws DomainError as `store`, `Conflict` when the wallet waits for too many
   */
  async receive(
    walletId: string,
    redeemed: RedeemedOffer,
    { link, ...recipient }: Recipient & Partial<Pick<OfferAnswer, 'link'>>,
  ): Promise<ReceivedOffer> {
    const { deferrals } = this.parts;
    const deferred = await deferrals.keep(walletId, redeemed, recipient);
    try {
      const credentials = await this.store(walletId, { ...recipient, ...redeemed });
      if (link !== undefined) this.#forget(walletId, link);
      await this.note(walletId, credentials, { ...redeemed, ...recipient });
      this.report(walletId, redeemed, 'credential_accepted');
      return { credentials, deferred };
    } catch (error) {
      if (isRefusal(error)) for (const { id } of deferred) await deferrals.remove({ owner: walletId, id });
      throw error;
    }
  }

  /**
   * Verifies credentials and stores all of them, copies of one as a set.
   * @throws DomainError as `verifyReceived`, `Forbidden` when a policy of the wallet refuses them
   */
  async store(
    walletId: string,
    { issued, holder, requireUserInput, notes }: Recipient & { issued: IssuedCredential[] },
  ): Promise<StoredCredential[]> {
    if (issued.length === 0) return [];
    const arrived = await this.verified(walletId, { issued, holder });
    const stored = arrived.map((record) => ({ ...record, pending: requireUserInput, ...notes }));
    return this.parts.credentials.addAll(walletId, stored);
  }

  /**
   * What is stored of credentials, when they are acceptable.
   * @throws DomainError as `verifyReceived`, `Forbidden` when a policy of the wallet refuses them
   */
  async verified(
    walletId: string,
    { issued, holder }: { issued: IssuedCredential[]; holder: string },
  ): Promise<IssuedRecord[]> {
    const { dids, policies, images, formats, resolver, issuers } = this.parts;
    const known = await dids.list(walletId);
    const ownOf = (name: string): HolderDid => known.find(({ did }) => did === name) ?? { did: name };
    const checked = { formats, keys: { dids: resolver, issuers } };
    const findHolder = holderFinder(formats);
    const verified: (VerifiedCredential & { holder: string })[] = [];
    for (const credential of issued) {
      const bound = credential.wanted?.bindings?.map(({ did }) => ownOf(did));
      const own = bound ? await findHolder(credential, bound) : ownOf(holder);
      verified.push({ ...(await verifyReceived({ ...checked, holder: own, issued: credential })), holder: own.did });
    }
    await policies.require(
      'RECEIVE',
      verified.map(({ parsed }) => parsed),
    );
    const displays = await images.embed(issued.map(({ display }) => display));
    return issued.map(({ format, credential, disclosurePolicy }, index) => {
      const { copies: [first, ...copies] = [], holder: own = holder } = verified[index] ?? {};
      const further = copies.length > 0 ? { copies } : {};
      const stated = { display: displays[index], disclosurePolicy };
      return { format, document: credential, holder: own, ...first, ...further, ...stated };
    });
  }

  /** Notes in the event log that credentials were received, and keeps what was granted for them. */
  async note(walletId: string, received: StoredCredential[], granted: GrantedOffer): Promise<void> {
    const { activity, grants } = this.parts;
    const { issuer: originator } = granted;
    await grants.keep(walletId, granted, received);
    for (const credential of received)
      await activity.record(walletId, { ...credentialActivity('Receive', credential), originator });
  }

  async #fetch(url: string): Promise<Loaded<ParsedOffer>> {
    const offer = parseOffer(await this.#client.json({ method: 'GET', url, expects: 'credential-offer' }));
    return { value: offer, ttlMs: CACHE_MS, bytes: 2 * memoryOf(offer.json) };
  }

  #forget(walletId: string, link: string): void {
    const source = parseOfferLink(link);
    if ('url' in source) this.#resolved.forget(source.url, walletId);
  }
}

/** That an offer is still kept changes nothing: what it has is in the wallet, or not acceptable. */
function unlessForeign(error: unknown): void {
  if (!isDomainError(error)) throw error;
}

import type { Signatures } from '../../../ports/signatures.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../../ports/system.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { type Lease, underLease } from '../../foundation/lease.ts';
import { type HeldRecord, LeasedRecords } from '../../foundation/leased-records.ts';
import { makeRoom, readAll } from '../../foundation/records.ts';
import type { Dids } from '../../holdings/dids.ts';
import { interrupted, isRefusal, keptUntil } from '../issuance/interrupted-offers.ts';
import type { IssuanceClient, PreparedIssuance } from '../issuance/issuance-client.ts';
import { checkWhole } from '../issuance/issuances.ts';
import type { OfferAnswer, OfferRedemption, ReceivedOffer } from '../issuance/offer-redemption.ts';
import { checkExternalToken, PREPARED_MS } from '../presentation/external-token.ts';

/** An offer whose proofs are to be signed outside the wallet. */
type ExternalOffer = Pick<OfferAnswer, 'link' | 'did' | 'txCode'>;

/** The proofs to sign, and the handle to submit them with. */
interface PreparedProofs extends Pick<PreparedIssuance, 'proofs'> {
  did: string;
  issuer: string;
  /** Names what was prepared; it is no token of the issuer. */
  handle: string;
}

/** Proofs that were signed outside the wallet. */
interface SignedProofs {
  handle: string;
  link: string;
  did?: string;
  issuer: string;
  /** Compact JWSs, in the order of the prepared proofs. */
  proofs: string[];
  requireUserInput: boolean;
}

/** What is kept between preparing and submitting; contains the access token of the issuer. */
interface StoredIssuance extends PreparedIssuance {
  did: string;
  link: string;
  issuer: string;
  /** Whether it was submitted, so that the code of the offer does not bring the rest. */
  isSubmitted?: boolean;
  lease?: Lease;
}

const PREPARED: CollectionSpec<StoredIssuance> = { name: 'wallet-prepared-offers', listed: true, afterRestore: 'void' };
/** How many of a wallet are kept; the oldest makes room. */
const MOST = 16;

/** Offers whose proofs of possession are signed outside the wallet: prepared, signed by the caller, submitted once. */
export class ExternalIssuance {
  readonly #prepared: Collection<StoredIssuance>;
  readonly #leases: LeasedRecords<StoredIssuance>;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      ids: Ids;
      timers: Timers;
      dids: Dids;
      client: IssuanceClient;
      offers: OfferRedemption;
      resolver: DidResolver;
      signatures: Signatures;
    },
  ) {
    this.#prepared = parts.store.collection(PREPARED);
    this.#leases = new LeasedRecords(this.#prepared, parts);
  }

  /**
   * Redeems the code of an offer; one that was submitted and not received whole goes on, with new proofs for its rest.
   * @throws DomainError as `OfferRedemption.accept`, `Busy` while it is submitted
   */
  async prepare(walletId: string, wanted: ExternalOffer): Promise<PreparedProofs> {
    const all = await readAll({ collection: this.#prepared, parent: walletId });
    const known = all.find(({ value }) => value.link === wanted.link && value.isSubmitted);
    return known ? this.#prepareRest({ owner: walletId, id: known.id }, wanted) : this.#prepare(walletId, wanted);
  }

  async #prepareRest(record: { owner: string; id: string }, { did }: ExternalOffer): Promise<PreparedProofs> {
    const { dids, client } = this.parts;
    const taken = await this.#leases.hold(record);
    if (!taken) throw notPrepared();
    const { held, value } = taken;
    let next = value;
    try {
      if (did !== undefined && did !== value.did) throw invalidField(['did'], 'is not what was prepared');
      const holder = await dids.signingDid(record.owner, { did: value.did });
      next = { ...value, ...(await client.prepareRest(value, holder)) };
    } finally {
      await this.#leases.giveBack(held, () => next);
    }
    return { did: next.did, issuer: next.issuer, handle: record.id, proofs: next.proofs };
  }

  async #prepare(walletId: string, { link, did, txCode }: ExternalOffer): Promise<PreparedProofs> {
    const { dids, client, offers, ids, clock } = this.parts;
    const offer = await at(['link'], () => offers.resolve(walletId, link));
    await offers.requireRoom(walletId);
    const holder = await dids.signingDid(walletId, { did });
    const prepared = await client.prepare({ offer, holder, txCode });
    const named = { did: holder.did, issuer: offer.issuer };
    const handle = ids.uuid();
    await makeRoom(this.#prepared, { parent: walletId, most: MOST });
    await this.#prepared.insert({
      id: handle,
      parent: walletId,
      value: { ...prepared, ...named, link },
      expiresAt: clock.now() + PREPARED_MS,
    });
    return { ...named, handle, proofs: prepared.proofs };
  }

  /**
   * Requests the credentials with the signed proofs. After a failure, or the end of the process, the same call goes on with
   * the proofs that were not used.
   * @throws DomainError `BadRequest` naming the member that differs, or with the issuer's reason, `Busy` while another request
   * works on it
   */
  async submit(walletId: string, answer: SignedProofs): Promise<ReceivedOffer> {
    const key = { id: answer.handle, parent: walletId };
    const known = await this.#prepared.get(key);
    if (!known) throw notPrepared();
    await this.#check(answer, known.value);
    const taken = await this.#leases.hold({ owner: walletId, id: answer.handle });
    if (!taken) throw notPrepared();
    const { held } = taken;
    const value = { ...taken.value, isSubmitted: true };
    const received = await this.#receive(held, value, answer);
    checkWhole(value);
    return received;
  }

  async #receive(held: HeldRecord, value: StoredIssuance, answer: SignedProofs): Promise<ReceivedOffer> {
    const { client, offers, timers, clock } = this.parts;
    const { owner, id } = held;
    const { did: holder, link, issuer } = value;
    const end = () => this.#prepared.remove({ parent: owner, id });
    const until = () => keptUntil(value, { now: clock.now(), otherwiseMs: PREPARED_MS });
    const note = () => this.#leases.change(held, () => value, until());
    try {
      await note();
      const received = await underLease(timers, note, async () => {
        await client.finishPrepared(value, answer.proofs, { owner, delivered: note });
        const { requireUserInput } = answer;
        return offers.receive(owner, value, { holder, link, issuer, requireUserInput });
      });
      await end();
      return received;
    } catch (error) {
      const isDelivered = value.used === value.proofs.length || value.isCutShort === true;
      const keep = () => this.#leases.giveBack(held, () => value).then(() => true);
      const failure = await interrupted(error, { isDelivered, keep });
      if (failure === error && isRefusal(error)) await end();
      throw failure;
    }
  }

  async #check(answer: SignedProofs, known: StoredIssuance): Promise<void> {
    for (const name of ['did', 'link', 'issuer'] as const)
      if (answer[name] !== undefined && answer[name] !== known[name])
        throw invalidField([name], 'is not what was prepared');
    if (answer.proofs.length !== known.proofs.length)
      throw invalidField(['proofs'], `must be the ${known.proofs.length} proofs that were prepared`);
    for (const [index, { header, payload }] of known.proofs.entries())
      await at(['proofs', index], () =>
        checkExternalToken(answer.proofs[index] ?? '', { ...known, ...this.parts, token: { header, payload } }),
      );
  }
}

const notPrepared = () => invalidField(['handle'], 'names nothing that was prepared, was used already, or is too old');

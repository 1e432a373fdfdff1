import type { Signatures } from '../../../ports/signatures.ts';
import type { Collection, CollectionSpec, Store, Stored } from '../../../ports/store.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { Dids } from '../../holdings/dids.ts';
import type { IssuanceClient, PreparedIssuance } from '../issuance/issuance-client.ts';
import {
  interrupted,
  type OfferAnswer,
  type OfferRedemption,
  type ReceivedOffer,
} from '../issuance/offer-redemption.ts';
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
}

const PREPARED: CollectionSpec<StoredIssuance> = { name: 'wallet-prepared-offers', listed: true, afterRestore: 'void' };

/** Offers whose proofs of possession are signed outside the wallet: prepared, signed by the caller, submitted once. */
export class ExternalIssuance {
  readonly #prepared: Collection<StoredIssuance>;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      ids: Ids;
      dids: Dids;
      client: IssuanceClient;
      offers: OfferRedemption;
      resolver: DidResolver;
      signatures: Signatures;
    },
  ) {
    this.#prepared = parts.store.collection(PREPARED);
  }

  /** Redeems the code of an offer. @throws DomainError as `OfferRedemption.accept` */
  async prepare(walletId: string, { link, did, txCode }: ExternalOffer): Promise<PreparedProofs> {
    const { dids, client, offers, ids, clock } = this.parts;
    const offer = await at(['link'], () => offers.resolve(walletId, link));
    await offers.requireRoom(walletId);
    const holder = await dids.signingDid(walletId, { did });
    const prepared = await client.prepare({ offer, holder, txCode });
    const named = { did: holder.did, issuer: offer.issuer };
    const handle = ids.uuid();
    await this.#prepared.insert({
      id: handle,
      parent: walletId,
      value: { ...prepared, ...named, link },
      expiresAt: clock.now() + PREPARED_MS,
    });
    return { ...named, handle, proofs: prepared.proofs };
  }

  /**
   * Requests the credentials with the signed proofs. After a failure of the issuer the same call goes on with the proofs that
   * were not used. @throws DomainError `BadRequest` naming the member that differs, or with the issuer's reason
   */
  async submit(walletId: string, answer: SignedProofs): Promise<ReceivedOffer> {
    const { client, offers } = this.parts;
    const key = { id: answer.handle, parent: walletId };
    const known = await this.#prepared.get(key);
    if (!known) throw notPrepared();
    await this.#check(answer, known.value);
    const taken = await this.#prepared.take(key);
    if (!taken) throw notPrepared();
    const { did: holder, link, issuer } = taken.value;
    try {
      await client.finishPrepared(taken.value, answer.proofs);
      const { requireUserInput } = answer;
      return await offers.receive(walletId, taken.value, { holder, link, issuer, requireUserInput });
    } catch (error) {
      const { used, proofs } = taken.value;
      throw await interrupted(error, { isDelivered: used === proofs.length, keep: () => this.#keep(taken) });
    }
  }

  async #keep(taken: Stored<StoredIssuance>): Promise<boolean> {
    await this.#prepared.insert(taken);
    return true;
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

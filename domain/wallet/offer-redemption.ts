import type { Outbound } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { at } from '../foundation/errors.ts';
import { memoryOf } from '../foundation/json.ts';
import { type Loaded, TimedCache } from '../foundation/timed-cache.ts';
import type { Credentials, StoredCredential } from '../holdings/credentials.ts';
import type { Dids } from '../holdings/dids.ts';
import { type ParsedOffer, readOffer, readOfferLink } from './credential-offer.ts';
import type { IssuanceClient } from './issuance-client.ts';
import { ProtocolClient } from './protocol-client.ts';
import { verifyReceivedCredential } from './received-credential.ts';

/** How a wallet answers an offer. */
export interface OfferAnswer {
  link: string;
  /** The DID to hold the credentials; the default one when absent. */
  did?: string;
  txCode?: string;
  /** The credentials wait until the user accepts them. */
  requireUserInput: boolean;
}

/** What `Offers` works with. */
export interface OfferParts {
  dids: Dids;
  credentials: Credentials;
  client: IssuanceClient;
  formats: CredentialFormats;
  resolver: DidResolver;
}

const KEPT_MS = 15 * 60 * 1000;

/** Credential offers, from the link to the credentials in the wallet. */
export class OfferRedemption {
  readonly #parts: OfferParts;
  readonly #peer: ProtocolClient;
  /** Offers that were looked at and not yet used, by wallet: an issuer counts every fetch. */
  readonly #seen: TimedCache<ParsedOffer>;

  constructor(parts: OfferParts, outbound: Outbound, clock: Clock) {
    this.#parts = parts;
    this.#peer = new ProtocolClient(outbound, 'issuer');
    this.#seen = new TimedCache({ name: 'looked-at-offers', load: (url) => this.#fetch(url), failureTtlMs: 0, clock });
  }

  /** The offer behind a link, kept for 15 minutes. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async resolve(walletId: string, link: string): Promise<ParsedOffer> {
    const source = readOfferLink(link);
    if ('json' in source) return readOffer(source.json);
    return this.#seen.get(source.url, walletId);
  }

  /**
   * Accepts an offer. Either all its credentials are in the wallet afterwards or, when anything fails, none.
   * @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed`, `UpstreamTimeout`
   */
  async accept(walletId: string, { link, did, txCode, requireUserInput }: OfferAnswer): Promise<StoredCredential[]> {
    const { dids, credentials, client, formats, resolver } = this.#parts;
    const offer = await at(['link'], () => this.resolve(walletId, link));
    const holder = await dids.signingDid(walletId, did);
    const deliveries = await client.redeem({ offer, holder, txCode });
    for (const delivery of deliveries)
      await verifyReceivedCredential({ delivery, holder: holder.did, formats, resolver });
    this.#forget(walletId, link);
    const common = { holder: holder.did, pending: requireUserInput };
    const arrived = deliveries.map(({ format, credential: document }) => ({ format, document, ...common }));
    return credentials.addAll(walletId, arrived);
  }

  async #fetch(url: string): Promise<Loaded<ParsedOffer>> {
    const offer = readOffer(await this.#peer.json({ method: 'GET', url, expects: 'credential-offer' }));
    return { value: offer, ttlMs: KEPT_MS, bytes: 2 * memoryOf(offer.json) };
  }

  #forget(walletId: string, link: string): void {
    const source = readOfferLink(link);
    if ('url' in source) this.#seen.forget(source.url, walletId);
  }
}

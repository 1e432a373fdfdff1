import { fingerprint } from '../../foundation/bytes.ts';
import { at, DomainError, ignoring, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { HolderDids } from '../../holdings/holder.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { DeferredCredentials } from '../delivery/deferred-credentials.ts';
import { configurationOf, type IssuerDirectory } from '../issuance/issuer-directory.ts';
import type {
  DeferredCredential,
  OfferAnswer,
  OfferRedemption,
  OfferSelection,
  ReceivedOffer,
} from '../issuance/offer-redemption.ts';
import { batchSizeOf, type HolderBinding, mostCopies, type SelectedCredential } from '../issuance/openid4vci.ts';
import type { OfferFacts } from './offer-facts.ts';
import type { AuthorizedAnswer, TokenSteps } from './token-steps.ts';

/** A configuration of an offer to receive, and whom each copy is for; one copy for the holder of the call when absent. */
interface WantedCopies {
  credentialConfigurationId: string;
  holderBindings?: Pick<HolderChoice, 'did' | 'keyId'>[];
}

/** What came of a credential that an issuer delivers later. */
type ResumedCredential = { credentialIds: string[] } | { pending: DeferredCredential };

/** Offers of which a caller selects credentials and copies, and what issuers deliver of them later. */
export class BatchSteps {
  constructor(
    private readonly parts: {
      dids: HolderDids;
      directory: IssuerDirectory;
      offers: Pick<OfferRedemption, 'accept'>;
      tokenSteps: Pick<TokenSteps, 'resolve' | 'receiveAuthorized'>;
      deferred: Pick<DeferredCredentials, 'list' | 'poll' | 'delivered'>;
    },
  ) {}

  /** An offer, and how many copies its issuer gives for one request; absent for one. @throws DomainError as `TokenSteps.resolve` */
  async resolve(walletId: string, link: string): Promise<{ facts: OfferFacts; batchSize?: number }> {
    const { tokenSteps, directory } = this.parts;
    const facts = await tokenSteps.resolve(walletId, link);
    const batchSize = batchSizeOf(await directory.metadata(facts.offer.issuer));
    return { facts, ...(batchSize > 1 && { batchSize }) };
  }

  /**
   * Receives what is selected of an offer, each copy for a key of its own and stored as a credential of its own. What is not
   * selected is not requested. @throws DomainError `BadRequest` naming the member of `credentials`, and as `OfferRedemption.accept`
   */
  receive(walletId: string, answer: OfferAnswer, credentials: readonly WantedCopies[]): Promise<ReceivedOffer> {
    return this.parts.offers.accept(walletId, { ...answer, selection: this.#selection(walletId, credentials) });
  }

  /** As `receive`, with the code of a login. @throws DomainError as `receive`, and `TokenSteps.receiveAuthorized` */
  receiveAuthorized(
    walletId: string,
    answer: AuthorizedAnswer,
    credentials: readonly WantedCopies[],
  ): Promise<ReceivedOffer> {
    const selection = this.#selection(walletId, credentials);
    return this.parts.tokenSteps.receiveAuthorized(walletId, { ...answer, selection });
  }

  /** What the wallet waits for, the oldest first. */
  pending(walletId: string): Promise<DeferredCredential[]> {
    return this.parts.deferred.list(walletId);
  }

  /**
   * Asks for what is pending, unless the issuer said to wait; what the wallet got meanwhile by itself is reported once.
   * @throws DomainError `NotFound`, and as `DeferredCredentials.poll`
   */
  async resume(walletId: string, id: string): Promise<ResumedCredential> {
    const { deferred } = this.parts;
    const asked = await deferred.poll(walletId, id).catch(ignoring('NotFound'));
    if (asked?.pending) return { pending: asked.pending };
    const stored = asked?.credentials.map((one) => one.id) ?? (await deferred.delivered(walletId, id));
    if (stored) return { credentialIds: stored };
    throw new DomainError('NotFound', `This wallet waits for no credential ${id.slice(0, 80)}`);
  }

  #selection(walletId: string, credentials: readonly WantedCopies[]): OfferSelection {
    const of: OfferSelection['of'] = async ({ issuer, configurationIds }) => {
      const metadata = await this.parts.directory.metadata(issuer);
      return at(['credentials'], () => this.#select(walletId, credentials, { metadata, configurationIds }));
    };
    return { name: fingerprint(JSON.stringify(credentials)), of };
  }

  async #select(
    walletId: string,
    wanted: readonly WantedCopies[],
    { metadata, configurationIds }: { metadata: JsonObject; configurationIds: string[] },
  ): Promise<SelectedCredential[]> {
    const selected: SelectedCredential[] = [];
    for (const [index, { credentialConfigurationId: configurationId, holderBindings }] of wanted.entries()) {
      const place = [index, 'credentialConfigurationId'];
      if (!configurationIds.includes(configurationId)) throw invalidField(place, 'is not what is offered');
      if (selected.some((one) => one.configurationId === configurationId)) throw invalidField(place, 'is named twice');
      const most = mostCopies(metadata, configurationOf(metadata, configurationId));
      if (holderBindings && holderBindings.length > most)
        throw invalidField([index, 'holderBindings'], `the issuer gives at most ${most} at once`);
      const bind = () => this.#bindings(walletId, holderBindings ?? []);
      const bindings = holderBindings && (await at([index, 'holderBindings'], bind));
      selected.push({ configurationId, ...(bindings && { bindings }) });
    }
    return selected;
  }

  /** @throws DomainError `BadRequest` naming the binding, also for two of one key */
  async #bindings(walletId: string, choices: NonNullable<WantedCopies['holderBindings']>): Promise<HolderBinding[]> {
    const bindings: HolderBinding[] = [];
    const keys = new Set<string>();
    for (const [index, { keyId, did }] of choices.entries()) {
      const holder = await at([index], () => this.parts.dids.signingDid(walletId, { keyId, did }));
      const key = thumbprint(holder.signer.publicJwk);
      if (keys.has(key)) throw invalidField([index], 'is for the key of another copy');
      keys.add(key);
      bindings.push({ did: holder.did, ...(keyId !== undefined && { keyId }) });
    }
    return bindings;
  }
}

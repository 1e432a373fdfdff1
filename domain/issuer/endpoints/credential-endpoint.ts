import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { DomainError, isDomainError, oauthError } from '../../foundation/errors.ts';
import type { AccessTokens } from '../../oauth/access-tokens.ts';
import type { PresentedToken } from '../../oauth/sender-constraints.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { permittedIds } from '../offers/authorized-items.ts';
import { type CredentialChoice, DEFERRED_INTERVAL_SECONDS, type IssuanceOutcome, type Issued } from '../protocol.ts';
import { deferred, MAX_REDELIVERABLE } from '../sessions/issuance-session.ts';
import type { Access, ItemLeases } from '../sessions/item-leases.ts';
import { holderDigest } from '../sessions/redeliverable-credentials.ts';
import type { CredentialMaker } from './credential-maker.ts';
import type { DeferredIssuances } from './deferred-issuances.ts';
import type { HolderProofs } from './holder-proofs.ts';
import { type ChosenItem, chooseItem } from './item-choice.ts';
import { type ProvenItem, proveItems, type RequestedItem } from './request-proofs.ts';

/** The most proofs of one credential request, and the most credential requests of one batch. */
const MAX_AT_ONCE = MAX_REDELIVERABLE;

/** A part of a request whose credential is still to be made. */
type NewItem = ProvenItem & { chosen: Extract<ChosenItem, { id: number }> };

/** The credential endpoint of issuers. */
export class CredentialEndpoint {
  constructor(
    private readonly parts: {
      tokens: AccessTokens;
      leases: ItemLeases;
      proofs: HolderProofs;
      maker: CredentialMaker;
      deferrals: DeferredIssuances;
      formats: CredentialFormats;
      clock: Clock;
    },
  ) {}

  /**
   * What an access token gives access to; it is checked before anything of the request is read.
   * @throws DomainError `invalid_token` also when the session is over
   */
  async access(issuer: CredentialIssuer, accessToken: PresentedToken): Promise<Access> {
    const { tokens, leases, clock } = this.parts;
    const grant = await tokens.grantOf(issuer.id, accessToken);
    const access = grant && (await leases.access(issuer, grant));
    const session = access?.session.value;
    const isOver = session?.state !== 'ACTIVE' && !session?.redeliverable.some(({ until }) => clock.now() < until);
    if (access && !isOver) return access;
    throw oauthError('invalid_token', 'The access token is unknown or expired, or its session is over');
  }

  /**
   * Issues the credential that the request asks for, once (see `ItemLeases`). A wallet that lost the answer gets the same
   * credentials again, for the same access token and the same keys. A failure that no other attempt can mend is final
   * for the item.
   * @throws DomainError with a code of OpenID4VCI draft 13 §7.3.1.2, `Busy` while another request makes the credential
   */
  async issue(access: Access, choice: CredentialChoice): Promise<Issued> {
    const { outcomes, next } = await this.#issue(access, [choice], false);
    const [outcome] = outcomes;
    if (!outcome) throw new Error('A request with one choice has one outcome');
    return { outcome, next };
  }

  /**
   * Issues several credentials, all of them or none: the first failure is the error of the request.
   * @throws as `issue`, naming the credential request
   */
  async issueBatch(access: Access, choices: readonly CredentialChoice[]): Promise<Issued<IssuanceOutcome[]>> {
    const count = choices.length;
    if (count === 0 || count > MAX_AT_ONCE)
      throw oauthError('invalid_credential_request', `credential_requests: 1 to ${MAX_AT_ONCE} are required`);
    const { outcomes, next } = await this.#issue(access, choices, true);
    return { outcome: outcomes, next };
  }

  async #issue(access: Access, choices: readonly CredentialChoice[], isBatch: boolean) {
    const { items, nonce } = await proveItems(this.parts.proofs, access, this.#choose(access, choices));
    const fresh = items.filter(isNew);
    if (fresh.length === 0) return this.#again(access, items);
    if (fresh.length === items.length) {
      const isDeferred = access.session.value.isDeferred || fresh.some(({ chosen }) => chosen.kind === 'deferred');
      if (isDeferred) return this.#defer(access, fresh, nonce);
      return this.#make(access, { items: fresh, nonce, isBatch }).catch((error: unknown) => {
        const seconds = secondsUntilKnown(error);
        if (seconds === undefined) throw error;
        return this.#defer(access, fresh, nonce, seconds);
      });
    }
    await access.nonces.restore();
    throw oauthError('invalid_credential_request', 'Some of the credentials were issued already; ask for the others');
  }

  #choose(
    { issuer: { configurations }, grant, session: { value: session } }: Access,
    choices: readonly CredentialChoice[],
  ): RequestedItem[] {
    const taken = new Set<number>();
    const permitted = permittedIds(grant, { configurations, offered: session.configurationIds });
    const { formats, clock } = this.parts;
    return choices.map((choice) => {
      const chosen = chooseItem(choice, { session, now: clock.now(), taken, permitted, formats });
      if (chosen.kind !== 'issued') taken.add(chosen.id);
      return { chosen, proofs: choice.proofs };
    });
  }

  async #make(
    access: Access,
    { items, nonce, isBatch }: { items: readonly NewItem[]; nonce: string; isBatch: boolean },
  ) {
    const { maker } = this.parts;
    const orders = items.map(({ chosen: { id }, holders }) => ({ id, holders, step: nonce }));
    const { made, next } = await maker.issue(access, { orders, nonce, isBatch });
    const outcomes = made.map((copy, index) => maker.delivered(access.grant, orders[index]?.id ?? 0, copy));
    return { outcomes: await Promise.all(outcomes), next };
  }

  async #defer(access: Access, parts: readonly NewItem[], nonce: string, intervalSeconds = DEFERRED_INTERVAL_SECONDS) {
    const { issuer, grant, session } = access;
    const { id: sessionId, expiresAt } = session.value;
    const create = async ({ chosen, holders }: NewItem): Promise<IssuanceOutcome> => {
      const { grantId, authorizationId } = grant;
      const issuance = { sessionId, item: chosen.id, grantId, authorizationId, holders };
      const of = { issuerId: issuer.id, expiresAt, isOpen: chosen.kind === 'open' };
      const transactionId = await this.parts.deferrals.create(issuance, of);
      if (transactionId === undefined)
        throw await access.nonces.refused(new DomainError('BadRequest', 'proof: the credential is for another wallet'));
      return { kind: 'deferred', format: chosen.format, transactionId, intervalSeconds };
    };
    const work = async () => {
      const outcomes: IssuanceOutcome[] = [];
      for (const part of parts) outcomes.push(await create(part));
      return outcomes;
    };
    // A wallet that lost its transaction id gets another one for the same item; the credential is made once.
    const items = parts.filter(({ chosen }) => chosen.kind === 'open').map(({ chosen: { id } }) => id);
    if (items.length === 0) return { next: await access.nonces.consume(), outcomes: await work() };
    const { made, next } = await this.parts.leases.run(access, { items, nonce }, { make: work, settle: deferred });
    return { outcomes: made, next };
  }

  /** Returns issued credentials to the wallet that lost them. */
  async #again(access: Access, parts: readonly ProvenItem[]) {
    const outcomes: IssuanceOutcome[] = [];
    const used = new Set<number>();
    for (const part of parts) outcomes.push(await this.#copy(access, part, used));
    return { outcomes, next: await access.nonces.consume() };
  }

  /** The latest copy for the part's holders that no other part of the request got. */
  async #copy(access: Access, { chosen, holders }: ProvenItem, used: Set<number>): Promise<IssuanceOutcome> {
    const holder = holderDigest(holders);
    const items = chosen.kind === 'issued' ? chosen.items : [];
    for (const item of items.filter((one) => one.holder === holder && !used.has(one.id))) {
      const copy = await this.parts.maker.copyOf(item, { grantId: access.grant.grantId, holder });
      used.add(item.id);
      if (copy) return this.parts.maker.delivered(access.grant, item.id, copy);
    }
    throw await access.nonces.refused(new DomainError('BadRequest', 'proof: the credential was issued to another key'));
  }
}

/** When a source says what a credential states, where it says later. */
const secondsUntilKnown = (error: unknown): number | undefined =>
  isDomainError(error) && error.oauthError === 'issuance_pending' ? error.retryAfterSeconds : undefined;

const isNew = (item: ProvenItem): item is NewItem => item.chosen.kind !== 'issued';

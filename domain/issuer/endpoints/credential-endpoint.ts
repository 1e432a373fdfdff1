import type { Clock } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats.ts';
import { DomainError, oauthError } from '../../foundation/errors.ts';
import type { AccessTokens } from '../../oauth/access-tokens.ts';
import type { PresentedToken } from '../../oauth/sender-constraints.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { permittedIds } from '../offers/authorized-items.ts';
import {
  type CredentialChoice,
  DEFERRED_INTERVAL_SECONDS,
  type Holder,
  type IssuanceOutcome,
  type Issued,
} from '../protocol.ts';
import { deferred, issued, MAX_REDELIVERABLE } from '../sessions/issuance-session.ts';
import type { Access, ItemLeases } from '../sessions/item-leases.ts';
import { holderDigest } from '../sessions/redeliverable-credentials.ts';
import { proofDemands } from './attested-keys.ts';
import type { CredentialMaker, ItemOrder } from './credential-maker.ts';
import type { DeferredIssuances } from './deferred-issuances.ts';
import type { HolderProofs, Proven } from './holder-proofs.ts';
import { holdersOf, setViolation } from './holders.ts';
import { type ChosenItem, chooseItem } from './item-choice.ts';

/** The most proofs of one credential request, and the most credential requests of one batch. */
const MAX_AT_ONCE = MAX_REDELIVERABLE;

/** One part of a request: the item and its holders, as the proofs state them. */
interface Part {
  chosen: ChosenItem;
  holders: Holder[];
}

/** A part whose credentials are still to be made. */
interface NewPart extends Part {
  chosen: Extract<ChosenItem, { id: number }>;
}

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
    const chosen = this.#choose(access, choices);
    const { parts, nonce } = await this.#prove(access, choices, chosen);
    const fresh = parts.filter(isNew);
    if (fresh.length === parts.length) return this.#new(access, { parts: fresh, nonce, isBatch });
    if (fresh.length === 0) return this.#again(access, parts);
    await access.nonces.restore();
    throw oauthError('invalid_credential_request', 'Some of the credentials were issued already; ask for the others');
  }

  #choose({ issuer, grant, session: { value: session } }: Access, choices: readonly CredentialChoice[]): ChosenItem[] {
    const taken = new Set<number>();
    const permitted = permittedIds(grant, { ...issuer, offered: session.configurationIds });
    const { formats, clock } = this.parts;
    return choices.map((choice) => {
      const chosen = chooseItem(choice, { session, now: clock.now(), taken, permitted, formats });
      if (chosen.kind !== 'issued') taken.add(chosen.id);
      return chosen;
    });
  }

  /** Verifies the proofs in their order; all of them carry the same nonce. */
  async #prove(access: Access, choices: readonly CredentialChoice[], chosen: readonly ChosenItem[]) {
    const [parts, nonces]: [Part[], Set<string>] = [[], new Set()];
    for (const [index, item] of chosen.entries()) {
      const proven: Proven[] = [];
      for (const proof of choices[index]?.proofs ?? []) proven.push(await this.#proof(access, item, proof));
      for (const { nonce } of proven) nonces.add(nonce);
      const { issuer, session } = access;
      const refusal = setViolation(proven, { batchSize: issuer.batchSize, holderKey: session.value.holderKey });
      if (refusal) throw await this.#refused(access, refusal);
      parts.push({ chosen: item, holders: holdersOf(proven) });
    }
    const [nonce, ...others] = nonces;
    if (nonce !== undefined && others.length === 0) return { parts, nonce };
    throw await this.#refused(access, new DomainError('BadRequest', 'proof: all proofs must carry one nonce'));
  }

  async #proof(access: Access, { configurationId }: ChosenItem, proof: unknown) {
    const { issuer, nonces } = access;
    const accepts = (nonce: string) => nonces.accept(nonce);
    try {
      const demands = proofDemands(issuer, configurationId);
      return await this.parts.proofs.verify(proof, { audience: issuer.identifier, accepts, demands });
    } catch (error) {
      // A key that cannot be fetched leaves the proof unproven: the wallet's matter, not a gateway's.
      if (error instanceof DomainError && error.code !== 'StoreUnavailable') throw await this.#refused(access, error);
      await nonces.restore().catch(() => undefined);
      throw error;
    }
  }

  async #refused({ nonces }: Access, cause: DomainError): Promise<DomainError> {
    await nonces.restore().catch(() => undefined);
    return nonces.refused(cause);
  }

  #new(access: Access, request: { parts: NewPart[]; nonce: string; isBatch: boolean }) {
    const isDeferred = access.session.value.isDeferred === true;
    return isDeferred ? this.#defer(access, request) : this.#make(access, request);
  }

  async #make(access: Access, { parts, nonce, isBatch }: { parts: NewPart[]; nonce: string; isBatch: boolean }) {
    const { leases, maker, clock } = this.parts;
    const { issuer, grant } = access;
    const { grantId } = grant;
    const orders: ItemOrder[] = parts.map(({ chosen: { id }, holders }) => ({ id, holders, step: nonce }));
    const items = orders.map(({ id }) => id);
    const count = orders.reduce((sum, order) => sum + order.holders.length, 0);
    const holders = new Map(orders.map((order) => [order.id, holderDigest(order.holders)]));
    const { made, next, session } = await leases.run(
      access,
      { items, nonce },
      {
        make: (leased) => maker.make(leased, orders, { issuer, grantId, isBatch: isBatch || leased.session.isBatch }),
        settle: (current, attempt) => issued(current, attempt, { now: clock.now(), holders, count }),
      },
    );
    await maker.clean(access.session.value, { items, state: session.state });
    const outcomes = made.map((copy, index) => maker.delivered(access.grant, items[index] ?? 0, copy));
    return { outcomes: await Promise.all(outcomes), next };
  }

  async #defer(access: Access, { parts, nonce }: { parts: NewPart[]; nonce: string }) {
    const { issuer, grant, session } = access;
    const { id: sessionId, expiresAt } = session.value;
    const create = async ({ chosen, holders }: NewPart): Promise<IssuanceOutcome> => {
      const { grantId, authorizationId } = grant;
      const issuance = { sessionId, item: chosen.id, grantId, authorizationId, holders };
      const of = { issuerId: issuer.id, expiresAt, isOpen: chosen.kind === 'open' };
      const transactionId = await this.parts.deferrals.create(issuance, of);
      if (transactionId === undefined)
        throw await this.#refused(access, new DomainError('BadRequest', 'proof: the credential is for another wallet'));
      const intervalSeconds = DEFERRED_INTERVAL_SECONDS;
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
  async #again(access: Access, parts: readonly Part[]) {
    const outcomes: IssuanceOutcome[] = [];
    const used = new Set<number>();
    for (const part of parts) outcomes.push(await this.#copy(access, part, used));
    return { outcomes, next: await access.nonces.consume() };
  }

  /** The latest copy for the part's holders that no other part of the request got. */
  async #copy(access: Access, { chosen, holders }: Part, used: Set<number>): Promise<IssuanceOutcome> {
    const holder = holderDigest(holders);
    const items = chosen.kind === 'issued' ? chosen.items : [];
    for (const item of items.filter((one) => one.holder === holder && !used.has(one.id))) {
      const copy = await this.parts.maker.copyOf(item, { grantId: access.grant.grantId, holder });
      used.add(item.id);
      if (copy) return this.parts.maker.delivered(access.grant, item.id, copy);
    }
    throw await this.#refused(access, new DomainError('BadRequest', 'proof: the credential was issued to another key'));
  }
}

const isNew = (part: Part): part is NewPart => part.chosen.kind !== 'issued';

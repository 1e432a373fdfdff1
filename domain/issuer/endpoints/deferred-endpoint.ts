import type { Clock } from '../../../ports/system.ts';
import { isDomainError, oauthError } from '../../foundation/errors.ts';
import type { AccessTokens, PresentedGrant } from '../../oauth/access-tokens.ts';
import type { PresentedToken } from '../../oauth/sender-constraints.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import {
  DEFERRED_INTERVAL_SECONDS,
  type DeferredRequest,
  type DeliveredCredentials,
  type PendingCredentials,
} from '../protocol.ts';
import { stateOf } from '../sessions/issuance-session.ts';
import type { Access, ItemLeases } from '../sessions/item-leases.ts';
import { holderDigest, type RedeliverableCredential } from '../sessions/redeliverable-credentials.ts';
import type { CredentialMaker } from './credential-maker.ts';
import type { DeferredIssuance, DeferredIssuances } from './deferred-issuances.ts';

/** The deferred credential endpoint of issuers (OpenID4VCI draft 13 §9, 1.0 §9). */
export class DeferredEndpoint {
  constructor(
    private readonly parts: {
      tokens: AccessTokens;
      leases: ItemLeases;
      deferrals: DeferredIssuances;
      maker: CredentialMaker;
      clock: Clock;
    },
  ) {}

  /** The grant of an access token; it is checked before anything of the request is read. @throws DomainError `invalid_token` */
  grant(issuer: CredentialIssuer, accessToken: PresentedToken): Promise<PresentedGrant> {
    return this.parts.tokens.liveGrant(issuer.id, accessToken);
  }

  /**
   * Makes the credentials of a deferred issuance, once; asked again, the same ones are returned for a short time.
   * Pending while another request makes them, or what they say is not known. @throws DomainError `invalid_transaction_id`
   */
  async issue(
    issuer: CredentialIssuer,
    { grant: given, transactionId }: DeferredRequest,
  ): Promise<DeliveredCredentials | PendingCredentials> {
    const deferral = await this.parts.deferrals.get(issuer.id, transactionId);
    const grant = given ?? (await this.#accepted(deferral));
    if (!deferral || deferral.grantId !== grant.grantId) throw unknownTransaction();
    const access = await this.parts.leases.access(issuer, grant);
    if (!access) throw unknownTransaction();
    const copy = await this.#credentials(access, deferral);
    return 'kind' in copy ? copy : this.parts.maker.delivered(access.grant, deferral.item, copy);
  }

  /** Without an access token the transaction id is the right itself (draft 11 §9: the acceptance token). */
  async #accepted(deferral: DeferredIssuance | undefined): Promise<PresentedGrant> {
    if (deferral && (await this.parts.tokens.isAuthorized(deferral))) return deferral;
    throw oauthError('invalid_token', 'The acceptance token is unknown or expired');
  }

  async #credentials(access: Access, deferral: DeferredIssuance): Promise<Made> {
    const { clock, maker } = this.parts;
    const { item, grantId } = deferral;
    const found = stateOf(access.session.value, item, clock.now());
    if (found.state === 'leased') return pending();
    if (found.state === 'deferred') return this.#make(access, deferral);
    const holder = holderDigest(deferral.holders);
    const isOwn = found.state === 'issued' && found.redeliverable.holder === holder;
    const copy = isOwn ? await maker.copyOf(found.redeliverable, { grantId, holder }) : undefined;
    if (copy) return copy;
    throw unknownTransaction();
  }

  async #make(access: Access, { item, holders }: DeferredIssuance): Promise<Made> {
    const orders = [{ id: item, holders, step: 'deferred' }];
    try {
      const { made } = await this.parts.maker.issue(access, { orders, isDeferred: true });
      const [copy] = made;
      if (copy) return copy;
      throw new Error('One order gives one result');
    } catch (error) {
      if (isDomainError(error, 'Busy')) return pending(error.retryAfterSeconds);
      throw error;
    }
  }
}

type Made = RedeliverableCredential | PendingCredentials;

const pending = (seconds = 0): PendingCredentials => ({
  kind: 'pending',
  intervalSeconds: Math.max(DEFERRED_INTERVAL_SECONDS, seconds),
});

const unknownTransaction = () => oauthError('invalid_transaction_id', 'The transaction id is unknown, used or expired');

import type { Clock, Timers } from '../../../ports/system.ts';
import { DomainError, type ErrorCode, isDomainError } from '../../foundation/errors.ts';
import { underLease } from '../../foundation/lease.ts';
import type { HeldRecord } from '../../foundation/leased-records.ts';
import type { ActivityRecorder } from '../../holdings/activity.ts';
import { credentialActivity } from '../../holdings/credential-activity.ts';
import type { Credentials, StoredCredential } from '../../holdings/credentials.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { HolderDids } from '../../holdings/holder.ts';
import type { IssuanceClient } from '../issuance/issuance-client.ts';
import type { RunningIssuance } from '../issuance/issuances.ts';
import type { IssuerDirectory } from '../issuance/issuer-directory.ts';
import type { OfferRedemption } from '../issuance/offer-redemption.ts';
import {
  type CredentialGrant,
  type CredentialGrants,
  type GrantedCredential,
  grantedCredential,
  renewalOf,
} from './credential-grants.ts';
import type { WalletRecord } from './due-marks.ts';
import type { RenewedAccess } from './renewed-access.ts';

/** The pauses after failures, in milliseconds: the first, and the longest. */
const [FIRST_MS, LONGEST_MS] = [5 * 60 * 1000, 24 * 60 * 60 * 1000];

/** The failures after which the same would fail again. */
const FINAL: readonly ErrorCode[] = ['BadRequest', 'Forbidden', 'NotFound'];

/** A wallet whose credentials are renewed. */
interface RenewingWallet {
  client: Pick<IssuanceClient, 'finish'>;
  directory: Pick<IssuerDirectory, 'metadata'>;
  offers: Pick<OfferRedemption, 'verified' | 'report'>;
  credentials: Pick<Credentials, 'get' | 'replace'>;
  dids: Pick<HolderDids, 'signingDid'>;
}

/** Gets credentials anew from their issuers, with the refresh tokens that came with them (OpenID4VCI 1.0 §13.5). */
export class CredentialRenewals {
  constructor(
    private readonly parts: {
      grants: CredentialGrants;
      access: Pick<RenewedAccess, 'renew'>;
      /** @throws DomainError `NotFound` for a wallet that was removed */
      of(owner: string): Promise<RenewingWallet>;
      clock: Clock;
      timers: Timers;
      activity: ActivityRecorder;
    },
  ) {}

  /**
   * Replaces a credential and all its copies by those that its issuer gives now; a failure leaves the old ones.
   * @throws DomainError `NotFound`, `Conflict` when its issuer gave no refresh token, `Busy` while another request renews
   * it, `BadRequest` with the issuer's reason or for a credential that is not acceptable, `UpstreamFailed`, `UpstreamTimeout`
   */
  async renew(walletId: string, credentialId: string): Promise<StoredCredential> {
    const { grants, of } = this.parts;
    await (await of(walletId)).credentials.get(walletId, credentialId);
    const found = await grants.of(walletId, credentialId);
    if (!found?.value.refresh) throw notRenewable();
    return this.#renew({ owner: walletId, id: found.id }, credentialId);
  }

  /** Renews what is due. */
  async resume(): Promise<void> {
    const { grants, clock } = this.parts;
    const dueAt = async (record: WalletRecord): Promise<number | undefined> => {
      const grant = await grants.get(record);
      const due = grant && renewalOf(grant);
      return due === undefined ? undefined : Math.max(due, grant?.lease?.until ?? 0);
    };
    const work = async (record: WalletRecord): Promise<void> => {
      const due = (await grants.get(record))?.credentials.find(({ renewAt = Infinity }) => renewAt <= clock.now());
      if (due) await this.#renew(record, due.id).catch(unlessDown);
    };
    await grants.marks.round(dueAt, work);
  }

  async #renew(record: WalletRecord, credentialId: string): Promise<StoredCredential> {
    const { grants, timers } = this.parts;
    const taken = await grants.leases.hold(record);
    if (!taken) throw notRenewable();
    const { held, value } = taken;
    const renew = () => grants.leases.change(held, (unchanged) => unchanged);
    try {
      return await underLease(timers, renew, () => this.#replace(held, value, credentialId));
    } catch (error) {
      await this.#failed(held, credentialId, error);
      throw error;
    }
  }

  /** One write decides between the old credential and the new one. */
  async #replace(held: HeldRecord, grant: CredentialGrant, credentialId: string): Promise<StoredCredential> {
    const { grants, activity, clock } = this.parts;
    const { owner } = held;
    const { client, dids, offers, credentials } = await this.parts.of(owner);
    const { issuer, holder } = grant;
    const old = grant.credentials.find(({ id }) => id === credentialId);
    if (!old?.wanted) throw notRenewable();
    const { deletedAt } = await credentials.get(owner, credentialId);
    if (deletedAt !== undefined) throw new DomainError('Conflict', 'The credential is marked as deleted');
    const running = await this.#refreshed(owner, grant, old.wanted);
    const holderOf = (choice: HolderChoice) => dids.signingDid(owner, choice);
    await client.finish(running, await holderOf({ did: holder }), { owner, holderOf });
    const [issued, ...others] = running.issued;
    if (!issued || others.length > 0)
      throw new DomainError('UpstreamFailed', 'The issuer did not deliver the one renewed credential');
    const [record] = await offers.verified(owner, { issued: [issued], holder });
    if (!record) throw new Error('One credential gives one record');
    const renewed = await credentials.replace(owner, credentialId, record);
    const next = grantedCredential(renewed, { ...issued, now: clock.now() });
    await grants.leases.giveBack(held, (value) => ({ ...value, ...changed(value, next), attempts: 0 }));
    await activity.record(owner, { ...credentialActivity('Renew', renewed), originator: issuer });
    offers.report(owner, running, 'credential_accepted');
    return renewed;
  }

  async #refreshed(
    owner: string,
    { issuer, refresh }: CredentialGrant,
    wanted: NonNullable<GrantedCredential['wanted']>,
  ): Promise<RunningIssuance> {
    const { access, of } = this.parts;
    if (!refresh) throw notRenewable();
    const granted = await access.renew(owner, refresh);
    const { directory } = await of(owner);
    const metadata = await directory.metadata(issuer);
    const { clientId } = refresh.session;
    return { ...granted, refresh, metadata, clientId, wanted: [wanted], issued: [], deferred: [] };
  }

  /** A refusal is final; after any other failure it is tried again. */
  async #failed({ owner, ...held }: HeldRecord, id: string, error: unknown): Promise<void> {
    const { grants, clock, activity } = this.parts;
    const isFinal = isDomainError(error) && FINAL.includes(error.code);
    const later = (attempts: number) => clock.now() + Math.min(FIRST_MS * 2 ** Math.min(attempts, 20), LONGEST_MS);
    const change = (value: CredentialGrant): CredentialGrant => {
      const one = value.credentials.find((known) => known.id === id);
      const renewAt = isFinal ? undefined : later(value.attempts);
      return { ...value, ...(one && changed(value, { ...one, renewAt })), attempts: value.attempts + 1 };
    };
    await grants.leases.giveBack({ owner, ...held }, change).catch(() => undefined);
    if (!isFinal) return;
    const data = { credentialId: id };
    await activity.record(owner, { event: 'Credential', action: 'Fail', data, credentialId: id, note: error.message });
  }
}

const changed = ({ credentials }: CredentialGrant, next: GrantedCredential): Pick<CredentialGrant, 'credentials'> => ({
  credentials: credentials.map((one) => (one.id === next.id ? next : one)),
});

const notRenewable = (): DomainError =>
  new DomainError('Conflict', 'The credential cannot be renewed: its issuer gave no refresh token for it');

/** What fails is in the event log, and tried again by the record. */
function unlessDown(error: unknown): void {
  if (!isDomainError(error) || error.code === 'StoreUnavailable') throw error;
}

import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import { base32, base64url, fingerprint, fromBase64url, hmacSha1 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { insertFirst, update } from '../foundation/records.ts';
import { matchingStep, otpauthUrl } from './totp.ts';

/** Which accounts need a second factor (auth.conf, `secondFactor.required`). */
type FactorDemand = 'none' | 'superadmins' | 'administrators';

interface SecondFactorRules {
  required: FactorDemand;
  /** What authenticator apps show beside the address. */
  issuer: string;
}

/** An account that logs in or enrols. */
export interface FactorAccount {
  id: string;
  email: string;
  superadmin: boolean;
}

/** The secret of a new factor, shown once. */
export interface Enrolment {
  /** In base32 (RFC 4648 §6), for apps into which it is typed. */
  secret: string;
  otpauthUrl: string;
}

interface Factor {
  /** base64url. */
  secret: string;
  /** Whether a code proved that an app has the secret. */
  isConfirmed: boolean;
  /** The time step of the latest code that was used. */
  lastStep: number;
  /** Digests of the recovery codes that were not used. */
  recovery: string[];
}

/** RFC 4226 §4, R6 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

const FACTORS: CollectionSpec<Factor> = {
  name: 'second-factors',
  // Which recovery codes were used since the backup is unknown.
  afterRestore: { change: (factor) => ({ ...factor, recovery: [] }) },
};

/** Second factors: codes of authenticator apps (RFC 6238), and recovery codes. Every code is used once. */
export class SecondFactors {
  readonly #factors: Collection<Factor>;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      random: Random;
    },
    private readonly rules: SecondFactorRules,
  ) {
    this.#factors = parts.store.collection(FACTORS);
  }

  /**
   * Checks the code of a login whose password was right.
   * @throws DomainError `CodeRequired` without one, `EnrolmentRequired` when the account needs a factor and has none,
   * `LoginRequired` for a wrong code or one that was used
   */
  async check({ id, superadmin }: FactorAccount, code: string | undefined): Promise<void> {
    const known = (await this.#factors.get({ id }))?.value;
    if (known?.isConfirmed) {
      if (code === undefined) throw new DomainError('CodeRequired', 'Send the code of the second factor too, as code');
      await this.#use(id, code);
      return;
    }
    const { required } = this.rules;
    if (required === 'administrators' || (required === 'superadmins' && superadmin))
      throw new DomainError(
        'EnrolmentRequired',
        'This account needs a second factor: enrol one with POST /auth/account/second-factor',
      );
  }

  /** Starts an enrolment in place of an earlier one that was not confirmed. @throws DomainError `Conflict` when there is a factor */
  async enrol({ id, email }: FactorAccount): Promise<Enrolment> {
    const secret = this.parts.random.bytes(SECRET_BYTES);
    const value: Factor = { secret: base64url(secret), isConfirmed: false, lastStep: 0, recovery: [] };
    const change = (before: Factor): Factor => {
      if (before.isConfirmed) throw new DomainError('Conflict', 'The account has a second factor: remove it first');
      return value;
    };
    const changed = await update({ collection: this.#factors, key: { id }, change });
    if (!changed && !(await insertFirst(this.#factors, { id, value })))
      throw new DomainError('Conflict', 'Another enrolment began at the same time');
    return { secret: base32(secret), otpauthUrl: otpauthUrl(secret, { issuer: this.rules.issuer, account: email }) };
  }

  /** Confirms an enrolment and returns the recovery codes, once. @throws DomainError `Conflict` without an enrolment, `LoginRequired` */
  async confirm({ id }: FactorAccount, code: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => this.#recoveryCode());
    const recovery = codes.map((one) => fingerprint(plain(one)));
    const changed = await update({
      collection: this.#factors,
      key: { id },
      change: (factor) => {
        if (factor.isConfirmed) throw noEnrolment();
        return { ...factor, lastStep: this.#stepOf(factor, code), isConfirmed: true, recovery };
      },
    });
    if (!changed) throw noEnrolment();
    return codes;
  }

  /** Whether an account has a factor that it confirmed. */
  async has(accountId: string): Promise<boolean> {
    return (await this.#factors.get({ id: accountId }))?.value.isConfirmed ?? false;
  }

  /** Returns whether there was one. */
  remove(accountId: string): Promise<boolean> {
    return this.#factors.remove({ id: accountId });
  }

  /** Uses a code or a recovery code. When the same code is used many times at once, one use succeeds. */
  async #use(id: string, code: string): Promise<void> {
    const digest = fingerprint(plain(code));
    const change = (factor: Factor): Factor =>
      factor.recovery.includes(digest)
        ? { ...factor, recovery: factor.recovery.filter((other) => other !== digest) }
        : { ...factor, lastStep: this.#stepOf(factor, code) };
    if (!(await update({ collection: this.#factors, key: { id }, change }))) throw wrongCode();
  }

  #stepOf({ secret, lastStep }: Factor, code: string): number {
    const key = fromBase64url(secret) ?? new Uint8Array();
    const step = matchingStep(key, { code: plain(code), now: this.parts.clock.now(), lastStep }, hmacSha1);
    if (step === undefined) throw wrongCode();
    return step;
  }

  #recoveryCode(): string {
    return (base32(this.parts.random.bytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-');
  }
}

/** A code without what people write between its characters. */
const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

const wrongCode = (): DomainError => new DomainError('LoginRequired', 'The code is wrong or was used already');

const noEnrolment = (): DomainError => new DomainError('Conflict', 'There is no enrolment to confirm');

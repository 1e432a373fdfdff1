import type { Clock } from '../../ports/system.ts';
import { equalInConstantTime } from '../bytes.ts';
import { DomainError } from '../errors.ts';
import { parseIso } from '../time.ts';
import type { EnterpriseAccounts } from './accounts.ts';

/** What a token of superadmin-registration.conf is good for. */
export interface Registration {
  /** An ISO 8601 instant. */
  expiration: string;
  account: { type: 'email'; identifier: { email: string }; data: { password: string } };
}

/** Makes the first accounts of an installation, which may do everything. */
export class Bootstrap {
  readonly #accounts: EnterpriseAccounts;
  readonly #registrations: [token: string, Registration][];
  readonly #clock: Clock;
  /** The last activation under way of each token. */
  readonly #underWay = new Map<Registration, Promise<void>>();

  constructor(accounts: EnterpriseAccounts, registrations: Record<string, Registration>, clock: Clock) {
    this.#accounts = accounts;
    this.#registrations = Object.entries(registrations);
    this.#clock = clock;
  }

  /**
   * Makes the account of a token, once.
   * @throws DomainError `TokenRejected` for one that is unknown or expired, `Conflict` for one that was used
   */
  async activate(token: string): Promise<void> {
    const registration = this.#find(token);
    if (!registration) throw new DomainError('TokenRejected', 'The token is not valid');
    const activation = this.#after(this.#underWay.get(registration), registration);
    this.#underWay.set(registration, activation);
    try {
      await activation;
    } finally {
      if (this.#underWay.get(registration) === activation) this.#underWay.delete(registration);
    }
  }

  /** One after the other, so that a crowd with one token costs one password hash; instances are kept apart by the store. */
  async #after(former: Promise<void> | undefined, { account: { identifier, data } }: Registration): Promise<void> {
    await former?.catch(() => undefined);
    await this.#accounts.create({ email: identifier.email, password: data.password, superadmin: true });
  }

  /** Looks at every token and its end whatever it finds, so that the time it takes tells nothing. */
  #find(token: string): Registration | undefined {
    const now = this.#clock.now();
    let found: Registration | undefined;
    for (const [known, registration] of this.#registrations) {
      const live = now < (parseIso(registration.expiration) ?? 0);
      const equal = equalInConstantTime(known, token);
      if (equal && live) found = registration;
    }
    return found;
  }
}

import type { Clock } from '../../../ports/system.ts';
import type { Turn } from '../../../ports/turn.ts';
import type { TenancyAccounts } from '../../accounts/tenancy-accounts.ts';
import { equalInConstantTime, fingerprint } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { parseIso } from '../../foundation/time.ts';

/** The account that a token of superadmin-registration.conf creates. */
export interface Registration {
  /** An ISO 8601 instant. */
  expiration: string;
  account: { type: 'email'; identifier: { email: string }; data: { password: string } };
}

/** Creates the first accounts of an installation, those of superadmins. */
export class Bootstrap {
  readonly #registrations: [token: string, Registration][];

  constructor(
    private readonly accounts: TenancyAccounts,
    registrations: Record<string, Registration>,
    private readonly clock: Clock,
  ) {
    this.#registrations = Object.entries(registrations);
  }

  /**
   * Creates the account of a token, once, and returns its id.
   * @throws DomainError `TokenRejected` for an unknown or expired one, `Conflict` for a used one
   */
  async activate(token: string, turn: Turn): Promise<string> {
    const registration = this.#find(token);
    if (!registration) throw new DomainError('TokenRejected', 'The token is not valid');
    const { identifier, data } = registration.account;
    const account = { email: identifier.email, password: data.password, superadmin: true, turn };
    return (await this.accounts.create(account)).id;
  }

  /** Compares the digests of all tokens and their expirations, so that the duration reveals nothing. */
  #find(token: string): Registration | undefined {
    const now = this.clock.now();
    let found: Registration | undefined;
    for (const [known, registration] of this.#registrations) {
      const live = now < (parseIso(registration.expiration) ?? 0);
      const equal = equalInConstantTime(fingerprint(known), fingerprint(token));
      if (equal && live) found = registration;
    }
    return found;
  }
}

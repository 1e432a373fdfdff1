import { DomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { CheckedCredentials } from './checked-credentials.ts';
import { conditionsOf } from './status-conditions.ts';
import { readStatusEntries, type StatusEntry } from './status-entries.ts';
import type { StatusLookup } from './status-lookup.ts';
import type { TokenState } from './status-tokens.ts';

/** The answer for a credential without status entries (interface: Status check). */
const NO_STATUS = 'Verifiable credential has no credential-status property';

/** The answer of the check; of a credential with a token, what was answered under the token. */
type RevocationAnswer = { isRevoked: boolean; isSuspended?: true } | TokenState | typeof NO_STATUS;

/** Checks whether a credential is revoked; a status that cannot be determined is an error, never "not revoked". */
export class RevocationCheck {
  constructor(
    private readonly parts: {
      statuses: StatusLookup;
      credentials: CheckedCredentials;
    },
  ) {}

  /**
   * A suspended credential is not revoked; the answer then has one member more.
   * @throws DomainError as `CheckedCredentials.read`, and `MalformedValue`, `StatusVerification`, `StatusRange`,
   * `StatusListLength`, `AddressRefused`, `StatusRetrieval`, `StatusRetrievalTimeout`
   */
  async check(credential: string | JsonObject): Promise<RevocationAnswer> {
    const { statuses, credentials } = this.parts;
    const { status, issuer } = await credentials.read(credential);
    const entries = readStatusEntries(status);
    if (!entries) return NO_STATUS;
    if (issuer === undefined) throw new DomainError('MalformedValue', '/issuer: is missing, but the status needs it');
    if (!entries.some(isAboutValidity))
      throw new DomainError(
        'StatusVerification',
        '/credentialStatus: no entry has the purpose revocation or suspension',
      );
    const found = await statuses.values(entries, { issuer });
    const [{ token } = {}] = found;
    if (token && found.length === 1) return token;
    const conditions = found.flatMap(conditionsOf).filter(({ isSet }) => isSet);
    const isRevoked = conditions.some(({ purpose }) => purpose === 'revocation');
    return conditions.some(({ purpose }) => purpose === 'suspension')
      ? { isRevoked, isSuspended: true }
      : { isRevoked };
  }
}

const isAboutValidity = (entry: StatusEntry): boolean =>
  entry.kind !== 'bitstring' || entry.purpose === 'revocation' || entry.purpose === 'suspension';

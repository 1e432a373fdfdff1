import type {
  CredentialStatus,
  CredentialStatuses,
  EntryStatus,
  ListedStatus,
} from '../credentials/credential-status.ts';
import { DomainError } from '../foundation/errors.ts';
import type { ListAuthority, ListedCredential } from './list-authority.ts';
import type { Signed, StatusListSource } from './list-source.ts';
import type { SimpleStatuses } from './simple-statuses.ts';
import { conditionsOf } from './status-conditions.ts';
import { type IdentifierEntry, readStatusEntries, type StatusEntry, type TokenStatusEntry } from './status-entries.ts';
import { type BitstringEntry, statusAt } from './status-lists.ts';
import type { TokenState } from './status-tokens.ts';
import { tokenValue } from './token-status-lists.ts';

/** The credential that lists are read for. */
type ReadFor = Omit<ListedCredential, 'anchor'>;

/** What was found for an entry. */
interface FoundStatus extends EntryStatus {
  /** The answer for a credential with a token. */
  token?: TokenState;
}

/** Looks up status entries in the lists of the credential's issuer and of those who act for it. */
export class StatusLookup implements CredentialStatuses {
  constructor(
    private readonly parts: {
      lists: StatusListSource;
      simple: SimpleStatuses;
      authority: Pick<ListAuthority, 'isOf'>;
      /** The smallest accepted list: fewer entries identify their holders (Bitstring Status List §6.1). */
      minimumListBits: number;
    },
  ) {}

  entries({ status, ...credential }: ListedStatus): Promise<EntryStatus[]> {
    return this.values(readStatusEntries(status) ?? [], credential);
  }

  async lookUp(credential: ListedStatus): Promise<CredentialStatus[]> {
    return (await this.entries(credential)).flatMap(conditionsOf);
  }

  /** What the lists say of these entries of a credential. @throws DomainError as `entries` */
  values(entries: readonly StatusEntry[], credential: ReadFor): Promise<FoundStatus[]> {
    return Promise.all(entries.map((entry) => this.#value(entry, credential)));
  }

  async #value(entry: StatusEntry, credential: ReadFor): Promise<FoundStatus> {
    const { lists, simple } = this.parts;
    switch (entry.kind) {
      case 'bitstring':
        return this.#inBitstring(entry, credential);
      case 'token': {
        const list = await this.#checked(await lists.token(entry.list), entry, credential);
        return { type: 'TokenStatusList', value: tokenValue(list, entry), size: list.bits };
      }
      case 'identifier': {
        const list = await this.#checked(await lists.identifiers(entry.list), entry, credential);
        return { type: 'IdentifierList', value: list.identifiers.has(entry.id) ? 1 : 0, size: 1 };
      }
      case 'simple': {
        const token = await simple.get(entry.url);
        const value = token.isRevoked ? 1 : 0;
        return { type: 'SimpleCredentialStatus2022', purpose: 'revocation', value, size: 1, token };
      }
    }
  }

  async #inBitstring(entry: BitstringEntry, { issuer }: ReadFor): Promise<FoundStatus> {
    const { lists, minimumListBits } = this.parts;
    const list = await lists.get(entry.list);
    if (list.issuer !== issuer.id) throw ofAnother();
    const { type, purpose, size, messages } = entry;
    const value = statusAt(list, entry, minimumListBits);
    return { type, purpose, value, size, message: messages.get(value) };
  }

  /** The list, when its signer acts for the issuer of the credential. */
  async #checked<T>(list: Signed<T>, { anchor }: TokenStatusEntry | IdentifierEntry, of: ReadFor): Promise<Signed<T>> {
    const { issuer, anchors } = of;
    if (await this.parts.authority.isOf(list.signature, { issuer, anchor, anchors })) return list;
    throw ofAnother();
  }
}

const ofAnother = (): DomainError =>
  new DomainError('StatusVerification', 'The status list is not issued by the issuer of the credential');

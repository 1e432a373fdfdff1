import type { Credential, IssuerReference } from '../../ports/credential-formats.ts';
import type { CredentialStatus, CredentialStatuses } from '../../ports/credential-status.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import type { StatusListSource, VerifiedTokenList } from './list-source.ts';
import { readStatusEntries, type StatusEntry, statusAt } from './status-lists.ts';
import { type TokenStatusEntry, tokenStatuses } from './token-status-lists.ts';

/** What the lookup needs. */
export interface StatusLookupParts {
  lists: StatusListSource;
  /** The smallest accepted list: fewer entries identify their holders (Bitstring Status List §6.1). */
  minimumListBits: number;
}

/** Looks up status entries in the lists of the credential's own issuer. */
export class StatusLookup implements CredentialStatuses {
  readonly #parts: StatusLookupParts;

  constructor(parts: StatusLookupParts) {
    this.#parts = parts;
  }

  async lookUp({ issuer, status }: Pick<Credential, 'issuer' | 'status'>): Promise<CredentialStatus[]> {
    return this.statuses(readStatusEntries(status) ?? [], issuer);
  }

  /** What the lists say of these entries of a credential. @throws DomainError as `lookUp` */
  async statuses(
    entries: readonly (StatusEntry | TokenStatusEntry)[],
    issuer: IssuerReference,
  ): Promise<CredentialStatus[]> {
    const found = entries.map((entry) =>
      entry.type === 'TokenStatusList' ? this.#ofToken(entry, issuer) : this.#ofCredential(entry, issuer),
    );
    return (await Promise.all(found)).flat();
  }

  async #ofCredential(entry: StatusEntry, issuer: IssuerReference): Promise<CredentialStatus[]> {
    const { lists, minimumListBits } = this.#parts;
    const list = await lists.get(entry.list);
    if (list.issuer !== issuer.id) throw ofAnother();
    const { purpose, messages } = entry;
    const isSet = statusAt(list, entry, minimumListBits);
    return [{ purpose, isSet, message: isSet ? messages.set : messages.unset }];
  }

  async #ofToken(entry: TokenStatusEntry, issuer: IssuerReference): Promise<CredentialStatus[]> {
    const list = await this.#parts.lists.token(entry.list);
    if (!isOwn(list, issuer)) throw ofAnother();
    return tokenStatuses(list, entry);
  }
}

/** A certificate says nothing by itself: it is that of the credential. */
const isOwn = ({ signature: { issuer, leaf } }: VerifiedTokenList, of: IssuerReference): boolean =>
  issuer !== undefined
    ? issuer === of.id
    : of.kind === 'certificates' &&
      leaf !== undefined &&
      of.chain.slice(0, 1).map(fingerprint).includes(fingerprint(leaf));

const ofAnother = (): DomainError =>
  new DomainError('StatusVerification', 'The status list is not issued by the issuer of the credential');

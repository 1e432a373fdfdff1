import type { Credential } from '../../ports/credential-formats.ts';
import type { CredentialStatus, CredentialStatuses } from '../../ports/credential-status.ts';
import { DomainError } from '../foundation/errors.ts';
import type { StatusListSource } from './list-source.ts';
import { readStatusEntries, type StatusEntry, statusAt } from './status-lists.ts';

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
    const entries = readStatusEntries(status) ?? [];
    const states = await this.states(entries, issuer.id);
    return entries.map(({ purpose, messages }, index) => {
      const isSet = states[index] === true;
      return { purpose, isSet, message: isSet ? messages.set : messages.unset };
    });
  }

  /** Whether the bit of each entry is set. @throws DomainError as `lookUp` */
  states(entries: readonly StatusEntry[], issuer: string): Promise<boolean[]> {
    return Promise.all(entries.map((entry) => this.#state(entry, issuer)));
  }

  async #state(entry: StatusEntry, issuer: string): Promise<boolean> {
    const { lists, minimumListBits } = this.#parts;
    const list = await lists.get(entry.list);
    if (list.issuer !== issuer)
      throw new DomainError('StatusVerification', 'The status list is not issued by the issuer of the credential');
    return statusAt(list, entry, minimumListBits);
  }
}

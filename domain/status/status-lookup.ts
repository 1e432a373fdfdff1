import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { Credential, IssuerReference } from '../../ports/credential-formats.ts';
import type { CredentialStatus, CredentialStatuses, EntryStatus } from '../../ports/credential-status.ts';
import type { Clock } from '../../ports/system.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { validatePath } from '../x509/path-validation.ts';
import type { Signed, StatusListSource } from './list-source.ts';
import type { SimpleStatuses } from './simple-statuses.ts';
import { conditionsOf } from './status-conditions.ts';
import { type IdentifierEntry, readStatusEntries, type StatusEntry, type TokenStatusEntry } from './status-entries.ts';
import { type BitstringEntry, statusAt } from './status-lists.ts';
import type { TokenState } from './status-tokens.ts';
import { tokenValue } from './token-status-lists.ts';

/** What the lookup needs. */
export interface StatusLookupParts {
  lists: StatusListSource;
  simple: SimpleStatuses;
  certificates: Certificates;
  clock: Clock;
  /** The smallest accepted list: fewer entries identify their holders (Bitstring Status List §6.1). */
  minimumListBits: number;
}

/** What was found for an entry. */
export interface FoundStatus extends EntryStatus {
  /** The answer for a credential with a token. */
  token?: TokenState;
}

/** Looks up status entries in the lists of the credential's own issuer. */
export class StatusLookup implements CredentialStatuses {
  readonly #parts: StatusLookupParts;

  constructor(parts: StatusLookupParts) {
    this.#parts = parts;
  }

  entries({ issuer, status }: Pick<Credential, 'issuer' | 'status'>): Promise<EntryStatus[]> {
    return this.values(readStatusEntries(status) ?? [], issuer);
  }

  async lookUp(credential: Pick<Credential, 'issuer' | 'status'>): Promise<CredentialStatus[]> {
    return (await this.entries(credential)).flatMap(conditionsOf);
  }

  /** What the lists say of these entries of a credential. @throws DomainError as `entries` */
  values(entries: readonly StatusEntry[], issuer: IssuerReference): Promise<FoundStatus[]> {
    return Promise.all(entries.map((entry) => this.#value(entry, issuer)));
  }

  async #value(entry: StatusEntry, issuer: IssuerReference): Promise<FoundStatus> {
    const { lists, simple } = this.#parts;
    switch (entry.kind) {
      case 'bitstring':
        return this.#inBitstring(entry, issuer);
      case 'token': {
        const list = this.#checked(await lists.token(entry.list), entry, issuer);
        return { type: 'TokenStatusList', value: tokenValue(list, entry), size: list.bits };
      }
      case 'identifier': {
        const list = this.#checked(await lists.identifiers(entry.list), entry, issuer);
        return { type: 'IdentifierList', value: list.identifiers.has(entry.id) ? 1 : 0, size: 1 };
      }
      case 'simple': {
        const token = await simple.get(entry.url);
        const value = token.isRevoked ? 1 : 0;
        return { type: 'SimpleCredentialStatus2022', purpose: 'revocation', value, size: 1, token };
      }
    }
  }

  async #inBitstring(entry: BitstringEntry, issuer: IssuerReference): Promise<FoundStatus> {
    const { lists, minimumListBits } = this.#parts;
    const list = await lists.get(entry.list);
    if (list.issuer !== issuer.id) throw ofAnother();
    const { type, purpose, size, messages } = entry;
    const value = statusAt(list, entry, minimumListBits);
    return { type, purpose, value, size, message: messages.get(value) };
  }

  /** The list, when its signer belongs to the issuer of the credential. */
  #checked<T>(list: Signed<T>, { anchor }: TokenStatusEntry | IdentifierEntry, issuer: IssuerReference): T {
    if (isOwn(list, issuer) || this.#isBelow(list, anchor)) return list;
    throw ofAnother();
  }

  /** Whether the certificate of the list was issued below the one that the credential names. */
  #isBelow({ signature: { chain = [] } }: Signed<unknown>, anchor: Uint8Array | undefined): boolean {
    const { certificates, clock } = this.#parts;
    if (!anchor) return false;
    const anchors = [readCertificate(anchor, certificates)];
    const { signedBy } = certificates;
    return validatePath({ chain, anchors, now: clock.now(), signedBy: signedBy.bind(certificates) }).valid;
  }
}

/** A certificate says nothing by itself: it is that of the credential. */
function isOwn({ signature: { issuer, chain = [] } }: Signed<unknown>, of: IssuerReference): boolean {
  if (issuer !== undefined) return issuer === of.id;
  const [own] = of.kind === 'certificates' ? of.chain : [];
  return own !== undefined && chain[0]?.fingerprint === fingerprint(own);
}

function readCertificate(der: Uint8Array, certificates: Certificates): ParsedCertificate {
  try {
    return certificates.parse(der);
  } catch (cause) {
    throw new DomainError('MalformedValue', '/status: the certificate of the list is not a certificate', { cause });
  }
}

const ofAnother = (): DomainError =>
  new DomainError('StatusVerification', 'The status list is not issued by the issuer of the credential');

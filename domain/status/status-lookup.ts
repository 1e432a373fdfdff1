import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { Credential, IssuerReference } from '../../ports/credential-formats.ts';
import type { CredentialStatus, CredentialStatuses, EntryStatus } from '../../ports/credential-status.ts';
import type { Clock } from '../../ports/system.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { validatePath } from '../x509/path-validation.ts';
import type { StatusListSource, VerifiedTokenList } from './list-source.ts';
import { conditionsOf } from './status-conditions.ts';
import { readStatusEntries, type StatusEntry, statusAt } from './status-lists.ts';
import { type TokenStatusEntry, tokenValue } from './token-status-lists.ts';

/** What the lookup needs. */
export interface StatusLookupParts {
  lists: StatusListSource;
  certificates: Certificates;
  clock: Clock;
  /** The smallest accepted list: fewer entries identify their holders (Bitstring Status List §6.1). */
  minimumListBits: number;
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
  values(entries: readonly (StatusEntry | TokenStatusEntry)[], issuer: IssuerReference): Promise<EntryStatus[]> {
    const read = (entry: StatusEntry | TokenStatusEntry) =>
      entry.type === 'TokenStatusList' ? this.#ofToken(entry, issuer) : this.#ofCredential(entry, issuer);
    return Promise.all(entries.map(read));
  }

  async #ofCredential(entry: StatusEntry, issuer: IssuerReference): Promise<EntryStatus> {
    const { lists, minimumListBits } = this.#parts;
    const list = await lists.get(entry.list);
    if (list.issuer !== issuer.id) throw ofAnother();
    const { type, purpose, messages } = entry;
    const isSet = statusAt(list, entry, minimumListBits);
    return { type, purpose, value: isSet ? 1 : 0, size: 1, message: isSet ? messages.set : messages.unset };
  }

  async #ofToken(entry: TokenStatusEntry, issuer: IssuerReference): Promise<EntryStatus> {
    const list = await this.#parts.lists.token(entry.list);
    if (!isOwn(list, issuer) && !this.#isBelow(list, entry.anchor)) throw ofAnother();
    return { type: entry.type, value: tokenValue(list, entry), size: list.bits };
  }

  /** Whether the certificate of the list was issued below the one that the credential names. */
  #isBelow({ signature: { chain = [] } }: VerifiedTokenList, anchor: Uint8Array | undefined): boolean {
    const { certificates, clock } = this.#parts;
    if (!anchor) return false;
    const anchors = [readCertificate(anchor, certificates)];
    const { signedBy } = certificates;
    return validatePath({ chain, anchors, now: clock.now(), signedBy: signedBy.bind(certificates) }).valid;
  }
}

/** A certificate says nothing by itself: it is that of the credential. */
function isOwn({ signature: { issuer, chain = [] } }: VerifiedTokenList, of: IssuerReference): boolean {
  if (issuer !== undefined) return issuer === of.id;
  const [own] = of.kind === 'certificates' ? of.chain : [];
  return own !== undefined && chain[0]?.fingerprint === fingerprint(own);
}

function readCertificate(der: Uint8Array, certificates: Certificates): ParsedCertificate {
  try {
    return certificates.parse(der);
  } catch (cause) {
    throw new DomainError('MalformedValue', '/status/status_list/certificate: is not a certificate', { cause });
  }
}

const ofAnother = (): DomainError =>
  new DomainError('StatusVerification', 'The status list is not issued by the issuer of the credential');

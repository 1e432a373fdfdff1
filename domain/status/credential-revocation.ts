import type { Certificates } from '../../ports/certificates.ts';
import type { IssuerReference } from '../../ports/credential-formats.ts';
import type { Stored } from '../../ports/store.ts';
import type { ListSigner } from '../credentials/status-entries.ts';
import { fromBase64 } from '../foundation/bytes.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { CheckedCredentials } from './checked-credentials.ts';
import type { EntryChanges } from './entry-changes.ts';
import { allows } from './entry-states.ts';
import type { EntryPosition } from './issued-entries.ts';
import type { IssuedList, IssuedLists } from './issued-lists.ts';
import type { ListAuthority } from './list-authority.ts';
import { readStatusEntries, type StatusEntry } from './status-entries.ts';
import { placeOfStatusList } from './status-list-urls.ts';
import { derivedToken, type StatusTokens } from './status-tokens.ts';

/** What stands in the history of the entry. */
const REASON = 'The credential was sent to be revoked';

/** An entry of a list that is published here. */
interface OwnEntry {
  list: Stored<IssuedList>;
  place: EntryPosition;
}

/** Revokes credentials that were issued here, by the credential itself or its base token. */
export class CredentialRevocation {
  constructor(
    private readonly parts: {
      credentials: CheckedCredentials;
      lists: IssuedLists;
      changes: EntryChanges;
      tokens: StatusTokens;
      authority: Pick<ListAuthority, 'isOf'>;
      certificates: Pick<Certificates, 'parse'>;
      publicUrl: string;
    },
  ) {}

  /**
   * Sets every status of the credential that is published here and says "revoked"; again changes nothing. The credential
   * has its signature, so that it names its own entry and not that of another one.
   * @throws DomainError `BadRequest`, `NotFound` when it has no such status, `StatusVerification` when the list is not of
   * its issuer, `StatusRange`, as `CheckedCredentials.read`
   */
  async revoke(credential: string | JsonObject): Promise<void> {
    const { credentials, tokens, changes } = this.parts;
    if (typeof credential === 'string' && derivedToken(credential.trim())) return tokens.revoke(credential.trim());
    const { status, issuer, isSigned } = await credentials.read(credential);
    if (!isSigned || !issuer) throw invalidField([], 'must be the credential as it was issued, with its signature');
    const entries = readStatusEntries(status) ?? [];
    const listed = await Promise.all(entries.map((entry) => this.#ownEntry(entry, issuer)));
    const found = listed.flatMap((one) => one ?? []);
    const bases = entries.flatMap((entry) => (entry.kind === 'simple' ? (tokens.tokenIn(entry.url) ?? []) : []));
    if (found.length + bases.length === 0)
      throw new DomainError('NotFound', 'The credential has no status that can be revoked here');
    for (const base of bases) await tokens.revoke(base);
    for (const { list, place } of found) await changes.changeIn(list, place, { action: 'revoke', reason: REASON });
  }

  async #ownEntry(entry: StatusEntry, issuer: IssuerReference): Promise<OwnEntry | undefined> {
    if (entry.kind !== 'bitstring' && entry.kind !== 'token') return undefined;
    const place = placeOfStatusList(this.parts.publicUrl, entry.list);
    // The services of tenants have permissions of their own, which the credential alone does not replace.
    const list = place && place.baseUrl === undefined ? await this.parts.lists.get(place.id) : undefined;
    if (!list || list.value.baseUrl !== undefined || !allows(list.value.choice, 'revoke')) return undefined;
    if (!(await this.#isOf(list.value.signer, issuer)))
      throw new DomainError('StatusVerification', 'The status list is not of the issuer of the credential');
    if (entry.index >= list.value.size)
      throw new DomainError('StatusRange', 'The index lies beyond the end of the list');
    return { list, place: { list: list.id, index: entry.index } };
  }

  /** Whether the signer of a list acts for the issuer of a credential: by its name, or by its certificate. */
  async #isOf({ issuer: name, x5c = [] }: ListSigner, issuer: IssuerReference): Promise<boolean> {
    const { authority, certificates } = this.parts;
    if (issuer.kind !== 'certificates') return name === issuer.id;
    const chain = x5c.map((text) => certificates.parse(fromBase64(text) ?? new Uint8Array()));
    return authority.isOf({ chain }, { issuer });
  }
}

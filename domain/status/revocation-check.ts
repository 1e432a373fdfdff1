import type { StatusReference } from '../../ports/credential-formats.ts';
import { readCredentialFacts, statusReferences } from '../credentials/token-facts.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import type { IssuedStatements } from './issued-statements.ts';
import type { StatusListSource } from './list-source.ts';
import { readStatusEntries, type StatusEntry, statusAt } from './status-lists.ts';

/** The answer for a credential without status entries (interface: Status check). */
export const NO_STATUS = 'Verifiable credential has no credential-status property';

/** What the check needs. */
export interface RevocationCheckParts {
  lists: StatusListSource;
  statements: IssuedStatements;
  /** The smallest accepted list: fewer entries identify their holders (Bitstring Status List §6.1). */
  minimumListBits: number;
}

/** Checks whether a credential is revoked; a status that cannot be determined is an error, never "not revoked". */
export class RevocationCheck {
  readonly #parts: RevocationCheckParts;

  constructor(parts: RevocationCheckParts) {
    this.#parts = parts;
  }

  /**
   * `credential` is a JWT, JSON text or a parsed JSON object. Of these, only a JWT has a signature, which is verified.
   * @throws DomainError `BadRequest`, `MalformedValue`, `StatusVerification`, `StatusRange`, `StatusListLength`,
   * `AddressRefused`, `StatusRetrieval`, `StatusRetrievalTimeout`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async check(credential: string | JsonObject): Promise<{ isRevoked: boolean } | typeof NO_STATUS> {
    const { status, issuer } = await this.#read(credential);
    const entries = readStatusEntries(status);
    if (!entries) return NO_STATUS;
    if (issuer === undefined) throw new DomainError('MalformedValue', '/issuer: is missing, but the status needs it');
    if (!entries.some(isAboutRevocation))
      throw new DomainError('StatusVerification', '/credentialStatus: no entry has the purpose revocation');
    const states = await Promise.all(entries.map((entry) => this.#state(entry, issuer)));
    return { isRevoked: entries.some((entry, index) => isAboutRevocation(entry) && states[index] === true) };
  }

  async #read(
    credential: string | JsonObject,
  ): Promise<{ status: readonly StatusReference[]; issuer: string | undefined }> {
    const text = typeof credential === 'string' ? credential.trim() : '';
    const signed = text.startsWith('ey') ? await this.#parts.statements.verify(text, 'The credential') : undefined;
    const claims = signed?.claims ?? claimsIn(text || credential);
    const { issuer } = readCredentialFacts({ header: {}, payload: claims });
    return signed ?? { status: statusReferences(claims), issuer };
  }

  /** Whether the entry's bit is set in a list of the credential's own issuer. */
  async #state(entry: StatusEntry, issuer: string): Promise<boolean> {
    const list = await this.#parts.lists.get(entry.list);
    if (list.issuer !== issuer)
      throw new DomainError('StatusVerification', 'The status list is not issued by the issuer of the credential');
    return statusAt(list, entry, this.#parts.minimumListBits);
  }
}

function claimsIn(credential: string | JsonObject): JsonObject {
  const claims = typeof credential === 'string' ? parseJson(credential) : credential;
  if (!isObject(claims)) throw invalidField([], 'is neither a JWT nor a JSON object');
  return claims;
}

const isAboutRevocation = ({ purpose }: StatusEntry): boolean => purpose === 'revocation';

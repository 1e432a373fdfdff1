import type { StatusReference } from '../../ports/credential-formats.ts';
import { readCredentialFacts, statusReferences } from '../credentials/token-facts.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import type { IssuedStatements } from './issued-statements.ts';
import { readStatusEntries, type StatusEntry } from './status-lists.ts';
import type { StatusLookup } from './status-lookup.ts';

/** The answer for a credential without status entries (interface: Status check). */
export const NO_STATUS = 'Verifiable credential has no credential-status property';

/** What the check needs. */
export interface RevocationCheckParts {
  statuses: StatusLookup;
  statements: IssuedStatements;
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
    const states = await this.#parts.statuses.states(entries, issuer);
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
}

function claimsIn(credential: string | JsonObject): JsonObject {
  const claims = typeof credential === 'string' ? parseJson(credential) : credential;
  if (!isObject(claims)) throw invalidField([], 'is neither a JWT nor a JSON object');
  return claims;
}

const isAboutRevocation = ({ purpose }: StatusEntry): boolean => purpose === 'revocation';

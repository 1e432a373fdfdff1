import type { Credential, IssuerReference, ParsedCredential } from '../../ports/credential-formats.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { readCredentialFacts, statusReferences } from '../credentials/token-facts.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { parseSignature } from '../jose/jws.ts';
import type { IssuedStatements } from './issued-statements.ts';
import { conditionsOf } from './status-conditions.ts';
import { readStatusEntries, type StatusEntry } from './status-lists.ts';
import type { StatusLookup } from './status-lookup.ts';
import type { TokenStatusEntry } from './token-status-lists.ts';

/** The answer for a credential without status entries (interface: Status check). */
export const NO_STATUS = 'Verifiable credential has no credential-status property';

/** What the check needs. */
export interface RevocationCheckParts {
  statuses: StatusLookup;
  statements: IssuedStatements;
  formats: CredentialFormats;
}

/** Checks whether a credential is revoked; a status that cannot be determined is an error, never "not revoked". */
export class RevocationCheck {
  readonly #parts: RevocationCheckParts;

  constructor(parts: RevocationCheckParts) {
    this.#parts = parts;
  }

  /**
   * `credential` is a JWT, an SD-JWT VC, an mdoc in base64url, JSON text or a parsed JSON object; all but JSON have a
   * signature, which is verified.
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
    const statuses = (await this.#parts.statuses.values(entries, issuer)).flatMap(conditionsOf);
    return { isRevoked: statuses.some(({ purpose, isSet }) => purpose === 'revocation' && isSet) };
  }

  async #read(credential: string | JsonObject): Promise<CheckedCredential> {
    const { statements } = this.#parts;
    const text = typeof credential === 'string' ? credential.trim() : '';
    const parsed = await this.#parse(text);
    if (parsed) {
      await statements.check(parsed, 'The credential');
      return parsed;
    }
    const signed = text.startsWith('ey') ? await statements.verify(text, 'The credential') : undefined;
    const claims = signed?.claims ?? claimsIn(text || credential);
    const { issuer } = readCredentialFacts({ header: {}, payload: claims });
    return { status: signed?.status ?? statusReferences(claims), issuer: referenceOf(signed?.issuer ?? issuer) };
  }

  /** A credential whose format is in its type, or that is neither a JWT nor JSON; undefined for the others. */
  async #parse(text: string): Promise<ParsedCredential | undefined> {
    const { formats } = this.#parts;
    if (text.startsWith('ey')) {
      const { typ } = parseSignature(text.split('~', 1)[0] ?? '', 'The credential').header;
      return formats.all.find(({ name }) => name === typ)?.codec.parse(text);
    }
    return BASE64URL.test(text) ? formats.parse(text) : undefined;
  }
}

/** What the check reads of a credential. */
interface CheckedCredential extends Pick<Credential, 'status'> {
  issuer: IssuerReference | undefined;
}

/** The text of a credential in CBOR; no JSON is so long without other characters, except numbers, which are none. */
const BASE64URL = /^[A-Za-z0-9_-]{20,}$/;

const referenceOf = (id: string | undefined): IssuerReference | undefined =>
  id === undefined ? undefined : { kind: id.startsWith('did:') ? 'did' : 'url', id };

function claimsIn(credential: string | JsonObject): JsonObject {
  const claims = typeof credential === 'string' ? parseJson(credential) : credential;
  if (!isObject(claims)) throw invalidField([], 'is neither a JWT nor a JSON object');
  return claims;
}

const isAboutRevocation = (entry: StatusEntry | TokenStatusEntry): boolean =>
  entry.type === 'TokenStatusList' || entry.purpose === 'revocation';

import type { Credential, IssuerReference, ParsedCredential } from '../../ports/credential-formats.ts';
import type { CredentialFormats } from '../credentials/formats/formats.ts';
import { readCredentialFacts, statusReferences } from '../credentials/token-facts.ts';
import { invalidField } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { parseSignature } from '../jose/jws.ts';
import type { IssuedStatements } from './issued-statements.ts';

/** What is read of a credential that was sent. */
interface CheckedCredential extends Pick<Credential, 'status'> {
  issuer: IssuerReference | undefined;
  /** Whether it has a signature, which then is its issuer's. */
  isSigned: boolean;
}

/** Reads credentials that callers send, of any format. */
export class CheckedCredentials {
  constructor(
    private readonly parts: {
      statements: IssuedStatements;
      formats: CredentialFormats;
    },
  ) {}

  /**
   * `credential` is a JWT, an SD-JWT VC, an mdoc in base64url, JSON text or a parsed JSON object; all but JSON have a
   * signature, which is verified.
   * @throws DomainError `BadRequest`, `StatusVerification` when the signature is not its issuer's, `UpstreamFailed`,
   * `UpstreamTimeout`
   */
  async read(credential: string | JsonObject): Promise<CheckedCredential> {
    const { statements } = this.parts;
    const text = typeof credential === 'string' ? credential.trim() : '';
    const parsed = await this.#parse(text);
    if (parsed) {
      await statements.check(parsed, 'The credential');
      return { status: parsed.status, issuer: parsed.issuer, isSigned: true };
    }
    const signed = text.startsWith('ey') ? await statements.verify(text, 'The credential') : undefined;
    const claims = signed?.claims ?? claimsIn(text || credential);
    const { issuer } = readCredentialFacts({ header: {}, payload: claims });
    const status = signed?.status ?? statusReferences(claims);
    return { status, issuer: referenceOf(signed?.issuer ?? issuer), isSigned: signed !== undefined };
  }

  /** A credential whose format is in its type, or that is neither a JWT nor JSON; undefined for the others. */
  async #parse(text: string): Promise<ParsedCredential | undefined> {
    const { formats } = this.parts;
    if (text.startsWith('ey')) {
      const { typ } = parseSignature(text.split('~', 1)[0] ?? '', 'The credential').header;
      return formats.all.find(({ name }) => name === typ)?.codec.parse(text);
    }
    return BASE64URL.test(text) ? formats.parse(text) : undefined;
  }
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

import type { CredentialContent, CredentialFormat, ParsedCredential } from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { type IssuingParts, issueCredential } from './issue-credential.ts';
import { type ParsingParts, parseCredential } from './parse-credential.ts';

/**
 * Mobile documents (ISO 18013-5) as wallets receive them: an IssuerSigned in base64url. Whether the certificates of an
 * issuer are trusted is not decided here.
 */
export class Mdoc implements CredentialFormat {
  readonly #parts: IssuingParts & ParsingParts;

  constructor(parts: IssuingParts & ParsingParts) {
    this.#parts = parts;
  }

  issue(content: CredentialContent, signer: Signer): Promise<string> {
    return issueCredential(content, signer, this.#parts);
  }

  parse(text: string): Promise<ParsedCredential> {
    return parseCredential(text, this.#parts);
  }
}

import type {
  CredentialContent,
  CredentialFormat,
  ParsedCredential,
  ParsedPresentation,
  PresentationContent,
  PresentationFormat,
  PresentationView,
  ViewMode,
} from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { createPresentation } from './create-presentation.ts';
import { type IssuingParts, issueCredential } from './issue-credential.ts';
import { type ParsingParts, parseCredential } from './parse-credential.ts';
import { parsePresentation } from './parse-presentation.ts';
import { viewPresentation } from './presentation-view.ts';

/**
 * Mobile documents (ISO 18013-5) as wallets receive them, an IssuerSigned in base64url, and as they present them, a
 * DeviceResponse in base64url. Whether the certificates of an issuer are trusted is not decided here.
 */
export class Mdoc implements CredentialFormat, PresentationFormat {
  constructor(private readonly parts: IssuingParts & ParsingParts) {}

  issue(content: CredentialContent, signer: Signer): Promise<string> {
    return issueCredential(content, signer, this.parts);
  }

  parse(text: string): Promise<ParsedCredential> {
    return parseCredential(text, this.parts);
  }

  /** A map of CBOR in base64url; a token in JSON begins with `e`. */
  isPresentation(text: string): boolean {
    return /^\s*"?[o-v][\w-]+"?\s*$/.test(text);
  }

  present(content: PresentationContent, signer: Signer): Promise<string> {
    return createPresentation(content, signer, this.parts);
  }

  parsePresentation(text: string): Promise<ParsedPresentation> {
    return parsePresentation(text, this.parts);
  }

  view(text: string, mode: ViewMode): Promise<PresentationView> {
    return viewPresentation(text, mode, this.parts);
  }
}

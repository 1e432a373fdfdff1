import { discloseClaims } from '../../../domain/credentials/sd-jwt.ts';
import { readCredentialFacts } from '../../../domain/credentials/token-facts.ts';
import { signJws } from '../../../domain/jose/jws.ts';
import type {
  CredentialContent,
  CredentialFormat,
  CredentialToPresent,
  ParsedCredential,
  ParsedPresentation,
  PresentationContent,
  PresentationFormat,
  PresentationView,
  SignedStatement,
  StatementFormat,
  ViewMode,
} from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { DisclosurePacker } from '../sd-jwt/disclosure-packer.ts';
import { JWT_VC_RULES, packCredential, shownToken } from './disclosures.ts';
import { parseCredential } from './parse-credential.ts';
import { parsePresentation } from './parse-presentation.ts';
import { parseStatement } from './parse-statement.ts';
import { viewPresentation } from './presentation-view.ts';
import { credentialToken, presentationToken } from './tokens.ts';

/**
 * W3C Verifiable Credentials as JWTs: Data Model 1.1 §6.3.1 with the `vc` claim, 2.0 as VC-JOSE-COSE §3.1; with selective
 * disclosure, as SD-JWTs (RFC 9901) of the same claims.
 */
export class JwtVc implements CredentialFormat, PresentationFormat, StatementFormat {
  readonly #signatures: Signatures;
  readonly #packer: DisclosurePacker;

  constructor({ signatures, packer }: { signatures: Signatures; packer: DisclosurePacker }) {
    this.#signatures = signatures;
    this.#packer = packer;
  }

  isPresentation(text: string): boolean {
    return /^ey[A-Za-z0-9_-]*\.[^~]*$/.test(text);
  }

  async issue(content: CredentialContent, signer: Signer): Promise<string> {
    const { header, payload } = credentialToken(content);
    readCredentialFacts({ header, payload });
    if (!content.selectiveDisclosure) {
      discloseClaims({ payload, disclosures: [] }, JWT_VC_RULES);
      return signJws(header, payload, signer);
    }
    const packed = await packCredential({ payload, frame: content.selectiveDisclosure }, this.#packer);
    discloseClaims(packed, JWT_VC_RULES);
    return [await signJws(header, packed.payload, signer), ...packed.disclosures, ''].join('~');
  }

  async parse(text: string): Promise<ParsedCredential> {
    return parseCredential(text, this.#signatures);
  }

  parseStatement(text: string, name: string): SignedStatement {
    return parseStatement(text, name, this.#signatures);
  }

  standAlone(credential: CredentialToPresent): string {
    return shownToken(credential);
  }

  present(content: PresentationContent, signer: Signer): Promise<string> {
    const { header, payload } = presentationToken(content);
    return signJws(header, payload, signer);
  }

  async parsePresentation(text: string): Promise<ParsedPresentation> {
    return parsePresentation(text, this.#signatures);
  }

  async view(text: string, mode: ViewMode): Promise<PresentationView> {
    return viewPresentation(text, mode, this.#signatures);
  }
}

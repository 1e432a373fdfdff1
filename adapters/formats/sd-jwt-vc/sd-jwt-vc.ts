import type { FormatFacts } from '../../../domain/credentials/formats/facts.ts';
import { discloseClaims, isSdJwt, showOnly } from '../../../domain/credentials/sd-jwt.ts';
import { base64, fromBase64 } from '../../../domain/foundation/bytes.ts';
import { at, DomainError } from '../../../domain/foundation/errors.ts';
import { signJws, statedType } from '../../../domain/jose/jws.ts';
import { withoutAnchor } from '../../../domain/x509/signing-chain.ts';
import type { Certificates } from '../../../ports/certificates.ts';
import type {
  CredentialContent,
  CredentialFormat,
  CredentialToPresent,
  ParsedCredential,
  ParsedPresentation,
  PresentationContent,
  PresentationFormat,
  PresentationView,
  ViewMode,
} from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { DisclosurePacker } from '../sd-jwt/disclosure-packer.ts';
import { bindKey } from './key-binding.ts';
import { type ParsingParts, parseCredential } from './parse-credential.ts';
import { parsePresentation } from './parse-presentation.ts';
import { viewPresentation } from './presentation-view.ts';
import { issuedClaims, SD_JWT_VC_RULES, withIssuerClaims } from './token.ts';

/** SD-JWT-based Verifiable Credentials (draft-ietf-oauth-sd-jwt-vc), of one `typ`. */
export class SdJwtVc implements CredentialFormat, PresentationFormat {
  readonly #parsing: ParsingParts;

  constructor(
    private readonly parts: {
      /** The row of the format; its name is the `typ` of the tokens. */
      format: Pick<FormatFacts, 'name' | 'omitsAnchor'>;
      packer: DisclosurePacker;
      signatures: Signatures;
      certificates: Certificates;
    },
  ) {
    this.#parsing = { ...parts, format: parts.format.name };
  }

  async issue(content: CredentialContent, signer: Signer): Promise<string> {
    const { format, packer } = this.parts;
    const { kid, selectiveDisclosure } = content;
    const x5c = this.#chain(content);
    const { alwaysDisclosed } = SD_JWT_VC_RULES;
    const packed = await packer.pack(selectiveDisclosure, { document: issuedClaims(content), alwaysDisclosed });
    const payload = withIssuerClaims(packed.payload, content);
    discloseClaims({ ...packed, payload }, SD_JWT_VC_RULES);
    const token = await signJws({ kid, typ: format.name, ...(x5c && { x5c }) }, payload, signer);
    return [token, ...packed.disclosures, ''].join('~');
  }

  async parse(text: string): Promise<ParsedCredential> {
    return parseCredential(text, this.#parsing);
  }

  isPresentation(text: string): boolean {
    return isSdJwt(text) && statedType(text) === this.parts.format.name;
  }

  standAlone({ document, disclosed }: CredentialToPresent): string {
    return showOnly(document, disclosed, SD_JWT_VC_RULES);
  }

  async present(content: PresentationContent, signer: Signer): Promise<string> {
    const [credential, ...others] = content.credentials;
    if (!credential || others.length > 0) throw new DomainError('BadRequest', 'An SD-JWT VC is presented by itself');
    const { holder } = parseCredential(credential.document, this.#parsing);
    return bindKey({ sdJwt: this.standAlone(credential), holder }, content, signer);
  }

  async parsePresentation(text: string): Promise<ParsedPresentation> {
    return parsePresentation(text, this.#parsing);
  }

  async view(text: string, mode: ViewMode): Promise<PresentationView> {
    return viewPresentation(text, mode, this.#parsing);
  }

  #chain({ x5c }: CredentialContent): string[] | undefined {
    const { format, certificates } = this.parts;
    if (!x5c || !format.omitsAnchor) return x5c;
    const chain = x5c.map((text) => certificates.parse(fromBase64(text) ?? noCertificate()));
    return at(['x5Chain'], () => withoutAnchor(chain, certificates)).map(({ der }) => base64(der));
  }
}

function noCertificate(): never {
  throw new DomainError('BadRequest', 'x5c: a certificate is not base64');
}

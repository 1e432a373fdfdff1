import { JwtVc } from '../../adapters/formats/jwt-vc/jwt-vc.ts';
import { Mdoc } from '../../adapters/formats/mdoc/mdoc.ts';
import { DisclosurePacker } from '../../adapters/formats/sd-jwt/disclosure-packer.ts';
import { SdJwtVc } from '../../adapters/formats/sd-jwt-vc/sd-jwt-vc.ts';
import type { FormatFacts } from '../../domain/credentials/formats/facts.ts';
import { CredentialFormats, type SupportedFormat } from '../../domain/credentials/formats/formats.ts';
import { FORMATS } from '../../domain/credentials/formats/table.ts';
import type { Certificates } from '../../ports/certificates.ts';
import type { StatementFormat } from '../../ports/credential-formats.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { System } from './system.ts';

/** What the formats are made of. */
interface FormatParts extends Pick<System, 'random'> {
  signatures: Signatures;
  certificates: Certificates;
  /** Formats beside those of this build. */
  more: readonly SupportedFormat[];
}

/** The formats of this build, and how statements of issuers are parsed. */
export function createFormats(parts: FormatParts): { formats: CredentialFormats; statements: StatementFormat } {
  const packer = new DisclosurePacker(parts);
  const jwtVc = new JwtVc({ ...parts, packer });
  const sdJwtVc = (format: FormatFacts): SupportedFormat => {
    const codec = new SdJwtVc({ ...parts, format, packer });
    return { ...format, codec, presentations: codec };
  };
  const mdoc = new Mdoc(parts);
  const formats = new CredentialFormats(
    { ...FORMATS.jwt_vc_json, codec: jwtVc, presentations: jwtVc },
    sdJwtVc(FORMATS['vc+sd-jwt']),
    sdJwtVc(FORMATS['dc+sd-jwt']),
    { ...FORMATS.mso_mdoc, codec: mdoc, presentations: mdoc },
    ...parts.more,
  );
  return { formats, statements: jwtVc };
}

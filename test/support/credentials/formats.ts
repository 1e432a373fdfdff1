import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { JwtVc } from '../../../adapters/formats/jwt-vc/jwt-vc.ts';
import { Mdoc } from '../../../adapters/formats/mdoc/mdoc.ts';
import { DisclosurePacker } from '../../../adapters/formats/sd-jwt/disclosure-packer.ts';
import { SdJwtVc } from '../../../adapters/formats/sd-jwt-vc/sd-jwt-vc.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import type { FormatFacts } from '../../../domain/credentials/formats/facts.ts';
import { CredentialFormats, type SupportedFormat } from '../../../domain/credentials/formats/formats.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import type { ParsedCredential } from '../../../ports/credential-formats.ts';

const signatures = new NodeSignatures(new PrometheusMetrics());
const packer = new DisclosurePacker({ random: systemRandom });
const jwtVc = new JwtVc({ signatures, packer });

/** The codec of SD-JWT VCs of one typ, outside a server. */
export const sdJwtVc = (format: FormatFacts): SupportedFormat => {
  const codec = new SdJwtVc({ format, packer, signatures, certificates: new NodeCertificates() });
  return { ...format, codec, presentations: codec };
};

/** The mdocs of an installation, outside a server. */
export const testMdocs = new Mdoc({ signatures, certificates: new NodeCertificates(), random: systemRandom });

/** The formats of an installation, outside a server. */
export const testFormats = new CredentialFormats(
  { ...FORMATS.jwt_vc_json, codec: jwtVc, presentations: jwtVc },
  sdJwtVc(FORMATS['vc+sd-jwt']),
  sdJwtVc(FORMATS['dc+sd-jwt']),
  { ...FORMATS.mso_mdoc, codec: testMdocs, presentations: testMdocs },
);

/** A credential as the domain sees it; `changes` replaces members. */
export const parsedCredential = (changes: Partial<ParsedCredential> = {}): ParsedCredential => ({
  format: 'jwt_vc_json',
  type: 'VerifiableCredential',
  issuer: { kind: 'url', id: '' },
  claims: {},
  document: {},
  alg: 'ES256',
  validity: { starts: [], ends: [] },
  status: [],
  verifyIssuer: async () => ({ valid: true }),
  ...changes,
});

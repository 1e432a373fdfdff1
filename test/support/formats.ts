import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { JwtVc } from '../../adapters/formats/jwt-vc/jwt-vc.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { CredentialFormats, FORMATS } from '../../domain/credentials/formats.ts';
import type { ParsedCredential } from '../../ports/credential-formats.ts';

const jwtVc = new JwtVc(new NodeSignatures(new PrometheusMetrics()));

/** The formats of an installation, outside a server. */
export const testFormats = new CredentialFormats({ ...FORMATS.jwt_vc_json, codec: jwtVc, presentations: jwtVc });

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

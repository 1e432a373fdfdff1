import { topClaims } from '../always-disclosed.ts';
import type { FormatFacts } from './facts.ts';

/** VC-JOSE-COSE §3.2.1, and the end of the validity; its start is stated again as the claim `nbf`. */
const W3C_CLAIMS = topClaims([
  '@context',
  'type',
  'issuer',
  'credentialStatus',
  'credentialSchema',
  'expirationDate',
  'validUntil',
]);

/** Credentials of the W3C, signed as a JWT. */
export const JWT_VC = {
  name: 'jwt_vc_json',
  parsedType: ({ '@context': contexts }) =>
    [contexts].flat()[0] === 'https://www.w3.org/ns/credentials/v2' ? 'vc-w3c_2' : 'vc-w3c_1_1',
  aliases: ['jwt_vc'],
  selector: 'type',
  typeMember: 'credential_definition',
  typePaths: ['$.vc.type', '$.type'],
  configurationSuffix: '_jwt_vc_json',
  signatures: 'JOSE',
  chainPurpose: 'sd-jwt-vc',
  statusLists: ['BitstringStatusList', 'StatusList2021', 'RevocationList2020'],
  events: { single: 'jwt_issue', batch: 'batch_jwt_issue', member: 'jwt', kind: 'w3c_vc' },
  presentation: {
    names: ['jwt_vp_json', 'jwt_vp'],
    submitted: 'jwt_vp',
    credentialsAt: ['$.vp.verifiableCredential', '$.verifiableCredential'],
    signsTransactions: false,
    isEncrypted: false,
    draftMetadata: { jwt_vp_json: { alg: ['ES256', 'EdDSA', 'ES256K'] } },
    v1: {
      algorithmMembers: { credential: 'alg_values', presentation: 'alg_values' },
      checks: {
        'audience-check': 'audience',
        'nonce-check': 'nonce',
        envelope_signature: 'holder-signature',
        'holder-binding-check': 'holder-binding',
        'exp-check': 'expiry',
        'nbf-check': 'not-before',
        'transaction-data-hash-check': 'transaction-data',
      },
      isOfHaip: false,
    },
  },
  isTypeDescriptorId: false,
  alwaysDisclosed: W3C_CLAIMS,
  omitsAnchor: false,
} as const satisfies FormatFacts;

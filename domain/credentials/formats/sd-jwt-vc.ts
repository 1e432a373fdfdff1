import { topClaims } from '../always-disclosed.ts';
import type { FormatFacts } from './facts.ts';

/** draft-ietf-oauth-sd-jwt-vc-18 §2.2.2.3: neither these claims nor parts of them are in disclosures. */
const SD_JWT_VC_CLAIMS = topClaims(['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'aka_vcts', 'status']);

/** What drafts say of both names. */
const DRAFT_METADATA = { 'sd-jwt_alg_values': ['ES256', 'EdDSA'], 'kb-jwt_alg_values': ['ES256', 'EdDSA'] };

/** What both generations of SD-JWT VC have in common. */
const COMMON = {
  parsedType: () => 'vc-sd_jwt',
  selector: 'vct',
  typeMember: 'vct',
  typePaths: ['$.vct'],
  signatures: 'JOSE',
  chainPurpose: 'sd-jwt-vc',
  // HAIP 1.0 §6.1.
  statusLists: ['TokenStatusListJwt'],
  events: { single: 'sdjwt_issue', batch: 'batch_sdjwt_issue', member: 'sdjwt', kind: 'sd_jwt_vc' },
  isTypeDescriptorId: false,
  alwaysDisclosed: SD_JWT_VC_CLAIMS,
} as const;

/** SD-JWT VCs by their name in drafts. */
export const DRAFT_SD_JWT_VC = {
  ...COMMON,
  name: 'vc+sd-jwt',
  configurationSuffix: '_vc+sd-jwt',
  generation: 'drafts',
  presentation: {
    names: ['vc+sd-jwt'],
    submitted: 'vc+sd-jwt',
    credentialsAt: [],
    signsTransactions: true,
    isEncrypted: false,
    draftMetadata: { 'vc+sd-jwt': DRAFT_METADATA },
  },
  omitsAnchor: false,
} as const satisfies FormatFacts;

/** SD-JWT VCs. */
export const SD_JWT_VC = {
  ...COMMON,
  name: 'dc+sd-jwt',
  configurationSuffix: '_dc+sd-jwt',
  generation: 'v1',
  presentation: {
    names: ['dc+sd-jwt'],
    submitted: 'dc+sd-jwt',
    credentialsAt: [],
    signsTransactions: true,
    isEncrypted: false,
    draftMetadata: { 'dc+sd-jwt': DRAFT_METADATA },
    v1: {
      algorithmMembers: { credential: 'sd-jwt_alg_values', presentation: 'kb-jwt_alg_values' },
      checks: {
        'audience-check': 'audience',
        'kb-jwt_signature': 'holder-signature',
        'holder-binding-check': 'holder-binding',
        'nonce-check': 'nonce',
        'sd_hash-check': 'holder-digest',
        'kb-jwt_iat-check': 'holder-time',
        'exp-check': 'expiry',
        'nbf-check': 'not-before',
        'transaction-data-hash-check': 'transaction-data',
      },
      checkAliases: ['transaction-data-hashes-check'],
      isOfHaip: true,
    },
  },
  omitsAnchor: true,
} as const satisfies FormatFacts;

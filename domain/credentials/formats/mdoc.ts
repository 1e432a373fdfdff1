import type { FormatFacts } from './facts.ts';

/** Mobile documents (ISO/IEC 18013-5). */
export const MDOC = {
  name: 'mso_mdoc',
  selector: 'doc_type',
  typeMember: 'doctype',
  typePaths: [],
  configurationSuffix: '_mso_mdoc',
  signatures: 'COSE',
  chainPurpose: 'mdoc',
  // ISO 18013-5 Annex B.1.4.
  issuingCountry: ['org.iso.18013.5.1', 'issuing_country'],
  // ISO/IEC 18013-5 §12.3.6.
  statusLists: ['TokenStatusListCwt'],
  parsedType: () => 'vc-mdocs',
  events: {
    single: 'generated_mdoc',
    batch: 'generated_mdoc',
    member: 'mdoc',
    encoding: 'hex',
    kind: 'mso_mdoc',
  },
  presentation: {
    names: ['mso_mdoc'],
    submitted: 'mso_mdoc',
    credentialsAt: [],
    signsTransactions: true,
    // ISO/IEC TS 18013-7 B.4.4: a nonce is in the header of the encrypted response.
    isEncrypted: true,
    draftMetadata: { mso_mdoc: { alg: ['ES256', 'ES384', 'ES512', 'EdDSA'] } },
    v1: {
      algorithmMembers: { credential: 'issuerauth_alg_values', presentation: 'deviceauth_alg_values' },
      checks: {
        'device-auth': 'holder-signature',
        device_key_auth: 'holder-key',
        'holder-binding-check': 'holder-binding',
        'transaction-data-hash-check': 'transaction-data',
        issuer_auth: 'issuer-signature',
        issuer_signed_integrity: 'issuer-digest',
        mso: 'validity',
      },
      isOfHaip: true,
    },
  },
  isTypeDescriptorId: true,
  claimNames: ['a namespace', 'an element'],
  omitsAnchor: false,
} as const satisfies FormatFacts;

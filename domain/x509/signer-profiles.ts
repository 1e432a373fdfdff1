import type { KeyUsage } from '../../ports/certificates.ts';
import type { KeyType } from '../../ports/key-service.ts';

/** What the certificate of a signer is for. */
export type SignerPurpose = 'mdoc' | 'sd-jwt-vc' | 'status-list';

/** How the certificates of signers for one purpose are made. */
export interface SignerProfile {
  /** Object identifiers of the critical extension; empty leaves it out. */
  extendedKeyUsage: readonly string[];
  /** The longest validity. */
  maxDays: number;
  /** Whether the certificate must say where its revocation is published. */
  needsCrl: boolean;
  /** Whether a subject alternative name must, may or may not be given. */
  altNames: 'required' | 'optional' | 'none';
  /** Whether its country and state are those of the authority. */
  sameCountry: boolean;
}

/** id-mdl-kp-mdlDS (ISO 18013-5 Annex B). */
export const MDL_DOCUMENT_SIGNER = '1.0.18013.5.1.2';

/**
 * id-kp-oauthStatusSigning (draft-ietf-oauth-status-list-21 §10): the purpose of signing status lists. The draft leaves its
 * number open (`{ id-kp TBD }`); this is the one that published servers write meanwhile, which RFC 8209 gave to BGPsec
 * routers: below an authority of credential issuers it means nothing else.
 */
export const STATUS_SIGNING = '1.3.6.1.5.5.7.3.30';

/**
 * The table of purposes; add a row to add one. Issuers of SD-JWT VCs are found by a URL or host of their certificate
 * (SD-JWT VC §3.5). No extended key usage has been registered for them.
 */
export const SIGNER_PROFILES: Readonly<Record<SignerPurpose, SignerProfile>> = {
  mdoc: {
    extendedKeyUsage: [MDL_DOCUMENT_SIGNER],
    maxDays: 457,
    needsCrl: true,
    altNames: 'none',
    sameCountry: true,
  },
  'sd-jwt-vc': {
    extendedKeyUsage: [],
    maxDays: 825,
    needsCrl: false,
    altNames: 'required',
    sameCountry: false,
  },
  'status-list': {
    extendedKeyUsage: [STATUS_SIGNING],
    maxDays: 825,
    needsCrl: false,
    altNames: 'optional',
    sameCountry: false,
  },
};

/** The key usage of every signer. */
export const SIGNER_KEY_USAGE: readonly KeyUsage[] = ['digitalSignature'];

/** An issuing authority (ISO 18013-5 Annex B): a root that issues end entities only. */
export const IACA_PROFILE = { pathLength: 0, keyUsage: ['keyCertSign', 'cRLSign'], maxYears: 20 } as const;

/** The keys of authorities and signers: the curves of ISO 18013-5 Annex B that exist here. */
export const CERTIFIED_KEY_TYPES: readonly KeyType[] = ['secp256r1', 'secp384r1', 'secp521r1'];

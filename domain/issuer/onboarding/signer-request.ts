import type { NamePart, SubjectContent } from '../../../ports/certificate-maker.ts';
import type { KeyType } from '../../../ports/key-service.ts';
import type { Turn } from '../../../ports/turn.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { WantedKey } from '../../keys/new-key.ts';
import {
  CERTIFIED_KEY_TYPES,
  SIGNER_KEY_USAGE,
  SIGNER_PROFILES,
  type SignerProfile,
  type SignerPurpose,
} from '../../x509/signer-profiles.ts';
import {
  agreesOn,
  isSameSubject,
  readAltNames,
  readCertificateUrl,
  readSubject,
  type SignerCertificateData,
} from './certificate-data.ts';
import type { IacaSigner } from './iaca-signer.ts';

/** The key to create for an authority or a signer; every member is optional. */
export interface CertifiedKeyRequest {
  backend?: string;
  keyType?: KeyType;
  name?: string;
  config?: JsonObject;
}

/** A request for a signer. */
export interface SignerRequest {
  purpose?: SignerPurpose;
  /** `csr`: the authority is elsewhere. */
  output?: 'certificate' | 'csr';
  iacaSigner?: IacaSigner;
  certificateData: SignerCertificateData;
  ecKeyGenRequestParams?: CertifiedKeyRequest;
  turn?: Turn;
}

/** Reads the key to create. @throws DomainError `BadRequest` naming `keyType` */
export function readCertifiedKey({ backend = 'jwk', keyType = 'secp256r1', ...more }: CertifiedKeyRequest): WantedKey {
  if (!CERTIFIED_KEY_TYPES.includes(keyType))
    throw invalidField(['keyType'], `must be one of ${CERTIFIED_KEY_TYPES.join(', ')} (ISO 18013-5 Annex B)`);
  return { backend, keyType, ...more };
}

/** Reads what a certificate, or a request for one, will say about a signer. @throws DomainError `BadRequest` naming the member */
export function readSignerContent({ purpose = 'mdoc', output, certificateData: data }: SignerRequest): SubjectContent {
  const profile = SIGNER_PROFILES[purpose];
  const { crlDistributionPointUri: crl, subjectAlternativeName: names } = data;
  if (profile.needsCrl && crl === undefined && output !== 'csr')
    throw invalidField(['crlDistributionPointUri'], `is required for the purpose ${purpose}`);
  if (profile.altNames === 'none' && names !== undefined)
    throw invalidField(['subjectAlternativeName'], `has no place in a certificate for the purpose ${purpose}`);
  const altNames = at(['subjectAlternativeName'], () => readAltNames(names ?? {}));
  if (profile.altNames === 'required' && altNames.length === 0)
    throw invalidField(
      ['subjectAlternativeName'],
      `must name a URL or host for the purpose ${purpose}: verifiers find the signer by it`,
    );
  return {
    subject: readSubject(data),
    keyUsage: SIGNER_KEY_USAGE,
    extendedKeyUsage: profile.extendedKeyUsage,
    altNames,
    crlUrl: crl === undefined ? undefined : readCertificateUrl(crl, 'crlDistributionPointUri'),
  };
}

/** Checks the subject of a signer against the name of its authority. @throws DomainError `BadRequest` naming the member */
export function checkSubject(subject: readonly NamePart[], authority: readonly NamePart[], profile: SignerProfile) {
  if (isSameSubject(subject, authority))
    throw invalidField(['commonName'], 'must differ from that of the authority: the certificate would be self-issued');
  if (!profile.sameCountry) return;
  if (!agreesOn('C', subject, authority)) throw invalidField(['country'], 'must be the country of the authority');
  if (!agreesOn('ST', subject, authority))
    throw invalidField(['stateOrProvinceName'], 'must be that of the authority, which has one');
}

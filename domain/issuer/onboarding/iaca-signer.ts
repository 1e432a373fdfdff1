import type { AuthorityNames, CertificateMaker } from '../../../ports/certificate-maker.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import { at, invalidField, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isSameKey } from '../../jose/jwk.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { checkAnchor } from '../../x509/path-validation.ts';
import { derOfPem } from '../../x509/pem.ts';
import { CERTIFIED_KEY_TYPES } from '../../x509/signer-profiles.ts';
import { type IacaCertificateData, isSameSubject, readContact, readSubject } from './certificate-data.ts';
import { readDate, type Validity } from './certificate-validity.ts';

/** An authority of a request: its key, and its certificate or what that certificate says. */
export interface IacaSigner {
  iacaKey: JsonObject;
  iacaPem?: string;
  certificateData?: IacaCertificateData;
}

/** An authority that can sign a certificate now. */
export interface Authority {
  key: KeyReference;
  names: AuthorityNames;
  /** What is known of its validity. */
  validity: Partial<Validity>;
}

/** What an authority is read with. */
interface AuthorityReading {
  keys: KeyBackends;
  certificates: Certificates;
  maker: CertificateMaker;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Reads the authority of a request; its certificate and the data about it must not contradict each other.
 * @throws DomainError `BadRequest` naming the member, `UpstreamFailed`, `UpstreamTimeout`
 */
export async function readAuthority(signer: IacaSigner, parts: AuthorityReading): Promise<Authority> {
  const { iacaPem, certificateData } = signer;
  if (iacaPem === undefined && certificateData === undefined)
    throw invalidField(['iacaPem'], 'is required, or certificateData: the name of the authority is in its certificate');
  const stated = certificateData && at(['certificateData'], () => readStated(certificateData, parts.now));
  const certificate = iacaPem === undefined ? undefined : at(['iacaPem'], () => readPem(iacaPem, parts));
  const key = await at(['iacaKey'], () => parts.keys.read(signer.iacaKey));
  if (!CERTIFIED_KEY_TYPES.includes(key.keyType))
    throw invalidField(['iacaKey'], `must be of one of the types ${CERTIFIED_KEY_TYPES.join(', ')}`);
  if (certificate) return certifiedAuthority({ key, certificate, stated }, parts);
  const { names, validity } = stated ?? { names: { name: [], altNames: [] }, validity: {} };
  return { key, names: { ...names, publicJwk: key.publicJwk }, validity };
}

type Stated = { names: Omit<AuthorityNames, 'publicJwk'>; validity: Partial<Validity> };

function readStated(data: IacaCertificateData, now: number): Stated {
  const name = readSubject(data);
  const altNames = at(['issuerAlternativeNameConf'], () => readContact(data.issuerAlternativeNameConf));
  const [notBefore, notAfter] = [readDate(data, 'notBefore'), readDate(data, 'notAfter')];
  if (notAfter !== undefined && notAfter <= now) throw invalidField(['notAfter'], 'has passed: the authority expired');
  if (notBefore !== undefined && notAfter !== undefined && notAfter <= notBefore)
    throw invalidField(['notAfter'], 'must be after notBefore');
  return { names: { name, altNames }, validity: { notBefore, notAfter } };
}

/** An authority whose validity begins later may certify already. */
function readPem(pem: string, { certificates, now }: AuthorityReading): ParsedCertificate {
  const der = derOfPem(pem);
  if (!der) throw invalidField([], 'must be one certificate as PEM');
  try {
    const certificate = certificates.parse(der);
    const violation = checkAnchor(certificate, Math.max(now, certificate.notBefore));
    if (violation !== undefined) throw invalidField([], violation);
    return certificate;
  } catch (error) {
    throw isDomainError(error) ? invalidField([], error.message) : error;
  }
}

async function certifiedAuthority(
  { key, certificate, stated }: { key: KeyReference; certificate: ParsedCertificate; stated?: Stated },
  { maker }: AuthorityReading,
): Promise<Authority> {
  const { jwk } = certificate.publicKey;
  if (!jwk || !isSameKey(jwk, key.publicJwk)) throw invalidField(['iacaPem'], 'holds another key than iacaKey');
  const names = await maker.authority(certificate, jwk);
  if (stated && !isSameSubject(stated.names.name, names.name))
    throw invalidField(['certificateData'], 'names another authority than the certificate iacaPem');
  const { notBefore, notAfter } = certificate;
  for (const member of ['notBefore', 'notAfter'] as const)
    if ((stated?.validity[member] ?? certificate[member]) !== certificate[member])
      throw invalidField(['certificateData', member], 'is another date than that of the certificate iacaPem');
  return { key, names, validity: { notBefore, notAfter } };
}

import type { AuthorityNames, CertificateMaker, SubjectContent } from '../../../ports/certificate-maker.ts';
import type { Certificates } from '../../../ports/certificates.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { Clock, Random } from '../../../ports/system.ts';
import type { Turn } from '../../../ports/turn.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { yearsLater } from '../../foundation/time.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { withNewKey } from '../../keys/new-key.ts';
import { validatePath } from '../../x509/path-validation.ts';
import { pemOf } from '../../x509/pem.ts';
import { serialNumber } from '../../x509/serial-number.ts';
import { IACA_PROFILE, SIGNER_PROFILES } from '../../x509/signer-profiles.ts';
import {
  type IacaCertificateData,
  readCertificateUrl,
  readContact,
  readSubject,
  type SignerCertificateData,
} from './certificate-data.ts';
import { daysLater, readValidity, shownDates } from './certificate-validity.ts';
import { type Authority, type IacaSigner, readAuthority } from './iaca-signer.ts';
import {
  type CertifiedKeyRequest,
  checkSubject,
  readCertifiedKey,
  readSignerContent,
  type SignerRequest,
} from './signer-request.ts';

/** A request for an authority. */
interface IacaRequest {
  certificateData: IacaCertificateData;
  ecKeyGenRequestParams?: CertifiedKeyRequest;
  turn?: Turn;
}

/** What was checked of a new certificate; a failed check is an error instead. */
interface CertificateFinding {
  validatorId: string;
  severity: 'INFO' | 'WARNING';
  message: string;
}

type WrittenKey = JsonObject & { type: string };

/** The certificate of an authority. */
export interface IacaCertificate {
  certificatePEM: string;
  certificateData: IacaCertificateData;
  certificateValidationResult: CertificateFinding[];
}

/** The new authority; `iacaKey` is in the wire shape of its backend. */
interface IacaResult extends IacaCertificate {
  iacaKey: WrittenKey;
}

/** The certificate of a signer. */
export interface SignerCertificate {
  certificateData: SignerCertificateData;
  certificatePEM: string;
  certificateValidationResult: CertificateFinding[];
}

/** The new signer, with its certificate or the request for one. */
interface SignerResult {
  documentSignerKey: WrittenKey;
  certificateData: SignerCertificateData;
  certificatePEM?: string;
  /** What issuance requests carry: the certificates without the trust anchor. */
  x5Chain?: string[];
  /** The certificate of the authority, as in the request. */
  iacaPem?: string;
  certificateSigningRequestPEM?: string;
  certificateValidationResult?: CertificateFinding[];
}

/** A request that an authority here answers. */
type CertifiedRequest = Pick<SignerRequest, 'purpose' | 'certificateData'> & { iacaSigner: IacaSigner };

/** In place of the path that cannot be validated. */
const NO_PATH = 'The path was not validated: the request has no iacaPem';

/**
 * Creates keys with certificates for issuing authorities and signers (ISO 18013-5 Annex B). Nothing is stored: keys and
 * certificates are given to the caller. The whole request is checked before a key is created, and a key that gets no
 * certificate is removed again.
 */
export class CertificateOnboarding {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      maker: CertificateMaker;
      certificates: Certificates;
      clock: Clock;
      random: Random;
    },
  ) {}

  /** Creates an issuing authority. @throws DomainError `BadRequest` naming the field, `UpstreamFailed`, `UpstreamTimeout` */
  async createIaca({ certificateData: data, ecKeyGenRequestParams = {}, turn }: IacaRequest): Promise<IacaResult> {
    const { keys } = this.parts;
    const key = { ...at(['ecKeyGenRequestParams'], () => readCertifiedKey(ecKeyGenRequestParams)), turn };
    const certify = this.#iaca(data);
    return withNewKey(keys, { key, place: ['ecKeyGenRequestParams'] }, async (reference) => ({
      iacaKey: keys.write(reference, key.backend),
      ...(await certify(reference)),
    }));
  }

  /** Makes the certificate of an authority for a key that exists. @throws DomainError as `createIaca` */
  certifyIaca(data: IacaCertificateData, key: KeyReference): Promise<IacaCertificate> {
    return this.#iaca(data)(key);
  }

  #iaca(data: IacaCertificateData): (key: KeyReference) => Promise<IacaCertificate> {
    const { keys, maker, clock, random } = this.parts;
    const { validity, ...content } = at(['certificateData'], () => readIaca(data, clock.now()));
    return async (key) => {
      const { publicJwk } = key;
      const issuer = { name: content.subject, altNames: content.contact, publicJwk };
      const made = { ...content, ...validity, publicJwk, issuer, serialNumber: serialNumber(random) };
      const der = await maker.certificate(made, keys.signer(key));
      return {
        certificatePEM: pemOf(der, 'CERTIFICATE'),
        certificateData: { ...data, ...shownDates(validity) },
        certificateValidationResult: [this.#pathFinding(der, der)],
      };
    };
  }

  /** Creates a signer. @throws DomainError `BadRequest` naming the field, `UpstreamFailed`, `UpstreamTimeout` */
  async createSigner(request: SignerRequest): Promise<SignerResult> {
    const { keys } = this.parts;
    const { output = 'certificate', iacaSigner } = request;
    const wanted = at(['ecKeyGenRequestParams'], () => readCertifiedKey(request.ecKeyGenRequestParams ?? {}));
    const key = { ...wanted, turn: request.turn };
    if (!iacaSigner && output === 'certificate')
      throw invalidField(['iacaSigner'], 'is required, unless output is csr');
    const content = at(['certificateData'], () => readSignerContent(request));
    if (!iacaSigner || output === 'csr') return this.#request(request, { key, content });
    const certify = await this.#signer({ ...request, iacaSigner }, content);
    return withNewKey(keys, { key, place: ['ecKeyGenRequestParams'] }, async (reference) => {
      const made = await certify(reference);
      return {
        documentSignerKey: keys.write(reference, key.backend),
        x5Chain: [made.certificatePEM],
        ...(iacaSigner.iacaPem === undefined ? {} : { iacaPem: iacaSigner.iacaPem }),
        ...made,
      };
    });
  }

  /** Makes the certificate of a signer for a key that exists. @throws DomainError as `createSigner` */
  async certifySigner(request: CertifiedRequest, key: KeyReference): Promise<SignerCertificate> {
    const content = at(['certificateData'], () => readSignerContent(request));
    return (await this.#signer(request, content))(key);
  }

  async #signer(
    { purpose = 'mdoc', iacaSigner, certificateData: data }: CertifiedRequest,
    content: SubjectContent,
  ): Promise<(key: KeyReference) => Promise<SignerCertificate>> {
    const { keys, maker, clock, random } = this.parts;
    const now = clock.now();
    const authority = await at(['iacaSigner'], () => readAuthority(iacaSigner, { ...this.parts, now }));
    const profile = SIGNER_PROFILES[purpose];
    const validity = at(['certificateData'], () => {
      checkSubject(content.subject, authority.names.name, profile);
      const latestEnd = (notBefore: number) => daysLater(notBefore, profile.maxDays);
      return readValidity(data, { now, latestEnd, limit: `${profile.maxDays} days`, within: authority.validity });
    });
    return async ({ publicJwk }) => {
      const made = { ...content, ...validity, publicJwk, issuer: authority.names, serialNumber: serialNumber(random) };
      const der = await at(['iacaSigner', 'iacaKey'], () => maker.certificate(made, keys.signer(authority.key)));
      return {
        certificatePEM: pemOf(der, 'CERTIFICATE'),
        certificateData: { ...data, ...shownDates(validity) },
        certificateValidationResult: [this.#signerFinding(der, authority)],
      };
    };
  }

  /** A request for a certificate by an authority elsewhere, which decides on the dates. */
  async #request(
    { iacaSigner, certificateData }: SignerRequest,
    { key, content }: { key: ReturnType<typeof readCertifiedKey>; content: ReturnType<typeof readSignerContent> },
  ): Promise<SignerResult> {
    const { keys, maker } = this.parts;
    if (iacaSigner) throw invalidField(['iacaSigner'], 'has no place with the output csr: the authority is elsewhere');
    for (const member of ['notBefore', 'notAfter'] as const)
      if (certificateData[member] !== undefined)
        throw invalidField(
          ['certificateData', member],
          'has no place with the output csr: the authority decides on it',
        );
    return withNewKey(keys, { key, place: ['ecKeyGenRequestParams'] }, async (reference) => ({
      documentSignerKey: keys.write(reference, key.backend),
      certificateSigningRequestPEM: pemOf(await maker.request(content, keys.signer(reference)), 'CERTIFICATE REQUEST'),
      certificateData,
    }));
  }

  #signerFinding(der: Uint8Array, { names: { certificate } }: Authority): CertificateFinding {
    if (certificate) return this.#pathFinding(der, certificate.der);
    return { validatorId: 'certification-path', severity: 'WARNING', message: NO_PATH };
  }

  /** Validates the path as verifiers do (RFC 5280 §6.1). @throws DomainError `BadRequest` when the authority may not issue the certificate */
  #pathFinding(der: Uint8Array, anchorDer: Uint8Array): CertificateFinding {
    const { certificates, clock } = this.parts;
    const [leaf, anchor] = [certificates.parse(der), certificates.parse(anchorDer)];
    const path = validatePath({
      chain: [leaf],
      anchors: [anchor],
      now: Math.max(clock.now(), leaf.notBefore),
      signedBy: (certificate, issuer) => certificates.signedBy(certificate, issuer),
    });
    if (!path.valid) throw invalidField(['iacaSigner'], `cannot issue this certificate: ${path.reason}`);
    return { validatorId: 'certification-path', severity: 'INFO', message: 'The path to the trust anchor is valid' };
  }
}

/** Reads what the certificate of an authority will say. @throws DomainError `BadRequest` naming the member */
function readIaca(data: IacaCertificateData, now: number) {
  const { pathLength, keyUsage, maxYears } = IACA_PROFILE;
  const { crlDistributionPointUri: crl } = data;
  const contact: AuthorityNames['altNames'] = at(['issuerAlternativeNameConf'], () =>
    readContact(data.issuerAlternativeNameConf),
  );
  return {
    subject: readSubject(data),
    contact,
    pathLength,
    keyUsage,
    extendedKeyUsage: [],
    altNames: [],
    crlUrl: crl === undefined ? undefined : readCertificateUrl(crl, 'crlDistributionPointUri'),
    validity: readValidity(data, {
      now,
      latestEnd: (notBefore) => yearsLater(notBefore, maxYears),
      limit: `${maxYears} years`,
    }),
  };
}

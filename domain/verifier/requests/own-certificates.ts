import type { CertificateMaker } from '../../../ports/certificate-maker.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { Clock, Random } from '../../../ports/system.ts';
import { floorToSeconds } from '../../foundation/time.ts';
import { thumbprint } from '../../jose/jwk.ts';
import { serialNumber } from '../../x509/serial-number.ts';

const DAY_MS = 24 * 3600 * 1000;
const DAYS = 90;

/** Makes certificates that requests need and that are not configured: self-signed, they name the verifier and prove nothing. */
export class OwnCertificates {
  /** The last one, what it was made for, and until when it is used, in milliseconds since the epoch. */
  #kept: { subject: string; certificate: ParsedCertificate; until: number } | undefined;

  constructor(
    private readonly parts: {
      maker: CertificateMaker;
      certificates: Pick<Certificates, 'parse'>;
      clock: Clock;
      random: Random;
    },
  ) {}

  /** The certificate of a key with this DNS name; used for half of its life. @throws DomainError as `Signer.sign` */
  async of(signer: Signer, dnsName: string): Promise<ParsedCertificate> {
    const { maker, certificates, clock, random } = this.parts;
    const { publicJwk } = signer;
    const [subject, now] = [`${thumbprint(publicJwk)} ${dnsName}`, floorToSeconds(clock.now())];
    if (this.#kept?.subject === subject && now < this.#kept.until) return this.#kept.certificate;
    const name = [{ attribute: 'CN', value: dnsName.slice(0, 64) } as const];
    const der = await maker.certificate(
      {
        subject: name,
        altNames: [{ type: 'dns', value: dnsName }],
        keyUsage: ['digitalSignature'],
        extendedKeyUsage: [],
        publicJwk,
        serialNumber: serialNumber(random),
        notBefore: now - DAY_MS,
        notAfter: now + DAYS * DAY_MS,
        issuer: { name, altNames: [], publicJwk },
      },
      signer,
    );
    const certificate = certificates.parse(der);
    this.#kept = { subject, certificate, until: now + (DAYS / 2) * DAY_MS };
    return certificate;
  }
}

import type { CertificateMaker } from '../../../ports/certificate-maker.ts';
import type { Certificates } from '../../../ports/certificates.ts';
import type { PublicJwk, Signer } from '../../../ports/key-service.ts';
import type { Clock, Random } from '../../../ports/system.ts';
import { base64 } from '../../foundation/bytes.ts';
import { DomainError, reasonOf } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { floorToSeconds } from '../../foundation/time.ts';
import { thumbprint, withKid } from '../../jose/jwk.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { signerForOthers } from '../../keys/others-signer.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import { readChain } from '../../x509/certificate-chain.ts';
import { serialNumber } from '../../x509/serial-number.ts';
import { withoutAnchor } from '../../x509/signing-chain.ts';
import type { DraftEndpoints, RequestSigner } from '../protocol.ts';

/** The request signing key of the operator. */
export interface ConfiguredRequestKey {
  /** Its key reference object (interface: Issuer key reference object); a secret. */
  reference: JsonObject & { type: string };
  /** Its certificates as PEM, leaf first; may be empty. */
  certificates: readonly string[];
}

/** What `RequestSigning` works with. */
interface RequestSigningParts {
  keys: KeyBackends;
  serverKeys: ServerKeys;
  certificates: Certificates;
  maker: CertificateMaker;
  clock: Clock;
  random: Random;
  /** Absent when requests are signed with the server's own key. */
  configured?: ConfiguredRequestKey;
}

/** A key that signs, and its certificates: base64 DER, leaf first, without a trust anchor. */
interface CertifiedKey {
  signer: Signer;
  x5c: string[];
}

/** A certificate of the server's own key. */
interface OwnCertificate {
  /** What it was made for. */
  subject: string;
  x5c: string[];
  /** Milliseconds since the epoch. */
  until: number;
}

/** The reason is for the log: the key is none of the wallet's business. */
const UNUSABLE = 'The verifier cannot sign its request now';

const DAY_MS = 24 * 3600 * 1000;
const OWN_CERTIFICATE_DAYS = 90;

/** Signs the requests of the verifier with the key of the operator, or with one that the server keeps in its store. */
export class RequestSigning {
  readonly #parts: RequestSigningParts;
  #configured: Promise<CertifiedKey> | undefined;
  #own: OwnCertificate | undefined;

  constructor(parts: RequestSigningParts) {
    this.#parts = parts;
  }

  /**
   * What signs requests of a verifier. A certificate that a request needs and that is not configured is made here: it is
   * self-signed, names the verifier's DNS name and proves nothing.
   * @throws DomainError `StoreUnavailable`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async signer(
    verifier: DraftEndpoints,
    { needsCertificate = false }: { needsCertificate?: boolean },
  ): Promise<RequestSigner> {
    const { signer, x5c } = await this.#key();
    const certified = needsCertificate && x5c.length === 0 ? await this.#ownCertificate(verifier, signer) : x5c;
    return { signer, header: { kid: thumbprint(signer.publicJwk), ...(certified.length > 0 && { x5c: certified }) } };
  }

  /** The public keys of request objects, each with its `kid`. @throws as `signer` */
  async publicKeys(): Promise<PublicJwk[]> {
    const { configured, serverKeys } = this.#parts;
    const jwks = configured
      ? [(await this.#key()).signer.publicJwk]
      : await serverKeys.verifyingKeys('verifier', undefined);
    return jwks.map((jwk) => withKid(jwk));
  }

  async #key(): Promise<CertifiedKey> {
    const { configured, serverKeys } = this.#parts;
    if (!configured) return { signer: await serverKeys.signer('verifier'), x5c: [] };
    this.#configured ??= this.#readConfigured(configured);
    return this.#configured.catch((error) => {
      this.#configured = undefined;
      throw error;
    });
  }

  async #readConfigured({ reference, certificates: pems }: ConfiguredRequestKey): Promise<CertifiedKey> {
    const { keys, certificates } = this.#parts;
    try {
      const key = await keys.read(reference);
      const signer = signerForOthers(keys.signer(key), { message: UNUSABLE });
      return { signer, x5c: chainOf(pems, { certificates, jwk: key.publicJwk }) };
    } catch (cause) {
      throw new DomainError('UpstreamFailed', UNUSABLE, { cause, detail: reasonOf(cause) });
    }
  }

  async #ownCertificate({ sanDns }: DraftEndpoints, signer: Signer): Promise<string[]> {
    const { maker, clock, random } = this.#parts;
    const { publicJwk } = signer;
    const [subject, now] = [`${thumbprint(publicJwk)} ${sanDns}`, floorToSeconds(clock.now())];
    const kept = this.#own;
    if (kept?.subject === subject && now < kept.until) return kept.x5c;
    const name = [{ attribute: 'CN', value: sanDns.slice(0, 64) } as const];
    const altNames = [{ type: 'dns', value: sanDns } as const];
    const der = await maker.certificate(
      {
        subject: name,
        altNames,
        keyUsage: ['digitalSignature'],
        extendedKeyUsage: [],
        publicJwk,
        serialNumber: serialNumber(random),
        notBefore: now - DAY_MS,
        notAfter: now + OWN_CERTIFICATE_DAYS * DAY_MS,
        issuer: { name, altNames: [], publicJwk },
      },
      signer,
    );
    const x5c = [base64(der)];
    this.#own = { subject, x5c, until: now + (OWN_CERTIFICATE_DAYS / 2) * DAY_MS };
    return x5c;
  }
}

/**
 * Reads the certificates of a configured key, for the header of what it signs.
 * @throws DomainError `BadRequest` naming the certificate that is wrong
 */
export function chainOf(
  pems: readonly string[],
  { certificates, jwk }: { certificates: Certificates; jwk: PublicJwk },
): string[] {
  if (pems.length === 0) return [];
  const chain = readChain(pems, { certificates, jwk, keyName: 'the request signing key' });
  const shown = chain.length > 1 ? withoutAnchor(chain, certificates) : chain;
  return shown.map(({ der }) => base64(der));
}

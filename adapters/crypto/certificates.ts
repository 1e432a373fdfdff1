import { X509Certificate } from 'node:crypto';
import { DomainError } from '../../domain/foundation/errors.ts';
import { LruCache } from '../../domain/foundation/lru-cache.ts';
import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import { certificateModel } from './certificate-model.ts';
import { DerError, strictDer } from './strict-der.ts';

const MAX_BYTES = 16 * 1024;
/** Memory of a parsed certificate as a multiple of its DER (estimate). */
const READ_FACTOR = 8;

/** Node searches the bytes for PEM text first: the certificate that it found must be the given one. */
function nativeCertificate(der: Uint8Array): X509Certificate {
  const native = new X509Certificate(der);
  if (!native.raw.equals(der)) throw new DerError('it carries another certificate');
  return native;
}

/**
 * Certificates with node's cryptography. Parsed certificates and verified signatures are cached, since they depend on
 * the bytes only. Validity at a time is never cached.
 */
export class NodeCertificates implements Certificates {
  readonly #parsed = new LruCache<ParsedCertificate>('certificates');
  readonly #outcomes = new LruCache<boolean>('certificate-signatures');
  readonly #native = new WeakMap<ParsedCertificate, X509Certificate>();

  parse(der: Uint8Array): ParsedCertificate {
    if (der.length > MAX_BYTES)
      throw new DomainError('BadRequest', `The certificate is larger than ${MAX_BYTES} bytes`);
    const known = this.#parsed.get(der);
    if (known !== undefined) return known;
    return this.#parsed.set(der, this.#read(Uint8Array.from(der)), { bytes: READ_FACTOR * der.length });
  }

  signedBy(certificate: ParsedCertificate, issuer: ParsedCertificate): boolean {
    const name = `${certificate.fingerprint} ${issuer.fingerprint}`;
    return this.#outcomes.get(name) ?? this.#outcomes.set(name, this.#verify(certificate, issuer));
  }

  #read(der: Uint8Array): ParsedCertificate {
    try {
      const element = strictDer(der);
      const native = nativeCertificate(der);
      const parsed = certificateModel(element, native);
      this.#native.set(parsed, native);
      return parsed;
    } catch (cause) {
      throw new DomainError('BadRequest', 'The certificate is not a well-formed X.509 certificate', { cause });
    }
  }

  #verify(certificate: ParsedCertificate, issuer: ParsedCertificate): boolean {
    try {
      return this.#of(certificate).verify(this.#of(issuer).publicKey);
    } catch {
      return false;
    }
  }

  #of(certificate: ParsedCertificate): X509Certificate {
    return this.#native.get(certificate) ?? nativeCertificate(certificate.der);
  }
}

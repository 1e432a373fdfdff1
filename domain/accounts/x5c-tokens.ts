import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import { isDomainError } from '../foundation/errors.ts';
import { thumbprint } from '../jose/jwk.ts';
import { verifyJws } from '../jose/jws.ts';
import { loginCertificateViolation } from '../x509/certificate-rules.ts';
import { validatePath } from '../x509/path-validation.ts';
import type { ReplayGuard } from './replay-guard.ts';
import { acceptableUntil, checkClaims, isReplayable, malformed, readX5cToken, rejected } from './x5c-token.ts';

/** Which tokens are good. */
export interface X5cRules {
  anchors: readonly ParsedCertificate[];
  /** The smallest RSA modulus of a leaf key. */
  minRsaBits: number;
  /** What `aud` may name. */
  audiences: string[];
}

export interface X5cTokenParts {
  certificates: Certificates;
  signatures: Signatures;
  replay: ReplayGuard;
  clock: Clock;
  metrics: Metrics;
  log: Log;
}

/** Judges login tokens that carry a certificate chain, in the order of decisions §3. */
export class X5cTokens {
  readonly #parts: X5cTokenParts;
  readonly #rules: X5cRules;

  constructor(parts: X5cTokenParts, rules: X5cRules) {
    this.#parts = parts;
    this.#rules = rules;
  }

  /**
   * The identity behind a token, by the RFC 7638 thumbprint of its leaf key; the token is used by this.
   * @throws DomainError `BadRequest` for a malformed token, `TokenRejected` for one that is not good
   */
  async accept(text: string): Promise<string> {
    const { signatures, replay, clock } = this.#parts;
    const { jws, chain } = readX5cToken(text);
    const certificates = chain.map((der, index) => this.#parse(der, index));
    const { jwk, notAfter } = leafOf(certificates, this.#rules.minRsaBits);
    if (!(await verifyJws(jws, jwk, signatures))) throw rejected('the signature is not that of the leaf certificate');
    const now = clock.now();
    this.#validate(certificates, now);
    const claims = checkClaims(jws.payload, { now, audiences: this.#rules.audiences });
    const identity = `x5c:${thumbprint(jwk)}`;
    await replay.consume({ identity, jws, claims, acceptableUntil: acceptableUntil(claims, notAfter) });
    if (replay.mode === 'compatible' && isReplayable(claims)) this.#warn(identity);
    return identity;
  }

  #parse(der: Uint8Array, index: number): ParsedCertificate {
    try {
      return this.#parts.certificates.parse(der);
    } catch (error) {
      throw isDomainError(error) ? malformed(`the header member x5c[${index}] is not a certificate`) : error;
    }
  }

  #validate(chain: ParsedCertificate[], now: number): void {
    const { certificates } = this.#parts;
    const signedBy = certificates.signedBy.bind(certificates);
    const answer = validatePath({ chain, anchors: this.#rules.anchors, now, signedBy });
    if (!answer.valid) throw rejected(`the certificate chain is not trusted: ${answer.reason}`);
    const defect = chain[0] && loginCertificateViolation(chain[0]);
    if (defect !== undefined) throw rejected(`the leaf certificate ${defect}`);
  }

  #warn(identity: string): void {
    this.#parts.metrics.replayableLogin();
    this.#parts.log.warn('an x5c token without exp, jti and nonce was accepted: whoever saw it can use it again', {
      identity,
    });
  }
}

function leafOf([leaf]: readonly ParsedCertificate[], minRsaBits: number): { jwk: PublicJwk; notAfter: number } {
  const { kind, bits, jwk } = leaf?.publicKey ?? {};
  if (leaf === undefined || kind !== 'RSA' || jwk === undefined || bits === undefined || bits < minRsaBits)
    throw rejected(`the leaf certificate must have an RSA key of at least ${minRsaBits} bits`);
  return { jwk, notAfter: leaf.notAfter };
}

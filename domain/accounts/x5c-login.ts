import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Clock } from '../../ports/system.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { thumbprint } from '../jose/jwk.ts';
import { verifyJws } from '../jose/jws.ts';
import { loginCertificateViolation } from '../x509/certificate-rules.ts';
import { validatePath } from '../x509/path-validation.ts';
import type { Account, Accounts } from './accounts.ts';
import { type Identities, keyIdentity } from './identities.ts';
import type { ReplayGuard } from './replay-guard.ts';
import { acceptableUntil, checkClaims, isReplayable, malformed, parseX5cToken, rejected } from './x5c-token.ts';

/** Which login tokens are accepted. */
interface X5cRules {
  anchors: readonly ParsedCertificate[];
  /** The smallest RSA modulus of a leaf key. */
  minRsaBits: number;
  /** The accepted values of `aud`. */
  audiences: string[];
}

/** Verifies login tokens that are signed by the leaf of their certificate chain, in the order of decisions §3. */
export class X5cTokenVerifier {
  constructor(
    private readonly parts: {
      certificates: Certificates;
      signatures: Signatures;
      replay: ReplayGuard;
      clock: Clock;
      metrics: Metrics;
      log: Log;
    },
    private readonly rules: X5cRules,
  ) {}

  /**
   * Verifies and consumes a token. Returns the identity of its leaf key.
   * @throws DomainError `BadRequest` for a malformed token, `TokenRejected` for one that is not accepted
   */
  async accept(text: string): Promise<string> {
    const { signatures, replay, clock } = this.parts;
    const { jws, chain } = parseX5cToken(text);
    const certificates = chain.map((der, index) => this.#parse(der, index));
    const { jwk, notAfter } = leafOf(certificates, this.rules.minRsaBits);
    if (!(await verifyJws(jws, jwk, signatures))) throw rejected('the signature is not that of the leaf certificate');
    const now = clock.now();
    this.#validate(certificates, now);
    const claims = checkClaims(jws.payload, { now, audiences: this.rules.audiences });
    const identity = keyIdentity(thumbprint(jwk));
    await replay.consume({ identity, jws, claims, acceptableUntil: acceptableUntil(claims, notAfter) });
    if (replay.mode === 'compatible' && isReplayable(claims)) this.#warn(identity);
    return identity;
  }

  #parse(der: Uint8Array, index: number): ParsedCertificate {
    try {
      return this.parts.certificates.parse(der);
    } catch (error) {
      throw isDomainError(error) ? malformed(`the header member x5c[${index}] is not a certificate`) : error;
    }
  }

  #validate(chain: ParsedCertificate[], now: number): void {
    const { certificates } = this.parts;
    const signedBy = certificates.signedBy.bind(certificates);
    const result = validatePath({ chain, anchors: this.rules.anchors, now, signedBy });
    if (!result.valid) throw rejected(`the certificate chain is not trusted: ${result.reason}`);
    const violation = chain[0] && loginCertificateViolation(chain[0]);
    if (violation !== undefined) throw rejected(`the leaf certificate ${violation}`);
  }

  #warn(identity: string): void {
    this.parts.metrics.replayableLogin();
    this.parts.log.warn('an x5c token without exp, jti and nonce was accepted: it can be replayed', {
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

/** A login token, and a name for an account that it creates. */
interface X5cCredentials {
  token: string;
  name?: string;
  /** The id of the request. */
  requestId?: string;
}

export interface X5cLoginParts {
  accounts: Accounts;
  identities: Identities;
  tokens: X5cTokenVerifier;
}

/** Accounts of the wallet realm that log in with a token signed by the key of an X.509 certificate. */
export class X5cLogin {
  readonly #autoRegister: boolean;

  /** With `autoRegister` the first login of a key creates its account. */
  constructor(
    private readonly parts: X5cLoginParts,
    { autoRegister }: { autoRegister: boolean },
  ) {
    this.#autoRegister = autoRegister;
  }

  /** @throws DomainError `BadRequest` for every token that is not accepted, `Conflict` when its key has an account */
  async register({ token, ...account }: X5cCredentials): Promise<Account> {
    const { accounts, tokens } = this.parts;
    const id = await tokens.accept(token).catch((error: unknown) => {
      throw isDomainError(error, 'TokenRejected') ? asBadRequest(error) : error;
    });
    return accounts.create({ identity: { id }, ...account });
  }

  /** @throws DomainError `BadRequest` for a malformed token, `TokenRejected` for one that is not accepted */
  async login({ token, ...account }: X5cCredentials): Promise<Pick<Account, 'id'>> {
    const { identities, tokens } = this.parts;
    const id = await tokens.accept(token);
    const known = await identities.find(id);
    if (known) return { id: known.accountId };
    if (!this.#autoRegister) throw rejected('the key of the leaf certificate has no account');
    return this.#firstLogin(id, account);
  }

  async #firstLogin(id: string, account: Omit<X5cCredentials, 'token'>): Promise<Pick<Account, 'id'>> {
    const { accounts, identities } = this.parts;
    try {
      return await accounts.create({ identity: { id }, ...account });
    } catch (error) {
      // Another first login of the same key was faster: its account counts.
      const existing = isDomainError(error, 'Conflict') ? await identities.find(id) : undefined;
      if (existing) return { id: existing.accountId };
      throw error;
    }
  }
}

/** A registration is not a login, so its token is part of a bad request (decisions §3: 400 on register). */
const asBadRequest = (error: DomainError): DomainError =>
  new DomainError('BadRequest', error.message, { cause: error, details: error.details });

import type { Certificates } from '../../../ports/certificates.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import type { PublishedKey, PublishedKeys } from '../../../ports/published-keys.ts';
import type { Signatures } from '../../../ports/signatures.ts';
import type { Clock } from '../../../ports/system.ts';
import { catching, DomainError, isDomainError, replacing } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { type ParsedJws, parseJws, verifyJws } from '../../jose/jws.ts';
import { HOLDER_SKEW_MS, timeProblems } from '../../jose/jwt-claims.ts';
import { checkPublishedSigner } from '../../jose/signer-keys.ts';
import { decideChain } from '../../trust/chain-trust.ts';
import type { TrustAnchor } from '../../trust/trust-anchors.ts';
import { parseX5c } from '../../x509/x5c.ts';
import { shownName } from '../certificate-name.ts';
import type { IssuerRegistration, IssuerRegistrations } from './issuer-registrations.ts';

/** How far it is proven who an issuer is; beside its address, which holds by TLS. */
export interface IssuerProof {
  /** Who signed its metadata, as an authority that the wallet trusts certifies. */
  signedBy?: {
    /** The subject of the certificate. */
    name: string;
    /** The authority that the certificate names. */
    issuer: string;
  };
  /** Absent when it states none, or the wallet knows no registrar. */
  registration?: IssuerRegistration;
}

/** Metadata with a signature that is valid. */
interface VerifiedMetadata {
  metadata: JsonObject;
  /** Empty when the signature proves no more than that nothing was changed. */
  proof: IssuerProof;
}

/** Whether a signature is checked where there is one, or demanded. */
export type SignatureDemand = 'verified' | 'required';

/** The type of signed metadata (OpenID4VCI 1.0 §12.2.3). */
const TYP = 'openidvci-issuer-metadata+jwt';

/** The types that signed metadata of a generation may state; draft 13 (§11.2.3) names none for its `signed_metadata`. */
const TYPES = { v1: [TYP], draft: [TYP, 'JWT', undefined] } as const;

/** What a signature must not be made with (OpenID4VCI 1.0 §12.2.3). */
const NO_SIGNATURE = /^(?:none|hs\d+)$/i;

/** Verifies the signed metadata of issuers (OpenID4VCI 1.0 §12.2.3, draft 13 §11.2.3). */
export class SignedMetadata {
  constructor(
    private readonly parts: {
      certificates: Certificates;
      signatures: Signatures;
      clock: Clock;
      /** The keys that issuers publish. */
      issuers: PublishedKeys;
      /** The authorities of those who sign metadata; without any, no certificate is judged. */
      anchors: readonly TrustAnchor[];
      demand: SignatureDemand;
      registrations: Pick<IssuerRegistrations, 'of'>;
    },
  ) {}

  /** Parses a token without verifying it. @throws DomainError `UpstreamFailed` */
  parse(text: string): ParsedJws {
    return catching(asUpstreamFailure, () => parseJws(text, 'The signed metadata of the issuer'));
  }

  /** Accepts metadata without a signature that could be verified. @throws DomainError `UpstreamFailed` where one is demanded */
  acceptUnsigned(): void {
    if (this.parts.demand === 'required')
      throw new DomainError('UpstreamFailed', 'This wallet demands signed metadata, and the issuer has none to verify');
  }

  /**
   * Returns what is signed, without the claims of the token; undefined when the wallet cannot find the key of the signer.
   * @throws DomainError `UpstreamFailed` naming what is wrong
   */
  async verify(
    jws: ParsedJws,
    { issuer, generation }: { issuer: string; generation: keyof typeof TYPES },
  ): Promise<VerifiedMetadata | undefined> {
    const { typ, alg, x5c } = jws.header;
    if (!TYPES[generation].some((type) => type === typ)) throw refused(`is not of the type ${TYP}`);
    if (!isText(alg) || NO_SIGNATURE.test(alg)) throw refused('has no digital signature by its alg');
    this.#checkClaims(jws.payload, issuer);
    const { iss: _iss, sub: _sub, iat: _iat, nbf: _nbf, exp: _exp, signed_metadata: _inner, ...metadata } = jws.payload;
    if (x5c !== undefined) return { metadata, proof: await this.#certified(jws, metadata) };
    return (await this.#published(jws, issuer)) ? { metadata, proof: {} } : undefined;
  }

  #checkClaims(claims: JsonObject, issuer: string): void {
    const { sub, credential_issuer: named = sub } = claims;
    const isOwn = (one: unknown) => isText(one) && withoutSlash(one) === withoutSlash(issuer);
    if (!isOwn(sub) || !isOwn(named)) throw refused('is that of another issuer');
    const rules = { now: this.parts.clock.now(), skewMs: HOLDER_SKEW_MS, required: ['iat'] } as const;
    const [problem] = Object.entries(timeProblems(claims, rules));
    if (problem) throw refused(`has an ${problem[0]} that is not acceptable (${problem[1]})`);
  }

  /** Verifies the signature with the certificates of the token, and who the signer is where authorities are configured. */
  async #certified(jws: ParsedJws, metadata: JsonObject): Promise<IssuerProof> {
    const { anchors, signatures, certificates, clock, registrations } = this.parts;
    const chain = catching(asUpstreamFailure, () => parseX5c(jws.header.x5c, certificates));
    const [leaf] = chain;
    const jwk = leaf?.publicKey.jwk;
    if (!leaf || !jwk || !(await verifyJws(jws, jwk, signatures))) throw brokenSignature();
    const now = clock.now();
    if (now < leaf.notBefore || now > leaf.notAfter)
      throw refused('is signed with a certificate that is not valid now');
    if (anchors.length === 0) return {};
    const question = { chain: chain.map(({ der }) => der), anchors, now, purpose: 'access' } as const;
    const decision = decideChain(question, certificates);
    if (!decision.trusted) throw refused(`is signed with a certificate that is not trusted: ${decision.reason}`);
    const registration = await registrations.of(metadata, leaf);
    const signedBy = { name: shownName(leaf.subject), issuer: shownName(leaf.issuer) };
    return { signedBy, ...(registration && { registration }) };
  }

  /** Whether the signature is of a key that the issuer publishes; false when the wallet finds no key that is named. */
  async #published(jws: ParsedJws, issuer: string): Promise<boolean> {
    const { signatures, anchors, demand } = this.parts;
    if (demand === 'required' && anchors.length > 0) throw refused('is not signed with a certificate');
    const { kid } = jws.header;
    const keys = (await this.#keysOf(issuer)).filter((key) => kid === undefined || key.kid === kid);
    if (keys.length === 0) return false;
    const verify = (jwk: PublicJwk) => verifyJws(jws, jwk, signatures);
    if (!(await checkPublishedSigner({ kid, verify }, keys)).valid) throw brokenSignature();
    return true;
  }

  async #keysOf(issuer: string): Promise<readonly PublishedKey[]> {
    try {
      return await this.parts.issuers.keys(issuer);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return [];
    }
  }
}

const asUpstreamFailure = replacing('BadRequest', ({ message }) => new DomainError('UpstreamFailed', message));

const refused = (why: string): Error => new DomainError('UpstreamFailed', `The signed metadata of the issuer ${why}`);

/** Issuers are compared without the slash at their end. */
export const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '');

const brokenSignature = (): Error => refused('has a signature that is not valid');

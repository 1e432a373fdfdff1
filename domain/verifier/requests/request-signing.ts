import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { KeyReference, PublicJwk } from '../../../ports/key-service.ts';
import type { Clock } from '../../../ports/system.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { fromBase64 } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField, isDomainError, reasonOf } from '../../foundation/errors.ts';
import { isSameKey, withKid } from '../../jose/jwk.ts';
import { KEY_TYPES } from '../../jose/key-types.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { signerForOthers } from '../../keys/others-signer.ts';
import { type ChainOptions, readChain } from '../../x509/certificate-chain.ts';
import { MAX_CHAIN_LENGTH } from '../../x509/path-validation.ts';
import { derOfPem, pemOf } from '../../x509/pem.ts';
import { withoutAnchor } from '../../x509/signing-chain.ts';
import { headerOf, parseClientId, signingOf } from '../openid4vp/client-ids.ts';
import type { RequestSigner, SessionClient, SessionSigning } from '../protocol.ts';
import type { Verifier, VerifierSigner } from '../verifier.ts';
import type { OwnCertificates } from './own-certificates.ts';
import type { WrittenCoreFlow } from './setup.ts';

/** The members of a session that say who asks. */
type WrittenClient = Pick<WrittenCoreFlow, 'signed_request' | 'clientId' | 'key' | 'x5c' | 'verifier_attestation'>;

const SIGNERS = ['key', 'x5c', 'verifier_attestation'] as const;

/** The reason is for the log: the key is none of the wallet's business. */
const UNUSABLE = 'The verifier cannot sign its request now';

/** Finds who signs the requests of verifiers, by which header wallets find the key, and signs with it. */
export class RequestSigning {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      certificates: Certificates;
      dids: Pick<DidResolver, 'document'>;
      ownCertificates: OwnCertificates;
      clock: Clock;
    },
  ) {}

  /**
   * Reads who asks in a new session, and finds the key that signs: the session's own, or that of its verifier.
   * @throws DomainError `BadRequest` naming the member that is missing or does not fit the others; as `KeyBackends.read`
   */
  async client(written: WrittenClient, verifier: Verifier, isHaip = false): Promise<SessionClient> {
    const { signed_request: isSigned = false, verifier_attestation: attestation } = written;
    const clientId = written.clientId ?? (isSigned ? verifier.clientId : undefined);
    if (!isSigned) return unsigned(written, clientId);
    if (clientId === undefined) throw invalidField(['clientId'], 'is required for a signed request');
    const parsed = at(['clientId'], () => parseClientId(clientId));
    if (signingOf(parsed) === 'never')
      throw invalidField(['signed_request'], 'must be false: requests with this prefix of clientId are never signed');
    const { reference, chain: whole, isRemovable } = await this.#key(written, verifier);
    const { keys, certificates, dids, clock } = this.parts;
    const { publicJwk } = reference;
    // A self-signed certificate that stands alone is refused by HAIP 1.0 (§4.5).
    const chain = whole && at(['x5c'], () => (isHaip ? withoutAnchor : published)(whole, certificates));
    const entity = written.key ? undefined : verifier.entity;
    const header = await headerOf(parsed, { publicJwk, chain, attestation, entity }, { dids, now: clock.now() });
    const kept = isRemovable ? { ownKey: publicJwk } : { key: keys.write(reference) };
    return { clientId, signing: { ...kept, alg: KEY_TYPES[reference.keyType].alg, header } };
  }

  /** Checks that the key of a verifier, its certificates and its name belong together. @throws DomainError as `client` */
  async check(verifier: Verifier): Promise<void> {
    await (verifier.clientId === undefined ? this.#key({}, verifier) : this.client({ signed_request: true }, verifier));
  }

  /**
   * What signs the requests of a session: the key that it was created with.
   * @throws DomainError `Conflict` when the verifier does not have that key any more, and as `KeyBackends.read`
   */
  async ofSession({ key, ownKey, header }: SessionSigning, verifier: Verifier): Promise<RequestSigner> {
    const { keys } = this.parts;
    const reference = ownKey ? (await verifier.signer().catch(asGone)).reference : await keys.read(key ?? {});
    if (ownKey && !isSameKey(reference.publicJwk, ownKey)) throw gone();
    const signer = signerForOthers(keys.signer(reference), {
      message: 'The key of the verifier cannot sign now; try again later',
      oauthError: 'server_error',
    });
    return { signer, header };
  }

  /**
   * What signs requests that name no key: that of the verifier, as it is now. Where it has no certificate and needs one,
   * one is made with this DNS name. @throws DomainError `StoreUnavailable`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async ofVerifier(verifier: Verifier, dnsName: string | undefined): Promise<RequestSigner> {
    const { keys, ownCertificates, dids, clock } = this.parts;
    const { reference, chain: configured } = await this.#now(verifier);
    const signer = signerForOthers(keys.signer(reference), { message: UNUSABLE });
    const chain = configured ?? (dnsName === undefined ? undefined : [await ownCertificates.of(signer, dnsName)]);
    const { publicJwk } = reference;
    return { signer, header: await headerOf({ name: '' }, { publicJwk, chain }, { dids, now: clock.now() }) };
  }

  /** The public keys of requests that name no key, each with its `kid`. @throws as `ofVerifier` */
  async publicKeys(verifier: Verifier): Promise<PublicJwk[]> {
    const { reference, verifying = [reference.publicJwk] } = await this.#now(verifier);
    return verifying.map((jwk) => withKid(jwk));
  }

  async #now(verifier: Verifier): Promise<VerifierSigner & { chain?: readonly ParsedCertificate[] }> {
    const { certificates } = this.parts;
    try {
      const { chain, ...signer } = await this.#key({}, verifier);
      return { ...signer, chain: chain && published(chain, certificates) };
    } catch (cause) {
      if (isDomainError(cause, 'StoreUnavailable')) throw cause;
      throw new DomainError('UpstreamFailed', UNUSABLE, { cause, detail: reasonOf(cause) });
    }
  }

  async #key({ key, x5c = [] }: WrittenClient, verifier: Verifier) {
    const own: VerifierSigner | undefined = key && {
      reference: await at(['key'], () => this.parts.keys.read(key)),
      x5c,
    };
    const signer = own ?? (await verifier.signer());
    const texts = x5c.length > 0 ? x5c : signer.x5c;
    return { ...signer, chain: texts.length > 0 ? at(['x5c'], () => this.#chain(texts, signer.reference)) : undefined };
  }

  #chain(texts: readonly string[], { publicJwk: jwk }: KeyReference): ParsedCertificate[] {
    if (texts.length > MAX_CHAIN_LENGTH) throw invalidField([], `may have at most ${MAX_CHAIN_LENGTH} certificates`);
    const pems = texts.map((text, index) => at([index], () => asPem(text)));
    return readChain(pems, { certificates: this.parts.certificates, jwk, keyName: 'the key that signs' });
  }
}

function unsigned(written: WrittenClient, clientId: string | undefined): SessionClient {
  const foreign = SIGNERS.find((name) => written[name] !== undefined);
  if (foreign !== undefined) throw invalidField([foreign], 'is for signed requests only');
  if (clientId === undefined) return {};
  const signing = signingOf(at(['clientId'], () => parseClientId(clientId)));
  if (signing === 'always') throw invalidField(['signed_request'], 'must be true with this prefix of clientId');
  return { clientId };
}

/** A chain as wallets get it: without the trust anchor, unless it stands alone. @throws as `withoutAnchor` */
const published: typeof withoutAnchor = (chain, certificates) =>
  chain.length === 1 ? chain : withoutAnchor(chain, certificates);

/** Checks the certificates of a key, as PEM, for the requests that it signs. @throws DomainError `BadRequest` naming the certificate that is wrong */
export function checkChain(pems: readonly string[], options: ChainOptions): void {
  published(readChain(pems, options), options.certificates);
}

/** A certificate in base64, as in the header `x5c`, or in PEM. */
function asPem(text: string): string {
  const der = derOfPem(text) ?? fromBase64(text);
  if (der?.length) return pemOf(der, 'CERTIFICATE');
  throw invalidField([], 'must be a certificate in standard base64 or PEM');
}

function asGone(error: unknown): never {
  throw isDomainError(error, 'BadRequest') || isDomainError(error, 'Conflict') ? gone(error) : error;
}

const gone = (cause?: unknown): DomainError =>
  new DomainError('Conflict', 'The verifier does not have the key of this request any more', { cause });

import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { Clock } from '../../../ports/system.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { fromBase64 } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { KEY_TYPES } from '../../jose/key-types.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { readChain } from '../../x509/certificate-chain.ts';
import { MAX_CHAIN_LENGTH } from '../../x509/path-validation.ts';
import { derOfPem, pemOf } from '../../x509/pem.ts';
import { withoutAnchor } from '../../x509/signing-chain.ts';
import { headerOf, parseClientId, signingOf } from '../openid4vp/client-ids.ts';
import type { SessionClient } from '../protocol.ts';
import type { Verifier, VerifierSigner } from '../verifier.ts';
import type { WrittenCoreFlow } from './setup.ts';

/** What finding the key of a verifier needs. */
interface ClientSigningParts {
  keys: KeyBackends;
  certificates: Certificates;
  dids: Pick<DidResolver, 'document'>;
  clock: Clock;
}

/** The members of a session that say who asks. */
type WrittenClient = Pick<WrittenCoreFlow, 'signed_request' | 'clientId' | 'key' | 'x5c' | 'verifier_attestation'>;

const SIGNERS = ['key', 'x5c', 'verifier_attestation'] as const;

/** Reads who asks, and finds the key that signs: the session's own, or that of its verifier. */
export class ClientSigning {
  readonly #parts: ClientSigningParts;

  constructor(parts: ClientSigningParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `BadRequest` naming the member that is missing or does not fit the others; as `KeyBackends.read` */
  async read(written: WrittenClient, verifier: Verifier, isHaip = false): Promise<SessionClient> {
    const { signed_request: isSigned = false } = written;
    const clientId = written.clientId ?? (isSigned ? verifier.clientId : undefined);
    if (!isSigned) return this.#unsigned(written, clientId);
    if (clientId === undefined) throw invalidField(['clientId'], 'is required for a signed request');
    const parsed = at(['clientId'], () => parseClientId(clientId));
    if (signingOf(parsed) === 'never')
      throw invalidField(['signed_request'], 'must be false: requests with this prefix of clientId are never signed');
    const { reference, chain, isRemovable } = await this.#key(written, verifier);
    const published = chain && at(['x5c'], () => this.#published(chain, isHaip));
    const key = {
      publicJwk: reference.publicJwk,
      chain: published,
      attestation: written.verifier_attestation,
      entity: written.key ? undefined : verifier.entity,
    };
    const { dids, clock } = this.#parts;
    const header = await headerOf(parsed, key, { dids, now: clock.now() });
    const { alg } = KEY_TYPES[reference.keyType];
    const kept = isRemovable ? { ownKey: reference.publicJwk } : { key: this.#parts.keys.write(reference) };
    return { clientId, signing: { ...kept, alg, header } };
  }

  /** Checks that the key of a verifier, its certificates and its name belong together. @throws DomainError as `read` */
  async check(verifier: Verifier): Promise<void> {
    await (verifier.clientId === undefined ? this.#key({}, verifier) : this.read({ signed_request: true }, verifier));
  }

  #unsigned(written: WrittenClient, clientId: string | undefined): SessionClient {
    const foreign = SIGNERS.find((name) => written[name] !== undefined);
    if (foreign !== undefined) throw invalidField([foreign], 'is for signed requests only');
    if (clientId === undefined) return {};
    const signing = signingOf(at(['clientId'], () => parseClientId(clientId)));
    if (signing === 'always') throw invalidField(['signed_request'], 'must be true with this prefix of clientId');
    return { clientId };
  }

  async #key({ key, x5c = [] }: WrittenClient, verifier: Verifier) {
    const own: VerifierSigner | undefined = key && {
      reference: await at(['key'], () => this.#parts.keys.read(key)),
      x5c,
    };
    const signer = own ?? (await verifier.signer());
    const certificates = x5c.length > 0 ? x5c : signer.x5c;
    const chain = certificates.length > 0 && at(['x5c'], () => this.#chain(certificates, signer.reference));
    return { ...signer, chain: chain || undefined };
  }

  /** Without the trust anchor; a self-signed certificate that stands alone is refused by HAIP 1.0 (§4.5). */
  #published(chain: readonly ParsedCertificate[], isHaip: boolean): readonly ParsedCertificate[] {
    return chain.length === 1 && !isHaip ? chain : withoutAnchor(chain, this.#parts.certificates);
  }

  #chain(texts: readonly string[], { publicJwk: jwk }: KeyReference): ParsedCertificate[] {
    if (texts.length > MAX_CHAIN_LENGTH) throw invalidField([], `may have at most ${MAX_CHAIN_LENGTH} certificates`);
    const pems = texts.map((text, index) => at([index], () => asPem(text)));
    return readChain(pems, { certificates: this.#parts.certificates, jwk, keyName: 'the key that signs' });
  }
}

/** A certificate in base64, as in the header `x5c`, or in PEM. */
function asPem(text: string): string {
  const der = derOfPem(text) ?? fromBase64(text);
  if (der?.length) return pemOf(der, 'CERTIFICATE');
  throw invalidField([], 'must be a certificate in standard base64 or PEM');
}

import type { CertificateMaker, NamePart, RevocationReason } from '../../../../ports/certificate-maker.ts';
import type { Certificates, ParsedCertificate } from '../../../../ports/certificates.ts';
import type { PublicJwk, Signer } from '../../../../ports/key-service.ts';
import type { Collection, Store, Stored } from '../../../../ports/store.ts';
import type { Clock } from '../../../../ports/system.ts';
import { base64, fingerprint, fromBase64 } from '../../../foundation/bytes.ts';
import { DomainError, ignoring, invalidField, isDomainError } from '../../../foundation/errors.ts';
import { insertFirst, removeAll, retried, update } from '../../../foundation/records.ts';
import { floorToSeconds, isoSeconds } from '../../../foundation/time.ts';
import { TimedCache } from '../../../foundation/timed-cache.ts';
import { canonicalName } from '../../../issuer/onboarding/certificate-data.ts';
import { isSameKey, thumbprint } from '../../../jose/jwk.ts';
import type { KeyBackends } from '../../../keys/key-backends.ts';
import { signerForOthers } from '../../../keys/others-signer.ts';
import { isSameName } from '../../../x509/name-constraints.ts';
import { derOfPem } from '../../../x509/pem.ts';
import {
  nextList,
  publishedNow,
  publishedStill,
  type RevocationList,
  revokedIn,
  revoking,
  signedList,
  withoutSignature,
} from '../../../x509/revocation-list.ts';
import type { Target } from '../../access/targets.ts';
import type { ResourceTree } from '../../tree/resource-tree.ts';
import { dependencyKey } from '../dependency-keys.ts';
import { ownerOf, type TenantService, type TenantServices, type TenantUrls } from '../tenant-services.ts';

const TYPE = 'x509-service';
/** How long a failure to sign is cached: any reader can ask for a list, and the key service may charge for each call. */
const FAILURE_KEPT_MS = 5000;

/** An authority that a service made, with its list. */
interface AuthorityRecord extends RevocationList {
  /** The target of its key. */
  kid: Target;
  /** Its certificate in PEM. */
  pem: string;
}

/** What identifies an authority to verifiers of its certificates: two certificates of it have one list. */
interface AuthorityIdentity {
  name: readonly NamePart[];
  publicJwk: PublicJwk;
}

/** A revoked certificate, as callers see it. */
export interface Revocation {
  serialNumber: string;
  reason: RevocationReason;
  revokedDateTime: string;
  /** The URL of the list. */
  crl: string;
}

/** The lists of revoked certificates (RFC 5280 §5) of the authorities that services of the type `x509-service` made. */
export class CertificateRevocation {
  readonly #authorities: Collection<AuthorityRecord>;
  readonly #signing: TimedCache<string>;

  constructor(
    private readonly parts: {
      store: Store;
      services: TenantServices;
      tree: ResourceTree;
      urls: TenantUrls;
      keys: KeyBackends;
      certificates: Certificates;
      maker: CertificateMaker;
      clock: Clock;
    },
  ) {
    this.#authorities = parts.store.collection({
      name: 'certificate-revocations',
      listed: true,
      sealed: false,
      afterRestore: { change: withoutSignature },
    });
    this.#signing = new TimedCache({
      name: 'revocation-lists',
      load: async (key) => ({ value: await this.#sign(key), ttlMs: 0, bytes: 0 }),
      failureTtlMs: FAILURE_KEPT_MS,
      clock: parts.clock,
    });
  }

  /** The URL of the list of an authority, whether or not there is one yet (operation `getTenantCrl`). */
  async urlOf(service: Target, authority: AuthorityIdentity): Promise<string> {
    return `${await this.parts.urls.baseUrlOf(service)}/v1/${service}/x509-service-api/crls/${idOf(authority)}`;
  }

  /** Opens the list of an authority that the service made; a certificate that it gets later changes nothing. */
  async open(
    service: TenantService,
    authority: AuthorityIdentity,
    made: Pick<AuthorityRecord, 'kid' | 'pem'>,
  ): Promise<void> {
    const key = { parent: ownerOf(service), id: idOf(authority) };
    await insertFirst(this.#authorities, { ...key, value: { ...made, revoked: [] } });
  }

  /** The URL of the list of the authority with a certificate; undefined when the service did not make it. */
  async listOf(service: TenantService, pem: string): Promise<string | undefined> {
    const { names } = await this.#named(pem);
    const stored = await this.#authorities.get({ parent: ownerOf(service), id: idOf(names) });
    return stored && this.urlOf(service.target, names);
  }

  /** The signed list. @throws DomainError `NotFound`, `UpstreamFailed` or `UpstreamTimeout` when it cannot be signed */
  async list(target: Target, id: string): Promise<Uint8Array> {
    const { services, clock } = this.parts;
    const { uid } = await services.found(target, TYPE);
    const stored = await this.#authorities.get({ parent: ownerOf({ target, uid }), id });
    if (!stored) throw notFound();
    const der = publishedNow(stored.value, clock.now()) ?? (await this.#signed(target, stored));
    return fromBase64(der) ?? new Uint8Array();
  }

  /**
   * Revokes a certificate of an authority, and signs the list anew; what was revoked before stays as it is.
   * @throws DomainError `BadRequest` naming the member, `Conflict` when the list is full, and as `list`: it is revoked then
   */
  async revoke(
    service: TenantService,
    { certificate: pem, iaca, reason }: { certificate: string; iaca: string; reason: RevocationReason },
  ): Promise<Revocation> {
    const { names, certificate: authority } = await this.#named(iaca);
    const key = { parent: ownerOf(service), id: idOf(names) };
    if (!(await this.#authorities.get(key)))
      throw invalidField(['iaca'], 'is that of no authority that this service made');
    const certificate = this.#parse(pem);
    if (certificate.basicConstraints?.ca || !this.#isIssuedBy(certificate, authority))
      throw invalidField(['certificate'], 'was not issued by that authority');
    const { serialNumber, notAfter } = certificate;
    const revoked = { serialNumber, notAfter, reason, revokedAt: floorToSeconds(this.parts.clock.now()) };
    const change = (list: AuthorityRecord) => revoking(list, revoked);
    const stored = await update({ collection: this.#authorities, key, change });
    if (!stored) throw notFound();
    await this.list(service.target, key.id);
    const { revokedAt, ...kept } = revokedIn(stored.value, serialNumber) ?? revoked;
    return {
      serialNumber,
      reason: kept.reason,
      revokedDateTime: isoSeconds(revokedAt),
      crl: await this.urlOf(service.target, names),
    };
  }

  /** Removes the lists of a service that is removed. */
  async removeLists(target: Target): Promise<void> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    if (found) await removeAll({ collection: this.#authorities, parent: ownerOf({ target, uid: found.uid }) });
  }

  /** Requests for the same state of a list share one signature. */
  async #signed(target: Target, { parent, id, revision, value }: Stored<AuthorityRecord>): Promise<string> {
    try {
      return await this.#signing.get(`${target} ${parent} ${id} ${revision}`);
    } catch (error) {
      const still = publishedStill(value, this.parts.clock.now());
      if (still !== undefined && isDomainError(error)) return still;
      throw error;
    }
  }

  /** Of instances that sign at once one publishes its list, the others take that. */
  #sign(state: string): Promise<string> {
    const { clock, maker } = this.parts;
    const [target = '', parent = '', id = ''] = state.split(' ');
    return retried(async () => {
      const stored = await this.#authorities.get({ parent, id });
      if (!stored) throw notFound();
      const now = clock.now();
      const published = publishedNow(stored.value, now);
      if (published !== undefined) return published;
      const { names: issuer } = await this.#named(stored.value.pem);
      const content = nextList(stored.value, now);
      const signer = await this.#signer(target, stored.value.kid, issuer.publicJwk);
      const der = base64(await maker.revocationList({ ...content, issuer }, signer));
      const value = signedList(stored.value, content, der);
      const written = await this.#authorities
        .replace({ parent, id, value }, stored.revision)
        .catch(ignoring('Conflict'));
      return written && der;
    });
  }

  /** The key of an authority, while the service may use it and it is the same key. */
  async #signer(target: Target, kid: Target, publicJwk: PublicJwk): Promise<Signer> {
    const { services, tree, keys } = this.parts;
    const service = await services.at(target, TYPE);
    const key = await dependencyKey(tree, service, kid).catch((cause: unknown) => {
      throw isDomainError(cause) ? cannotSign(cause) : cause;
    });
    if (!isSameKey(key.publicJwk, publicJwk)) throw cannotSign();
    return signerForOthers(keys.signer(key), CANNOT_SIGN);
  }

  #isIssuedBy(certificate: ParsedCertificate, authority: ParsedCertificate): boolean {
    return (
      isSameName(certificate.issuer, authority.subject) && this.parts.certificates.signedBy(certificate, authority)
    );
  }

  async #named(pem: string) {
    const certificate = this.#parse(pem);
    const { jwk } = certificate.publicKey;
    if (!jwk) throw invalidField(['iaca'], 'has a key that is not supported');
    return { names: await this.parts.maker.authority(certificate, jwk), certificate };
  }

  #parse(pem: string): ParsedCertificate {
    return this.parts.certificates.parse(derOfPem(pem) ?? new Uint8Array());
  }
}

const idOf = ({ name, publicJwk }: AuthorityIdentity): string =>
  fingerprint(`${canonicalName(name)} ${thumbprint(publicJwk)}`);

const CANNOT_SIGN = { message: 'The list cannot be signed now; try again' };

const cannotSign = (cause?: DomainError): DomainError =>
  new DomainError('UpstreamFailed', CANNOT_SIGN.message, { cause, detail: cause?.message ?? 'The key is another one' });

const notFound = (): DomainError => new DomainError('NotFound', 'There is no such list of revoked certificates');

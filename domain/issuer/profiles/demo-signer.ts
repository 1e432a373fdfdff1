import type { CertificateMaker, NamePart } from '../../../ports/certificate-maker.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { Collection, Store } from '../../../ports/store.ts';
import type { Clock, Random } from '../../../ports/system.ts';
import { insertFirst, tooManyRequests } from '../../foundation/records.ts';
import { yearsLater } from '../../foundation/time.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import { pemOf } from '../../x509/pem.ts';
import { serialNumber } from '../../x509/serial-number.ts';
import { IACA_PROFILE, SIGNER_KEY_USAGE, SIGNER_PROFILES } from '../../x509/signer-profiles.ts';

const DAY_MS = 86_400_000;
/** How long certificates are used, so that an mdoc of a year ends before its signer. */
const USED_DAYS = 90;
const AUTHORITY_YEARS = 10;

/** Utopia (ISO/IEC 18013-1): no authority of a country. */
const COUNTRY: NamePart = { attribute: 'C', value: 'UT' };
const AUTHORITY: NamePart[] = [COUNTRY, { attribute: 'CN', value: 'Credenza demo authority' }];
const SIGNER: NamePart[] = [COUNTRY, { attribute: 'CN', value: 'Credenza demo document signer' }];

/** The certificates of a demo signer as PEM. */
interface DemoCertificates {
  /** The certificates that an mdoc carries. */
  x5Chain: string[];
  /** The certificate of the authority, which verifiers of demo mdocs trust. */
  iacaPem: string;
}

/**
 * Certifies the server's key for profiles as a document signer to try mdocs with. The certificates are made at first use
 * and are the same for all instances on one store; they are made anew when they or the key are replaced.
 */
export class DemoSigner {
  readonly #certificates: Collection<DemoCertificates>;

  constructor(
    private readonly parts: {
      store: Store;
      keys: Pick<KeyBackends, 'signer'>;
      serverKeys: Pick<ServerKeys, 'reference'>;
      maker: CertificateMaker;
      clock: Clock;
      random: Random;
    },
  ) {
    this.#certificates = parts.store.collection({ name: 'demo-certificates', sealed: false, afterRestore: 'kept' });
  }

  /** The certificates as they are; undefined before their first use. */
  async known(): Promise<DemoCertificates | undefined> {
    return this.#of(await this.parts.serverKeys.reference('profiles'));
  }

  /** The certificates, made unless there are some: of those who make them at once one does. @throws DomainError as `Signer.sign` */
  async certificates(): Promise<DemoCertificates> {
    const key = await this.parts.serverKeys.reference('profiles');
    const known = await this.#of(key);
    if (known) return known;
    const value = await this.#make(key);
    const expiresAt = this.parts.clock.now() + USED_DAYS * DAY_MS;
    await insertFirst(this.#certificates, { id: thumbprint(key.publicJwk), value, expiresAt });
    const kept = await this.#of(key);
    if (kept) return kept;
    throw tooManyRequests();
  }

  async #of({ publicJwk }: KeyReference): Promise<DemoCertificates | undefined> {
    return (await this.#certificates.get({ id: thumbprint(publicJwk) }))?.value;
  }

  /** Both certificates (ISO 18013-5 Annex B), without lists of revoked ones. */
  async #make({ publicJwk }: KeyReference): Promise<DemoCertificates> {
    const { keys, serverKeys, maker, clock, random } = this.parts;
    const authority = await serverKeys.reference('demo');
    const signer = keys.signer(authority);
    const issuer = { name: AUTHORITY, altNames: [], publicJwk: authority.publicJwk };
    const notBefore = Math.floor(clock.now() / 1000) * 1000;
    const { extendedKeyUsage, maxDays } = SIGNER_PROFILES.mdoc;
    const { pathLength, keyUsage } = IACA_PROFILE;
    const common = { altNames: [], issuer, notBefore };
    const [iaca, leaf] = await Promise.all([
      maker.certificate(
        {
          ...common,
          subject: AUTHORITY,
          keyUsage,
          extendedKeyUsage: [],
          pathLength,
          publicJwk: authority.publicJwk,
          serialNumber: serialNumber(random),
          notAfter: yearsLater(notBefore, AUTHORITY_YEARS),
        },
        signer,
      ),
      maker.certificate(
        {
          ...common,
          subject: SIGNER,
          keyUsage: SIGNER_KEY_USAGE,
          extendedKeyUsage,
          publicJwk,
          serialNumber: serialNumber(random),
          notAfter: notBefore + maxDays * DAY_MS,
        },
        signer,
      ),
    ]);
    return { x5Chain: [pemOf(leaf, 'CERTIFICATE')], iacaPem: pemOf(iaca, 'CERTIFICATE') };
  }
}

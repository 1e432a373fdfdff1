import type { Collection, Store } from '../../../../ports/store.ts';
import { fingerprint } from '../../../foundation/bytes.ts';
import { at, ignoring } from '../../../foundation/errors.ts';
import { removeAll, upsert } from '../../../foundation/records.ts';
import { epochSeconds } from '../../../foundation/time.ts';
import type { ActivityLog } from '../../../holdings/activity.ts';
import type { TrustAnchor } from '../../../trust/trust-anchors.ts';
import { nothingAt, parentOf, type Target } from '../../access/targets.ts';
import type { ClientAttesters } from '../attesters/client-attesters.ts';
import { dependencyKey, requireDependency } from '../dependency-keys.ts';
import type { ServiceDraft } from '../service-configurations.ts';
import { ownerOf, type TenantService, type TenantServices, type TenantUrls } from '../tenant-services.ts';
import type { TrustRegistries } from '../trust-registry.ts';
import { staticKeyOf, type WalletConfiguration } from './wallet-configuration.ts';
import { type WalletCredentialParts, WalletCredentials } from './wallet-credentials.ts';
import { type WalletDidParts, WalletDids } from './wallet-dids.ts';
import { WalletPolicies, type WalletPolicyParts } from './wallet-policies.ts';

/** How one call uses a wallet. */
export interface WalletOptions {
  /** Whether no person agreed to the exchange. */
  isUnattended: boolean;
}

/** A wallet of a tenant, for one call. */
export interface TenantWallet {
  /** What its records are stored under. */
  owner: string;
  clientId: string;
  dids: WalletDids;
  credentials: WalletCredentials;
  policies: WalletPolicies;
  /** The authorities of verifiers and of issuers; undefined where those of the operator count. */
  anchors?: readonly TrustAnchor[];
  /** Attests that the wallet has a key; absent without a client attester. */
  attest?(jwk: Parameters<ClientAttesters['attest']>[1]['instanceKey']): Promise<string>;
}

/** A request for an attestation of a key of the wallet. */
interface WantedAttestation {
  clientAttesterServiceRef: Target;
  instanceKeyReference: Target;
}

/** An attestation that a wallet keeps until its end. */
interface KeptAttestation {
  clientAttestationJwt: string;
  /** In seconds since the epoch. */
  expiresAt: number;
}

const TYPE = 'wallet2';
/** How long before its end an attestation is made anew, in seconds. */
const RENEWED_SECONDS = 60;

export interface TenantWalletParts extends WalletDidParts, WalletCredentialParts, WalletPolicyParts {
  services: TenantServices;
  urls: TenantUrls;
  attesters: Pick<ClientAttesters, 'attest'>;
  trustRegistries: Pick<TrustRegistries, 'anchorsOf'>;
  activity: ActivityLog;
  store: Store;
  /** Keep what wallets wait for, and what they were granted. */
  deliveries: readonly { removeAll(owner: string): Promise<void> }[];
}

/** The wallets of tenants: services of the type `wallet2`, which hold what is in the services that they depend on. */
export class TenantWallets {
  readonly #attestations: Collection<KeptAttestation>;

  constructor(private readonly parts: TenantWalletParts) {
    const spec = { name: 'tenant-wallet-attestations', listed: true, afterRestore: 'void' } as const;
    this.#attestations = parts.store.collection(spec);
  }

  /** The wallet at a target. @throws DomainError `NotFound` */
  async at(target: Target, { isUnattended }: WalletOptions): Promise<TenantWallet> {
    const { parts } = this;
    const service = await parts.services.at(target, TYPE);
    const clientId = await this.#clientId(service);
    const [attester] = await parts.services.dependenciesOf(service, 'client-attester');
    const attested = attester !== undefined && {
      attest: async (instanceKey: Parameters<ClientAttesters['attest']>[1]['instanceKey']) =>
        (await parts.attesters.attest(attester, { clientId, instanceKey, isOwnWallet: isNamedHere(service) }))
          .clientAttestationJwt,
    };
    return {
      owner: ownerOf(service),
      clientId,
      dids: new WalletDids(parts, service),
      credentials: new WalletCredentials(parts, service),
      policies: new WalletPolicies(parts, service, isUnattended),
      anchors: await this.#anchors(service),
      ...attested,
    };
  }

  /** The wallet of these records. @throws DomainError `NotFound` when it was removed */
  async of(owner: string): Promise<TenantWallet> {
    const [target = ''] = owner.split('#');
    const wallet = await this.at(target, { isUnattended: false });
    if (wallet.owner !== owner) throw nothingAt(target);
    return wallet;
  }

  /** What the records of the wallets are stored under that depend on the store of an entry. */
  async ownersBeside(entry: Target): Promise<string[]> {
    const { repository, services } = this.parts;
    const dependents = await repository.dependents(parentOf(entry));
    const found = await Promise.all(
      dependents.map(async (target) => {
        const wallet = await services.found(target, TYPE).catch(ignoring('NotFound'));
        return wallet ? [ownerOf({ target, uid: wallet.uid })] : [];
      }),
    );
    return found.flat();
  }

  /** Checks that a wallet can work as it is configured. @throws DomainError `BadRequest` naming the member, `Conflict` */
  async check(draft: ServiceDraft): Promise<void> {
    const { tree, keys } = this.parts;
    const configuration = draft.config as WalletConfiguration;
    const { defaultKeyId, defaultDidId } = configuration;
    await staticKeyOf(configuration, keys);
    if (defaultKeyId !== undefined) await at(['defaultKeyId'], () => dependencyKey(tree, draft, defaultKeyId));
    if (defaultDidId !== undefined)
      await at({ did: ['defaultDidId'] }, () =>
        new WalletDids(this.parts, draft).signingDid('', { did: defaultDidId }),
      );
  }

  /**
   * An attestation of a key of the wallet for its client id: the one that it has, until a minute before its end.
   * @throws DomainError `BadRequest` naming the member, `NotFound`, `Conflict` when the attester cannot sign
   */
  async obtainAttestation(
    target: Target,
    { clientAttesterServiceRef: attester, instanceKeyReference: key }: WantedAttestation,
  ): Promise<KeptAttestation> {
    const { services, tree, attesters, clock } = this.parts;
    const service = await services.at(target, TYPE);
    const wanted = { target: attester, type: 'client-attester' } as const;
    await at(['clientAttesterServiceRef'], () => requireDependency(tree, service, wanted));
    const { publicJwk } = await at(['instanceKeyReference'], () => dependencyKey(tree, service, key));
    const clientId = await this.#clientId(service);
    const record = { parent: ownerOf(service), id: fingerprint(JSON.stringify([attester, clientId, publicJwk])) };
    const kept = (await this.#attestations.get(record))?.value;
    if (kept && kept.expiresAt > epochSeconds(clock.now()) + RENEWED_SECONDS) return kept;
    const made = await at({ clientId: ['clientAttesterServiceRef'] }, () =>
      attesters.attest(attester, { clientId, instanceKey: publicJwk, isOwnWallet: isNamedHere(service) }),
    );
    const { clientAttestationJwt, expiresAt } = made;
    const value = { clientAttestationJwt, expiresAt };
    await upsert<KeptAttestation>({
      collection: this.#attestations,
      key: record,
      change: () => value,
      expiresAt: () => expiresAt * 1000,
    });
    return value;
  }

  /**
   * Removes what belongs to the wallet at a target: its activity and attestations, what it waits for and was granted. What it
   * received stays in its store.
   */
  async removeOwnData(target: Target): Promise<void> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    if (!found) return;
    const owner = ownerOf({ target, uid: found.uid });
    await this.parts.activity.removeAll(owner);
    await removeAll({ collection: this.#attestations, parent: owner });
    for (const one of this.parts.deliveries) await one.removeAll(owner);
  }

  async #clientId({ target, config }: TenantService): Promise<string> {
    const { clientId } = config as WalletConfiguration;
    return clientId ?? `${await this.parts.urls.baseUrlOf(target)}/v2/${target}/wallet-service-api`;
  }

  async #anchors(service: TenantService): Promise<readonly TrustAnchor[] | undefined> {
    const { services, trustRegistries } = this.parts;
    const types = ['trust-registry', 'x509-store'] as const;
    const linked = await Promise.all(types.map((type) => services.dependenciesOf(service, type)));
    const dependencies = linked.flat();
    return dependencies.length === 0 ? undefined : trustRegistries.anchorsOf(dependencies);
  }
}

/** Whether a wallet has the client id that this server gave it, which no other client has. */
const isNamedHere = ({ config }: TenantService): boolean => (config as WalletConfiguration).clientId === undefined;

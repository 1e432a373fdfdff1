import type { KeyType } from '../../../../ports/key-service.ts';
import type { Origin } from '../../../../ports/turn.ts';
import { at, DomainError, fieldErrors, invalidField, isDomainError } from '../../../foundation/errors.ts';
import type { FieldPath } from '../../../foundation/field-paths.ts';
import type { JsonObject } from '../../../foundation/json.ts';
import type { Rights } from '../../access/permissions.ts';
import { nameOf, parentOf, type Target } from '../../access/targets.ts';
import { dependenciesOf } from '../../tree/resource-content.ts';
import { RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { Resource, ResourceTree } from '../../tree/resource-tree.ts';
import type { Resources } from '../../tree/resources.ts';
import type { ServiceType } from '../../tree/service-types.ts';
import type { DidStores } from '../did-store.ts';
import type { KeyManagementServices } from '../kms.ts';
import type { ServiceConfigurations } from '../service-configurations.ts';

/** A part of a wallet, as its caller names it. */
interface WrittenPart {
  target: Target;
  /** Whether it is created when it does not exist; otherwise it must. */
  createIfNotFound?: boolean;
}

interface WrittenKey extends WrittenPart {
  config?: { backend?: string; keyType?: KeyType } & JsonObject;
}

interface WrittenDid extends WrittenPart {
  /** Its method. */
  type?: string;
  config?: JsonObject;
}

/** A wallet with the services that it depends on, a key and a DID. */
interface WrittenWallet extends WrittenPart {
  kms?: WrittenPart & { key?: WrittenKey };
  didStore?: WrittenPart;
  didService?: WrittenPart & { dependencies?: Target[]; did?: WrittenDid };
  credentialStore?: WrittenPart;
}

/** Who creates a wallet, and where. */
interface WalletRequest {
  rights: Rights;
  caller: string;
  origin: Origin;
  /** An organization or a tenant. */
  target: Target;
}

/** What a call found and made, in their order. */
interface Progress {
  services: Resource[];
  made: Target[];
}

/** One part, with its position in the body. */
interface Step {
  path: FieldPath;
  part: WrittenPart;
}

/** Creates wallets with everything that they need, all or nothing. */
export class WalletCreation {
  constructor(
    private readonly parts: {
      tree: ResourceTree;
      resources: Pick<Resources, 'remove'>;
      configurations: ServiceConfigurations;
      kms: KeyManagementServices;
      didStores: DidStores;
    },
  ) {}

  /**
   * Takes what exists and creates the rest; what this call made is removed again when something cannot be created.
   * @throws DomainError `BadRequest` naming the part, `Forbidden`, `Conflict` for a part of another kind, `Busy` while
   * another call creates one of them and is not the same, and as creating each part
   */
  create(request: WalletRequest, wallet: WrittenWallet): Promise<{ services: Resource[]; isNew: boolean }> {
    const { caller, target } = request;
    const all = [wallet, wallet.kms, wallet.didStore, wallet.didService, wallet.credentialStore];
    const names = all.flatMap((part) => (part ? nameOf(part.target) : []));
    const work = (isHeld: () => Promise<boolean>) => this.#create(request, wallet, isHeld);
    return this.parts.configurations.together(target, { names, what: [caller, wallet], work });
  }

  async #create(request: WalletRequest, wallet: WrittenWallet, isHeld: () => Promise<boolean>) {
    const progress: Progress = { services: [], made: [] };
    try {
      await this.#stores(request, wallet, progress);
      await this.#wallet(request, wallet, progress);
      return { services: progress.services, isNew: progress.made.length > 0 };
    } catch (error) {
      if (!isDomainError(error, 'StoreUnavailable') && (await isHeld()))
        for (const one of progress.made.reverse())
          await this.parts.resources.remove(request.rights, one).catch(() => undefined);
      throw error;
    }
  }

  async #stores(request: WalletRequest, { kms, didStore, didService, credentialStore }: WrittenWallet, to: Progress) {
    const below = (path: FieldPath, part: WrittenPart, parent: WrittenPart | undefined): Step => {
      if (parentOf(part.target) === parent?.target) return { path, part };
      throw invalidField([...path, 'target'], 'must lie in the service of the body for it');
    };
    const key = kms?.key;
    const did = didService?.did;
    const used = [kms, didStore].flatMap((part) => part?.target ?? []);
    if (kms) await this.#service(request, { path: ['kms'], part: kms }, { type: 'kms' }, to);
    if (key) await this.#key(request, below(['kms', 'key'], key, kms), key, to);
    const dependencies = kms ? [kms.target] : [];
    const ofStore = { type: 'did-store', dependencies } as const;
    if (didStore) await this.#service(request, { path: ['didStore'], part: didStore }, ofStore, to);
    const ofService = { type: 'did-service', dependencies: didService?.dependencies ?? used } as const;
    if (didService) await this.#service(request, { path: ['didService'], part: didService }, ofService, to);
    if (did) await this.#did(request, below(['didService', 'did'], did, didStore), { did, key }, to);
    const credentials = { type: 'credential-store' } as const;
    if (credentialStore)
      await this.#service(request, { path: ['credentialStore'], part: credentialStore }, credentials, to);
  }

  /** The wallet depends on everything else. @throws DomainError `Conflict` for one that exists and does not */
  async #wallet(request: WalletRequest, wallet: WrittenWallet, to: Progress): Promise<void> {
    const dependencies = to.services.map(({ _id }) => _id);
    const defaults = {
      ...(wallet.kms?.key && { defaultKeyId: wallet.kms.key.target }),
      ...(wallet.didService?.did && { defaultDidId: wallet.didService.did.target }),
    };
    const configuration = { type: 'wallet2', dependencies, ...defaults } as const;
    const service = await this.#service(request, { path: [], part: wallet }, configuration, to);
    const missing = dependencies.filter((one) => !dependenciesOf(service).includes(one));
    if (missing.length > 0) throw new DomainError('Conflict', `${wallet.target} exists and does not use ${missing[0]}`);
  }

  async #service(
    { rights, target }: WalletRequest,
    { path, part }: Step,
    configuration: { type: ServiceType; dependencies?: readonly Target[] },
    to: Progress,
  ): Promise<Resource> {
    const { configurations } = this.parts;
    const request = { rights, target: part.target };
    const create = async (): Promise<Resource> => {
      if (parentOf(part.target) !== target)
        throw invalidField([...path, 'target'], `must lie directly below ${target}`);
      return at(path, () => configurations.create(request, configuration));
    };
    const service = await this.#found({ path, part }, { find: () => configurations.find(request), create }, to);
    const { type } = configuration;
    if (service.type !== type)
      throw otherwise([...path, 'target'], `exists and is a service of the type ${service.type}`);
    to.services.push(service);
    return service;
  }

  async #key({ rights, origin }: WalletRequest, step: Step, { target, config = {} }: WrittenKey, to: Progress) {
    const { tree, kms } = this.parts;
    const { backend, keyType, ...options } = config;
    const wanted = { ...origin, backend, keyType, ...(Object.keys(options).length > 0 && { config: options }) };
    const find = async () => (await tree.exists(RESOURCE_KINDS.keys, target)) || undefined;
    const create = async () => {
      const place = [...step.path, 'config'];
      const places = { backend: [...place, 'backend'], keyType: [...place, 'keyType'], config: place };
      await at(places, () => kms.createKey({ rights, target }, wanted));
      return true;
    };
    await this.#found(step, { find, create }, to);
  }

  async #did({ rights }: WalletRequest, step: Step, { did, key }: { did: WrittenDid; key?: WrittenKey }, to: Progress) {
    const { tree, didStores } = this.parts;
    const { target, type: method = 'jwk', config } = did;
    const find = async () => (await tree.exists(RESOURCE_KINDS.dids, target)) || undefined;
    const create = async () => {
      if (!key) throw invalidField(['kms', 'key'], 'is required to create a DID');
      const places = {
        method: [...step.path, 'type'],
        config: [...step.path, 'config'],
        key: ['kms', 'key', 'target'],
      };
      await at(places, () => didStores.createDid({ rights, target }, { method, key: key.target, config }));
      return true;
    };
    await this.#found(step, { find, create }, to);
  }

  /** What is there, or is made now; the same call, at the same time, may be faster. */
  async #found<T>(
    { path, part }: Step,
    { find, create }: { find(): Promise<T | undefined>; create(): Promise<T> },
    { made }: Progress,
  ): Promise<T> {
    const there = await find();
    if (there !== undefined) return there;
    if (!part.createIfNotFound) throw invalidField([...path, 'target'], 'does not exist');
    try {
      const created = await create();
      made.push(part.target);
      return created;
    } catch (error) {
      const other = isDomainError(error, 'Conflict') ? await find() : undefined;
      if (other !== undefined) return other;
      throw error;
    }
  }
}

const otherwise = (path: FieldPath, message: string) => fieldErrors([{ path, message }], { code: 'Conflict' });

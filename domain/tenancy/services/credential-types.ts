import type { Clock, Ids } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { utf8Length } from '../../foundation/bytes.ts';
import { DomainError, fieldErrors, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { CredentialType } from '../../issuer/credential-type.ts';
import { changedType } from '../../issuer/types/type-change.ts';
import { checkType } from '../../issuer/types/type-check.ts';
import { offersOf, selectorOf, type TypeOffer, typeMembers } from '../../issuer/types/type-members.ts';
import { requireAction } from '../access/access.ts';
import type { Rights } from '../access/permissions.ts';
import { childOf, nothingAt, type Target } from '../access/targets.ts';
import type { ListQuery } from '../tree/list-requests.ts';
import type { ResourceMetadata } from '../tree/resource-repository.ts';
import { pageOfAll, visiblePage } from '../tree/visible-page.ts';
import type { ServiceConfigurations } from './service-configurations.ts';
import { type KeptType, TYPES_MEMBER, typesOf } from './tenant-issuer-configuration.ts';
import type { TenantServices } from './tenant-services.ts';

/** A type as callers see it. */
interface TypeElement extends ResourceMetadata, CredentialType {
  id: string;
  version: number;
  /** What offers name. */
  offers: TypeOffer[];
  /** The latest first. */
  versions: { version: number; createdDateTime: string; account?: string }[];
}

/** Which service is called, and by whom. */
interface TypeRequest {
  target: Target;
  /** The account or API key. */
  account: string;
}

const TYPE = 'issuer2';

/** The most types of a service. */
const MAX_TYPES = 100;

/** The most versions that are shown of a type. */
const MAX_VERSIONS = 20;

/** The most bytes of the metadata that follow from the types of a service: wallets read metadata of 64 KiB at least. */
const MAX_METADATA_BYTES = 49_152;

/** The most bytes of all types of a service with their images: with a configuration of 400 KiB an issuer fits into the cache of services. */
export const MAX_BYTES = 262_144;

/**
 * The credential types of issuers of tenants. They are kept in the configuration of their service, so that an issuer is made of
 * one record: of changes at once each is made on the configuration that the other left, or is refused.
 */
export class CredentialTypesOfTenants {
  constructor(
    private readonly parts: {
      services: TenantServices;
      configurations: Pick<ServiceConfigurations, 'amend'>;
      formats: CredentialFormats;
      clock: Clock;
      ids: Ids;
    },
  ) {}

  /**
   * Creates a type. @throws DomainError `BadRequest` naming the member that is wrong, `Forbidden`, `NotFound`, `Conflict` when
   * there is one with this id, or there are too many
   */
  async create(
    { rights, target, account }: TypeRequest & { rights: Rights },
    { id = this.parts.ids.uuid(), ...type }: CredentialType & { id?: string },
  ) {
    requireAction(rights, 'credential-type-create', childOf(target, id));
    await this.#types(target);
    checkType(type);
    offersOf(id, type, this.parts.formats);
    const now = this.parts.clock.now();
    const created = { ...type, version: 1, createdAt: now, updatedAt: now, account };
    await this.#amend(target, id, (types) => {
      if (Object.hasOwn(types, id)) throw new DomainError('Conflict', `${childOf(target, id)} exists already`);
      return { ...types, [id]: created };
    });
    return this.#element(target, id, created);
  }

  /**
   * Publishes a type in the place of the version that the caller saw; what was offered and issued stays what it is.
   * @throws DomainError `BadRequest` naming the member that is wrong, `NotFound`, `Conflict` naming the present version when it
   * is another, or when types are too large
   */
  async replace(
    { target, account }: TypeRequest,
    id: string,
    { version: seen, ...next }: CredentialType & { version: number },
  ) {
    const { formats, clock } = this.parts;
    typeNamed(await this.#types(target), target, id);
    checkType(next);
    offersOf(id, next, formats);
    const published = await this.#amend(target, id, (types) => {
      const before = typeNamed(types, target, id);
      const { version: present, createdAt } = before;
      if (seen !== present) throw outdated(before);
      const changed = changedType({ id, before, next, selectorOf: (name) => selectorOf(name, formats) });
      const replaced = versionsOf(before).slice(0, MAX_VERSIONS - 1);
      return { ...types, [id]: { ...changed, createdAt, updatedAt: clock.now(), account, replaced } };
    });
    const element = this.#element(target, id, typeNamed(published, target, id));
    // Who may change a type may not be one who may read what it was.
    return { ...element, versions: element.versions.slice(0, 1) };
  }

  /** @throws DomainError `NotFound` */
  async get(target: Target, id: string): Promise<TypeElement> {
    return this.#element(target, id, typeNamed(await this.#types(target), target, id));
  }

  /** Removes a type; what was offered and issued stays what it is. @throws DomainError `NotFound` */
  async remove(target: Target, id: string): Promise<void> {
    await this.#types(target);
    await this.#amend(target, id, (types) => {
      const { [id]: _, ...others } = types;
      typeNamed(types, target, id);
      return others;
    });
  }

  /** A page of the types of the service at `query.parent`. @throws DomainError `NotFound` */
  async page({ hidden, parent, type: _, ...page }: ListQuery): Promise<TypeElement[]> {
    const types = await this.#types(parent);
    const all = Object.entries(types).map(([id, type]) => ({ ...type, id }));
    const rows = {
      read: async (query: typeof page & { parent: string }) => pageOfAll(all, query),
      placeOf: (row: (typeof all)[0]) => row,
    };
    const collection = { get: async ({ id }: { id: string }) => all.find((one) => one.id === id) };
    const found = await visiblePage({ collection, rows }, { ...page, parent }, hidden);
    return found.map(({ id, ...type }) => this.#element(parent, id, type));
  }

  async #types(target: Target): Promise<Record<string, KeptType>> {
    return typesOf((await this.parts.services.at(target, TYPE)).config);
  }

  /** Returns the types as they are then. What the configuration then cannot work with is wrong with the formats of the type. */
  async #amend(
    target: Target,
    id: string,
    change: (types: Record<string, KeptType>) => Record<string, KeptType>,
  ): Promise<Record<string, KeptType>> {
    const { configurations, formats } = this.parts;
    let types: Record<string, KeptType> = {};
    let offers: TypeOffer[] = [];
    const amended = configurations.amend(target, (config: JsonObject) => {
      types = change(typesOf(config));
      const own = types[id];
      offers = own ? offersOf(id, own, formats) : [];
      checkBounds(types, formats);
      return { ...config, [TYPES_MEMBER]: types };
    });
    await amended.catch((error) => {
      throw asOfFormat(error, offers);
    });
    return types;
  }

  #element(parent: Target, id: string, kept: KeptType): TypeElement {
    const { createdAt, updatedAt, version, account: _, earlier: __, replaced: ___, ...type } = kept;
    return {
      _id: childOf(parent, id),
      parent,
      id,
      version,
      ...type,
      offers: offersOf(id, type, this.parts.formats),
      versions: versionsOf(kept).map(({ at, ...one }) => ({ ...one, createdDateTime: isoMillis(at) })),
      createdDateTime: isoMillis(createdAt),
      updatedDateTime: isoMillis(updatedAt),
    };
  }
}

function typeNamed(types: Record<string, KeptType>, target: Target, id: string): KeptType {
  const found = Object.hasOwn(types, id) ? types[id] : undefined;
  if (!found) throw nothingAt(childOf(target, id));
  return found;
}

/** The versions of a type, the latest first. */
const versionsOf = ({ version, updatedAt: at, account, replaced = [] }: KeptType) => [
  { version, at, account },
  ...replaced,
];

const outdated = ({ version }: KeptType): DomainError =>
  fieldErrors([{ path: ['version'], message: `is not the present one: the type is at version ${version} now` }], {
    code: 'Conflict',
  });

function checkBounds(types: Record<string, KeptType>, formats: CredentialFormats): void {
  if (Object.keys(types).length > MAX_TYPES)
    throw new DomainError('Conflict', `The issuer has ${MAX_TYPES} credential types: remove one first`);
  const { supportedCredentialTypes } = typeMembers(types, { formats, identifier: 'https://issuer.invalid' });
  const isTooLarge =
    utf8Length(JSON.stringify(supportedCredentialTypes)) > MAX_METADATA_BYTES ||
    utf8Length(JSON.stringify(types)) > MAX_BYTES;
  if (isTooLarge)
    throw new DomainError('Conflict', 'The credential types of the issuer are too large together: divide them');
}

/** An error about a configuration or a profile of the type names its format. */
function asOfFormat(error: unknown, offers: readonly TypeOffer[]): unknown {
  if (!isDomainError(error, 'BadRequest') || !error.details) return error;
  const details = error.details.map(({ path: [member, name, ...rest], message }) => {
    const index = offers.findIndex(({ configurationId, profileId }) => name === configurationId || name === profileId);
    const place = [member, name, ...rest].filter((part) => part !== undefined);
    return index < 0
      ? { path: place, message }
      : { path: ['formats', index], message: `${rest.join('.')} ${message}`.trim() };
  });
  return fieldErrors(details, { cause: error });
}

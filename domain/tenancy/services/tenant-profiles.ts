import { utf8Length } from '../../foundation/bytes.ts';
import { DomainError, fieldErrors, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { IssuanceProfile, WrittenProfile } from '../../issuer/issuance-profile.ts';
import { profileNamed } from '../../issuer/profiles/profile-offers.ts';
import { childOf, nothingAt, type Target } from '../access/targets.ts';
import type { ServiceConfigurations } from './service-configurations.ts';
import { type CreatedProfiles, createdProfilesOf, PROFILES_MEMBER } from './tenant-issuer-configuration.ts';
import type { TenantIssuers } from './tenant-issuers.ts';

/** The most profiles that are created at a service. */
const MAX_PROFILES = 1000;

/** The most bytes of them together. */
const MAX_BYTES = 262_144;

/** Which profile of which service. */
interface ProfilePlace {
  target: Target;
  profileId: string;
}

/**
 * The profiles of issuers of tenants that are created beside those of their configuration, and kept in it, so that an
 * issuer is made of one record: of changes at once each is made on what the other left.
 */
export class TenantProfiles {
  constructor(
    private readonly parts: {
      issuers: Pick<TenantIssuers, 'at'>;
      configurations: Pick<ServiceConfigurations, 'amend'>;
    },
  ) {}

  /** @throws DomainError `BadRequest` naming the member that is wrong, `NotFound`, `Conflict` when there is one with this id */
  create(place: ProfilePlace, profile: WrittenProfile): Promise<IssuanceProfile> {
    return this.#write(place, profile, (profiles, isKnown) => {
      if (isKnown) throw new DomainError('Conflict', `${childOf(place.target, place.profileId)} exists already`);
      if (Object.keys(profiles).length >= MAX_PROFILES)
        throw new DomainError('Conflict', `The issuer has ${MAX_PROFILES} profiles: remove one first`);
    });
  }

  /** What was offered stays what it is. @throws DomainError as `create`, `Conflict` for a profile of the configuration */
  replace(place: ProfilePlace, profile: WrittenProfile): Promise<IssuanceProfile> {
    return this.#write(place, profile, (profiles, isKnown) => requireCreated(place, profiles, isKnown));
  }

  /** What was offered stays what it is. @throws DomainError `NotFound`, `Conflict` for a profile of the configuration */
  async remove(place: ProfilePlace): Promise<void> {
    const isKnown = await this.#isKnown(place);
    await this.#amend(place, (profiles) => {
      requireCreated(place, profiles, isKnown);
      const { [place.profileId]: _, ...others } = profiles;
      return others;
    });
  }

  async #write(
    place: ProfilePlace,
    profile: WrittenProfile,
    check: (profiles: CreatedProfiles, isKnown: boolean) => void,
  ): Promise<IssuanceProfile> {
    const { target, profileId } = place;
    const isKnown = await this.#isKnown(place);
    await this.#amend(place, (profiles) => {
      check(profiles, isKnown || Object.hasOwn(profiles, profileId));
      return { ...profiles, [profileId]: profile };
    });
    return profileNamed(await this.parts.issuers.at(target), profileId);
  }

  /** Whether the issuer has a profile with this id, from wherever. @throws DomainError `NotFound` without a service */
  async #isKnown({ target, profileId }: ProfilePlace): Promise<boolean> {
    return (await this.parts.issuers.at(target)).profiles?.has(profileId) ?? false;
  }

  /** Errors name members of the profile. */
  async #amend({ target, profileId }: ProfilePlace, change: (profiles: CreatedProfiles) => CreatedProfiles) {
    const amended = this.parts.configurations.amend(target, (config: JsonObject) => {
      const profiles = change(createdProfilesOf(config));
      if (utf8Length(JSON.stringify(profiles)) > MAX_BYTES)
        throw new DomainError('Conflict', `The profiles of the issuer have more than ${MAX_BYTES} bytes together`);
      return { ...config, [PROFILES_MEMBER]: profiles };
    });
    await amended.catch((error: unknown) => {
      if (!isDomainError(error) || !error.details) throw error;
      const details = error.details.map(({ path, message }) => ({
        path: path[1] === profileId ? path.slice(2) : path,
        message,
      }));
      throw fieldErrors(details, { code: error.code, cause: error });
    });
  }
}

/** @throws DomainError `NotFound`, `Conflict` */
function requireCreated({ target, profileId }: ProfilePlace, profiles: CreatedProfiles, isKnown: boolean): void {
  if (Object.hasOwn(profiles, profileId)) return;
  const place = childOf(target, profileId);
  if (!isKnown) throw nothingAt(place);
  throw new DomainError('Conflict', `${place} follows from the configuration of the service: change that`);
}

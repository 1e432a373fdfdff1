import { randomUUID } from 'node:crypto';
import type { KeyClient, KeyClientOptions } from '@azure/keyvault-keys';
import { invalidField, isDomainError } from '../../../domain/foundation/errors.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { discard } from '../remote/discard.ts';
import { type DigestToSign, type KmsConnection, KmsFailure, type WantedKmsKey } from '../remote/kms.ts';
import { guardErrorIn } from '../remote/transport.ts';
import type { AzureLibrary } from './azure-library.ts';
import type { ClientCredentials } from './client-credentials.ts';
import { isDeleted } from './vault-failures.ts';
import { type KeyPlace, newKeyOf, placeOf, publicJwkOf, signatureBytes } from './vault-keys.ts';
import type { VaultOperation, VaultTransport } from './vault-transport.ts';

/** The version of the vault's API; also the government clouds have it. */
const API_VERSION = '7.4';

/**
 * A vault with one set of credentials. Each operation has a client of the vendor's library of its own, since concurrent
 * first requests of one client lose their bodies; challenge and token are shared.
 */
export class AzureConnection implements KmsConnection {
  constructor(
    private readonly parts: {
      library: AzureLibrary;
      origin: string;
      credentials: ClientCredentials;
      transport: VaultTransport;
      /** Whether the library compares the resource of a challenge with the host of the vault. */
      verifiesResource: boolean;
    },
  ) {}

  async create({ keyType, tags, uniqueName }: WantedKmsKey): Promise<{ id: string; publicJwk: PublicJwk }> {
    if (uniqueName !== undefined) await this.#refuseExisting(uniqueName);
    const name = uniqueName ?? `credenza-${randomUUID()}`;
    const { kty, options } = newKeyOf(keyType);
    const operation = this.parts.transport.operation();
    try {
      const { key } = await this.#call(operation, (client) => client.createKey(name, kty, { ...options, tags }));
      const id = key?.kid ?? '';
      if (!key || this.#placeOf(id).name !== name) throw new KmsFailure('unavailable', 'another key was created');
      return { id, publicJwk: publicJwkOf(key) };
    } catch (error) {
      // The key may exist although its creation failed. Only a name of our own is surely no other key.
      if (uniqueName === undefined && operation.mayHaveTakenPlace) await discard(() => this.#delete(name));
      throw error;
    }
  }

  async publicKey(id: string): Promise<PublicJwk> {
    const place = this.#placeOf(id);
    const { key } = await this.#get(place);
    const found = this.#placeOf(key?.kid ?? '');
    if (!key || found.name !== place.name || (place.version ?? found.version) !== found.version)
      throw new KmsFailure('unavailable', 'another key was returned');
    return publicJwkOf(key);
  }

  async sign({ id, keyType, digest }: DigestToSign): Promise<Uint8Array> {
    const { origin, library, credentials } = this.parts;
    const place = this.#placeOf(id);
    // Given as a key and not by its URL, the library does not fetch it first.
    const key = { id, name: place.name, properties: { ...place, vaultUrl: origin } };
    const operation = this.parts.transport.operation();
    const { result } = await checked(() => {
      const client = new library.CryptographyClient(key, credentials, this.#options(operation));
      return client.sign(KEY_TYPES[keyType].alg, digest);
    });
    if (!(result instanceof Uint8Array) || result.length !== signatureBytes(keyType))
      throw new KmsFailure('unavailable', 'the signature has another length than those of the key type');
    return result;
  }

  async remove(id: string): Promise<void> {
    await this.#delete(this.#placeOf(id).name);
  }

  async #delete(name: string): Promise<void> {
    const operation = this.parts.transport.operation();
    try {
      await this.#call(operation, (client) => client.beginDeleteKey(name));
    } catch (error) {
      if (!operation.refusal || !isDeleted(operation.refusal)) throw error;
    }
  }

  /** The vault adds a version to a key that exists, and deletes all versions at once: no foreign key may get one. */
  async #refuseExisting(name: string): Promise<void> {
    try {
      await this.#get({ name });
    } catch (error) {
      if (error instanceof KmsFailure && error.fault === 'unknown-key') return;
      throw error;
    }
    throw invalidField(['config', 'name'], `the vault has a key named ${name} already`);
  }

  #get({ name, version }: KeyPlace) {
    return this.#call(this.parts.transport.operation(), (client) => client.getKey(name, { version }));
  }

  #call<T>(operation: VaultOperation, work: (client: KeyClient) => Promise<T>): Promise<T> {
    const { library, origin, credentials } = this.parts;
    return checked(() => work(new library.KeyClient(origin, credentials, this.#options(operation))));
  }

  /** @throws KmsFailure for a URL outside the vault */
  #placeOf(id: string): KeyPlace {
    const place = placeOf(id, this.parts.origin);
    if (!place) throw new KmsFailure('unavailable', 'the URL of the key is not in the vault');
    return place;
  }

  /** The library's own pipeline is not used: it retries, follows redirects, and takes proxies and logging from the environment. */
  #options(httpClient: VaultOperation): KeyClientOptions {
    const { library, verifiesResource } = this.parts;
    const pipeline = library.createEmptyPipeline();
    const options = { httpClient, pipeline, serviceVersion: API_VERSION };
    return { ...options, disableChallengeResourceVerification: !verifiesResource };
  }
}

/** The result of the library, or a failure that says whose it is. */
async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KmsFailure || isDomainError(guardErrorIn(error))) throw error;
    const reason = error instanceof Error ? error.message : 'an unknown error';
    const isChallenge = reason.startsWith('The challenge ');
    if (isChallenge) throw new KmsFailure('credentials', 'the vault demands a token for another resource', error);
    throw new KmsFailure('unavailable', reason, error);
  }
}

import type { KMS } from '@aws-sdk/client-kms';
import { invalidField, isDomainError } from '../../../domain/foundation/errors.ts';
import { coordinateBytes, KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { ecdsaFromDer } from '../remote/der.ts';
import { type DigestToSign, type KmsConnection, KmsFailure, type WantedKmsKey } from '../remote/kms.ts';
import { publicJwkFromSpki } from '../remote/public-keys.ts';
import { toFailure } from './aws-failures.ts';
import { type AwsCredentials, type ClientParts, createClient, type Sdk } from './client.ts';
import { keySpecOf, signingAlgorithmOf } from './key-specs.ts';

const PENDING_DAYS = 7;

/** Where credentials come from. */
export interface CredentialSource {
  credentials(): Promise<AwsCredentials>;
  /** These were refused. */
  forget(): void;
}

type AwsConnectionParts = ClientParts & {
  sdk: Sdk;
  source: CredentialSource;
};

/** A connection to AWS KMS in one region with one set of credentials. */
export class AwsConnection implements KmsConnection {
  /** The client of the credentials that are current. */
  #current: { credentials: AwsCredentials; client: KMS } | undefined;

  readonly #parts: AwsConnectionParts;

  constructor(parts: AwsConnectionParts) {
    this.#parts = parts;
  }

  async create({ keyType, name, tags }: WantedKmsKey): Promise<{ id: string }> {
    const { KeyMetadata } = await this.#call((client) =>
      client.createKey({
        KeySpec: keySpecOf(keyType),
        KeyUsage: 'SIGN_VERIFY',
        Description: name,
        Tags: Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })),
      }),
    );
    return { id: present(KeyMetadata?.KeyId, 'CreateKey') };
  }

  async publicKey(id: string): Promise<PublicJwk> {
    const { PublicKey, KeyUsage } = await this.#call((client) => client.getPublicKey({ KeyId: id }));
    if (KeyUsage !== undefined && KeyUsage !== 'SIGN_VERIFY')
      throw new KmsFailure('unusable-key', `the usage of the key is ${KeyUsage}, not SIGN_VERIFY`);
    return publicJwkFromSpki(present(PublicKey, 'GetPublicKey'), 'kmsa-rest-api');
  }

  async sign({ id, keyType, digest }: DigestToSign): Promise<Uint8Array> {
    const SigningAlgorithm = signingAlgorithmOf(keyType);
    if (!SigningAlgorithm) throw new KmsFailure('unusable-key', `AWS KMS has no ${keyType} keys`);
    const { Signature } = await this.#call((client) =>
      client.sign({
        KeyId: id,
        Message: digest,
        MessageType: 'DIGEST',
        SigningAlgorithm,
      }),
    );
    const signature = present(Signature, 'Sign');
    const facts = KEY_TYPES[keyType];
    return facts.kty === 'RSA' ? signature : present(ecdsaFromDer(signature, coordinateBytes(facts)), 'Sign');
  }

  async remove(id: string): Promise<void> {
    const scheduling = this.#call((client) =>
      client.scheduleKeyDeletion({ KeyId: id, PendingWindowInDays: PENDING_DAYS }),
    );
    await scheduling.catch((error) => {
      if (!isGone(error)) throw error;
    });
  }

  async #call<T>(work: (client: KMS) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#client());
    } catch (error) {
      const failure = this.#regionError(error) ?? toFailure(error, this.#current?.credentials);
      if (failure instanceof KmsFailure && failure.fault === 'credentials') this.#parts.source.forget();
      throw failure;
    }
  }

  async #client(): Promise<KMS> {
    const { sdk, source, ...parts } = this.#parts;
    const credentials = await source.credentials();
    if (this.#current?.credentials !== credentials)
      this.#current = { credentials, client: createClient(sdk, parts, credentials) };
    return this.#current.client;
  }

  /** The host of a region that does not exist has no address. */
  #regionError(error: unknown): Error | undefined {
    const { region, endpoint } = this.#parts;
    if (endpoint !== undefined || !isDomainError(error, 'UpstreamFailed')) return undefined;
    const { code } = error.cause as { code?: unknown };
    if (code !== 'ENOTFOUND') return undefined;
    return invalidField(['config', 'auth', 'region'], `AWS KMS has no endpoint in the region ${region}`);
  }
}

/** A member of an answer. @throws KmsFailure when the answer lacks it */
function present<T>(value: T | undefined, operation: string): T {
  if (value === undefined || value === '') throw new KmsFailure('unavailable', `${operation} returned no usable value`);
  return value;
}

/** Whether the key that shall be deleted does not exist, or is already being deleted. */
const isGone = (error: unknown): boolean =>
  error instanceof KmsFailure &&
  (error.fault === 'unknown-key' || (error.fault === 'unusable-key' && /pending \w*\s?deletion/i.test(error.reason)));

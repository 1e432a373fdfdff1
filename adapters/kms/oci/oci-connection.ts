import { setTimeout as pause } from 'node:timers/promises';
import type { models } from 'oci-keymanagement';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { isText } from '../../../domain/foundation/json.ts';
import { coordinateBytes, KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { KeyType, PublicJwk } from '../../../ports/key-service.ts';
import type { Clock } from '../../../ports/system.ts';
import { ecdsaFromDer } from '../remote/der.ts';
import { type DigestToSign, type KmsConnection, KmsFailure, type WantedKmsKey } from '../remote/kms.ts';
import { publicJwkFromSpki } from '../remote/public-keys.ts';
import type { OciCalls } from './oci-calls.ts';
import { ALGORITHMS, GONE, STARTING, USABLE } from './vocabulary.ts';

/** The name of a key in the vault's own list when the caller gives none, and the longest one. */
const DISPLAY_NAME = 'Credenza';
const MAX_DISPLAY_NAME = 255;

/** OCI deletes a key 7 to 30 days after the call; ten minutes more, since its clock may be five minutes ahead of ours. */
const DELETION_MS = (7 * 24 * 60 + 10) * 60 * 1000;

/** Pauses between two looks at a key that is not enabled yet, in milliseconds; each is twice the one before. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 500;

/** A vault with one set of credentials. */
export class OciConnection implements KmsConnection {
  constructor(
    private readonly parts: {
      calls: OciCalls;
      compartmentId: string;
      clock: Clock;
      /** Milliseconds to wait for a new key. */
      timeoutMs: number;
    },
  ) {}

  /** The key is not enabled yet: `publicKey` waits for it. */
  async create({ keyType, name = DISPLAY_NAME, tags }: WantedKmsKey): Promise<{ id: string }> {
    const { compartmentId, calls } = this.parts;
    const createKeyDetails = {
      compartmentId,
      displayName: name.slice(0, MAX_DISPLAY_NAME),
      keyShape: algorithmOf(keyType).shape,
      protectionMode: 'SOFTWARE' as models.CreateKeyDetails.ProtectionMode,
      freeformTags: { ...tags },
    };
    const { key } = await calls.manage('new-key', (client) => client.createKey({ createKeyDetails }));
    return { id: requireText(key?.id) };
  }

  async publicKey(id: string): Promise<PublicJwk> {
    const { lifecycleState, currentKeyVersion: keyVersionId } = await this.#whenStarted(id);
    if (!USABLE.has(lifecycleState)) throw new KmsFailure('unusable-key', `the key is ${lifecycleState}`);
    const { keyVersion } = await this.parts.calls.manage('key', (client) =>
      client.getKeyVersion({ keyId: id, keyVersionId }),
    );
    const pem = keyVersion?.publicKey;
    if (pem === undefined) throw new KmsFailure('unusable-key', 'the key has no public key: it only encrypts');
    return publicJwkFromSpki(requireText(pem), 'kmsc-rest-api');
  }

  async sign({ id, keyType, digest }: DigestToSign): Promise<Uint8Array> {
    const signDataDetails = {
      keyId: id,
      message: Buffer.from(digest).toString('base64'),
      messageType: 'DIGEST' as models.SignDataDetails.MessageType,
      signingAlgorithm: algorithmOf(keyType).signing,
    };
    const { signedData } = await this.parts.calls.use('key', (client) => client.sign({ signDataDetails }));
    const signature = Buffer.from(requireText(signedData?.signature), 'base64');
    const facts = KEY_TYPES[keyType];
    return (facts.kty === 'EC' ? ecdsaFromDer(signature, coordinateBytes(facts)) : signature) ?? nonsense();
  }

  async remove(id: string): Promise<void> {
    try {
      await this.#scheduleDeletion(id);
    } catch (refusal) {
      const isAboutKey =
        refusal instanceof KmsFailure && (refusal.fault === 'unknown-key' || refusal.fault === 'unusable-key');
      if (!isAboutKey) throw refusal;
      // A new key can be deleted once it is enabled.
      const state = await this.#whenStarted(id).then(({ lifecycleState }) => lifecycleState, deletedWhenUnknown);
      if (!GONE.has(state)) await this.#scheduleDeletion(id);
    }
  }

  async #scheduleDeletion(keyId: string): Promise<void> {
    const timeOfDeletion = new Date(this.parts.clock.now() + DELETION_MS);
    const { key } = await this.parts.calls.manage('key', (client) =>
      client.scheduleKeyDeletion({ keyId, scheduleKeyDeletionDetails: { timeOfDeletion } }),
    );
    if (!GONE.has(key?.lifecycleState)) nonsense();
  }

  async #key(keyId: string): Promise<models.Key> {
    const { key } = await this.parts.calls.manage('key', (client) => client.getKey({ keyId }));
    requireText(key?.currentKeyVersion);
    requireText(key?.lifecycleState);
    return key;
  }

  /** @throws DomainError `UpstreamTimeout` when a new key is not enabled in time */
  async #whenStarted(id: string): Promise<models.Key> {
    const { timeoutMs } = this.parts;
    const end = performance.now() + timeoutMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      const key = await this.#key(id);
      if (!STARTING.has(key.lifecycleState)) return key;
      if (performance.now() + pauseMs > end)
        throw new DomainError('UpstreamTimeout', `The new key was not enabled in ${timeoutMs} ms`);
      await pause(pauseMs);
    }
  }
}

function algorithmOf(keyType: KeyType) {
  const algorithm = ALGORITHMS[keyType];
  if (!algorithm) throw new KmsFailure('unusable-key', `keys of type ${keyType} are not supported`);
  return algorithm;
}

function deletedWhenUnknown(error: unknown): string {
  if (error instanceof KmsFailure && error.fault === 'unknown-key') return 'DELETED';
  throw error;
}

const requireText = (value: unknown): string => (isText(value) ? value : nonsense());

const nonsense = (): never => {
  throw new KmsFailure('unavailable', 'the answer is not what the operation returns');
};

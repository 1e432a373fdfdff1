import { randomUUID } from 'node:crypto';
import { invalidField, isDomainError } from '../../../domain/foundation/errors.ts';
import { isText, type JsonObject } from '../../../domain/foundation/json.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { discard } from '../remote/discard.ts';
import { type DigestToSign, type KmsConnection, KmsFailure, type WantedKmsKey } from '../remote/kms.ts';
import type { TransitCalls } from './transit-calls.ts';
import { publicJwkIn, readKeyId, signatureIn, signingOptionsOf, transitTypeOf } from './transit-keys.ts';

/** The version of a key that was just created. */
const FIRST_VERSION = 1;

/** A secrets engine with one set of credentials. A reference names the version that was created, and goes on to sign with it. */
export class TransitConnection implements KmsConnection {
  constructor(private readonly calls: TransitCalls) {}

  async create({
    keyType,
    uniqueName,
    requestId,
  }: WantedKmsKey): Promise<{ id: string; publicJwk: PublicJwk | undefined }> {
    if (uniqueName !== undefined) await this.#refuseExisting(uniqueName);
    const name = uniqueName ?? ['credenza', requestId, randomUUID()].filter(isText).join('-');
    const body = { type: transitTypeOf(keyType), exportable: false, allow_plaintext_backup: false };
    const path = `keys/${name}`;
    try {
      const reply = await this.calls.send({ method: 'POST', path, body, subject: 'new-key' });
      if (saysExisted(reply)) throw alreadyThere(name);
      // Vault before 1.12 returns nothing.
      return { id: `${name}/${FIRST_VERSION}`, publicJwk: publicJwkIn(reply, FIRST_VERSION) };
    } catch (error) {
      // The key may exist although its creation failed. Only a name of our own is surely no other key.
      if (uniqueName === undefined && mayHaveTakenPlace(error)) await discard(() => this.#delete(name));
      throw error;
    }
  }

  async publicKey(id: string): Promise<PublicJwk> {
    const { name, version } = readKeyId(id);
    const jwk = publicJwkIn(await this.#read(name), version);
    if (!jwk) throw new KmsFailure('unavailable', 'the answer is not what the operation returns');
    return jwk;
  }

  async sign({ id, keyType, digest }: DigestToSign): Promise<Uint8Array> {
    const { name, version } = readKeyId(id);
    const body = {
      input: Buffer.from(digest).toString('base64'),
      ...(version !== undefined && { key_version: version }),
      ...signingOptionsOf(keyType),
    };
    return signatureIn(await this.calls.send({ method: 'POST', path: `sign/${name}`, body, subject: 'key' }), version);
  }

  async remove(id: string): Promise<void> {
    await this.#delete(readKeyId(id).name);
  }

  /** Transit deletes a key with all its versions, once its configuration allows it. */
  async #delete(name: string): Promise<void> {
    const path = `keys/${name}`;
    try {
      const body = { deletion_allowed: true };
      await this.calls.send({ method: 'POST', path: `${path}/config`, body, subject: 'key' });
      await this.calls.send({ method: 'DELETE', path, subject: 'key' });
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }

  /** Transit leaves a key that exists as it is and says that this was a success. */
  async #refuseExisting(name: string): Promise<void> {
    try {
      await this.#read(name);
    } catch (error) {
      if (isUnknown(error)) return;
      throw error;
    }
    throw alreadyThere(name);
  }

  #read(name: string): Promise<JsonObject> {
    return this.calls.send({ method: 'GET', path: `keys/${name}`, subject: 'key' });
  }
}

const alreadyThere = (name: string) =>
  invalidField(['config', 'name'], `the secrets engine has a key named ${name} already`);

const isUnknown = (error: unknown): boolean => error instanceof KmsFailure && error.fault === 'unknown-key';

const saysExisted = ({ warnings }: JsonObject): boolean =>
  Array.isArray(warnings) && warnings.some((text) => isText(text) && text.endsWith('already existed'));

/** Whether Vault was asked and did not refuse. */
const mayHaveTakenPlace = (error: unknown): boolean =>
  error instanceof KmsFailure ? error.fault === 'unavailable' : isDomainError(error, 'UpstreamFailed');

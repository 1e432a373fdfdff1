import { randomUUID } from 'node:crypto';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { Backend, KeyType } from '../../../ports/key-service.ts';

type Json = Record<string, unknown>;

/** The members of a cloud's configuration, those of `auth` among them. */
export function membersOf(config: Json): Record<string, string> {
  const { auth = {}, ...rest } = config;
  const texts = Object.entries({ ...rest, ...(auth as object) }).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}

/** The configuration with members replaced where it has its credentials. */
export const changed = (config: Json, members: object): Json =>
  config.auth === undefined
    ? { ...config, ...members }
    : { ...config, auth: { ...(config.auth as object), ...members } };

/** Members that make a cloud refuse credentials which are well-formed. */
export const foreign = (cloud: string): object =>
  ({
    kmsa: { accessKeyId: 'AKIA0000000000000000' },
    kmsb: { clientId: randomUUID() },
    tse: { roleId: randomUUID() },
  })[cloud] ?? {
    fingerprint: Array.from({ length: 16 }, () => 'ab').join(':'),
  };

/** A key type that a backend lacks. */
export const lackedBy = (backend: string): KeyType =>
  KEY_TYPE_NAMES.find((name) => !KEY_TYPES[name].backends.includes(backend as Backend)) ?? 'Ed25519';

import type { Backend, KeyType, NewKey } from '../../ports/key-service.ts';
import type { Turn } from '../../ports/turn.ts';
import { at, invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../jose/key-types.ts';
import { BACKENDS, backendOf } from './key-reference.ts';

/** A key to be created by a backend. */
export interface KeyRequest {
  keyType: KeyType;
  config?: JsonObject;
  name?: string;
  turn?: Turn;
}

/**
 * Checks a request by the tables of backends and key types; `backend` is in any spelling.
 * @throws DomainError `BadRequest` naming `backend`, `keyType`, or the member below `config`
 */
export function readKeyRequest(spelling: string, request: KeyRequest): NewKey & { backend: Backend } {
  const { keyType, config = {}, name, turn } = request;
  const backend = backendOf(spelling);
  if (!backend) throw invalidField(['backend'], `"${spelling.slice(0, 64)}" is not a key backend`);
  requireKeyType(backend, keyType);
  return { backend, keyType, config: at(['config'], () => BACKENDS[backend].readConfig(config)), name, turn };
}

/** The configured `config` of each backend (key-generation-defaults.conf), by any of its spellings. */
export type DefaultConfigs = Readonly<Record<string, JsonObject>>;

/** The configured `config` of a backend in any spelling; undefined when there is none. */
export const defaultConfig = (configs: DefaultConfigs, spelling: string): JsonObject | undefined =>
  Object.entries(configs).find(([name]) => backendOf(name) === backendOf(spelling))?.[1];

function requireKeyType(backend: Backend, keyType: KeyType): void {
  if (KEY_TYPES[keyType].backends.includes(backend)) return;
  const possible = KEY_TYPE_NAMES.filter((name) => KEY_TYPES[name].backends.includes(backend));
  throw invalidField(['keyType'], `${BACKENDS[backend].title} has no ${keyType} keys, only ${possible.join(', ')}`);
}

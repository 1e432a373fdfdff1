import type { KeyReference } from '../../../ports/key-service.ts';
import { DomainError, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { readPublicJwk, thumbprint, withKid } from '../../jose/jwk.ts';
import type { BackendRow, ReadMembers } from './backend.ts';

/** The private members of a JWK (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const;

/** Whether a JWK has a private or a symmetric part. */
export const hasPrivatePart = (jwk: JsonObject): boolean =>
  [...PRIVATE_MEMBERS, 'k', 'oth'].some((name) => name in jwk);

/** Keys of this server: the reference contains the private key as a JWK. */
export const JWK: BackendRow = {
  title: 'this server',
  spellings: ['jwk'],
  readConfig: (config) => {
    const [unknown] = Object.keys(config);
    if (unknown !== undefined) throw invalidField([unknown], 'a jwk key takes no configuration');
    return {};
  },
  read: ({ jwk, id: _, ...rest }) => {
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw invalidField([unknown], 'does not belong to a jwk key');
    return readPrivateJwk(jwk);
  },
  write: ({ publicJwk, config }) => {
    const { kty, ...rest } = withKid(publicJwk);
    return { jwk: { kty, ...config, ...rest } };
  },
};

/** The private JWK of a key of this server; undefined for a key whose private part is not here. */
export const privateJwkOf = (reference: KeyReference): JsonObject | undefined =>
  reference.backend === 'jwk' ? (JWK.write(reference).jwk as JsonObject) : undefined;

/** Reads a private JWK, as an object or as JSON text. @throws DomainError `BadRequest` naming `jwk` */
export function readPrivateJwk(value: unknown): ReadMembers & Required<Pick<ReadMembers, 'publicJwk'>> {
  try {
    const jwk: unknown = isText(value) ? parseJson(value) : value;
    if (!isObject(jwk)) throw new DomainError('BadRequest', 'must be a private JWK');
    const publicJwk = readPublicJwk(jwk);
    return { id: thumbprint(publicJwk), config: privateMembers(jwk), configAt: ['jwk'], publicJwk };
  } catch (cause) {
    throw cause instanceof DomainError ? invalidField(['jwk'], cause.message) : cause;
  }
}

/** The private members of a JWK. @throws DomainError `BadRequest` when there is no `d` */
function privateMembers(jwk: JsonObject): JsonObject {
  const config: JsonObject = {};
  for (const name of PRIVATE_MEMBERS) if (typeof jwk[name] === 'string') config[name] = jwk[name];
  if (config.d === undefined) throw new DomainError('BadRequest', 'the private member d is missing');
  return config;
}

import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import type { BackendRow } from './backend.ts';
import { type Member, readTexts, refuseOthers, requireConfig } from './members.ts';

/** The name that kms.conf gives to a token. */
const TOKEN = /^[a-z0-9][a-z0-9-]{0,62}$/;
const AUTH = {
  accessKey: { pattern: /^[\x21-\x7e]+$/, expected: 'must have no spaces and no letters beyond ASCII' },
} as const satisfies Record<string, Member>;
const NAME = /^\w([\w.-]{0,126}\w)?$/;
/** CKA_ID as hexadecimal digits. */
const KEY_ID = /^([0-9a-f]{2}){1,64}$/;

/** Hardware security modules by PKCS#11: `config` names a token of kms.conf, never a library or a slot. */
export const PKCS11: BackendRow = {
  title: 'PKCS#11',
  spellings: ['pkcs11'],
  readConfig,
  read: ({ id, config, ...rest }) => {
    refuseOthers(rest);
    if (typeof id !== 'string' || !KEY_ID.test(id))
      throw invalidField(['id'], 'must be the CKA_ID of a key: 1 to 64 bytes as small hexadecimal digits');
    return { id, config: at(['config'], () => readConfig(requireConfig(config))), configAt: ['config'] };
  },
  write: ({ id, config: { token, auth }, keyType, publicJwk }) => ({
    id,
    config: { token, auth },
    _publicKey: JSON.stringify(withKid(publicJwk)),
    _keyType: keyType,
  }),
};

function readConfig({ token, auth, name, ...rest }: JsonObject): JsonObject {
  refuseOthers(rest);
  if (typeof token !== 'string' || !TOKEN.test(token))
    throw invalidField(['token'], 'must be the name of a token: 1 to 63 small letters, digits and hyphens');
  if (name !== undefined && !(typeof name === 'string' && NAME.test(name)))
    throw invalidField(['name'], 'must be 1 to 128 letters, digits, dots, hyphens and underscores');
  return { token, auth: at(['auth'], () => readTexts(auth, AUTH)), ...(name !== undefined && { name }) };
}

import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import { isCallableUrl } from '../../network/urls.ts';
import type { BackendRow } from './backend.ts';
import { type Member, readTexts, refuseOthers } from './members.ts';

/** A path below `/v1/`, of a secrets engine or of a way to log in. */
const mountPath: Member = {
  pattern: /^[\w-]{1,64}(\/[\w-]{1,64}){0,7}$/,
  expected: 'must be a path of 1 to 8 names with / between them',
};
/** A secret is sent as a header, or as JSON. */
const secret: Member = { pattern: /^[\x21-\x7e]+$/, expected: 'must have no spaces and no letters beyond ASCII' };
const TOKEN = { accessKey: secret } as const satisfies Record<string, Member>;
const APP_ROLE = { roleId: secret, secretId: secret } as const satisfies Record<string, Member>;

/** A name of Vault's (framework.GenericNameRegex), and the version of a key, which is the latest one when absent. */
const NAME = /^\w([\w.-]{0,126}\w)?$/;
const KEY = /^\w([\w.-]{0,126}\w)?(\/[1-9]\d{0,8})?$/;

/** HashiCorp Vault, secrets engine Transit: a reference has the members of the configuration at the top. */
export const TSE: BackendRow = {
  title: 'HashiCorp Vault',
  spellings: ['tse', 'vault-transit', 'vault'],
  readConfig,
  read: ({ id, config, server, auth, namespace, ...rest }) => {
    refuseOthers(rest);
    const isInside = isObject(config);
    if (isInside && auth !== undefined) throw invalidField(['config'], 'does not belong beside auth');
    const read = isInside ? at(['config'], () => readConfig(config)) : readConfig({ server, auth, namespace });
    if (typeof id !== 'string' || !KEY.test(id))
      throw invalidField(['id'], 'must be the name of a key, and may end with / and a version');
    return { id, config: read, configAt: isInside ? ['config'] : [] };
  },
  write: ({ id, config: { server, auth, namespace }, keyType, publicJwk }) => ({
    id,
    server,
    auth,
    ...(namespace !== undefined && { namespace }),
    _publicKey: JSON.stringify(withKid(publicJwk)),
    _keyType: keyType,
  }),
};

function readConfig({ server, auth, namespace, name, ...rest }: JsonObject): JsonObject {
  refuseOthers(rest);
  if (!isServer(server))
    throw invalidField(['server'], 'must be the URL of a secrets engine, such as https://vault.example.org/v1/transit');
  if (namespace !== undefined) readTexts({ namespace }, { namespace: mountPath });
  if (name !== undefined && !(typeof name === 'string' && NAME.test(name)))
    throw invalidField(['name'], 'must be 1 to 128 letters, digits, dots, hyphens and underscores');
  return {
    server,
    auth: at(['auth'], () => readAuth(auth)),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}

/** A token, or the two parts of an AppRole, whose path is `approle` when it is not said. */
function readAuth(auth: unknown): JsonObject {
  const isRole = isObject(auth) && (auth.roleId !== undefined || auth.secretId !== undefined);
  if (!isRole) return readTexts(auth, TOKEN);
  const members: Readonly<Record<string, Member>> =
    auth.approlePath === undefined ? APP_ROLE : { ...APP_ROLE, approlePath: mountPath };
  return readTexts(auth, members);
}

/** A URL in one spelling whose path is that of an API: `/v1/` and the place of the engine. */
const isServer = (value: unknown): value is string =>
  typeof value === 'string' &&
  isCallableUrl(value) &&
  new URL(value).href === value &&
  /^https?:\/\/[^/?#]+(\/[\w.~-]+){0,7}\/v1(\/[\w-]+){1,8}$/.test(value);

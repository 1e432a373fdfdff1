import type { OfServer, SignInServices } from '../../adapters/http/handlers/sign-in.ts';
import { Providers } from '../../adapters/open-id/providers.ts';
import { base64url, fingerprint } from '../../domain/foundation/bytes.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { readablePath } from '../../domain/foundation/field-paths.ts';
import { withKid } from '../../domain/jose/jwk.ts';
import { KEY_TYPES } from '../../domain/jose/key-types.ts';
import { SIGN_IN_KEYS, type SignInKeyName } from '../../domain/keys/server-keys.ts';
import { ServerSecret } from '../../domain/keys/server-secret.ts';
import { type ConfiguredSignIn, configuredSignIn } from '../../domain/sign-in/configured-sign-in.ts';
import type { ProviderKey, SignInServer } from '../../domain/sign-in/sign-in-server.ts';
import { SignIns } from '../../domain/sign-in/sign-ins.ts';
import { SignedInPeople } from '../../domain/sign-in/signed-in.ts';
import type { Platform } from '../platform/platform.ts';
import { PACKAGE_ROOT } from '../root.ts';
import type { VerifierArea } from './verifier.ts';

/** What signs people in, for any provider, and the provider of this server. */
export interface SignInArea extends SignInServices, OfServer {}

/** What the build wrote of the pages. */
const FILES = new URL('dist/portal/', PACKAGE_ROOT);

/** @throws Error naming the member of sign-in.conf that is wrong */
export function signInServices(platform: Platform, verification: VerifierArea): SignInArea {
  const { store, clock, settings } = platform;
  const people = new SignedInPeople(store, clock);
  const cookies = new ServerSecret(platform, 'sign-in cookies');
  const providers = new Providers({
    store,
    clock,
    people,
    secret: { cookieKey: async (server) => base64url(await cookies.digest([server])) },
  });
  const secret = new ServerSecret(platform, 'sign-in subjects', 'for-ever');
  return {
    ...verification,
    server: ownServer(platform, verification),
    signIns: new SignIns({ ...platform, ...verification, people, secret }),
    providerOf: (server) => providers.of(server),
    branding: settings.portal,
    files: FILES,
  };
}

/** The provider of this server, as sign-in.conf describes it. */
function ownServer(platform: Platform, { verifier }: VerifierArea): SignInServer {
  const { settings, serverKeys } = platform;
  const { publicUrl, signIn } = settings;
  const issuer = `${publicUrl}/sign-in`;
  const keysOf = async (name: SignInKeyName): Promise<ProviderKey[]> => {
    const signer = await serverKeys.signer(name);
    const [current, ...replaced] = await serverKeys.verifyingKeys(name, undefined);
    const publicKeys = [
      ...(current ? [{ jwk: current, signer }] : []),
      ...replaced.map((jwk) => ({ jwk, signer: undefined })),
    ];
    const { alg } = KEY_TYPES[signer.keyType];
    return publicKeys.map(({ jwk, signer: own }) => ({ publicJwk: { ...withKid(jwk), alg }, signer: own }));
  };
  return {
    id: 'open',
    version: fingerprint(JSON.stringify(signIn)),
    issuer,
    ...inFile(() => configuredSignIn(signIn, { ...platform, issuer })),
    lifetimes: signIn.lifetimes,
    secure: publicUrl.startsWith('https:'),
    keys: async () => (await Promise.all(SIGN_IN_KEYS.map(keysOf))).flat(),
    verifier: async () => verifier,
  };
}

function inFile(read: () => ConfiguredSignIn): ConfiguredSignIn {
  try {
    return read();
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    const [{ path, message } = { path: [], message: error.message }] = error.details ?? [];
    throw new Error(`sign-in.conf: ${readablePath(path)} ${message}`, { cause: error });
  }
}

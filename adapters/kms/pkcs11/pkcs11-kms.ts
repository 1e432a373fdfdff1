import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../../../domain/foundation/errors.ts';
import { isText } from '../../../domain/foundation/json.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { type Kms, type KmsConnection, KmsFailure } from '../remote/kms.ts';
import { GRACE_MS, LATE_CREATION_MS } from '../remote/transport.ts';
import { type TokenAccess, type TokenCall, type TokenCalls, TokenFailure } from './calls.ts';
import { TokenClient } from './token-client.ts';

/** A token of kms.conf. */
interface TokenSettings extends TokenAccess {
  name: string;
  /** What callers prove with that they may use its keys. */
  accessKey: string;
}

/** What PKCS#11 is reached with. */
interface Pkcs11Parts {
  /** `pkcs11` of kms.conf. */
  settings: { pkcs11: { tokens: readonly TokenSettings[] } };
  /** Milliseconds for one call. */
  timeoutMs: number;
}

/** `config` of a key, as the row of the backend read it. */
interface TokenConfig {
  token: string;
  auth: { accessKey: string };
}

const ID_BYTES = 16;

/**
 * The tokens of hardware security modules that kms.conf names. PINs are the operator's alone: a token locks after a few
 * wrong ones, and a login counts for all sessions of a process. Callers prove themselves with an access key.
 */
export function pkcs11Kms({ settings, timeoutMs }: Pkcs11Parts): Kms {
  const tokens = settings.pkcs11.tokens.map((token) => ({ ...token, client: new TokenClient(token) }));
  const tokenOf = (config: Record<string, unknown>) => {
    const { token: name, auth } = config as unknown as TokenConfig;
    const found = tokens.find((token) => token.name === name && isSame(token.accessKey, auth.accessKey));
    // One answer for both: names of tokens are the operator's.
    if (!found) throw invalidField(['config', 'auth'], 'there is no such token here, or this is not its access key');
    return found;
  };
  return {
    backend: 'pkcs11',
    check: (config) => void tokenOf(config),
    absentKey: () => randomBytes(ID_BYTES).toString('hex'),
    connect: async (config) => connectionTo(tokenOf(config).client, timeoutMs),
    close: () => {
      for (const { client } of tokens) client.close();
    },
  };
}

function connectionTo(client: TokenClient, timeoutMs: number): KmsConnection {
  const call = <C extends TokenCall>(name: C, wanted: TokenCalls[C]['wanted']): Promise<TokenCalls[C]['result']> =>
    client.call(name, wanted, timeoutMs + GRACE_MS + (name === 'create' ? LATE_CREATION_MS : 0)).catch(rethrow);
  return {
    async create({ keyType, uniqueName, requestId }) {
      const id = randomBytes(ID_BYTES).toString('hex');
      const label = uniqueName ?? ['credenza', requestId, id].filter(isText).join('-');
      const publicJwk = await call('create', { keyType, id, label, isUnique: uniqueName !== undefined });
      return { id, publicJwk: readPublicJwk(publicJwk) };
    },
    publicKey: async (id) => readPublicJwk(await call('publicKey', { id })),
    sign: (wanted) => call('sign', wanted),
    remove: (id) => call('remove', { id }),
  };
}

function rethrow(error: unknown): never {
  if (!(error instanceof TokenFailure)) throw error;
  const { fault, reason } = error;
  if (fault === 'key-type') throw invalidField(['keyType'], `the token has no such keys: ${reason}`);
  if (fault === 'name') throw invalidField(['config', 'name'], reason);
  if (fault === 'pin')
    throw new KmsFailure('unavailable', `the PIN of kms.conf is refused, and not tried again: ${reason}`);
  throw new KmsFailure(fault, reason);
}

/** Compares in constant time. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

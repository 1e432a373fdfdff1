import type { PKCS11 } from 'pkcs11js';
import { isObject } from '../../../domain/foundation/json.ts';
import { type AnswerMessage, type CallMessage, type TokenAccess, TokenFailure } from './calls.ts';
import { Token } from './token.ts';
import { failureOf, isLost } from './token-failures.ts';

/*
 * The process of one token. The first message opens it, each further one is a call; it ends when its parent does, or when
 * the connection to the token is lost.
 */

let opening: Promise<Token> | undefined;

/** Loads the library of the module. @throws TokenFailure */
async function load(path: string): Promise<PKCS11> {
  const { default: library } = await import('pkcs11js').catch(({ message }: Error) => {
    throw new TokenFailure('unavailable', `the package pkcs11js cannot be loaded (${message}); install it`);
  });
  const module = new library.PKCS11();
  try {
    module.load(path);
  } catch {
    throw new TokenFailure('unavailable', `the library ${path} cannot be loaded`);
  }
  return module;
}

const open = async ({ library, ...access }: TokenAccess): Promise<Token> => Token.open(await load(library), access);

/** A message to the parent, after which the process ends when `isLast`. */
const send = (answer: AnswerMessage, isLast: boolean): void => {
  process.send?.(answer, () => {
    if (isLast) process.exit();
  });
};

async function answer({ number, call, wanted }: CallMessage): Promise<void> {
  const token = await opening?.catch((error: unknown) => {
    const { fault, reason } = failureOf(error, 'open');
    send({ number, fault, reason, isShut: true }, true);
  });
  if (!token) return;
  try {
    send({ number, result: await token[call](wanted as never) }, false);
  } catch (error) {
    const { fault, reason } = failureOf(error, call === 'create' ? 'create' : 'use');
    send({ number, fault, reason, isShut: false }, isLost(error));
  }
}

process.on('message', (message) => {
  if (isObject(message) && 'call' in message) void answer(message as unknown as CallMessage);
  else opening ??= open(message as TokenAccess);
  opening?.catch(() => undefined);
});
process.on('disconnect', () => process.exit());
// The parent decides when it ends: signals to the whole group would end calls that it still waits for.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR2'] as const) process.on(signal, () => undefined);

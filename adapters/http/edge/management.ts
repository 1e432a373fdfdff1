import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { bearerToken } from '../messages/bearer.ts';
import type { JoinedDocument, Operation } from '../messages/document.ts';
import { walk } from '../messages/document.ts';
import type { Middleware } from './context.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Demands the operator's token at operations of management; there are no other operations with it. */
export class ManagementToken {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = digest(token);
  }

  /** The step of an operation of management; undefined for all others. It refuses with `LoginRequired`. */
  step({ isManagement }: Operation): Middleware | undefined {
    if (!isManagement) return undefined;
    return (ctx, next) => {
      const token = bearerToken(ctx.get('authorization'));
      if (token === undefined || !timingSafeEqual(digest(token), this.#digest))
        throw new DomainError('LoginRequired', 'Send the management token as Authorization: Bearer');
      // Who has the token is the operator, from wherever: the bounds of strangers are not for it.
      ctx.state.isLocal = true;
      return next();
    };
  }
}

/** The operations of management that some documents have, as `METHOD path`. */
export const managementCalls = (joined: JoinedDocument, documents: readonly string[]): string[] => {
  const served = new Set(documents.flatMap((name) => joined['x-documents'][name]?.operations ?? []));
  return [...walk(joined)]
    .filter(({ operation }) => operation['x-management'] === true && served.has(String(operation.operationId)))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
};

import type { Middleware } from './context.ts';

/** The part of a path that names a well-known document; the path of what it describes may follow (RFC 8615 §3, RFC 8414 §3.1). */
const WELL_KNOWN = /^\/\.well-known\/[^/]+/;

/**
 * Takes the path of the public URL off the paths of requests, at the front and behind the name of a well-known document. A
 * path without it stays as it is: a proxy may have taken it off, and domains of tenants have none.
 * @throws Error when the path begins as one of the operations does: then both could be meant
 */
export function belowPrefix(publicUrl: string, operations: readonly { path: string }[]): Middleware {
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '');
  if (prefix === '') return (_ctx, next) => next();
  const [, first] = prefix.split('/');
  if (operations.some(({ path }) => path.split('/')[1] === first))
    throw new Error(`PUBLIC_URL: its path must not begin with /${first}, as paths of this server do`);
  return (ctx, next) => {
    const asked = ctx.path ?? '';
    // What a page names relative to itself is below the prefix only with a slash.
    if (asked === prefix && ctx.method === 'GET') {
      ctx.redirect(`${publicUrl}/`);
      return;
    }
    const [name = ''] = WELL_KNOWN.exec(asked) ?? [];
    const rest = asked.slice(name.length);
    if (rest === prefix || rest.startsWith(`${prefix}/`)) ctx.path = `${name}${rest.slice(prefix.length)}` || '/';
    return next();
  };
}

/** Whether a name is within a constraint; undefined when either cannot be interpreted, and the path must be rejected. */
type Match = boolean | undefined;

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const NUMBERS = /(?:^|\.)[0-9]+$/;

/** Returns a host name in lower case, undefined for any other text; a last label of digits would be an address. */
function hostName(text: string): string | undefined {
  const lower = text.toLowerCase();
  return lower.length <= 253 && HOST.test(lower) && !NUMBERS.test(lower) ? lower : undefined;
}

/** Returns the host of a constraint, and whether a leading dot requires at least one label before it. */
function constrainedHost(base: string): { host: string; below: boolean } | undefined {
  const below = base.startsWith('.');
  const host = hostName(below ? base.slice(1) : base);
  return host === undefined ? undefined : { host, below };
}

/**
 * DNS: the name is the base or has labels added on its left; a leading dot requires at least one. The empty base
 * matches every name. A wildcard is excluded when one of the names it matches is excluded.
 */
export function matchesDns(name: string, base: string, list: 'permitted' | 'excluded'): Match {
  if (base === '') return true;
  const wildcard = name.startsWith('*.');
  const host = hostName(wildcard ? name.slice(2) : name);
  const constraint = constrainedHost(base);
  if (host === undefined || constraint === undefined) return undefined;
  if (host.endsWith(`.${constraint.host}`) || (host === constraint.host && (wildcard || !constraint.below)))
    return true;
  const isWildcardOf = wildcard && list === 'excluded' && !constraint.below;
  return isWildcardOf && constraint.host.slice(constraint.host.indexOf('.') + 1) === host;
}

/** A base without a leading dot matches this host alone, one with a leading dot matches every host below it. */
function matchesHost(host: string, base: string): Match {
  const constraint = constrainedHost(base);
  if (constraint === undefined) return undefined;
  return constraint.below ? host.endsWith(`.${constraint.host}`) : host === constraint.host;
}

const MAILBOX = /^([^@"\\\s]+)@([^@]+)$/;

/** E-mail: a mailbox, a host or, with a leading dot, the hosts below it; only the host ignores case (RFC 5280 §7.5). */
export function matchesEmail(name: string, base: string): Match {
  if (base === '') return true;
  const [, local, domain = ''] = MAILBOX.exec(name) ?? [];
  const host = hostName(domain);
  if (local === undefined || host === undefined) return undefined;
  if (!base.includes('@')) return matchesHost(host, base);
  const [, onlyLocal, onlyDomain = ''] = MAILBOX.exec(base) ?? [];
  const onlyHost = hostName(onlyDomain);
  return onlyLocal === undefined || onlyHost === undefined ? undefined : local === onlyLocal && host === onlyHost;
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.~!$&'()*+,;=:%-]*@)?([\w.-]+)(?::[0-9]*)?(?:[/?#]|$)/i;

/** URI: its host is the host or, with a leading dot, below it; undefined for a URI without a host name. */
export function matchesUri(name: string, base: string): Match {
  if (base === '') return true;
  const host = hostName(AUTHORITY.exec(name)?.[1] ?? '');
  return host === undefined ? undefined : matchesHost(host, base);
}

/** IP: the base is an address and a mask of the same length; the other family never matches. */
export function matchesIp(address: Uint8Array, base: Uint8Array): Match {
  const mask = base.subarray(base.length / 2);
  const known = (length: number) => length === 4 || length === 16;
  if (!known(address.length) || base.length % 2 !== 0 || !known(mask.length) || !isPrefix(mask)) return undefined;
  if (mask.length !== address.length) return false;
  return mask.every((bits, index) => (((address[index] ?? 0) ^ (base[index] ?? 0)) & bits) === 0);
}

/** A mask is ones followed by zeros (RFC 4632). */
const isPrefix = (mask: Uint8Array): boolean =>
  /^1*0*$/.test(Array.from(mask, (byte) => byte.toString(2).padStart(8, '0')).join(''));

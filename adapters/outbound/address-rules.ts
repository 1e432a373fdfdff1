import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { DomainError } from '../../domain/foundation/errors.ts';
import {
  type AllowEntry,
  allows,
  type Destination,
  hostAddress,
  isPublicAddress,
  isSamePlace,
} from '../../domain/network/addresses.ts';

/** Dependencies of the rules. */
interface RuleOptions {
  allow: AllowEntry[];
  publicUrl: string;
  /** Whether calls by these rules may reach the origin of `publicUrl`. */
  reachesOwnOrigin: boolean;
}

/** Decides which addresses may be called. */
export class AddressRules {
  readonly #allow: AllowEntry[];
  readonly #own: URL;
  readonly #reachesOwnOrigin: boolean;

  constructor({ allow, publicUrl, reachesOwnOrigin }: RuleOptions) {
    this.#allow = allow;
    this.#own = new URL(publicUrl);
    this.#reachesOwnOrigin = reachesOwnOrigin;
  }

  /** @throws DomainError `AddressRefused` when the URL alone says that the call may not be made */
  checkUrl(url: URL): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new DomainError('AddressRefused', 'Only http and https URLs are called');
    if (url.username !== '' || url.password !== '')
      throw new DomainError('AddressRefused', `The URL of ${url.hostname} may not hold credentials`);
    const { address } = destinationOf(url);
    if (address === '') this.#checkOwn(url, address);
    else this.checkAddress(url, address);
  }

  /** @throws DomainError `AddressRefused`; the message does not reveal the resolved address */
  checkAddress(url: URL, address: string): void {
    if (this.#reachesOwnOrigin && url.origin === this.#own.origin) return;
    this.#checkOwn(url, address);
    if (isPublicAddress(address) || allows(this.#allow, destinationOf(url, address))) return;
    throw new DomainError('AddressRefused', `${url.host} is not a public address`);
  }

  /** Refuses our own origin in every spelling, unless an entry names its host and port. */
  #checkOwn(url: URL, address: string): void {
    const destination = destinationOf(url, address);
    if (this.#reachesOwnOrigin || !isSamePlace(destination, destinationOf(this.#own))) return;
    const named = this.#allow.filter((entry) => 'port' in entry && entry.port !== undefined);
    if (allows(named, destination)) return;
    throw new DomainError('AddressRefused', `${url.host} is an address of this server`);
  }
}

/** Host and port of a URL; `address` is the IP address that its host contains, or ''. */
function destinationOf(url: URL, address = spelledAddress(url.hostname)): Destination {
  return { host: url.hostname, port: portOf(url), address };
}

function spelledAddress(hostname: string): string {
  if (isLoopbackName(hostname)) return '127.0.0.1';
  return hostAddress(hostname) ? hostname.replace(/^\[|\]$/g, '') : '';
}

/** Names of this machine, regardless of the resolver (RFC 6761 §6.3). */
const isLoopbackName = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** A lookup for the connections of one origin: returns only permitted addresses, or fails as a whole. */
export function checkedLookup(
  rules: AddressRules,
  origin: URL,
  resolve: LookupFunction = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const addresses = Array.isArray(found) ? found : [{ address: found, family: found.includes(':') ? 6 : 4 }];
      try {
        for (const { address } of addresses) rules.checkAddress(origin, address);
      } catch (refusal) {
        return callback(refusal instanceof Error ? refusal : new Error('The lookup failed'), '');
      }
      const [first] = addresses;
      if (!first) return callback(new Error('The name has no address'), '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

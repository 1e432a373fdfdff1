import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { DomainError } from '../../domain/errors.ts';
import {
  type AllowEntry,
  allows,
  type Destination,
  hostAddress,
  isPublicAddress,
} from '../../domain/network/addresses.ts';

/** Decides which places may be reached. */
export class AddressRules {
  readonly #allow: AllowEntry[];
  readonly #ownOrigin: string;

  constructor(allow: AllowEntry[], publicUrl: string) {
    this.#allow = allow;
    this.#ownOrigin = new URL(publicUrl).origin;
  }

  /** @throws DomainError `AddressRefused` when the URL alone says that the call may not be made */
  checkUrl(url: URL): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new DomainError('AddressRefused', 'Only http and https URLs are called');
    if (url.username !== '' || url.password !== '')
      throw new DomainError('AddressRefused', `The URL of ${url.hostname} may not hold credentials`);
    const address = isLoopbackName(url.hostname) ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');
    if (hostAddress(address)) this.checkAddress(url, address);
  }

  /** @throws DomainError `AddressRefused`; the message tells nothing of what a name resolved to */
  checkAddress(url: URL, address: string): void {
    const destination: Destination = { host: url.hostname, port: portOf(url), address };
    if (url.origin === this.#ownOrigin || isPublicAddress(address) || allows(this.#allow, destination)) return;
    throw new DomainError('AddressRefused', `${url.host} is not a public address`);
  }
}

/** Names that mean this machine whatever a resolver says (RFC 6761 §6.3). */
const isLoopbackName = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** A lookup for the connections of one origin: gives only addresses that passed the rules, or fails as a whole. */
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

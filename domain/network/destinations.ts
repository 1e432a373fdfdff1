import type { Outbound } from '../../ports/outbound.ts';
import { DomainError, isDomainError } from '../errors.ts';

/**
 * Refuses a URL that came in a request as soon as it is known that it may not be called (decisions §12). What a name
 * resolves to is judged again with every call.
 * @throws DomainError `AddressRefused` naming the field at `path`
 */
export function checkDestination(outbound: Outbound, url: string, path: string): void {
  try {
    outbound.check(url);
  } catch (cause) {
    if (!isDomainError(cause, 'AddressRefused')) throw cause;
    const { message } = cause;
    throw new DomainError('AddressRefused', `${path}: ${message}`, { cause, details: [{ path, message }] });
  }
}

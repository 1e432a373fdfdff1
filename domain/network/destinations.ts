import type { Outbound, OutboundPurpose } from '../../ports/outbound.ts';
import { DomainError, isDomainError } from '../errors.ts';

/**
 * Whether a call may reach our own origin. Only our wallet may: it meets our own issuer and verifier as it meets all
 * others. A URL that a caller chose must not make the server call itself.
 */
export const REACHES_OWN_ORIGIN: Readonly<Record<OutboundPurpose, boolean>> = {
  callback: false,
  'did-document': false,
  'status-list': false,
  wallet: true,
  webhook: false,
};

/** A URL of a request: where it stands and what it would be called for. */
export interface RequestedUrl {
  url: string;
  purpose: OutboundPurpose;
  /** JSON Pointer of the field. */
  at: string;
}

/**
 * Refuses a URL that came in a request as soon as it is known that it may not be called (decisions §12). What a name
 * resolves to is judged again with every call.
 * @throws DomainError `AddressRefused` naming the field
 */
export function checkDestination(outbound: Outbound, { url, purpose, at: path }: RequestedUrl): void {
  try {
    outbound.check({ url, purpose });
  } catch (cause) {
    if (!isDomainError(cause, 'AddressRefused')) throw cause;
    const { message } = cause;
    throw new DomainError('AddressRefused', `${path}: ${message}`, { cause, details: [{ path, message }] });
  }
}

import type { DocumentKind, Outbound } from '../../ports/outbound.ts';
import { fieldErrors, isDomainError } from '../foundation/errors.ts';
import { parsePointer } from '../foundation/field-paths.ts';

/**
 * Whether a call may reach our own origin. Only the protocol calls of our wallet may: it meets our own issuer and
 * verifier as it meets all others. A URL that a caller chose must not make the server call itself.
 */
export const REACHES_OWN_ORIGIN: Readonly<Record<DocumentKind, boolean>> = {
  'credential-offer': true,
  'issuer-metadata': true,
  'presentation-definition': true,
  'request-object': true,
  'protocol-reply': true,
  'credential-response': true,
  'did-document': false,
  'status-list': false,
  'mapping-data': false,
  'webhook-reply': false,
  'callback-reply': false,
};

/** A URL of a request: where it stands and what a call of it would bring back. */
export interface RequestedUrl {
  url: string;
  expects: DocumentKind;
  /** JSON Pointer of the field. */
  at: string;
}

/**
 * Refuses a URL that came in a request as soon as it is known that it may not be called (decisions §12). What a name
 * resolves to is judged again with every call.
 * @throws DomainError `AddressRefused` naming the field
 */
export function checkDestination(outbound: Outbound, { url, expects, at: path }: RequestedUrl): void {
  try {
    outbound.check({ url, expects });
  } catch (cause) {
    if (!isDomainError(cause, 'AddressRefused')) throw cause;
    throw fieldErrors([{ path: parsePointer(path), message: cause.message }], { code: 'AddressRefused', cause });
  }
}

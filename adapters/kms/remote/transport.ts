import { DomainError, fieldErrors, isDomainError } from '../../../domain/foundation/errors.ts';
import type { FieldPath } from '../../../domain/foundation/field-paths.ts';
import type { Outbound, OutboundReply, OutboundRequest } from '../../../ports/outbound.ts';

/**
 * How much longer than its caller the reply to the creation of a key is awaited, in milliseconds: `RemoteKeys` removes a
 * key that is created too late, and learns its id from that reply only.
 */
export const LATE_CREATION_MS = 10_000;

/** How much longer than its operation a call may take, in milliseconds: the operation's own deadline names the service. */
export const GRACE_MS = 100;

/** How the calls of a vendor's library are made. */
export interface TransportOptions {
  outbound: Outbound;
  timeoutMs: number;
  /** The member of the key's reference that the address comes from, for the error of a refused address. */
  field: FieldPath;
}

/** Sends a call of a vendor's library through the network guard. @throws DomainError of the guard, naming the field of a refused address */
export async function sendGuarded(
  request: Omit<OutboundRequest, 'timeoutMs'>,
  { outbound, timeoutMs, field }: TransportOptions,
): Promise<OutboundReply> {
  try {
    return await outbound.send({ ...request, timeoutMs: timeoutMs + GRACE_MS });
  } catch (cause) {
    throw withField(cause, field);
  }
}

/** Checks a caller's address of a vault before a library is given it. @throws DomainError `AddressRefused` naming the field */
export function checkAddress(
  url: string,
  {
    outbound,
    field,
    expects = 'vault-reply',
  }: Pick<TransportOptions, 'outbound' | 'field'> & Partial<Pick<OutboundRequest, 'expects'>>,
): void {
  try {
    outbound.check({ url, expects });
  } catch (cause) {
    throw withField(cause, field);
  }
}

/** The refusal of an address, naming the field; any other error as it is. */
const withField = (cause: unknown, path: FieldPath): unknown =>
  isDomainError(cause, 'AddressRefused')
    ? fieldErrors([{ path, message: cause.message }], { code: 'AddressRefused', cause })
    : cause;

/** The error of the network guard within an error of a library that wrapped it. */
export function guardErrorIn(error: unknown): DomainError | undefined {
  for (let [at, depth] = [error, 0]; at instanceof Error && depth < 5; [at, depth] = [at.cause, depth + 1])
    if (at instanceof DomainError) return at;
  return undefined;
}

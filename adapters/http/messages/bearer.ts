import { DomainError } from '../../../domain/foundation/errors.ts';
import type { PresentedToken } from '../../../domain/oauth/sender-constraints.ts';

/** The bearer token of an `Authorization` header (RFC 6750 §2.1); undefined without one. */
export const bearerToken = (header: string): string | undefined => /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1];

/** Reads a bearer token. @throws DomainError `LoginRequired` */
export function readBearer(header = ''): PresentedToken {
  const token = bearerToken(header);
  if (token === undefined) throw new DomainError('LoginRequired', 'Send the access token as Authorization: Bearer');
  return { scheme: 'Bearer', token };
}

import { DomainError } from '../../domain/foundation/errors.ts';
import type { PresentedToken } from '../../domain/oauth/sender-constraints.ts';

/** Reads a bearer token (RFC 6750 §2.1). @throws DomainError `LoginRequired` */
export function readBearer(header = ''): PresentedToken {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1];
  if (token === undefined) throw new DomainError('LoginRequired', 'Send the access token as Authorization: Bearer');
  return { scheme: 'Bearer', token };
}

import type { DistinguishedName } from '../../ports/certificates.ts';
import { attributesOf } from '../x509/name-attributes.ts';
import { sanitizeReason } from './protocol-client.ts';

/** The values of a name, the most significant first. */
export const shownName = (name: DistinguishedName): string =>
  sanitizeReason(
    attributesOf(name)
      .map(({ value }) => value)
      .join(', '),
  );

import type { DistinguishedName } from '../../ports/certificates.ts';
import { asList } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { sanitizeReason } from './protocol-client.ts';

/** The values of a name, as they are compared: in lower case, the most significant first. */
export const shownName = ({ rdns }: DistinguishedName): string =>
  sanitizeReason(
    rdns
      .flatMap((rdn) => asList(parseJson(`[${rdn.replaceAll(']+[', '],[')}]`)))
      .map((attribute) => String(asList(attribute).at(-1)))
      .join(', '),
  );

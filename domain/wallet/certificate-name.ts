import type { DistinguishedName } from '../../ports/certificates.ts';
import { asList } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { sanitizeReason } from './protocol-client.ts';

/** The attributes of a name, each an object identifier with its value as it is compared: in lower case. */
export const attributesOf = ({ rdns }: DistinguishedName): { type: string; value: string }[] =>
  rdns
    .flatMap((rdn) => asList(parseJson(`[${rdn.replaceAll(']+[', '],[')}]`)))
    .map((attribute) => ({ type: String(asList(attribute)[0]), value: String(asList(attribute).at(-1)) }));

/** The values of a name, the most significant first. */
export const shownName = (name: DistinguishedName): string =>
  sanitizeReason(
    attributesOf(name)
      .map(({ value }) => value)
      .join(', '),
  );

import type { DistinguishedName } from '../../ports/certificates.ts';
import { asList } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';

/** organizationIdentifier of legal persons and serialNumber of natural ones, which hold the identifier (ETSI TS 119 475 §5.1). */
const IDENTIFIERS = ['2.5.4.97', '2.5.4.5'];

/** The attributes of a name, each an object identifier with its value as it is compared: in lower case. */
export const attributesOf = ({ rdns }: DistinguishedName): { type: string; value: string }[] =>
  rdns
    .flatMap((rdn) => asList(parseJson(`[${rdn.replaceAll(']+[', '],[')}]`)))
    .map((attribute) => ({ type: String(asList(attribute)[0]), value: String(asList(attribute).at(-1)) }));

/** Whether a name is that of who is registered by this identifier; case makes no difference. */
export const isIdentifiedBy = (name: DistinguishedName, identifier: string): boolean =>
  attributesOf(name).some(({ type, value }) => IDENTIFIERS.includes(type) && value === identifier.toLowerCase());

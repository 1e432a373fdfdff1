import { isSdJwt, parseDisclosure } from '../../../domain/credentials/sd-jwt.ts';
import { fingerprint } from '../../../domain/foundation/bytes.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { parseJws } from '../../../domain/jose/jws.ts';

/** A token that was parsed with its disclosures in their places. */
interface ShownToken {
  /** As it was presented. */
  raw: string;
  header: JsonObject;
  /** The claims with disclosures in place. */
  payload: JsonObject;
}

/** What a token says. */
export const simpleToken = ({ header, payload }: Omit<ShownToken, 'raw'>): JsonObject => ({ header, payload });

/** What a token says, what its issuer signed, and the disclosures by their digests (RFC 9901 §4.2.3). */
export function verboseToken({ raw, header, payload }: ShownToken): JsonObject {
  const [token = '', ...disclosures] = raw.split('~');
  const shown = isSdJwt(raw) ? disclosures.slice(0, -1) : [];
  return {
    header,
    fullPayload: payload,
    undisclosedPayload: parseJws(token).payload,
    ...(shown.length > 0 && { disclosures: Object.fromEntries(shown.map(digestAndDisclosure)) }),
  };
}

function digestAndDisclosure(disclosure: string): [string, JsonObject] {
  const { salt, name: key, value } = parseDisclosure(disclosure);
  return [fingerprint(disclosure), { disclosure, salt, ...(key !== undefined && { key }), value }];
}

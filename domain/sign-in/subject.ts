import { base64url } from '../foundation/bytes.ts';
import type { StatedValue } from './claim-mapping.ts';
import type { WrittenSubject } from './written-sign-in.ts';

/** For whom a person is named. */
interface NamedFor {
  /** The id of the provider, which stays when its address changes. */
  provider: string;
  /** The sector of the client. */
  sector: string;
}

/** A digest under a secret of the server that never changes. */
export interface KeyedDigest {
  digest(values: readonly (string | number)[]): Promise<Uint8Array>;
}

/** The longest `sub` (OpenID Connect Core §2). */
const MAX_LENGTH = 255;

/**
 * The `sub` of a person for a client: a digest of the values that name the person, another one in each sector, or the
 * plain value where the profile says so. Undefined when the plain value can be no subject. Values of different issuers
 * name different persons unless the profile says otherwise: two issuers may give one number to two people.
 */
export async function subjectOf(
  { kind, acrossIssuers }: WrittenSubject,
  values: readonly StatedValue[],
  named: NamedFor & { secret: KeyedDigest },
): Promise<string | undefined> {
  const { provider, sector, secret } = named;
  if (kind === 'plain') return plain(values);
  const stated = values.map(({ value, issuer }) => [typeof value, String(value), acrossIssuers ? '' : issuer]);
  return base64url(await secret.digest([provider, sector, JSON.stringify(stated)]));
}

function plain([first]: readonly StatedValue[]): string | undefined {
  const text = first === undefined ? '' : String(first.value);
  return /^[\x21-\x7e]+$/.test(text) && text.length <= MAX_LENGTH ? text : undefined;
}

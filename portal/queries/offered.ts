import { labelOf } from '../forms/labels.ts';
import { api, ask } from '../shell/api.ts';
import type { Office } from '../shell/office.tsx';
import { inLanguage } from '../texts/texts.ts';
import { type AskedCredential, type ClaimPath, isAskedFormat, typeOf } from './query.ts';

/** A text in one language. */
interface Label {
  locale?: string;
  name?: string;
}

interface OfferedClaim {
  path: ClaimPath;
  label: readonly Label[];
}

/** A credential that an issuer here offers, and that can be asked for. */
export interface OfferedCard {
  /** The configuration in the issuer's metadata. */
  id: string;
  format: string;
  type: string;
  display: readonly Label[];
  claims: readonly OfferedClaim[];
}

/** What the metadata of an issuer says of a configuration, as far as it is read here (OpenID4VCI 1.0 §12.2.4). */
interface Configuration {
  format: string;
  vct?: string;
  doctype?: string;
  credential_definition?: { type?: string[] };
  credential_metadata?: { display?: Label[]; claims?: { path: ClaimPath; display?: Label[] }[] };
}

interface Metadata {
  credential_configurations_supported: Record<string, unknown>;
}

/** The credentials that an issuer offers; `claimsOf` knows the claims of those whose metadata name none. */
export const cardsOf = (
  { credential_configurations_supported: all }: Metadata,
  claimsOf: (configurationId: string) => ClaimPath[] = () => [],
): OfferedCard[] =>
  Object.entries(all as Record<string, Configuration>).flatMap(([id, configuration]) => {
    const { format, vct, doctype, credential_definition: definition, credential_metadata: metadata } = configuration;
    const type = vct ?? doctype ?? definition?.type?.at(-1);
    if (type === undefined || !isAskedFormat(format)) return [];
    const described = metadata?.claims?.map(({ path, display = [] }) => ({ path, label: display }));
    const claims = described ?? claimsOf(id).map((path) => ({ path, label: [] }));
    // An element of an mdoc is shown as a whole (ISO/IEC 18013-5 §8.3.2.1.2).
    const askable = doctype === undefined ? claims : claims.filter(({ path }) => path.length === 2);
    return [{ id, format, type, display: metadata?.display ?? [], claims: askable }];
  });

/** The credentials that an issuer offers; one that cannot work offers none. */
export async function offeredBy(target: string): Promise<OfferedCard[]> {
  const path = '/.well-known/openid-credential-issuer/v2/{target}/issuer-service-api/openid4vci';
  const read = await ask(api.GET(path, { params: { path: { target } } }));
  return read.ok && typeof read.data !== 'string' ? cardsOf(read.data) : [];
}

/** The credentials that the issuers of a unit offer, of those that the account may know of. */
export async function cardsIn({ below }: Office): Promise<OfferedCard[]> {
  const issuers = below.filter(({ type }) => type === 'issuer2');
  return (await Promise.all(issuers.map(({ target }) => offeredBy(target)))).flat();
}

/** The name of an offered credential in the reader's language. */
export const nameOf = ({ display, type }: OfferedCard): string => inLanguage(display)?.name ?? type;

/** The one that a query asks for, if it is among them. */
export const cardFor = (asked: AskedCredential, cards: readonly OfferedCard[]): OfferedCard | undefined =>
  cards.find(({ format, type }) => format === asked.format && type === typeOf(asked));

/** The label of a claim in the reader's language, with those of what it is in. */
export function claimLabel(path: ClaimPath, claims: readonly OfferedClaim[]): string {
  const displays = claims.map((claim) => ({ path: claim.path, labels: [...claim.label] }));
  const around = path.flatMap((_, at) => {
    const above = path.slice(0, at + 1);
    return claims.some((claim) => JSON.stringify(claim.path) === JSON.stringify(above)) ? [above] : [];
  });
  return (around.length > 0 ? around : [path]).map((one) => labelOf(one, displays)).join(' › ');
}

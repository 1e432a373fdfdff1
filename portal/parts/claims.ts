import { inLanguage } from '../texts/texts.ts';

type Path = readonly (string | number | null)[];

/** One value of a credential. */
export interface Claim {
  path: Path;
  value: unknown;
}

/** What every credential says for programs, which people need not read (RFC 7519 §4.1, SD-JWT VC §3.2.2, VC Data Model). */
const TECHNICAL = new Set(
  (
    'iat nbf exp iss cnf vct status jti sub id type @context issuer issuanceDate expirationDate validFrom validUntil ' +
    'credentialStatus credentialSchema vct#integrity'
  ).split(' '),
);

/** What is around the claims of W3C credentials. */
const AROUND = new Set(['vc', 'credentialSubject']);

export const isTechnical = ({ path }: Claim): boolean =>
  TECHNICAL.has(String(path.find((part) => !AROUND.has(String(part)))));

/** The label of a path: what the issuer published, else its last name in words. */
export function labelOf(
  path: Path,
  displays: readonly { path?: unknown; labels?: { name?: string; locale?: string }[] }[] = [],
): string {
  const published = displays.find((one) => JSON.stringify(one.path) === JSON.stringify(path));
  const name = String(path.findLast((part) => typeof part === 'string') ?? '');
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
  return inLanguage(published?.labels ?? [])?.name ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** All values in a tree of claims, with their paths. */
export function claimsIn(value: unknown, path: Path = []): Claim[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const entries = Array.isArray(value) ? value.map((one, at) => [at, one] as const) : Object.entries(value);
  return entries.length === 0 ? [{ path, value }] : entries.flatMap(([name, one]) => claimsIn(one, [...path, name]));
}

/** The last part of a type: of a URL or URN what people recognise. */
export const shortType = (type: string): string => type.split(/[/:]/).at(-1) || type;

/** A DID or another long name, so that it fits and differs from others. */
export const shortName = (name: string): string => (name.length > 48 ? `${name.slice(0, 24)}…${name.slice(-8)}` : name);

/** The name of a credential configuration without the format that its id ends in. */
export const configurationName = (id: string): string => shortType(id).split('_')[0] ?? '';

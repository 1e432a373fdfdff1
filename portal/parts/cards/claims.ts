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

/** Whether a text is a picture that was sent as data: of pixels, since others may contain scripts and links. */
export const isPicture = (text: string | undefined): text is string =>
  /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(text ?? '');

/** How the bytes of pictures begin in base64: elements of mdocs are such bytes, without their kind. */
const BEGINNINGS = { jpeg: '/9j/', png: 'iVBORw0KGgo' };

/** The picture that a value is, as a data URL. */
export function pictureOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : '';
  if (isPicture(text)) return text;
  const base64 = String(text).replaceAll('-', '+').replaceAll('_', '/');
  const kind = Object.entries(BEGINNINGS).find(([, beginning]) => base64.startsWith(beginning))?.[0];
  return kind !== undefined && /^[\w+/]+=*$/.test(base64) ? `data:image/${kind};base64,${base64}` : undefined;
}

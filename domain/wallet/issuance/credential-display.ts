import { type DisclosurePolicy, readDisclosurePolicy } from '../../credentials/disclosure-policy.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { lineOf } from '../../foundation/texts.ts';
import type { ClaimDisplay, CredentialDisplay, DisplayEntry, EmbeddedImage } from '../../holdings/records.ts';
import { describedClaims } from './described-claims.ts';

/** The most that is kept of an issuer's display data for one credential. */
export const DISPLAY_BOUNDS = {
  /** Entries of the issuer, of the credential, and labels of a claim. */
  languages: 20,
  claims: 200,
  /** Characters of all claims with their labels, as JSON. */
  claimCharacters: 32_768,
  nameCharacters: 200,
  descriptionCharacters: 1000,
  /** Characters of the URL of an image before it is embedded; as a data URL it may contain the image. */
  urlCharacters: 180_000,
} as const;

const MAX_WEB_URL = 2048;
const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const LOCALE = /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7}$/i;

/**
 * Reads how an issuer shows itself and a credential: drafts 11 and 13 of OpenID4VCI, and 1.0 §12.2.4. Accepts any JSON: what cannot be
 * shown is left out, and so is what exceeds the bounds. Images are still URLs. Undefined when nothing remains.
 */
export function readDisplay(metadata: JsonObject, configuration: JsonObject): CredentialDisplay | undefined {
  const { credential_metadata: described } = configuration;
  const { display } = isObject(described) ? described : configuration;
  const read = {
    issuer: readEntries(metadata.display),
    credential: readEntries(display),
    claims: readClaims(configuration),
  };
  return isEmpty(read) ? undefined : read;
}

/** What of a configuration is kept with its credentials: how they are shown, and to whom. */
export function statedOf(
  metadata: JsonObject,
  configuration: JsonObject,
): { display?: CredentialDisplay; disclosurePolicy?: DisclosurePolicy } {
  const disclosurePolicy = readDisclosurePolicy(configuration.disclosure_policy);
  return { display: readDisplay(metadata, configuration), ...(disclosurePolicy && { disclosurePolicy }) };
}

/** Whether display data shows nothing. */
export const isEmpty = ({ issuer, credential, claims }: CredentialDisplay): boolean =>
  issuer.length + credential.length + claims.length === 0;

/** Whether an entry shows something. */
export const isShown = ({ locale, ...shown }: DisplayEntry): boolean => Object.keys(shown).length > 0;

/** One entry for each language, the first of several. */
function readEntries(display: unknown): DisplayEntry[] {
  return distinct(objectsIn(display).map(readEntry).filter(isShown), ({ locale = '' }) => locale.toLowerCase());
}

function readEntry(entry: JsonObject): DisplayEntry {
  const { nameCharacters, descriptionCharacters } = DISPLAY_BOUNDS;
  return present({
    name: readText(entry.name, nameCharacters),
    locale: matching(entry.locale, LOCALE),
    description: readText(entry.description, descriptionCharacters),
    logo: readImage(entry.logo),
    backgroundColor: matching(entry.background_color, COLOUR),
    textColor: matching(entry.text_color, COLOUR),
    backgroundImage: readImage(entry.background_image),
  });
}

/** Draft 11 names the member `url`. */
function readImage(image: unknown): EmbeddedImage | undefined {
  if (!isObject(image)) return undefined;
  const { uri = image.url, alt_text: altText } = image;
  if (!isText(uri)) return undefined;
  const most = uri.startsWith('data:') ? DISPLAY_BOUNDS.urlCharacters : MAX_WEB_URL;
  if (uri.length > most || !/^(?:https?|data):/i.test(uri) || /\p{Cc}|\p{Cs}/u.test(uri)) return undefined;
  return present({ uri, altText: readText(altText, DISPLAY_BOUNDS.nameCharacters) });
}

function readClaims(configuration: JsonObject): ClaimDisplay[] {
  const claims: ClaimDisplay[] = [];
  let characters = 0;
  for (const { path, display } of describedClaims(configuration)) {
    const labels = readLabels(display);
    if (labels.length === 0) continue;
    const claim = { path, labels };
    characters += JSON.stringify(claim).length;
    if (claims.length === DISPLAY_BOUNDS.claims || characters > DISPLAY_BOUNDS.claimCharacters) break;
    claims.push(claim);
  }
  return distinct(claims, ({ path }) => JSON.stringify(path), DISPLAY_BOUNDS.claims);
}

/** The labels of a claim by language, as far as they can be shown. */
export function readLabels(display: unknown): ClaimDisplay['labels'] {
  const labels = objectsIn(display).flatMap((entry) => {
    const name = readText(entry.name, DISPLAY_BOUNDS.nameCharacters);
    return name === undefined ? [] : [present({ name, locale: matching(entry.locale, LOCALE) })];
  });
  return distinct(labels, ({ locale = '' }) => locale.toLowerCase());
}

/** The objects of a list, or the only one; of a list that is far too long only its beginning. */
const objectsIn = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value.slice(0, 10 * DISPLAY_BOUNDS.languages) : [value]).filter(isObject);

const readText = (value: unknown, most: number): string | undefined =>
  (isText(value) && lineOf(value, most)) || undefined;

const matching = (value: unknown, pattern: RegExp): string | undefined =>
  isText(value) && value.length <= 80 && pattern.test(value) ? value : undefined;

function distinct<T>(values: readonly T[], keyOf: (value: T) => string, most: number = DISPLAY_BOUNDS.languages): T[] {
  const seen = new Set<string>();
  const isNew = (value: T): boolean => seen.size < seen.add(keyOf(value)).size;
  return values.filter(isNew).slice(0, most);
}

/** The members that have a value. */
const present = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

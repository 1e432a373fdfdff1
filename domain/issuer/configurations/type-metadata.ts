import { base64, digest, utf8 } from '../../foundation/bytes.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type {
  ClaimDescription,
  CredentialConfiguration,
  CredentialConfigurations,
} from '../credential-configuration.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';

/** The metadata of a credential type as it is published. */
export interface PublishedType {
  /** JSON; the same bytes as long as the configuration is the same. */
  body: Uint8Array;
  /** The digest of `body` (W3C Subresource Integrity §3.1), for `vct#integrity` and `extends#integrity`. */
  integrity: string;
}

/** The type that an issuer publishes under a name: the end of the URL that is its `vct`, or the `vct` itself. */
export const typeNamed = (issuer: CredentialIssuer, name: string): PublishedType | undefined =>
  createTypeMetadata(issuer.configurations, `${issuer.identifier}/${encodeURIComponent(name)}`) ??
  createTypeMetadata(issuer.configurations, name);

/**
 * Creates the metadata of a type (draft-ietf-oauth-sd-jwt-vc §6) from the first configuration that has it; undefined when
 * none does. With a type that it extends stands the digest of that type's metadata, when they are published here too.
 */
export function createTypeMetadata(configurations: CredentialConfigurations, vct: string): PublishedType | undefined {
  const configuration = configurationOf(configurations, vct);
  if (!configuration) return undefined;
  const parent = parentOf(configuration);
  const extended = parent === undefined ? undefined : createTypeMetadata(configurations, parent);
  const metadata = {
    ...derivedMembers(vct, configuration),
    ...(extended && { 'extends#integrity': extended.integrity }),
    ...configuration.typeMetadata,
    vct,
  };
  const body = utf8(JSON.stringify(metadata));
  return { body, integrity: `sha256-${base64(digest('sha256', body))}` };
}

/** Finds a type that extends itself, directly or through others (§6.4). */
export function circularType(configurations: CredentialConfigurations): string | undefined {
  for (const { type: first } of configurations.values()) {
    const seen = new Set<string>();
    for (let type = first; type !== undefined; type = parentOf(configurationOf(configurations, type))) {
      if (seen.has(type)) return type;
      seen.add(type);
    }
  }
  return undefined;
}

const configurationOf = (configurations: CredentialConfigurations, vct: string): CredentialConfiguration | undefined =>
  [...configurations.values()].find((one) => vctOf(one) === vct);

const parentOf = (configuration?: CredentialConfiguration): string | undefined => {
  const parent = configuration?.typeMetadata?.extends;
  return isText(parent) ? parent : undefined;
};

/** The type of an SD-JWT VC; undefined for credentials of other formats. */
const vctOf = ({ facts, type }: CredentialConfiguration): string | undefined =>
  facts.selector === 'vct' ? type : undefined;

function derivedMembers(vct: string, { display, claims }: CredentialConfiguration): JsonObject {
  const [shown] = display;
  const name = isText(shown?.name) ? shown.name : vct.slice(vct.lastIndexOf('/') + 1);
  const displays = display.filter(({ name: own }) => isText(own)).map(displayOf);
  return {
    vct,
    name,
    description: isText(shown?.description) ? shown.description : `${name} Verifiable Credential`,
    ...(displays.length > 0 && { display: displays }),
    ...(claims.length > 0 && { claims: claims.map(claimOf) }),
  };
}

/** The language of a text whose language is not known (RFC 5646 §4.1); metadata requires one. */
const UNKNOWN_LANGUAGE = 'und';

/** How a type is shown in one language (§6.5), with the members of OpenID4VCI that have a place there. */
function displayOf({ name, locale = UNKNOWN_LANGUAGE, description, ...look }: JsonObject): JsonObject {
  const { background_color, text_color } = look;
  const [logo, background_image] = [imageOf(look.logo), imageOf(look.background_image)];
  const simple = defined({ logo, background_image, background_color, text_color });
  return defined({ locale, name, description, rendering: Object.keys(simple).length > 0 ? { simple } : undefined });
}

/** Draft 11 names the member `url`. */
const imageOf = (image: unknown): JsonObject | undefined =>
  isObject(image) ? defined({ uri: image.uri ?? image.url, alt_text: image.alt_text }) : undefined;

/** §6.6. */
function claimOf({ path, mandatory, display }: ClaimDescription): JsonObject {
  const labels = display?.map(({ locale = UNKNOWN_LANGUAGE, name, description }) =>
    defined({ locale, label: name, description }),
  );
  return defined({ path, display: labels, mandatory });
}

const defined = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

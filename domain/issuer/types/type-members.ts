import type { TypeSelector } from '../../credentials/formats/facts.ts';
import type { CredentialFormats, SupportedFormat } from '../../credentials/formats/formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { ClaimNode, CredentialType, PublishedImage, TypedContent, VersionedType } from '../credential-type.ts';
import type { WrittenProfile } from '../issuance-profile.ts';
import { VERSIONS } from '../versions.ts';
import { claimsOfAllVersions, typeNames } from './type-change.ts';
import { readClaimTree } from './type-claims.ts';
import { readImage } from './type-images.ts';

/** Types by their ids. */
type CredentialTypes = Readonly<Record<string, VersionedType>>;

/** The configuration and the profile of a type in one format. */
export interface TypeOffer {
  format: string;
  profileId: string;
  configurationId: string;
}

/** The members of the configuration of an issuer that follow from its types. */
interface TypeMembers {
  supportedCredentialTypes: Record<string, JsonObject>;
  typeProfiles: Record<string, WrittenProfile>;
  images: PublishedImage[];
}

/** Where a type is published. */
interface Published {
  formats: CredentialFormats;
  identifier: string;
}

/** What a format makes of a type. */
interface FormatShape {
  configuration: JsonObject;
  content: Omit<WrittenProfile, 'name' | 'credentialConfigurationId'>;
  typed: Omit<TypedContent, 'tree' | 'version'>;
}

interface NamedType {
  id: string;
  type: VersionedType;
  tree: readonly ClaimNode[];
}

/** Seconds of a day in the data functions of mappings. */
const inDays = (name: string, days: number | undefined): string | undefined =>
  days === undefined ? undefined : `<${name}:${days}d>`;

const SHAPES: Readonly<Record<TypeSelector, (named: NamedType) => FormatShape>> = {
  vct: ({ type: { vct, validityDays } }) => {
    const exp = inDays('timestamp-in-seconds', validityDays);
    return {
      configuration: vct === undefined ? {} : { vct },
      content: { credentialData: {}, mapping: exp === undefined ? undefined : { exp } },
      typed: { place: [], pictures: 'dataUrl', hasFrame: true },
    };
  },
  doc_type: ({ id, type, tree }) => {
    const { doctype, namespace } = typeNames(id, type);
    return {
      configuration: { doctype },
      content: {
        credentialData: { [namespace]: {} },
        mDocNameSpacesDataMappingConfig: { [namespace]: { entriesConfigMap: elementTypes(tree) } },
        mdocValidityDays: type.validityDays,
      },
      typed: { place: [namespace], pictures: 'base64', hasFrame: false },
    };
  },
  type: ({ id, type: { validityDays } }) => {
    const expirationDate = inDays('timestamp-in', validityDays);
    return {
      configuration: { credential_definition: { type: ['VerifiableCredential', id] } },
      content: {
        credentialData: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiableCredential', id],
          credentialSubject: {},
        },
        mapping: {
          id: '<uuid>',
          issuer: { id: '<issuerDid>' },
          credentialSubject: { id: '<subjectDid>' },
          issuanceDate: '<timestamp>',
          ...(expirationDate !== undefined && { expirationDate }),
        },
      },
      typed: { place: ['credentialSubject'], pictures: 'dataUrl', hasFrame: false },
    };
  },
};

/** The CBOR types of the elements of an mdoc that are no texts, numbers, lists or truth values. */
function elementTypes(tree: readonly ClaimNode[]): JsonObject {
  const entries = tree.flatMap(({ name, type, members }): [string, JsonObject][] => {
    if (type === 'object') return [[name, { type, entriesConfigMap: elementTypes(members) }]];
    const conversionType = { date: 'stringToFullDate', picture: 'base64StringToByteString' }[type as string];
    return conversionType === undefined ? [] : [[name, { type: 'string', conversionType }]];
  });
  return Object.fromEntries(entries);
}

/** What a type is offered as, by format. @throws DomainError `BadRequest` naming a format that is not available */
export const offersOf = (id: string, { formats: names }: CredentialType, formats: CredentialFormats): TypeOffer[] =>
  names.map((name, index) =>
    offerOf(
      id,
      at(['formats', index], () => formatNamed(name, formats)),
    ),
  );

function offerOf(id: string, { name: format, configurationSuffix }: SupportedFormat): TypeOffer {
  const configurationId = `${id}${configurationSuffix}`;
  return { format, configurationId, profileId: configurationId.replaceAll(/[^A-Za-z0-9_-]+/g, '-') };
}

/** What credentials of a format are asked for by. @throws DomainError `BadRequest` */
export const selectorOf = (name: string, formats: CredentialFormats): TypeSelector =>
  formatNamed(name, formats).selector;

function formatNamed(name: string, formats: CredentialFormats): SupportedFormat {
  const format = formats.supported(name);
  if (!format || !VERSIONS.v1.hasFormat(format)) throw invalidField([], 'is no format of OpenID4VCI 1.0');
  return format;
}

/** What follows from types for the configuration of an issuer. */
export function typeMembers(types: CredentialTypes, published: Published): TypeMembers {
  const all = Object.entries(types).map(([id, type]) =>
    membersOf({ id, type, tree: readClaimTree(type.claims) }, published),
  );
  return {
    supportedCredentialTypes: Object.assign({}, ...all.map((one) => one.supportedCredentialTypes)),
    typeProfiles: Object.assign({}, ...all.map((one) => one.typeProfiles)),
    images: all.flatMap((one) => one.images),
  };
}

function membersOf(named: NamedType, { formats, identifier }: Published): TypeMembers {
  const { id, type, tree } = named;
  const { logo, background, backgroundColor, textColor } = type.card ?? {};
  const images = [logo, background].map((url) => (url === undefined ? undefined : readImage(url)));
  const [logoUri, backgroundUri] = images.map((image) => image && { uri: `${identifier}/images/${image.name}` });
  const look = {
    logo: logoUri,
    background_image: backgroundUri,
    background_color: backgroundColor,
    text_color: textColor,
  };
  const display = type.display.map((texts) => defined({ ...texts, ...look }));
  const isInAll = claimsOfAllVersions(type);
  const members: TypeMembers = {
    supportedCredentialTypes: {},
    typeProfiles: {},
    images: images.flatMap((one) => one ?? []),
  };
  for (const { format, configurationId, profileId } of offersOf(id, type, formats)) {
    const shape = SHAPES[formatNamed(format, formats).selector](named);
    const claims = type.claims.map((claim) =>
      defined({
        path: [...shape.typed.place, ...claim.path],
        mandatory: claim.mandatory && isInAll(claim),
        display: claim.label,
      }),
    );
    members.supportedCredentialTypes[configurationId] = { format, ...shape.configuration, display, claims };
    members.typeProfiles[profileId] = {
      name: type.display[0]?.name ?? id,
      credentialConfigurationId: configurationId,
      ...shape.content,
      ...(type.revocable && { statusList: {} }),
      typed: { tree, version: type.version, ...shape.typed },
    };
  }
  return members;
}

const defined = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

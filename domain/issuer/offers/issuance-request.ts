import { checkContentSize } from '../../credentials/content-size.ts';
import { readElementTypes } from '../../credentials/element-types.ts';
import type { TypeSelector } from '../../credentials/formats/facts.ts';
import type { StatusListMember } from '../../credentials/formats/status-list-kinds.ts';
import { checkMapping, usesDisplay } from '../../credentials/mapping.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { isCallableUrl } from '../../network/urls.ts';
import {
  type ConfigurationSearch,
  type NamedCredential,
  type RequestedConfiguration,
  requestedConfiguration,
} from '../configurations/requested-configuration.ts';
import type { IssuableContent, OwnKey } from '../sessions/issuable-content.ts';
import { checkDisclosable } from './disclosable-content.ts';
import { readDisclosure } from './disclosure-request.ts';
import type { FlowRequest } from './issuance-flow.ts';

/** One credential to be offered (interface: Issuer service), as the document validates it. */
export interface IssuanceRequest extends NamedCredential, FlowRequest {
  issuerKey: JsonObject;
  /** Set when `issuerKey` is a key of the issuer's own. */
  ownKey?: OwnKey;
  issuerDid?: string;
  mapping?: JsonObject;
  selectiveDisclosure?: unknown;
  credentialStatus?: JsonObject;
  statusList?: StatusListMember;
  /** Claims of an SD-JWT VC beside its data. */
  sdJwtCredentialClaims?: JsonObject;
  /** Element values by namespace. */
  mdocData?: Record<string, JsonObject>;
  mdocStatus?: JsonObject;
  mdocValidityDays?: number;
  authorizedTransactionDataTypes?: string[];
  mDocNameSpacesDataMappingConfig?: JsonObject;
  display?: unknown;
  /** Certificates as PEM, leaf first. */
  x5Chain?: string[];
}

/** What a request says of its credential, without its key and what depends on it. */
export type RequestedContent = Omit<IssuableContent, 'issuerKey' | 'ownKey' | 'issuer' | 'x5c' | 'statusList'>;

/** The part of a content that each kind of format reads in its own way. */
type FormatContent = Omit<
  RequestedContent,
  'configurationId' | 'format' | 'type' | 'mapping' | 'display' | 'selectiveDisclosure'
>;

interface FormatReader {
  /** The members of a request that mean something to other formats only. */
  foreign: readonly (keyof IssuanceRequest)[];
  read(request: IssuanceRequest, requested: RequestedConfiguration): FormatContent;
}

const OF_MDOC = [
  'docType',
  'mdocData',
  'mdocStatus',
  'mdocValidityDays',
  'authorizedTransactionDataTypes',
  'mDocNameSpacesDataMappingConfig',
] as const;

/** The table of the kinds of formats, by the member that names their types. */
const READERS: Readonly<Record<TypeSelector, FormatReader>> = {
  type: { foreign: [...OF_MDOC, 'vct', 'sdJwtCredentialClaims'], read: readW3c },
  vct: { foreign: OF_MDOC, read: readSdJwt },
  doc_type: {
    foreign: ['vct', 'sdJwtCredentialClaims', 'credentialData', 'credentialStatus', 'selectiveDisclosure'],
    read: readMdoc,
  },
};

/**
 * Reads everything of an issuance request but its key and certificates.
 * @throws DomainError `BadRequest` naming what is wrong
 */
export function readContent(request: IssuanceRequest, search: ConfigurationSearch): RequestedContent {
  const requested = requestedConfiguration(request, search);
  const { configuration, format } = requested;
  const reader = READERS[format.selector];
  const foreign = reader.foreign.find((member) => request[member] !== undefined);
  if (foreign !== undefined)
    throw invalidField([foreign], `has no meaning for a credential of the format ${format.name}`);
  checkSize(request);
  const { mapping = {}, display = request.credentialData?.display ?? configuration.display } = request;
  const frame = request.selectiveDisclosure;
  const selectiveDisclosure =
    frame === undefined ? undefined : at(['selectiveDisclosure'], () => readDisclosure(frame));
  const content = { selectiveDisclosure, mapping, ...reader.read(request, requested) };
  at(['mapping'], () => checkMapping({ mapping, data: content.credentialData }));
  checkDisclosable(content, format);
  return {
    configurationId: configuration.id,
    format: configuration.format,
    type: configuration.type,
    display: isEmptyList(display) || !usesDisplay(mapping) ? undefined : display,
    ...content,
  };
}

function checkSize(request: IssuanceRequest): void {
  const { credentialData, mdocData, sdJwtCredentialClaims, credentialStatus, mdocStatus, mapping } = request;
  checkContentSize({ credentialData, mdocData, sdJwtCredentialClaims, credentialStatus, mdocStatus, mapping });
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Checks the forms of issuer and id unless the mapping replaces them. */
function checkNames({ issuer = '', id = '' }: JsonObject, mapping: JsonObject): void {
  if (mapping.issuer === undefined && typeof issuer !== 'string' && !isObject(issuer))
    throw invalidField(['issuer'], 'must be a text or an object; its id becomes issuerDid');
  if (mapping.id === undefined && typeof id !== 'string') throw invalidField(['id'], 'must be a text');
}

function readW3c(request: IssuanceRequest, { configuration }: RequestedConfiguration): FormatContent {
  const { issuerDid, credentialData: data, mapping = {}, credentialStatus } = request;
  if (!isText(issuerDid)) throw invalidField(['issuerDid'], 'is required for a W3C credential');
  if (data === undefined) throw invalidField(['credentialData'], 'is required');
  const types = asList(data.type).filter(isText);
  if (types.length === 0) throw invalidField(['credentialData', 'type'], 'must name the types of the credential');
  at(['credentialData'], () => checkNames(data, mapping));
  const own = types.join() === configuration.types.join() ? [] : [types];
  return { types: [configuration.types, ...own], credentialData: data, credentialStatus };
}

/** The data may be left out: an SD-JWT VC with nothing but its type is one. */
function readSdJwt({
  credentialData = {},
  sdJwtCredentialClaims: claims,
  credentialStatus,
}: IssuanceRequest): FormatContent {
  if (credentialStatus !== undefined && claims?.status !== undefined)
    throw invalidField(['credentialStatus'], 'is given again as sdJwtCredentialClaims.status');
  return { types: [], credentialData, claims, credentialStatus };
}

function readMdoc(request: IssuanceRequest): FormatContent {
  const { mdocData, mapping = {}, x5Chain, mdocStatus: credentialStatus } = request;
  if (mdocData === undefined) throw invalidField(['mdocData'], 'is required for an mdoc');
  if (x5Chain === undefined) throw invalidField(['x5Chain'], 'is required: an mdoc names its issuer by certificates');
  for (const [namespace, elements] of Object.entries(mapping))
    if (!isObject(elements))
      throw invalidField(['mapping', namespace], 'must be an object of the elements of a namespace');
  const { mdocValidityDays: validityDays, authorizedTransactionDataTypes: transactionDataTypes } = request;
  const { mDocNameSpacesDataMappingConfig: config } = request;
  const elementTypes = config && at(['mDocNameSpacesDataMappingConfig'], () => readElementTypes(config));
  return { types: [], credentialData: mdocData, credentialStatus, validityDays, transactionDataTypes, elementTypes };
}

/** Returns the callback of one session: each `$id` of the template becomes the id. @throws DomainError `BadRequest` */
export function readCallback(template: string, sessionId: string): string {
  const text = template.replaceAll('$id', sessionId);
  if (/^[\x21-\x7e]+$/.test(text) && isCallableUrl(text)) return text;
  throw invalidField([], 'must be an http or https URL without credentials');
}

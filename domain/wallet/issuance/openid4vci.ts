import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { DomainError, invalidField } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { configurationOf } from './issuer-directory.ts';
import type { ParsedOffer } from './offer-links.ts';
import type { KeyProofs } from './possession-proofs.ts';

/*
 * The requests and responses of OpenID4VCI as a wallet creates and parses them: those of draft 13, and those of 1.0 when
 * the issuer has a nonce endpoint.
 */

/** The most credentials of one offer. */
export const MAX_CREDENTIALS = 128;

/** The most characters of all credentials of one offer. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** Whether an issuer speaks version 1.0, by its metadata: only that has a nonce endpoint. */
export const isV1 = (metadata: JsonObject): boolean => isText(metadata.nonce_endpoint);

/** One credential to request. */
export interface WantedCredential {
  configurationId: string;
  /** The issuer's identifier of it, if any (draft 13 §6.2). */
  identifier?: string;
  /** Whom copies of it are requested for, in place of the holder of the offer, each with a key of its own. */
  bindings?: HolderBinding[];
}

/** Whom one copy of a credential is requested for. */
export interface HolderBinding {
  did: string;
  /** The id of a key of the wallet, where the caller named it. */
  keyId?: string;
}

/** The most copies of a credential for which one request asks. */
const MAX_COPIES = 32;

/** How many copies of one credential an issuer gives for one request (1.0 §12.2.4), as far as the wallet takes them. */
export function batchSizeOf(metadata: JsonObject): number {
  const { batch_credential_issuance: batch } = metadata;
  const size = isObject(batch) ? Number(batch.batch_size) : 1;
  return isV1(metadata) && Number.isSafeInteger(size) ? Math.min(Math.max(size, 1), MAX_COPIES) : 1;
}

/** How many copies of the credentials of a configuration an issuer gives, each bound to a key of its own. */
export function mostCopies(metadata: JsonObject, configuration: JsonObject): number {
  const isBound = asList(configuration.cryptographic_binding_methods_supported).length > 0;
  return isBound ? batchSizeOf(metadata) : 1;
}

/** Creates the `authorization_details` that request everything an offer names (draft 13 §5.1.1). */
export function createAuthorizationDetails({ configurationIds, issuer }: ParsedOffer, metadata: JsonObject): string {
  const locations = metadata.authorization_servers === undefined ? {} : { locations: [issuer] };
  const detail = { type: 'openid_credential', ...locations };
  return JSON.stringify(configurationIds.map((id) => ({ ...detail, credential_configuration_id: id })));
}

/** Parses the issuer's identifiers of its credentials, by configuration (draft 13 §6.2). */
export function parseIdentifiers(details: unknown): Map<string, string[]> {
  const identifiers = new Map<string, string[]>();
  for (const { credential_configuration_id: id, credential_identifiers: listed } of asList(details).filter(isObject))
    if (isText(id)) identifiers.set(id, [...(identifiers.get(id) ?? []), ...asList(listed).filter(isText)]);
  return identifiers;
}

/** A configuration of an offer that is wanted, and for whom; for the holder of the offer when absent. */
export type SelectedCredential = Omit<WantedCredential, 'identifier'>;

/** An offer of which only what was selected is requested. */
export interface NarrowedOffer extends ParsedOffer {
  selected?: readonly SelectedCredential[];
}

/** The offer of what was selected of it; whole without a selection. */
export const narrowed = (offer: ParsedOffer, selected: readonly SelectedCredential[] | undefined): NarrowedOffer =>
  selected ? { ...offer, configurationIds: selected.map(({ configurationId }) => configurationId), selected } : offer;

/** Returns every credential to request, in the order of the offer. @throws DomainError `BadRequest` for too many */
export function wantedCredentials(
  identifiers: Map<string, string[]>,
  { configurationIds, selected }: NarrowedOffer,
): WantedCredential[] {
  const all = selected ?? configurationIds.map((configurationId) => ({ configurationId }));
  const wanted = all.flatMap((one: SelectedCredential): WantedCredential[] => {
    const named = [...new Set(identifiers.get(one.configurationId))];
    return named.length === 0 ? [one] : named.map((identifier) => ({ ...one, identifier }));
  });
  if (wanted.length <= MAX_CREDENTIALS) return wanted;
  throw new DomainError('BadRequest', `The issuer has more than ${MAX_CREDENTIALS} credentials in one offer`);
}

/** Creates the form of a token request for a pre-authorized code (draft 13 §6.1). @throws DomainError `BadRequest` */
export function createTokenForm({ preAuthorizedCode, txCodeName }: ParsedOffer, txCode = ''): Record<string, string> {
  if (preAuthorizedCode === undefined)
    throw new DomainError('BadRequest', 'The offer has no pre-authorized code: begin an authorization');
  if (txCodeName && txCode === '') throw invalidField(['txCode'], 'the offer asks for a transaction code');
  return {
    grant_type: OPENID4VCI.PRE_AUTHORIZED,
    'pre-authorized_code': preAuthorizedCode,
    ...(txCodeName && { [txCodeName]: txCode }),
  };
}

export interface CredentialRequestParts {
  /** Of the issuer. */
  metadata: JsonObject;
  wanted: WantedCredential;
  /** Drafts take one; absent for a configuration that demands none. */
  proofs?: KeyProofs;
}

/**
 * Creates a credential request: draft 13 §7.2 names format and type, 1.0 §8.2 the configuration; both name an identifier
 * when there is one.
 */
export function createCredentialRequest({ metadata, wanted, proofs }: CredentialRequestParts): JsonObject {
  const { configurationId: id, identifier } = wanted;
  const isOfV1 = isV1(metadata);
  const proof = proofs && proofMember(proofs, isOfV1);
  if (identifier !== undefined) return { credential_identifier: identifier, ...proof };
  if (isOfV1) return { credential_configuration_id: id, ...proof };
  const configuration = configurationOf(metadata, id);
  return { format: configuration.format, ...typeMembers(configuration), ...proof };
}

const proofMember = ({ type, values }: KeyProofs, isOfV1: boolean): JsonObject =>
  isOfV1 ? { proofs: { [type]: values } } : { proof: { proof_type: type, [type]: values[0] } };

/** The members that name the type of a credential by its format (draft 13 appendix A). */
function typeMembers({ credential_definition: definition, types, doctype, vct }: JsonObject): JsonObject {
  if (isText(doctype)) return { doctype };
  if (isText(vct)) return { vct };
  // Draft 11 has the types beside the format.
  return isObject(definition) ? { credential_definition: { type: definition.type } } : { types };
}

/** Credentials that were delivered. */
export interface DeliveredAnswer {
  credentials: string[];
  /** By which the issuer is notified about them (1.0 §8.3). */
  notificationId?: string;
}

/** What names credentials that are delivered later (1.0 §8.3, draft 13 §7.3). */
export interface DeferredAnswer {
  transactionId: string;
  /** Whether it is the access token too, as the `acceptance_token` of draft 11 §9. */
  isToken: boolean;
  /** How long to wait before asking for them. */
  intervalSeconds?: number;
}

const MAX_NOTIFICATION_ID = 2048;
const MAX_TRANSACTION_ID = 8192;

/** Parses a credential response (draft 13 §7.3, 1.0 §8.3). @throws DomainError `UpstreamFailed` */
export function parseCredentialResponse(body: JsonObject = {}): DeliveredAnswer | { deferred: DeferredAnswer } {
  const { acceptance_token: token, transaction_id: transactionId = token, notification_id: id } = body;
  const listed = asList(body.credentials).map((entry) => (isObject(entry) ? entry.credential : entry));
  const credentials = [body.credential, ...listed].filter((entry) => entry !== undefined);
  if (credentials.length === 0 && isText(transactionId) && transactionId.length <= MAX_TRANSACTION_ID) {
    const interval = readInterval(body.interval);
    const isToken = body.transaction_id === undefined;
    return { deferred: { transactionId, isToken, ...(interval !== undefined && { intervalSeconds: interval }) } };
  }
  if (credentials.length === 0 || !credentials.every(isText))
    throw new DomainError('UpstreamFailed', 'The issuer delivered no credential');
  return { credentials, ...(isText(id) && id.length <= MAX_NOTIFICATION_ID && { notificationId: id }) };
}

/** The seconds that an issuer says to wait; undefined for what is no time. */
export const readInterval = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined;

/** Checks what was delivered for one offer. @throws DomainError `BadRequest` for too much */
export function checkSize(issued: readonly { credential: string; copies?: string[] }[]): void {
  const length = issued.flatMap(({ credential, copies = [] }) => [credential, ...copies]).join('').length;
  if (issued.length > MAX_CREDENTIALS || length > MAX_LENGTH)
    throw new DomainError('BadRequest', 'The credentials of the offer are too many or too large');
}

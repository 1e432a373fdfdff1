import type { JsonObject } from '../../domain/foundation/json.ts';
import { textOf } from '../http-client.ts';
import { type Caller, perform, type Services } from '../services.ts';

/** The values that issuance sets in a credential (interface: data functions). */
export const DEGREE_MAPPING = {
  id: '<uuid>',
  issuer: { id: '<issuerDid>' },
  credentialSubject: { id: '<subjectDid>' },
  issuanceDate: '<timestamp>',
  expirationDate: '<timestamp-in:365d>',
};

/** The data of a university degree (W3C VC Data Model 1.1) before issuance maps values into it. */
export const degreeData = (subject: object, more: object = {}) => ({
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['VerifiableCredential', 'UniversityDegree'],
  credentialSubject: subject,
  ...more,
});

/** The key of the issuer when it keeps the private key itself. */
export const OWN_KEY: KeyRequest = { backend: 'jwk', keyType: 'secp256r1' };

/** A key to create (interface: Key creation request). */
export interface KeyRequest {
  backend?: string;
  keyType?: string;
  config?: object;
}

/** An issuer that onboarded at the issuance service, with a key of its own or in a key management service. */
export interface Issuer {
  /** The key reference (interface: Key reference). */
  issuerKey: { type: string; jwk: JsonObject; [member: string]: unknown };
  issuerDid: string;
}

/** The answer of onboarding. */
export const onboard = async (caller: Caller, json: { key?: KeyRequest; did?: object } = {}): Promise<Issuer> =>
  (await perform(caller, 'onboardIssuer', { json })) as Issuer;

/** An issuance request for a university degree, as existing portals send it. */
export const degree = ({ issuerKey, issuerDid }: Issuer, changes: JsonObject = {}): JsonObject => ({
  issuerKey,
  issuerDid,
  credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
  credentialData: degreeData({ degree: { name: 'BSc' } }),
  mapping: DEGREE_MAPPING,
  ...changes,
});

/** How an offer is made. */
export interface OfferCall {
  headers?: Record<string, string>;
  operationId?: string;
}

/** The URL of a new offer, of a degree unless the request is for another operation. */
export const offerLink = async (
  caller: Caller,
  json: unknown,
  { headers, operationId = 'issueJwtCredential' }: OfferCall = {},
): Promise<string> => textOf(await perform(caller, operationId, { json, headers }));

/** An offer of OpenID4VCI 1.0. */
export interface ProfileOffer {
  url: string;
  /** The transaction code, for the holder only. */
  txCode: string;
  /** The issuance session. */
  session: string;
}

/** Offers the credential of a profile over OpenID4VCI 1.0, with a transaction code and an entry of a status list. */
export async function offerProfile(caller: Caller, issuer: Issuer, profileId: string): Promise<ProfileOffer> {
  const runtimeOverrides = { ...issuer, statusList: {} };
  const json = { profileId, authMethod: 'PRE_AUTHORIZED', txCode: {}, runtimeOverrides };
  const body = await perform(caller, 'createCredentialOffer', { json, expect: 201 });
  const [url, txCode] = [textOf(body, 'credentialOffer'), textOf(body, 'txCodeValue')];
  return { url, txCode, session: textOf(body, 'offerId') };
}

/** The URL of the events of an issuance session of OpenID4VCI 1.0. */
export const eventsOf = ({ url }: Services, session: string): string => `${url}/issuer2/sessions/${session}/events`;

/** Changes the status of the credentials of an issuance session, and returns the new one. */
export async function changeStatus(
  caller: Caller,
  session: string,
  action: 'suspend' | 'lift' | 'revoke',
): Promise<string> {
  return textOf(await perform(caller, 'changeStatusEntries', { json: { session, action } }), 0, 'status');
}

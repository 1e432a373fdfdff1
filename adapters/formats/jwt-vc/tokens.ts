import { subjectIds } from '../../../domain/credentials/token-facts.ts';
import { earliestEnd, latestStart, validityBounds } from '../../../domain/credentials/validity.ts';
import { asList, isObject, isText, type JsonObject } from '../../../domain/foundation/json.ts';
import { epochSeconds } from '../../../domain/foundation/time.ts';
import type {
  CredentialContent,
  DateBound,
  HolderBinding,
  PresentationContent,
} from '../../../ports/credential-formats.ts';
import { shownToken } from './disclosures.ts';

const VC_1_CONTEXT = 'https://www.w3.org/2018/credentials/v1';
const VC_2_CONTEXT = 'https://www.w3.org/ns/credentials/v2';

/** How long a presentation may be used by its verifier, in seconds. */
const PRESENTATION_SECONDS = 300;

/** A JWT before it is signed. */
interface UnsignedToken {
  header: JsonObject;
  payload: JsonObject;
}

/** The header and claims of a credential in the data model that its `@context` names. */
export function credentialToken(content: CredentialContent): UnsignedToken {
  const { issuer, claims, kid, x5c, holder } = content;
  const document = documentOf(content);
  const isVersion2 = asList(document['@context']).includes(VC_2_CONTEXT);
  const body = isVersion2 ? renameDates(document) : { vc: document };
  const parties = { iss: issuer, sub: subjectOf(subjectIds(document), holder) };
  return {
    header: { kid, typ: isVersion2 ? 'vc+jwt' : 'JWT', ...(x5c ? { x5c } : {}) },
    payload: Object.assign({}, body, claims, registeredClaims(document, claims), parties),
  };
}

/** The signer is the issuer; other members of the issuer that the data has stay. */
function documentOf({ document, issuer, status }: CredentialContent): JsonObject {
  const named = isObject(document.issuer) ? { ...document.issuer, id: issuer } : issuer;
  return { ...document, ...(status !== undefined && { credentialStatus: status }), issuer: named };
}

/** The id of the one subject (VC Data Model 1.1 §6.3.1), the holder's when the data names none; '' for several. */
function subjectOf(ids: string[], { did = '' }: HolderBinding): string {
  const [only = did, ...others] = ids;
  return others.length > 0 ? '' : only;
}

function renameDates({ issuanceDate, expirationDate, ...rest }: JsonObject): JsonObject {
  const renamed: JsonObject = { ...rest };
  if (issuanceDate !== undefined) renamed.validFrom ??= issuanceDate;
  if (expirationDate !== undefined) renamed.validUntil ??= expirationDate;
  return renamed;
}

/**
 * The registered claims that repeat what the document says (VC Data Model 1.1 §6.3.1); of several dates, those of the
 * mapping's claims among them, the latest start and the earliest end.
 */
function registeredClaims(document: JsonObject, { jti = document.id, iat, nbf, exp }: JsonObject): JsonObject {
  const bounds = validityBounds({ vc: document, nbf, exp });
  const [issued] = validityBounds({ validFrom: document.issuanceDate ?? document.validFrom }).starts;
  return {
    ...(isText(jti) ? { jti } : {}),
    ...dated('iat', iat ?? secondsOf(issued)),
    ...dated('nbf', secondsOf(latestStart(bounds)) ?? nbf),
    ...dated('exp', secondsOf(earliestEnd(bounds)) ?? exp),
  };
}

const dated = (name: string, seconds: unknown): JsonObject => (seconds === undefined ? {} : { [name]: seconds });

const secondsOf = (bound: DateBound | undefined): number | undefined =>
  bound?.ms === undefined ? undefined : epochSeconds(bound.ms);

/** The header and claims of a presentation (VC Data Model 1.1 §6.3.1), bound to the request by `nonce` and `aud`. */
export function presentationToken(content: PresentationContent): UnsignedToken {
  const { id, credentials, holder, nonce, audience: aud } = content;
  const iat = epochSeconds(content.now);
  const vp = {
    '@context': [VC_1_CONTEXT],
    type: ['VerifiablePresentation'],
    id,
    holder: holder.did,
    verifiableCredential: credentials.map(shownToken),
  };
  const times = { iat, nbf: iat, exp: iat + PRESENTATION_SECONDS };
  return {
    header: { kid: holder.kid, typ: 'JWT' },
    payload: { iss: holder.did, sub: holder.did, jti: id, ...times, nonce, aud, vp },
  };
}

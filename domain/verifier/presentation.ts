import type { CredentialFormats, OpenedCredential } from '../../ports/credential-formats.ts';
import { type PresentationFacts, readPresentationFacts } from '../credentials/token-facts.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { type ParsedJws, parseJws } from '../jose/jws.ts';
import { countValues } from '../presentation/values.ts';

/** One credential of a presentation. */
export interface PresentedCredential {
  /** As it was presented. */
  token: string;
  opened: OpenedCredential;
}

/** A presentation, taken apart but not verified. */
export interface Presentation {
  jws: ParsedJws;
  /** The presentation document; undefined when the token holds none. */
  vp: JsonObject | undefined;
  /** The last of the presentation's types. */
  type: string;
  /** Who signed, by its own account: `iss` or `holder`, which agree, else the DID of `kid`. */
  holder: string | undefined;
  credentials: PresentedCredential[];
  /** How many values its documents are made of. */
  size: number;
}

const MAX_CREDENTIALS = 32;
const MAX_VALUES = 20_000;
const ENVELOPED = /^data:application\/vc\+jwt[,;]/;

/**
 * Takes a `vp_token` apart: a JWT presentation of the data model 1.1 (`vp` claim) or 2.0 (the claims themselves), as a
 * compact JWS or as a JSON string of one. @throws DomainError `BadRequest`
 */
export function parsePresentation(vpToken: string, formats: CredentialFormats): Presentation {
  const jws = parseJws(compactForm(vpToken), 'vp_token');
  const { document: vp, holder } = readFacts(jws);
  const listed = asList(vp?.verifiableCredential);
  if (listed.length > MAX_CREDENTIALS)
    throw new DomainError('BadRequest', `vp_token: there may be at most ${MAX_CREDENTIALS} credentials`);
  const credentials = listed.map((item, index) => openCredential(item, index, formats));
  const size = credentials.reduce((sum, { opened }) => sum + countValues(opened.claims), countValues(jws.payload));
  if (size > MAX_VALUES) throw new DomainError('BadRequest', 'vp_token: the presentation holds too many values');
  const type = asList(vp?.type).filter(isText).at(-1) ?? 'VerifiablePresentation';
  return { jws, vp, type, holder: holder ?? holderOfKey(jws), credentials, size };
}

function readFacts(jws: ParsedJws): PresentationFacts {
  try {
    return readPresentationFacts(jws);
  } catch (cause) {
    throw isDomainError(cause) ? new DomainError('BadRequest', `vp_token: ${cause.message}`, { cause }) : cause;
  }
}

const holderOfKey = ({ header: { kid } }: ParsedJws): string | undefined =>
  isText(kid) && kid.startsWith('did:') ? kid.split('#')[0] : undefined;

function compactForm(text: string): string {
  if (!/^\s*["[{]/.test(text)) return text.trim();
  try {
    const value: unknown = JSON.parse(text);
    if (isText(value)) return value;
  } catch {
    // Falls through to the one refusal.
  }
  throw new DomainError('BadRequest', 'vp_token: must be one JWT presentation');
}

function openCredential(item: unknown, index: number, { jwt_vc_json: format }: CredentialFormats): PresentedCredential {
  const text = isObject(item) && isText(item.id) && ENVELOPED.test(item.id) ? item.id.replace(/^[^,]*,/, '') : item;
  if (!isText(text) || !format)
    throw new DomainError('BadRequest', `vp_token: credential ${index} is not a JWT credential`);
  try {
    return { token: text, opened: format.open(text) };
  } catch (cause) {
    const why = cause instanceof DomainError ? cause.message : 'cannot be read';
    throw new DomainError('BadRequest', `vp_token: credential ${index}: ${why}`, { cause });
  }
}

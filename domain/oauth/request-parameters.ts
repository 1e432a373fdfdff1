import { oauthError } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';

/** The parameters of a query or a form; a list for one that was sent more than once. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

const MAX_LENGTH = 8192;

const invalid = (text: string) => oauthError('invalid_request', text);

/** The values of a parameter; one without a value counts as absent (RFC 6749 §3.1). @throws DomainError `invalid_request` */
function valuesOf(parameters: Parameters, name: string): string[] {
  const sent = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const values = (typeof sent === 'string' ? [sent] : [...(sent ?? [])]).filter((value) => value !== '');
  if (values.some((value) => value.length > MAX_LENGTH))
    throw invalid(`${name}: may have at most ${MAX_LENGTH} characters`);
  return values;
}

/** The one value of a parameter (RFC 6749 §3.1). @throws DomainError `invalid_request` */
export function oneValueOf(parameters: Parameters, name: string): string | undefined {
  const values = valuesOf(parameters, name);
  if (values.length > 1) throw invalid(`${name}: may be sent once only`);
  return values[0];
}

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const MAX_SCOPES = 64;

/** The scopes of a request, each once (RFC 6749 §3.3). @throws DomainError `invalid_scope` */
export function readScopes(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  if (scopes.length > MAX_SCOPES || !scopes.every((scope) => SCOPE_TOKEN.test(scope)))
    throw oauthError('invalid_scope', `scope: must be at most ${MAX_SCOPES} scopes of printable ASCII`);
  return scopes;
}

const MAX_DETAILS = 32;

/** The authorization details of a request (RFC 9396 §2), each of one of `types`. @throws DomainError `invalid_authorization_details` */
export function readDetails(text: string | undefined, types: readonly string[]): JsonObject[] | undefined {
  if (text === undefined) return undefined;
  const details = parseDetails(text);
  if (!Array.isArray(details) || details.length < 1 || details.length > MAX_DETAILS)
    throw invalidDetails(`must be a list of 1 to ${MAX_DETAILS} objects`);
  return details.map((detail: unknown, index) => {
    if (!isObject(detail)) throw invalidDetails(`[${index}] must be an object`);
    if (typeof detail.type !== 'string' || !types.includes(detail.type))
      throw invalidDetails(`[${index}].type must be one of: ${types.join(', ')}`);
    return detail;
  });
}

const invalidDetails = (why: string) => oauthError('invalid_authorization_details', `authorization_details: ${why}`);

function parseDetails(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw invalidDetails('is not acceptable JSON');
  }
}

const MAX_RESOURCES = 8;

/** The resources that a token is wanted for (RFC 8707 §2). @throws DomainError `invalid_target` */
export function readResources(parameters: Parameters): string[] | undefined {
  const resources = valuesOf(parameters, 'resource');
  if (resources.length > MAX_RESOURCES || !resources.every((one) => URL.canParse(one) && !one.includes('#')))
    throw oauthError('invalid_target', `resource: must be at most ${MAX_RESOURCES} absolute URIs without a fragment`);
  return resources.length > 0 ? resources : undefined;
}

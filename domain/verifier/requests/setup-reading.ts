import { parseDuration } from '../../credentials/durations.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { base64, utf8, utf8Length } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { parseIso } from '../../foundation/time.ts';
import { readHttpUrl, readRedirect } from '../../network/urls.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import { readFormats, supportedFormats } from '../../presentation/vp-formats.ts';
import { readAuthorizeBaseUrl } from '../openid4vp/draft20-requests.ts';
import { readOrigins } from '../openid4vp/expected-origins.ts';
import type { SessionFlow, SessionRedirects, SessionWebhook, V1Request } from '../protocol.ts';
import type { Verifier } from '../verifier.ts';
import { LOGIN_METADATA, loginMetadata } from './session-login.ts';
import type { WrittenCoreFlow, WrittenSetup, WrittenWebhook } from './setup.ts';

const DEFAULT_TTL_MS = 600_000;
const MAX_TTL_MS = 7 * 86_400_000;
const MAX_METADATA_BYTES = 16 * 1024;
const MAX_INFO_BYTES = 64 * 1024;

/** In what flows differ. */
interface FlowRules {
  /** Whether the wallet gets the request from a page (OpenID4VP 1.0 annex A) instead of a link. */
  isOverDcApi: boolean;
  /** Whether the page asks for mdocs without OpenID4VP (ISO/IEC TS 18013-7:2025 annex C). */
  isForMdocs: boolean;
  /** Whether the user's browser comes back to the page that began the flow. */
  comesBack: boolean;
}

const FLOWS: Readonly<Record<SessionFlow, FlowRules>> = {
  cross_device: { isOverDcApi: false, isForMdocs: false, comesBack: false },
  same_device: { isOverDcApi: false, isForMdocs: false, comesBack: true },
  dc_api_openid4vp: { isOverDcApi: true, isForMdocs: false, comesBack: false },
  dc_api_18013_7: { isOverDcApi: true, isForMdocs: true, comesBack: false },
};

/** The rules of the flow of a setup. */
export const flowOf = ({ flow_type: flow }: Pick<WrittenSetup, 'flow_type'>): FlowRules => FLOWS[flow];

/** Checks which members go with the flow. @throws DomainError `BadRequest` naming the member */
export function checkFlow(setup: WrittenSetup): void {
  const { isOverDcApi, isForMdocs, comesBack } = flowOf(setup);
  const foreign = (isOverDcApi ? ['url_config', 'redirects'] : ['expectedOrigins']) as (keyof WrittenSetup)[];
  const wrong = foreign.find((name) => setup[name] !== undefined);
  if (wrong !== undefined) throw invalidField([wrong], `has no meaning for the flow ${setup.flow_type}`);
  if (isOverDcApi && setup.expectedOrigins === undefined)
    throw invalidField(['expectedOrigins'], 'is required for this flow');
  if (isForMdocs) checkMdocFlow(setup);
  else if (isOverDcApi && setup.core_flow.presentation_definition !== undefined)
    throw invalidField(['core_flow', 'presentation_definition'], `has no meaning for the flow ${setup.flow_type}`);
  else if (setup.core_flow.requestedElements !== undefined)
    throw invalidField(['core_flow', 'requestedElements'], `has no meaning for the flow ${setup.flow_type}`);
  if (comesBack && setup.redirects?.success_redirect_uri === undefined)
    throw invalidField(['redirects', 'success_redirect_uri'], 'is required: the browser comes back to it');
  if (comesBack && setup.response_code === false)
    throw invalidField(['response_code'], 'must be true: on one device the browser always brings a code');
}

/** Of OpenID4VP the flow has nothing, and its responses are always encrypted, for one page. */
function checkMdocFlow({ core_flow: flow, expectedOrigins = [], ...setup }: WrittenSetup): void {
  const wrong = (['openid', 'haip'] as const).find((name) => setup[name] !== undefined);
  if (wrong !== undefined) throw invalidField([wrong], `has no meaning for the flow ${setup.flow_type}`);
  const foreign = (['dcql_query', 'client_metadata', 'verifier_info', 'verifier_attestation'] as const).find(
    (name) => flow[name] !== undefined,
  );
  if (foreign !== undefined)
    throw invalidField(['core_flow', foreign], `has no meaning for the flow ${setup.flow_type}`);
  if (flow.encrypted_response === false)
    throw invalidField(['core_flow', 'encrypted_response'], 'must be true: responses of this flow are encrypted');
  if (expectedOrigins.length !== 1) throw invalidField(['expectedOrigins'], 'must name one origin for this flow');
}

/** Reads where wallets are sent to, and back from. @throws DomainError `BadRequest` naming the member */
export function readPlaces(
  { url_config: config = {}, redirects = {}, expectedOrigins: origins }: WrittenSetup,
  verifier: Pick<Verifier, 'walletUrl'> & { baseUrl: string },
): { walletUrl: string; baseUrl: string; redirects: SessionRedirects; expectedOrigins?: string[] } {
  const { url_host: host = verifier.walletUrl, url_prefix: prefix = verifier.baseUrl } = config;
  const { success_redirect_uri: success, error_redirect_uri: error } = redirects;
  return {
    walletUrl: at(['url_config', 'url_host'], () => readAuthorizeBaseUrl(host)),
    baseUrl: at(['url_config', 'url_prefix'], () => readPrefix(prefix)),
    redirects: {
      ...(success !== undefined && { success: at(['redirects', 'success_redirect_uri'], () => readRedirect(success)) }),
      ...(error !== undefined && { error: at(['redirects', 'error_redirect_uri'], () => readRedirect(error)) }),
    },
    ...(origins && { expectedOrigins: at(['expectedOrigins'], () => readOrigins(origins)) }),
  };
}

/** The ids of sessions are appended to it. */
function readPrefix(value: string): string {
  const { search, hash } = new URL(readHttpUrl(value));
  if (search !== '' || hash !== '') throw invalidField([], 'may have neither a query nor a fragment');
  return value.replace(/\/$/, '');
}

/** The end of a request, in milliseconds since the epoch. @throws DomainError `BadRequest` naming the member */
export function readExpiry(flow: WrittenCoreFlow, now: number): number {
  const { expiration_date: date, expiration_duration: duration } = flow;
  const [member, end] =
    date === undefined
      ? ([
          'expiration_duration',
          now + (duration === undefined ? DEFAULT_TTL_MS : (parseDuration(duration) ?? NaN)),
        ] as const)
      : (['expiration_date', parseIso(date) ?? NaN] as const);
  if (end > now && end <= now + MAX_TTL_MS) return end;
  throw invalidField([member], 'must be a time from now on, at most seven days ahead');
}

/** Reads the receiver of the events. @throws DomainError `BadRequest` naming the member */
export function readWebhook(webhook: WrittenWebhook, sessionId: string): SessionWebhook {
  const { basic_auth_username: user, basic_auth_password: password, bearer_token: token } = webhook;
  const url = at(['url'], () => readHttpUrl(webhook.url.replaceAll('$id', sessionId)));
  if ((user === undefined) !== (password === undefined))
    throw invalidField(['basic_auth_username'], 'goes together with basic_auth_password');
  if (user === undefined) return token === undefined ? { url } : { url, authorization: `Bearer ${token}` };
  if (token !== undefined) throw invalidField(['bearer_token'], 'does not go with basic authentication');
  if (user.includes(':')) throw invalidField(['basic_auth_username'], 'may have no colon (RFC 7617 §2)');
  return { url, authorization: `Basic ${base64(utf8(`${user}:${password}`))}` };
}

/** Checks that every credential of a query can be verified in this version. @throws DomainError `BadRequest` naming the format */
export function checkFormats({ credentials }: DcqlQuery, formats: CredentialFormats): void {
  const names = formats.requestable.map(({ name }) => name);
  for (const [index, { format }] of credentials.entries())
    if (!names.includes(format))
      throw invalidField(['credentials', index, 'format'], `must be one of ${names.join(', ')}`);
}

/** What the request says of the verifier; keys and encryption are added by it. @throws DomainError `BadRequest` naming the member */
export function readClientMetadata(
  written: JsonObject,
  {
    credentials,
    login,
    ...known
  }: Pick<DcqlQuery, 'credentials'> & Pick<V1Request, 'login'> & { formats: CredentialFormats },
): JsonObject {
  const formats = known.formats.requestable.filter(({ name }) => credentials.some(({ format }) => format === name));
  const { vp_formats_supported: own } = written;
  checkSize(written, MAX_METADATA_BYTES);
  for (const name of ['jwks', 'encrypted_response_enc_values_supported', ...(login ? LOGIN_METADATA : [])])
    if (written[name] !== undefined) throw invalidField([name], 'is set by the verifier for each session');
  const supported =
    own === undefined ? supportedFormats(formats) : at(['vp_formats_supported'], () => readFormats(own, formats));
  return { ...written, vp_formats_supported: supported, ...(login && loginMetadata(login)) };
}

/** Reads what others state about the verifier (OpenID4VP 1.0 §5.11). @throws DomainError `BadRequest` naming the element */
export function readVerifierInfo(
  written: readonly JsonObject[] | undefined,
  { credentials }: DcqlQuery,
): V1Request['verifierInfo'] {
  if (written === undefined) return undefined;
  checkSize(written, MAX_INFO_BYTES);
  return written.map((info, index) =>
    at([index], () => {
      const { format, data, credential_ids: ids = [] } = info;
      if (!isText(format)) throw invalidField(['format'], 'must name the form of the data');
      if (data === undefined || data === null) throw invalidField(['data'], 'is required');
      const isKnown = (id: unknown): boolean => credentials.some((query) => query.id === id);
      if (!Array.isArray(ids) || !ids.every(isKnown))
        throw invalidField(['credential_ids'], 'must be a list of ids of credential queries');
      return info;
    }),
  );
}

function checkSize(value: unknown, most: number): void {
  if (utf8Length(JSON.stringify(value)) > most) throw invalidField([], `may have at most ${most} bytes of JSON`);
}

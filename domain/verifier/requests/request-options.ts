import { at, invalidField } from '../../foundation/errors.ts';
import { readHttpUrl, readRedirect } from '../../network/urls.ts';
import { impliedProfile, readProfile, readResponseMode } from '../openid4vp/draft20-profiles.ts';
import { readAuthorizeBaseUrl } from '../openid4vp/draft20-requests.ts';
import type { LinkMode, ProfileName } from '../protocol.ts';

/** How a request is sent and answered, as its caller wrote it (interface: Headers of `POST /openid4vc/verify`). */
export interface NewRequestOptions {
  authorizeBaseUrl?: string;
  responseMode?: string;
  /** The name of a profile; when absent, the scheme of `authorizeBaseUrl` decides. */
  profile?: string;
  stateId?: string;
  /** Whether the link has the definition itself. */
  definitionByValue?: boolean;
  ttlSeconds?: number;
  successRedirectUri?: string;
  errorRedirectUri?: string;
  statusCallbackUri?: string;
  statusCallbackApiKey?: string;
}

/** The same, read. */
export interface RequestOptions {
  authorizeBaseUrl: string;
  requestProfile: ProfileName;
  /** Undefined when the request and its profile decide. */
  responseMode: LinkMode | undefined;
  stateId: string | undefined;
  definitionByValue: boolean;
  ttlSeconds: number;
  replies: Pick<
    NewRequestOptions,
    'successRedirectUri' | 'errorRedirectUri' | 'statusCallbackUri' | 'statusCallbackApiKey'
  >;
}

const DEFAULT_TTL_SECONDS = 300;
const MAX_TTL_SECONDS = 604_800;

/** Reads the options of a request. @throws DomainError `BadRequest` naming the option */
export function readOptions(options: NewRequestOptions): RequestOptions {
  const { authorizeBaseUrl: base = 'openid4vp://authorize', responseMode } = options;
  const authorizeBaseUrl = at(['authorizeBaseUrl'], () => readAuthorizeBaseUrl(base));
  const { profile = impliedProfile(authorizeBaseUrl) } = options;
  return {
    authorizeBaseUrl,
    requestProfile: at(['profile'], () => readProfile(profile)),
    responseMode: responseMode === undefined ? undefined : at(['responseMode'], () => readResponseMode(responseMode)),
    stateId: readStateId(options.stateId),
    definitionByValue: options.definitionByValue ?? false,
    ttlSeconds: readTtl(options.ttlSeconds),
    replies: readReplies(options),
  };
}

/** The state is part of the URLs of its session. */
function readStateId(stateId: string | undefined): string | undefined {
  if (stateId !== undefined && !/^[A-Za-z0-9_-][A-Za-z0-9._:~-]{0,127}$/.test(stateId))
    throw invalidField(['stateId'], 'must be 1 to 128 letters, digits or . _ : ~ -');
  return stateId;
}

function readTtl(seconds = DEFAULT_TTL_SECONDS): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TTL_SECONDS) return seconds;
  throw invalidField(['ttlSeconds'], `must be a number of seconds from 1 to ${MAX_TTL_SECONDS}`);
}

/** What each option for the replies is read by. */
const REPLIES = {
  statusCallbackApiKey: readApiKey,
  successRedirectUri: readRedirect,
  errorRedirectUri: readRedirect,
  statusCallbackUri: readHttpUrl,
} as const;

function readReplies(options: NewRequestOptions): RequestOptions['replies'] {
  const replies: RequestOptions['replies'] = {};
  for (const name of Object.keys(REPLIES) as (keyof typeof REPLIES)[]) {
    const value = options[name];
    if (value !== undefined) replies[name] = at([name], () => REPLIES[name](value));
  }
  return replies;
}

function readApiKey(key: string): string {
  if (/^[\x20-\x7e]{1,4096}$/.test(key)) return key;
  throw invalidField([], 'must be printable ASCII of at most 4096 characters');
}

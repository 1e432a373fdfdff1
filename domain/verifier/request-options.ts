import { at, invalidField } from '../foundation/errors.ts';
import { readHttpUrl, readRedirect, readWalletUrl } from '../network/urls.ts';
import { REQUEST_NAMES } from '../presentation/request-parameters.ts';

/** The headers of a request for verification as they came (interface: Headers of `POST /openid4vc/verify`). */
export interface RequestHeaders {
  authorizeBaseUrl?: string;
  responseMode?: string;
  successRedirectUri?: string;
  errorRedirectUri?: string;
  statusCallbackUri?: string;
  statusCallbackApiKey?: string;
  stateId?: string;
  openId4VPProfile?: string;
  sessionTtl?: string;
}

/** The same, read. */
export interface RequestOptions {
  authorizeBaseUrl: string;
  stateId: string | undefined;
  ttlSeconds: number;
  replies: {
    successRedirectUri?: string;
    errorRedirectUri?: string;
    statusCallbackUri?: string;
    statusCallbackApiKey?: string;
  };
}

const DEFAULT_TTL_SECONDS = 300;
const MAX_TTL_SECONDS = 604_800;
const RESPONSE_MODES = ['query', 'fragment', 'form_post', 'direct_post', 'direct_post.jwt', 'direct_post_jwt', 'post'];
const PROFILES = ['DEFAULT', 'ISO_18013_7_MDOC', 'EBSIV3', 'HAIP'];

/** Reads the headers; `openid_profile` of the body goes before the header. @throws DomainError `BadRequest` naming the header */
export function readOptions(headers: RequestHeaders, bodyProfile: string | undefined): RequestOptions {
  const authorizeBaseUrl = at(['header', 'authorizeBaseUrl'], () =>
    readBase(headers.authorizeBaseUrl ?? 'openid4vp://authorize'),
  );
  checkResponseMode(headers.responseMode ?? 'direct_post');
  if (bodyProfile !== undefined) checkProfile(bodyProfile, '/body/openid_profile');
  else checkProfile(headers.openId4VPProfile ?? impliedProfile(authorizeBaseUrl), '/header/openId4VPProfile');
  return {
    authorizeBaseUrl,
    stateId: readStateId(headers.stateId),
    ttlSeconds: readTtl(headers.sessionTtl),
    replies: readReplies(headers),
  };
}

/** A wallet reads the first or the last of two parameters of one name, so the base may bring none of the request's own. */
function readBase(text: string): string {
  const base = readWalletUrl(text);
  const [, ...query] = base.split('?');
  const names = [...new URLSearchParams(query.join('?')).keys()].map((name) => name.trim().toLowerCase());
  const taken = names.find((name) => REQUEST_NAMES.has(name));
  if (taken !== undefined) throw invalidField([], `may not bring ${taken}, which is a parameter of the request itself`);
  return base;
}

function checkResponseMode(mode: string): void {
  if (mode === 'direct_post') return;
  const why = RESPONSE_MODES.includes(mode) ? 'is not supported by this verifier' : 'is not a response mode';
  throw invalidField('/header/responseMode', `${mode.slice(0, 64)} ${why}; use direct_post`);
}

function checkProfile(profile: string, place: string): void {
  const name = profile.toUpperCase();
  if (name === 'DEFAULT') return;
  const why = PROFILES.includes(name) ? 'is not supported by this verifier' : 'is not a profile';
  throw invalidField(place, `${profile.slice(0, 64)} ${why}; use DEFAULT`);
}

/** The scheme of the wallet's URL tells its profile when none is named. */
function impliedProfile(authorizeBaseUrl: string): string {
  if (/^mdoc-openid4vp:\/\//i.test(authorizeBaseUrl)) return 'ISO_18013_7_MDOC';
  return /^haip:\/\//i.test(authorizeBaseUrl) ? 'HAIP' : 'DEFAULT';
}

/** It becomes part of our paths. */
function readStateId(stateId: string | undefined): string | undefined {
  if (stateId !== undefined && !/^[A-Za-z0-9_-][A-Za-z0-9._:~-]{0,127}$/.test(stateId))
    throw invalidField('/header/stateId', 'must be 1 to 128 letters, digits or . _ : ~ -');
  return stateId;
}

function readTtl(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TTL_SECONDS;
  const seconds = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > MAX_TTL_SECONDS)
    throw invalidField('/header/sessionTtl', `must be a number of seconds from 1 to ${MAX_TTL_SECONDS}`);
  return seconds;
}

function readReplies(headers: RequestHeaders): RequestOptions['replies'] {
  const {
    successRedirectUri: success,
    errorRedirectUri: error,
    statusCallbackUri: callback,
    statusCallbackApiKey: key,
  } = headers;
  if (key !== undefined && !/^[\x20-\x7e]{1,4096}$/.test(key))
    throw invalidField('/header/statusCallbackApiKey', 'must be printable ASCII of at most 4096 characters');
  return {
    ...(success !== undefined && {
      successRedirectUri: at(['header', 'successRedirectUri'], () => readRedirect(success)),
    }),
    ...(error !== undefined && { errorRedirectUri: at(['header', 'errorRedirectUri'], () => readRedirect(error)) }),
    ...(callback !== undefined && {
      statusCallbackUri: at(['header', 'statusCallbackUri'], () => readHttpUrl(callback)),
    }),
    ...(key !== undefined && { statusCallbackApiKey: key }),
  };
}

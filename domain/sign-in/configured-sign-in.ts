import type { CredentialFormats } from '../credentials/formats/formats.ts';
import { at, catching, invalidField, replacing } from '../foundation/errors.ts';
import { isObject } from '../foundation/json.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';
import { secureUrl } from '../network/urls.ts';
import { readClaimsPath } from '../presentation/dcql/claims-path.ts';
import { type AskedCredentials, readAsked } from './asked-credentials.ts';
import type { LoginProfile, SignInClient } from './sign-in-server.ts';
import type { WrittenClient, WrittenLoginProfile, WrittenSignIn, WrittenSource } from './written-sign-in.ts';

/** What a configuration says of the provider. */
export interface ConfiguredSignIn {
  clients: ReadonlyMap<string, SignInClient>;
  profiles: readonly LoginProfile[];
}

/** Claims that the provider sets itself, or that have a meaning in tokens (OpenID Connect Core §2, RFC 7519 §4.1). */
const RESERVED: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'azp', 'nonce', 'acr', 'amr', 'auth_time', 'sid'],
  ...['at_hash', 'c_hash', 's_hash', 'cnf', 'verified_claims', '_claim_names', '_claim_sources'],
]);

/** Scopes that are no profiles. */
const STANDARD_SCOPES: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
]);

/** What a configuration is read with. */
interface SignInReading {
  formats: CredentialFormats;
  /** The issuer identifier of the provider. */
  issuer: string;
}

/** Reads clients and profiles. @throws DomainError `BadRequest` naming the member that is wrong */
export function configuredSignIn({ clients, profiles }: WrittenSignIn, reading: SignInReading): ConfiguredSignIn {
  const read = Object.entries(profiles).map(([id, written]) =>
    at(['profiles', id], () => withUsableFlows(readProfile(id, written, reading.formats), reading.issuer)),
  );
  const known = new Map(read.map((profile) => [profile.id, profile]));
  const named = Object.entries(clients).map(
    ([id, written]) => [id, at(['clients', id], () => readClient(id, written, known))] as const,
  );
  return { clients: new Map(named), profiles: read };
}

function readProfile(id: string, written: WrittenLoginProfile, formats: CredentialFormats): LoginProfile {
  if (STANDARD_SCOPES.has(id)) throw invalidField([], 'is the name of a scope of OpenID Connect');
  const asked = readAsked(written, formats);
  checkIssuers(written, asked);
  const claims = Object.entries(written.claims).map(([name, claim]) =>
    at(['claims', name], () => {
      if (RESERVED.has(name)) throw invalidField([], 'is a claim that the provider sets itself');
      return [name, { ...claim, ...readSource(claim, asked) }] as const;
    }),
  );
  const values = written.subject.values.map((source, index) =>
    at(['subject', 'values', index], () => readSource(source, asked)),
  );
  if (written.subject.kind === 'plain' && values.length > 1)
    throw invalidField(['subject', 'values'], 'must be one value where the subject is plain');
  return {
    ...written,
    id,
    acr: written.acr ?? id,
    claims: Object.fromEntries(claims),
    subject: { ...written.subject, values },
  };
}

/** The policies that name issuers. */
const NAMING: readonly unknown[] = ['allowed-issuer', 'etsi-trust-list', 'vical'];

/** A signature alone says that some issuer made a credential: a profile says which are believed. */
function checkIssuers({ issuers, policies }: WrittenLoginProfile, { namesIssuers }: AskedCredentials): void {
  const isNamed = namesIssuers || policies.some((one) => NAMING.includes(isObject(one) ? one.policy : one));
  if (issuers === 'named' && !isNamed)
    throw invalidField(
      ['issuers'],
      `must be any, or a policy (${NAMING.join(', ')}) or trusted_authorities of each query name the issuers that are believed`,
    );
}

/** Browsers ask their wallets for pages of secure origins only: https, or this machine by its name. */
function withUsableFlows(profile: LoginProfile, issuer: string): LoginProfile {
  const { protocol, hostname } = new URL(issuer);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return { ...profile, flows: profile.flows.filter((flow) => flow !== 'dc_api' || isSecure) };
}

/** Where a source says which credential it is of. */
const QUERY: keyof WrittenSource = 'query';

function readSource({ query: id, path }: WrittenSource, { formats }: AskedCredentials): WrittenSource {
  if (!formats.has(id)) throw invalidField([QUERY], 'is the id of no credential query');
  return { query: id, path: at(['path'], () => readClaimsPath(path, formats.get(id))) };
}

function readClient(id: string, written: WrittenClient, known: ReadonlyMap<string, LoginProfile>): SignInClient {
  const { authentication, sector = id, ...client } = written;
  for (const name of ['redirectUris', 'postLogoutRedirectUris'] as const)
    for (const [index, uri] of client[name].entries()) at([name, index], () => checkRedirect(uri));
  checkCredentials(written);
  const profiles = client.profiles.map((name, index) => {
    const profile = known.get(name);
    if (!profile) throw invalidField(['profiles', index], 'is the name of no profile');
    return profile;
  });
  return { ...client, id, authentication, sector, profiles };
}

/** A redirect URI is compared as a text: it has no wildcard and no fragment, and leads to https or to this machine. */
function checkRedirect(uri: string): void {
  if (!secureUrl(uri)) throw invalidField([], 'must be an https URL; http is for this machine alone');
  if (uri.includes('#')) throw invalidField([], 'may have no fragment');
  if (uri.includes('*')) throw invalidField([], 'may have no wildcard: it is compared as it is');
  const { username, password } = new URL(uri);
  if (username !== '' || password !== '') throw invalidField([], 'may have neither a user name nor a password');
}

/** What a client needs for each kind of authentication, and has for no other. */
const NEEDS = {
  client_secret_basic: 'secretDigest',
  client_secret_post: 'secretDigest',
  private_key_jwt: 'jwks',
  none: undefined,
} as const;

function checkCredentials(written: WrittenClient): void {
  const needed = NEEDS[written.authentication];
  for (const name of ['secretDigest', 'jwks'] as const) {
    if (name === needed && written[name] === undefined)
      throw invalidField([name], `is required for ${written.authentication}`);
    if (name !== needed && written[name] !== undefined)
      throw invalidField([name], `has no meaning for ${written.authentication}`);
  }
  for (const [index, jwk] of (written.jwks?.keys ?? []).entries())
    at(['jwks', 'keys', index], () => catching(asField, () => readVerificationKey(jwk)));
}

const asField = replacing(undefined, ({ message }) => invalidField([], message));

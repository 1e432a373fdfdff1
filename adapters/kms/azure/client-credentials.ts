import { isText } from '../../../domain/foundation/json.ts';
import type { OutboundReply } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import { KmsFailure, type KmsFault } from '../remote/kms.ts';
import { readObject } from '../remote/reply-json.ts';
import { SharedAttempt } from '../remote/shared-attempt.ts';
import { sendGuarded, type TransportOptions } from '../remote/transport.ts';

/** How long before its expiry a token is no longer used. */
const SAFETY_MS = 30_000;
const SCOPE_END = '/.default';

/** `auth` of a key in Azure Key Vault. */
export type AzureAuth = Record<'keyVaultUrl' | 'clientId' | 'tenantId' | 'clientSecret', string>;

interface IssuedToken {
  token: string;
  scope: string;
  from: number;
  until: number;
}

type ClientCredentialParts = {
  auth: AzureAuth;
  authorityHost: string;
  /** For the calls to the authority. */
  transport: TransportOptions;
  clock: Clock;
};

/**
 * The client credentials of an application (RFC 6749 §4.4) as the vendor's library uses them. The token is cached here
 * and not in the library, which refreshes by the clock of the process and in the background.
 */
export class ClientCredentials {
  readonly #vault: URL;
  /** Of the vault's last challenge. */
  #scope = '';
  #issued: IssuedToken | undefined;
  readonly #fetching = new SharedAttempt<IssuedToken>();

  readonly #parts: ClientCredentialParts;

  constructor(parts: ClientCredentialParts) {
    this.#parts = parts;
    this.#vault = new URL(parts.auth.keyVaultUrl);
  }

  /** @throws KmsFailure, DomainError of the network guard */
  async getToken(scopes: string | string[]): Promise<{ token: string; expiresOnTimestamp: number }> {
    const scope = [scopes].flat().join(' ');
    if (!isScopeOf(scope, this.#vault))
      throw new KmsFailure('credentials', `the vault demands a token for another resource: ${scope}`);
    this.#scope = scope;
    const known = this.#fresh(scope);
    const { token } = known ?? (await this.#fetchOnce(scope));
    return { token, expiresOnTimestamp: 0 };
  }

  /** Another token instead of one that the vault refused, for the same resource. */
  async replace(refused: string): Promise<string> {
    this.forget(refused);
    const { token } = await this.getToken(this.#scope);
    return token;
  }

  /** Forgets a token that the vault refused. */
  forget(refused: string): void {
    if (this.#issued?.token === refused) this.#issued = undefined;
  }

  /** A token from the future is not used: the clock was set back. */
  #fresh(scope: string): IssuedToken | undefined {
    const now = this.#parts.clock.now();
    const { scope: granted, from, until } = this.#issued ?? { scope: '', from: 0, until: 0 };
    return granted === scope && now >= from && now < until ? this.#issued : undefined;
  }

  async #fetchOnce(scope: string): Promise<IssuedToken> {
    const issued = await this.#fetching.run(() => this.#fetch(scope));
    if (issued.scope !== scope) return this.#fetch(scope);
    this.#issued = issued;
    return issued;
  }

  async #fetch(scope: string): Promise<IssuedToken> {
    const { auth, authorityHost, transport, clock } = this.#parts;
    const { clientId, clientSecret, tenantId } = auth;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope };
    const from = clock.now();
    const base = authorityHost.endsWith('/') ? authorityHost : `${authorityHost}/`;
    const { href: url } = new URL(`${tenantId}/oauth2/v2.0/token`, base);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const body = new URLSearchParams(form).toString();
    const reply = await sendGuarded({ method: 'POST', url, expects: 'kms-token', headers, body }, transport);
    const { token, seconds } = readToken(reply);
    return { token, scope, from, until: from + seconds * 1000 - SAFETY_MS };
  }
}

/** Whether a scope is the vault's own resource: the domain that its host lies in, or its host itself in plain http. */
function isScopeOf(scope: string, vault: URL): boolean {
  const resource = scope.endsWith(SCOPE_END) ? scope.slice(0, -SCOPE_END.length) : '';
  if (!URL.canParse(resource)) return false;
  const { host, hostname, protocol } = new URL(resource);
  return (protocol === 'https:' && vault.hostname.endsWith(`.${hostname}`)) || (isPlain(vault) && host === vault.host);
}

/** Whether a vault is called by plain http, which only tests allow. */
export const isPlain = ({ protocol }: URL): boolean => protocol === 'http:';

/** Reads a token response (RFC 6749 §5.1). @throws KmsFailure for any other reply */
function readToken(reply: OutboundReply): { token: string; seconds: number } {
  const { status } = reply;
  const { access_token: token, token_type: type, expires_in: seconds, ...rest } = readObject(reply);
  if (status !== 200) throw new KmsFailure(faultOf(status, rest.error), reasonOf(rest, status));
  const isToken = typeof token === 'string' && /^[\x21-\x7e]{1,16384}$/.test(token);
  if (!isToken || typeof type !== 'string' || type.toLowerCase() !== 'bearer' || !isSeconds(seconds))
    throw new KmsFailure('unavailable', 'the authority returned no bearer token');
  return { token, seconds };
}

const isSeconds = (value: unknown): value is number => typeof value === 'number' && value > 0;

/** An error object of the authority (RFC 6749 §5.2) is a refusal; anything else is an outage. */
function faultOf(status: number, error: unknown): KmsFault {
  if (status === 429) return 'throttled';
  const isRefusal = (status === 400 || status === 401) && isText(error) && error !== 'temporarily_unavailable';
  return isRefusal ? 'credentials' : 'unavailable';
}

/** The authority's own text, without the identifiers of the call at its end. */
function reasonOf({ error, error_description: text }: Record<string, unknown>, status: number): string {
  if (isText(text)) return text.split(' Trace ID:', 1).join();
  return isText(error) ? error : `the authority answered with status ${status}`;
}

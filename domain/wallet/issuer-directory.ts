import type { Outbound } from '../../ports/outbound.ts';
import { DomainError, isDomainError } from '../errors.ts';
import { asList, isObject, isText, type JsonObject } from '../json.ts';
import { Peer } from './peer.ts';

/** Where the published documents of issuers and authorization servers are. */
export class IssuerDirectory {
  readonly #peer: Peer;

  constructor(outbound: Outbound) {
    this.#peer = new Peer(outbound, 'issuer');
  }

  /**
   * The metadata of a credential issuer (OpenID4VCI §11.2), at either spelling of its well-known address.
   * @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async metadata(issuer: string): Promise<JsonObject> {
    const metadata = await this.#first(issuer, ['/.well-known/openid-credential-issuer']);
    if (!isText(metadata.credential_issuer) || trimmed(metadata.credential_issuer) !== trimmed(issuer))
      throw new DomainError('BadRequest', 'The metadata is that of another credential_issuer');
    return metadata;
  }

  /** The token endpoint of an issuer, at the authorization server an offer chose or the issuer's first. */
  async tokenEndpoint(metadata: JsonObject, chosen: string | undefined): Promise<string> {
    const servers = asList(metadata.authorization_servers).filter(isText);
    if (chosen !== undefined && !servers.includes(chosen))
      throw new DomainError('BadRequest', 'The offer names an authorization_server that the issuer does not');
    const server = chosen ?? servers[0];
    const own = metadata.token_endpoint;
    if (isText(own) && (server === undefined || server === metadata.credential_issuer)) return own;
    const issuer = server ?? String(metadata.credential_issuer);
    const names = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
    const { token_endpoint: endpoint } = await this.#first(issuer, names);
    if (!isText(endpoint)) throw new DomainError('BadRequest', 'The authorization server names no token_endpoint');
    return endpoint;
  }

  async #first(issuer: string, names: string[]): Promise<JsonObject> {
    let refusal: unknown;
    for (const url of names.flatMap((name) => wellKnown(issuer, name))) {
      try {
        return await this.#peer.json({ method: 'GET', url, expects: 'issuer-metadata' });
      } catch (error) {
        if (!isDomainError(error, 'BadRequest')) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }
}

/** The well-known name after the issuer's path (OpenID4VCI draft 13) and before it (RFC 8414, OpenID4VCI 1.0). */
export function wellKnown(issuer: string, name: string): string[] {
  const [, origin, path = ''] = /^(https?:\/\/[^/?#\s]+)(\/[^?#\s]*)?$/i.exec(issuer) ?? [];
  if (origin === undefined)
    throw new DomainError('BadRequest', 'The issuer must be an http(s) URL without query and fragment');
  return [...new Set([`${origin}${trimmed(path)}${name}`, `${origin}${name}${trimmed(path)}`])];
}

const trimmed = (url: string): string => url.replace(/\/$/, '');

/** The configuration behind an id of an offer. @throws DomainError `BadRequest` when the issuer has none of that name */
export function configurationOf(metadata: JsonObject, id: string): JsonObject {
  const all = metadata.credential_configurations_supported;
  const found = isObject(all) && Object.hasOwn(all, id) ? all[id] : undefined;
  if (!isObject(found)) throw new DomainError('BadRequest', `The issuer has no configuration "${id.slice(0, 100)}"`);
  return found;
}

import type { Outbound } from '../../../ports/outbound.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { httpUrl } from '../../network/urls.ts';
import { ProtocolClient } from '../protocol-client.ts';
import { type AuthorizationServer, readAuthorizationServer } from './authorization-server.ts';

/** The metadata of issuers and authorization servers. */
export class IssuerDirectory {
  readonly #client: ProtocolClient;

  constructor(outbound: Outbound) {
    this.#client = new ProtocolClient(outbound, 'issuer');
  }

  /**
   * Returns the metadata of a credential issuer, from either form of its well-known URL, that of OpenID4VCI 1.0 (§12.2.2) first.
   * @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async metadata(issuer: string): Promise<JsonObject> {
    const isOwn = ({ credential_issuer: named }: JsonObject) => isText(named) && trimmed(named) === trimmed(issuer);
    const metadata = await this.#first(issuer, ['/.well-known/openid-credential-issuer'], isOwn);
    if (!isOwn(metadata)) throw new DomainError('BadRequest', 'The metadata is that of another credential_issuer');
    return withConfigurations(metadata);
  }

  /**
   * Returns the authorization server that the offer names, else the first one of the issuer.
   * @throws DomainError `BadRequest` for one that is not the issuer's, or states another `issuer`; and as `metadata`
   */
  async authorizationServer(metadata: JsonObject, chosen: string | undefined): Promise<AuthorizationServer> {
    const servers = asList(metadata.authorization_servers).filter(isText);
    if (chosen !== undefined && !servers.includes(chosen))
      throw new DomainError('BadRequest', 'The authorization_server of the offer is not one of the issuer');
    const server = chosen ?? servers[0];
    if (isText(metadata.token_endpoint) && (server === undefined || server === metadata.credential_issuer))
      return readAuthorizationServer(metadata, String(metadata.credential_issuer));
    const issuer = server ?? String(metadata.credential_issuer);
    const names = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
    const isOwn = ({ issuer: named }: JsonObject) => named === undefined || named === issuer;
    return readAuthorizationServer(await this.#first(issuer, names, isOwn), issuer);
  }

  /**
   * The document of the first place that has one. A place without it may answer with another page or another document, which
   * counts only when no other place has the right one.
   */
  async #first(
    issuer: string,
    names: string[],
    isRight: (document: JsonObject) => boolean = () => true,
  ): Promise<JsonObject> {
    let found: JsonObject | undefined;
    let refusal: unknown;
    for (const url of names.flatMap((name) => wellKnown(issuer, name))) {
      try {
        const document = await this.#client.json({ method: 'GET', url, expects: 'issuer-metadata' });
        if (isRight(document)) return document;
        found ??= document;
      } catch (error) {
        if (!isDomainError(error, 'BadRequest') && !isDomainError(error, 'UpstreamFailed')) throw error;
        if (refusal === undefined || isDomainError(error, 'UpstreamFailed')) refusal = error;
      }
    }
    if (found) return found;
    throw refusal;
  }
}

/** The metadata of draft 11 (§10.2.3) with the members of later drafts; other metadata as it is. */
function withConfigurations(metadata: JsonObject): JsonObject {
  const { credentials_supported: supported, credential_configurations_supported: known } = metadata;
  if (known !== undefined || !Array.isArray(supported)) return metadata;
  const named = supported.filter(isObject).flatMap(({ id, ...entry }) => (isText(id) ? [[id, entry] as const] : []));
  return {
    authorization_servers: isText(metadata.authorization_server) ? [metadata.authorization_server] : undefined,
    ...metadata,
    credential_configurations_supported: Object.fromEntries(named),
  };
}

/** The URLs with the well-known name before the issuer's path (OpenID4VCI 1.0, RFC 8414) and after it (OpenID4VCI draft 13). */
function wellKnown(issuer: string, name: string): string[] {
  const [, origin, path = ''] = /^([a-z]+:\/\/[^/?#]+)(\/[^?#]*)?$/i.exec(issuer) ?? [];
  if (origin === undefined || !httpUrl(issuer))
    throw new DomainError('BadRequest', 'The issuer must be an http(s) URL without query and fragment');
  return [...new Set([`${origin}${name}${trimmed(path)}`, `${origin}${trimmed(path)}${name}`])];
}

const trimmed = (url: string): string => url.replace(/\/$/, '');

/** Returns the configuration of an id of an offer. @throws DomainError `BadRequest` when the issuer has none of that name */
export function configurationOf(metadata: JsonObject, id: string): JsonObject {
  const all = metadata.credential_configurations_supported;
  const found = isObject(all) && Object.hasOwn(all, id) ? all[id] : undefined;
  if (!isObject(found)) throw new DomainError('BadRequest', `The issuer has no configuration "${id.slice(0, 100)}"`);
  return found;
}

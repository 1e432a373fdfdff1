import type { Outbound } from '../../../ports/outbound.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { ParsedJws } from '../../jose/jws.ts';
import { httpUrl } from '../../network/urls.ts';
import { type IssuerProof, type SignedMetadata, withoutSlash } from '../issuers/signed-metadata.ts';
import { isSuccess, ProtocolClient, textOf } from '../protocol-client.ts';
import { type AuthorizationServer, readAuthorizationServer } from './authorization-server.ts';

/** What a wallet knows of an issuer. */
interface IssuerMetadata {
  metadata: JsonObject;
  proof: IssuerProof;
}

/** A document, with its signature where the whole of it is signed. */
interface Fetched {
  document: JsonObject;
  jws?: ParsedJws;
}

/** What is asked for: signed metadata where there is some (OpenID4VCI 1.0 §12.2.2), or plain documents. */
const ACCEPTED = { either: 'application/jwt, application/json;q=0.9', plain: 'application/json' } as const;

const JWT = /^application\/(?:[a-z0-9.-]+\+)?jwt *(?:;|$)/i;

/** The metadata of issuers and authorization servers. */
export class IssuerDirectory {
  readonly #client: ProtocolClient;

  constructor(
    outbound: Outbound,
    private readonly signatures: SignedMetadata,
  ) {
    this.#client = new ProtocolClient(outbound, 'issuer');
  }

  /** Returns the metadata of a credential issuer. @throws DomainError as `read` */
  async metadata(issuer: string): Promise<JsonObject> {
    return (await this.read(issuer)).metadata;
  }

  /**
   * Returns the metadata of a credential issuer, from either form of its well-known URL, that of OpenID4VCI 1.0 (§12.2.2)
   * first. Where it is signed with a key that the wallet cannot find, the unsigned form is asked for, which each issuer has.
   * @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async read(issuer: string): Promise<IssuerMetadata> {
    const read = (await this.#accept(issuer, 'either')) ?? (await this.#accept(issuer, 'plain'));
    if (!read)
      throw new DomainError('UpstreamFailed', 'The issuer signs its metadata with a key that it publishes nowhere');
    return { ...read, metadata: withConfigurations(read.metadata) };
  }

  /** What is signed takes precedence where a document has it embedded (OpenID4VCI draft 13 §11.2.3). */
  async #accept(issuer: string, accepted: keyof typeof ACCEPTED): Promise<IssuerMetadata | undefined> {
    const isOwn = ({ credential_issuer: named }: JsonObject) =>
      isText(named) && withoutSlash(named) === withoutSlash(issuer);
    const { document, jws } = await this.#first(issuer, { names: ISSUER_NAMES, isRight: isOwn, accepted });
    const { signed_metadata: embedded, ...plain } = document;
    if (!isOwn(document)) throw new DomainError('BadRequest', 'The metadata is that of another credential_issuer');
    if (jws) return this.signatures.verify(jws, { issuer, generation: 'v1' });
    const token = isText(embedded) ? this.signatures.parse(embedded) : undefined;
    const verified = token && (await this.signatures.verify(token, { issuer, generation: 'draft' }));
    if (!verified) this.signatures.acceptUnsigned();
    return { proof: {}, ...verified, metadata: { ...plain, ...verified?.metadata } };
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
    const isRight = ({ issuer: named }: JsonObject) => named === undefined || named === issuer;
    const { document } = await this.#first(issuer, { names: SERVER_NAMES, isRight, accepted: 'plain' });
    return readAuthorizationServer(document, issuer);
  }

  /**
   * The document of the first place that has one. A place without it may answer with another page or another document, which
   * counts only when no other place has the right one.
   */
  async #first(issuer: string, { names, isRight, accepted }: Sought): Promise<Fetched> {
    let found: Fetched | undefined;
    let refusal: unknown;
    for (const url of names.flatMap((name) => wellKnown(issuer, name))) {
      try {
        const fetched = await this.#fetch(url, accepted);
        if (isRight(fetched.document)) return fetched;
        found ??= fetched;
      } catch (error) {
        if (!isDomainError(error, 'BadRequest') && !isDomainError(error, 'UpstreamFailed')) throw error;
        if (refusal === undefined || isDomainError(error, 'UpstreamFailed')) refusal = error;
      }
    }
    if (found) return found;
    throw refusal;
  }

  async #fetch(url: string, accepted: Sought['accepted']): Promise<Fetched> {
    const headers = { accept: ACCEPTED[accepted] };
    const reply = await this.#client.send({ method: 'GET', url, expects: 'issuer-metadata', headers });
    const isSigned = isSuccess(reply) && JWT.test(reply.headers['content-type'] ?? '');
    if (!isSigned) return { document: this.#client.objectOf(reply) };
    const jws = this.signatures.parse(textOf(reply));
    return { document: jws.payload, jws };
  }
}

/** A document that is looked for. */
interface Sought {
  names: readonly string[];
  isRight(document: JsonObject): boolean;
  accepted: keyof typeof ACCEPTED;
}

const ISSUER_NAMES = ['/.well-known/openid-credential-issuer'];
const SERVER_NAMES = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

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
  return [...new Set([`${origin}${name}${withoutSlash(path)}`, `${origin}${withoutSlash(path)}${name}`])];
}

/** Returns the configuration of an id of an offer. @throws DomainError `BadRequest` when the issuer has none of that name */
export function configurationOf(metadata: JsonObject, id: string): JsonObject {
  const all = metadata.credential_configurations_supported;
  const found = isObject(all) && Object.hasOwn(all, id) ? all[id] : undefined;
  if (!isObject(found)) throw new DomainError('BadRequest', `The issuer has no configuration "${id.slice(0, 100)}"`);
  return found;
}

import { CompactEncrypt, decodeJwt, importJWK, type JWK } from 'jose';
import { createSession, infoOf } from '../../demo/actors/verifier.ts';
import { until } from '../support/runs/waiting.ts';
import type { Answer, Call, TestServer } from '../support/servers/server.ts';
import { EventListener } from './event-listener.ts';
import { type CredentialContent, issueCredential, jwkParty, keyParty, type Party } from './party.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into any member
type Json = Record<string, any>;

/** A query for one degree. */
export const DEGREE_QUERY = {
  credentials: [{ id: 'degree', format: 'jwt_vc_json', meta: { type_values: [['UniversityDegreeCredential']] } }],
};

/** A setup of a flow between two devices; `core` and `more` change single members. */
export const crossDevice = (core: Json = {}, more: Json = {}): Json => ({
  flow_type: 'cross_device',
  core_flow: { dcql_query: DEGREE_QUERY, ...core },
  ...more,
});

/** The member `openid` of a setup that asks for a login beside the presentations. */
export const LOGIN = { responseType: 'vp_token id_token', scope: 'openid', id_token_type: 'subject_signed' };

/** A request as a wallet reads it. */
export interface ReadRequest {
  parameters: Json;
  /** The id in the URLs; those of a session over the Digital Credentials API have none. */
  requestId: string;
}

/** Reads the parameters of a link; those that are JSON are parsed. */
export function readLink(link: string): ReadRequest {
  const parameters: Json = Object.fromEntries(new URL(link).searchParams);
  for (const name of ['dcql_query', 'client_metadata', 'transaction_data', 'verifier_info'])
    if (name in parameters) parameters[name] = JSON.parse(parameters[name]);
  return { parameters, requestId: idIn(parameters.response_uri ?? parameters.request_uri) };
}

/** The id of the request in one of its URLs. */
export const idIn = (url: string): string => new URL(url).pathname.split('/').at(-2) ?? '';

/** The verifier of a tenant, and who uses it. */
export interface TenantVerifier {
  target: string;
  token: string;
}

/** A server that is a verifier of OpenID4VP 1.0, that of the open endpoints or one of a tenant, an issuer and a holder. */
export class Openid4vp {
  readonly server: TestServer;
  readonly issuer: Party;
  readonly holder: Party;
  readonly #tenant: TenantVerifier | undefined;

  private constructor(parts: { server: TestServer; issuer: Party; holder: Party; tenant?: TenantVerifier }) {
    this.server = parts.server;
    this.issuer = parts.issuer;
    this.holder = parts.holder;
    this.#tenant = parts.tenant;
  }

  static async with(server: TestServer, tenant?: TenantVerifier): Promise<Openid4vp> {
    return new Openid4vp({ server, issuer: await jwkParty(), holder: await keyParty(), tenant });
  }

  /** Calls an operation at the verifier, by its name at the open endpoints. */
  call(operationId: string, { path, ...call }: Call = {}): Promise<Answer> {
    if (!this.#tenant) return this.server.call(operationId, { path, ...call });
    const { target, token } = this.#tenant;
    const name = `tenant${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
    return this.server.call(name, { ...call, path: { ...path, target }, token });
  }

  create(setup: Json = crossDevice()): Promise<Json> {
    return createSession(this, setup);
  }

  /** The request in the whole link of a session, or the one that its short link leads to. */
  async request({
    bootstrapAuthorizationRequestUrl: short,
    fullAuthorizationRequestUrl: link = short,
  }: Json): Promise<ReadRequest> {
    const read = readLink(link);
    if (read.parameters.request_uri === undefined) return read;
    const { body } = await this.fetch(read.requestId);
    return { parameters: decodeJwt(body), requestId: read.requestId };
  }

  fetch(requestId: string): Promise<Answer> {
    return this.call('getAuthorizationRequest', { path: { requestId } });
  }

  credential(content: CredentialContent = {}): Promise<string> {
    return issueCredential(this.issuer, this.holder, content);
  }

  /** A JWT presentation for a request. */
  async presentation(
    { parameters }: ReadRequest,
    { credential, claims, audience }: PresentedJwt = {},
  ): Promise<string> {
    const { holder } = this;
    const vp = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiablePresentation'],
      holder: holder.did,
      verifiableCredential: [credential ?? (await this.credential())],
    };
    const { nonce, client_id: aud } = parameters;
    return holder.sign({ iss: holder.did, sub: holder.did, nonce, aud: audience ?? aud, vp, ...claims });
  }

  /** An ID token for a request; `claims` and `header` change single members. */
  idToken({ parameters }: ReadRequest, claims: Json = {}, header: Json = {}): Promise<string> {
    const { holder, server } = this;
    const { nonce, client_id: aud } = parameters;
    const iat = Math.floor(server.clock.now() / 1000);
    return holder.sign({ iss: holder.did, sub: holder.did, nonce, aud, iat, exp: iat + 60, ...claims }, header);
  }

  /** The parameters of a response to the query `degree`. */
  async response(request: ReadRequest, presented: PresentedJwt = {}): Promise<Json> {
    return { vp_token: { degree: [await this.presentation(request, presented)] }, state: request.parameters.state };
  }

  /** Posts the parameters of a response as a form, encrypted where the request demands it. */
  async respond(request: ReadRequest, response: Json): Promise<Answer> {
    const isEncrypted = request.parameters.response_mode === 'direct_post.jwt' && response.error === undefined;
    const form = isEncrypted
      ? { response: await encrypted(request, response) }
      : Object.fromEntries(
          Object.entries(response).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        );
    return this.post(request, form);
  }

  post({ requestId }: Pick<ReadRequest, 'requestId'>, form: Record<string, string>): Promise<Answer> {
    return this.call('submitAuthorizationResponse', { path: { requestId }, form });
  }

  info({ sessionId }: Json): Promise<Json> {
    return infoOf(this, sessionId);
  }

  /** Creates a session, presents the degree and returns the session. */
  async outcome(setup: Json = crossDevice(), presented: PresentedJwt = {}): Promise<Json> {
    const created = await this.create(setup);
    const request = await this.request(created);
    await this.respond(request, await this.response(request, presented));
    return this.info(created);
  }

  /** The names of the events of a session that has ended. */
  async events({ sessionId }: Json): Promise<string[]> {
    const { target, token } = this.#tenant ?? {};
    const tenant = target === undefined ? {} : { target, headers: { authorization: `Bearer ${token}` } };
    const operation = `${target === undefined ? 's' : 'tenantS'}treamVerificationSessionEvents` as const;
    const listener = await EventListener.open(this.server, sessionId, { operation, ...tenant });
    await until(() => /"status":"(SUCCESSFUL|FAILED)"/.test(listener.text));
    listener.leave();
    return listener.events.map(({ event }) => String(event));
  }
}

/** What a JWT presentation has instead of the usual. */
export interface PresentedJwt {
  credential?: string;
  claims?: Json;
  audience?: string;
}

/** A response as a JWE to the key of the request. */
export async function encrypted({ parameters }: ReadRequest, response: Json, header: Json = {}): Promise<string> {
  const jwk: JWK = parameters.client_metadata.jwks.keys[0];
  return new CompactEncrypt(Buffer.from(JSON.stringify(response)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: jwk.kid, ...header })
    .encrypt(await importJWK(jwk, 'ECDH-ES'));
}

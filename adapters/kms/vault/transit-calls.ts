import type { JsonObject } from '../../../domain/foundation/json.ts';
import type { OutboundReply } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import { readObject } from '../remote/reply-json.ts';
import { LATE_CREATION_MS, sendGuarded, type TransportOptions } from '../remote/transport.ts';
import { failureOf, type Subject } from './vault-failures.ts';
import { type VaultAuth, VaultToken } from './vault-token.ts';

/** Where a secrets engine is and how it is called. */
export interface TransitAccess {
  /** The URL of the engine, such as https://vault.example.org/v1/transit. */
  server: string;
  auth: VaultAuth;
  namespace?: string;
}

/** A call about keys. */
interface TransitCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the URL of the engine. */
  path: string;
  body?: JsonObject;
  subject: Subject;
}

/** The calls to one secrets engine with one set of credentials: one attempt each, through the network guard. */
export class TransitCalls {
  readonly #token: VaultToken;

  constructor(private readonly parts: { access: TransitAccess; transport: TransportOptions; clock: Clock }) {
    const { access, clock } = parts;
    const { server, auth } = access;
    const api = server.slice(0, server.indexOf('/v1/') + '/v1/'.length);
    this.#token = new VaultToken({
      auth,
      clock,
      call: async (path, { token, body }) => {
        const call = { method: 'POST', path, body, subject: 'login' } as const;
        return succeeded(await this.#send(`${api}${path}`, call, token), 'login');
      },
    });
  }

  /**
   * The body of a reply with success; an empty object for one without. A token can be revoked before it expires:
   * another login is tried, once. @throws KmsFailure, DomainError of the network guard
   */
  async send(call: TransitCall): Promise<JsonObject> {
    const url = `${this.parts.access.server}/${call.path}`;
    const token = await this.#token.get();
    const reply = await this.#send(url, call, token);
    if (reply.status !== 403) return succeeded(reply, call.subject);
    const another = await this.#token.replace(token);
    return succeeded(another === undefined ? reply : await this.#send(url, call, another), call.subject);
  }

  #send(url: string, { method, body, subject }: TransitCall, token: string | undefined): Promise<OutboundReply> {
    const { access, transport } = this.parts;
    const headers = {
      accept: 'application/json',
      // Listeners of Vault can demand it (require_request_header).
      'x-vault-request': 'true',
      ...(token !== undefined && { 'x-vault-token': token }),
      ...(access.namespace !== undefined && { 'x-vault-namespace': access.namespace }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const request = { method, url, headers, expects: 'transit-reply', body: body && JSON.stringify(body) } as const;
    const timeoutMs = transport.timeoutMs + (subject === 'new-key' ? LATE_CREATION_MS : 0);
    return sendGuarded(request, { ...transport, timeoutMs });
  }
}

function succeeded(reply: OutboundReply, subject: Subject): JsonObject {
  if (reply.status === 200 || reply.status === 204) return readObject(reply);
  throw failureOf(reply, subject);
}

import type { HttpRequest } from 'oci-common';
import type { KmsCryptoClient, KmsManagementClient } from 'oci-keymanagement';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import type { Outbound, OutboundMethod } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import { KmsFailure } from '../remote/kms.ts';
import { LATE_CREATION_MS, sendGuarded } from '../remote/transport.ts';
import { compartmentField, type Endpoint, type OciAccess } from './access.ts';
import { failureOf, type Subject } from './failures.ts';
import { forOneCall, type OciLibrary } from './library.ts';
import { signatureHeaders } from './request-signature.ts';

type OciCallParts = {
  library: OciLibrary;
  access: OciAccess;
  /** The caller's configuration, whose texts no error quotes. */
  config: Record<string, unknown>;
  outbound: Outbound;
  clock: Clock;
  /** Milliseconds for one call. */
  timeoutMs: number;
};

/** The calls of Oracle's clients: one attempt each, signed with the caller's key, through the network guard. */
export class OciCalls {
  readonly #parts: OciCallParts;

  constructor(parts: OciCallParts) {
    this.#parts = parts;
  }

  /** @throws KmsFailure, DomainError of the guard */
  manage<T>(subject: Subject, work: (client: KmsManagementClient) => Promise<T>): Promise<T> {
    const { KmsManagementClient } = this.#parts.library;
    const client = new KmsManagementClient(...this.#forOneCall('managementEndpoint', subject));
    client.endpoint = this.#parts.access.endpoints.managementEndpoint.origin;
    return work(client).catch(asFailure);
  }

  /** @throws KmsFailure, DomainError of the guard */
  use<T>(subject: Subject, work: (client: KmsCryptoClient) => Promise<T>): Promise<T> {
    const { KmsCryptoClient } = this.#parts.library;
    const client = new KmsCryptoClient(...this.#forOneCall('cryptoEndpoint', subject));
    client.endpoint = this.#parts.access.endpoints.cryptoEndpoint.origin;
    return work(client).catch(asFailure);
  }

  #forOneCall(endpoint: Endpoint, subject: Subject) {
    return forOneCall((request) => this.#send(request, { endpoint, subject }));
  }

  /** The environment can add to the library's user agent and change how it escapes a body: neither is sent. */
  async #send(
    { method, uri, headers, body }: HttpRequest,
    { endpoint, subject }: { endpoint: Endpoint; subject: Subject },
  ): Promise<Response> {
    const { access, clock, outbound, timeoutMs, config } = this.#parts;
    const content = body === undefined ? undefined : JSON.stringify(JSON.parse(body));
    const { 'user-agent': _, ...own } = Object.fromEntries(headers);
    const unsigned = { method, url: new URL(uri), body: content, now: clock.now() };
    const signature = await signatureHeaders(unsigned, access);
    const reply = await sendGuarded(
      {
        method: method as OutboundMethod,
        url: uri,
        expects: 'vault-reply',
        headers: { ...own, ...signature },
        body: content,
      },
      { outbound, timeoutMs: timeoutMs + (subject === 'new-key' ? LATE_CREATION_MS : 0), field: ['config', endpoint] },
    );
    if (reply.status < 200 || reply.status > 299)
      throw failureOf(reply, { subject, config, compartment: compartmentField(config) });
    return new Response(Buffer.from(reply.body));
  }
}

/** The library's own error is that it cannot read the answer. */
function asFailure(error: unknown): never {
  if (error instanceof KmsFailure || isDomainError(error)) throw error;
  throw new KmsFailure('unavailable', 'the answer cannot be read', error);
}

import type { DocumentKind } from './documents.ts';

/** The methods of outbound calls. */
export type OutboundMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What proves who calls, and whom the caller believes, over TLS; all as PEM. */
export interface ClientIdentity {
  /** The certificate of the key, then those that certify it. */
  certificates?: string;
  /** A secret. */
  privateKey?: string;
  /** Certificates of authorities that are believed besides those of the system. */
  authorities?: string;
}

/** A call to another server. */
export interface OutboundRequest {
  method: OutboundMethod;
  url: string;
  /** The kind of the expected reply; a larger one is refused. */
  expects: DocumentKind;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Milliseconds for the whole exchange; the default is 5,000. */
  timeoutMs?: number;
  /** The size of the largest reply where that is less than of its kind. */
  maxBytes?: number;
  /** Its connection is used by no other call. */
  identity?: ClientIdentity;
}

/** The reply of the other server, with any status. Header names are in lower case. */
export interface OutboundReply {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * Makes outbound calls behind the network guard (decisions §12).
 * @throws DomainError `AddressRefused` (by the guard), `BadRequest` (an invalid header value),
 * `UpstreamFailed` (cannot be reached, broken or too large reply), `UpstreamTimeout`.
 */
export interface Outbound {
  /** @throws DomainError `AddressRefused` when the guard refuses the URL before any name is resolved */
  check(request: Pick<OutboundRequest, 'expects' | 'url'>): void;
  send(request: OutboundRequest): Promise<OutboundReply>;
}

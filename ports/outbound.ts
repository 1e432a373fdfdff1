/**
 * What a call brings back. Each kind has a size of its own (`DOCUMENT_BYTES`), and says whether our own origin may be
 * called for it (`REACHES_OWN_ORIGIN`).
 */
export type DocumentKind =
  | 'credential-offer'
  | 'issuer-metadata'
  | 'presentation-definition'
  | 'request-object'
  | 'did-document'
  | 'status-list'
  | 'protocol-reply'
  | 'credential-response'
  | 'mapping-data'
  | 'webhook-reply'
  | 'callback-reply';

/** A call to another server. */
export interface OutboundRequest {
  method: 'GET' | 'POST';
  url: string;
  /** What is expected back; a larger reply is refused. */
  expects: DocumentKind;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds for the whole exchange; the default is 5,000. */
  timeoutMs?: number;
}

/** The reply as it came; any status is a reply. Header names are in lower case. */
export interface OutboundReply {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * The one way out, behind the network guard (decisions §12).
 * @throws DomainError `AddressRefused` (the guard says no), `BadRequest` (a header value that cannot be sent as one),
 * `UpstreamFailed` (cannot be reached, broken or too large reply), `UpstreamTimeout`.
 */
export interface Outbound {
  /** @throws DomainError `AddressRefused` when the URL alone, before any name is resolved, says that it may not be called */
  check(request: Pick<OutboundRequest, 'expects' | 'url'>): void;
  send(request: OutboundRequest): Promise<OutboundReply>;
}

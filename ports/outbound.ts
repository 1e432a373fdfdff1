/**
 * What a call is for. Each purpose says in `domain/network/destinations.ts` whether it may reach our own origin.
 * `wallet`: our wallet speaks the protocol of an issuer or a verifier.
 */
export type OutboundPurpose = 'callback' | 'did-document' | 'status-list' | 'wallet' | 'webhook';

/** A call to somebody else's server. */
export interface OutboundRequest {
  purpose: OutboundPurpose;
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds for the whole exchange; the default is 5,000. */
  timeoutMs?: number;
  /** The largest reply that is read; the default is 5 MiB. */
  maxBytes?: number;
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
  check(request: Pick<OutboundRequest, 'purpose' | 'url'>): void;
  send(request: OutboundRequest): Promise<OutboundReply>;
}

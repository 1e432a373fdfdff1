/** The kind of document that a call fetches: a row of the table `DOCUMENTS`, which has its bounds. */
export type DocumentKind =
  | 'credential-offer'
  | 'issuer-metadata'
  | 'presentation-definition'
  | 'request-object'
  | 'did-document'
  | 'status-list'
  | 'status-token'
  | 'trust-list'
  | 'protocol-reply'
  | 'credential-response'
  | 'mapping-data'
  | 'webhook-reply'
  | 'callback-reply'
  | 'type-metadata'
  | 'credential-type'
  | 'rules'
  | 'rule-decision'
  | 'logo'
  | 'did-registration'
  | 'did-resolution'
  | 'login-token'
  | 'issuer-keys'
  | 'entity-statement'
  | 'kms-reply'
  | 'vault-reply'
  | 'kms-token'
  | 'instance-metadata';

/** The methods of outbound calls. */
export type OutboundMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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

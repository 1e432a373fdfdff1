import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from './document.ts';

export type Headers = Record<string, string | string[]>;

/** What keeps an answer with a token, a credential or an error out of every cache (RFC 6749 §5.1). */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** A request on its way to its operation. */
export interface Exchange {
  request: IncomingMessage;
  /** Both as they were spelled. */
  path: string;
  querystring: string;
  /** Where it comes from (decisions §9). */
  source: string;
  /** What its answer carries, whichever that is. */
  headers: Headers;
  /** What it asks for, once that is known. */
  operation?: Operation;
}

/** What is sent back. */
export interface Answer {
  status: number;
  headers?: Headers;
  body?: string | Uint8Array;
}

/** Puts more headers in, which replace those of the same name; every request does this, and spreading costs far more. */
export function addHeaders(headers: Headers, more: Headers): void {
  for (const [name, value] of Object.entries(more)) headers[name] = value;
}

/** Sends head and body in one go. */
export function send(
  response: ServerResponse,
  { headers }: Exchange,
  { status, headers: own, body = '' }: Answer,
): void {
  if (own) addHeaders(headers, own);
  if (status !== 204 && status !== 304) headers['content-length'] = String(Buffer.byteLength(body));
  response.writeHead(status, headers).end(body);
}

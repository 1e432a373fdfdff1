import type { KMSClient } from '@aws-sdk/client-kms';
import type { Outbound, OutboundMethod } from '../../../ports/outbound.ts';
import { LATE_CREATION_MS, sendGuarded } from '../remote/transport.ts';

type Handler = KMSClient['config']['requestHandler'];
type HttpRequest = Parameters<Handler['handle']>[0];

/** Where the calls of a client go. */
export interface HandlerParts {
  outbound: Outbound;
  /** Milliseconds for one call. */
  timeoutMs: number;
}

/** The transport of the vendor's client: every call passes the network guard. */
export function guardedHandler({ outbound, timeoutMs }: HandlerParts): Handler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request) {
      const reply = await sendGuarded(
        {
          method: request.method as OutboundMethod,
          url: urlOf(request),
          headers: request.headers,
          body: request.body,
          expects: 'kms-reply',
        },
        {
          outbound,
          timeoutMs: isCreation(request) ? timeoutMs + LATE_CREATION_MS : timeoutMs,
          field: ['config', 'auth', 'region'],
        },
      );
      return { response: { statusCode: reply.status, headers: reply.headers, body: reply.body } };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

const urlOf = ({ protocol, hostname, port, path }: HttpRequest): string =>
  `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;

const isCreation = ({ headers }: HttpRequest): boolean => headers['x-amz-target'] === 'TrentService.CreateKey';

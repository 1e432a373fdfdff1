import type { Outbound, OutboundReply, OutboundRequest } from '../../ports/outbound.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { DomainError, type ErrorCode, isDomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';

const MAX_REASON = 500;
const ERROR_CODE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const REASONS = ['error_description', 'errorDescription', 'message', 'error'] as const;

/** Sanitizes a text of a counterparty: one line without control and formatting characters, at most 500 characters. */
export const sanitizeReason = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON);

/** What a counterparty answered, in our words and with its own. */
interface Answered {
  /** With its error code. */
  plain: string;
  stated: string;
  reason: string;
}

/** An error whose message has words of a counterparty. */
class CounterpartyError extends DomainError {
  readonly plain: string;

  constructor(code: ErrorCode, { plain, stated, reason }: Answered, extra: Record<string, unknown>) {
    super(code, `${stated}${reason && `: ${reason}`}`, { extra });
    this.plain = plain;
  }
}

/** The same error with nothing of a counterparty but its error code. */
export function withoutWords(error: unknown): unknown {
  if (!isDomainError(error)) return error;
  const quoting = [error, error.cause].find((one) => one instanceof CounterpartyError);
  return quoting ? new DomainError(error.code, quoting.plain, { ...error, cause: error }) : error;
}

/** Sends requests to a counterparty: an issuer or a verifier, as errors name it. */
export class ProtocolClient {
  constructor(
    private readonly outbound: Outbound,
    private readonly name: string,
  ) {}

  /** Returns the reply, of any status. @throws DomainError `AddressRefused`, `UpstreamFailed`, `UpstreamTimeout` */
  send(request: OutboundRequest): Promise<OutboundReply> {
    return this.outbound.send(request);
  }

  /** Returns the JSON object of a successful reply. @throws DomainError that of `errorFrom` for any other reply */
  async json(request: OutboundRequest): Promise<JsonObject> {
    const reply = await this.send({ ...request, headers: { accept: 'application/json', ...request.headers } });
    return this.objectOf(reply);
  }

  /** Returns the JSON object of a reply that succeeded. @throws DomainError that of `errorFrom` for any other reply */
  objectOf(reply: OutboundReply): JsonObject {
    if (!isSuccess(reply)) throw this.errorFrom(reply);
    const body = readObject(reply);
    if (!body) throw new DomainError('UpstreamFailed', `The ${this.name} did not answer with a JSON object`);
    return body;
  }

  /** Returns the text of a successful reply. @throws DomainError that of `errorFrom` for any other reply */
  async text(request: OutboundRequest): Promise<string> {
    const reply = await this.send(request);
    if (!isSuccess(reply)) throw this.errorFrom(reply);
    return textOf(reply);
  }

  /** `BadRequest` with the counterparty's reason for a 4xx, else `UpstreamFailed`; with its OAuth error code, if any. */
  errorFrom(reply: OutboundReply, extra?: Record<string, unknown>): DomainError {
    const code = reply.status >= 400 && reply.status < 500 ? 'BadRequest' : 'UpstreamFailed';
    const upstreamError = readErrorCode(readObject(reply)?.error);
    const plain = `The ${this.name} answered with ${reply.status}`;
    const words = {
      plain: upstreamError === undefined ? plain : `${plain} (${upstreamError})`,
      reason: reasonOf(reply),
    };
    return new CounterpartyError(
      code,
      { ...words, stated: plain },
      { ...extra, ...(upstreamError && { upstreamError }) },
    );
  }
}

/** An error code of RFC 6749 §5.2; undefined for any other value. */
export const readErrorCode = (value: unknown): string | undefined =>
  isText(value) && ERROR_CODE.test(value) ? value : undefined;

/** The text of a reply, without space around it. @throws DomainError `BadRequest` when it is no UTF-8 */
export const textOf = ({ body }: OutboundReply): string => fromUtf8(body).trim();

export const isSuccess = ({ status }: OutboundReply): boolean => status >= 200 && status < 300;

/** The JSON object of a reply, or undefined when there is none. */
export function readObject(reply: OutboundReply): JsonObject | undefined {
  try {
    const value = parseJson(fromUtf8(reply.body));
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (isDomainError(error)) return undefined;
    throw error;
  }
}

function reasonOf(reply: OutboundReply): string {
  const body = readObject(reply);
  if (body) return sanitizeReason(REASONS.map((name) => body[name]).find(isText) ?? '');
  const isPlain = (reply.headers['content-type'] ?? '').startsWith('text/plain');
  return isPlain ? sanitizeReason(new TextDecoder().decode(reply.body.subarray(0, 4 * MAX_REASON))) : '';
}

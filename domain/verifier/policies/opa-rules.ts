import type { Log } from '../../../ports/log.ts';
import type { Outbound, OutboundMethod } from '../../../ports/outbound.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { DomainError, reasonOf } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';

/** Rules of a caller, and the question that they answer. */
interface RuleQuery {
  /** The URL of the engine. */
  server: string;
  /** The name of the rules within `path`. */
  name: string;
  /** The path of the package that the rules are in. */
  path: string;
  rules: string;
  input: unknown;
}

/** Evaluates rules of callers. */
export interface RuleEngine {
  /**
   * Returns the values of the rules; undefined when they have none.
   * @throws DomainError `AddressRefused`, `UpstreamFailed`, `UpstreamTimeout`, `Busy`
   */
  evaluate(query: RuleQuery): Promise<unknown>;
}

/** The most evaluations under way or waiting in this process. */
const MAX_PENDING = 256;
const MAX_REASON = 200;

interface Call {
  method: OutboundMethod;
  path: string;
  type: string;
  body?: string;
}

/**
 * Rules in Rego on servers of the Open Policy Agent, by its REST API: the rules are uploaded, queried and deleted again,
 * also when the query failed. Rules of one name on one server are evaluated one after the other, so that no query is
 * answered by the rules of another one.
 */
export class OpaRules implements RuleEngine {
  readonly #outbound: Outbound;
  readonly #log: Log;
  readonly #last = new Map<string, Promise<unknown>>();
  #pending = 0;

  constructor({ outbound, log }: { outbound: Outbound; log: Log }) {
    this.#outbound = outbound;
    this.#log = log;
  }

  async evaluate(query: RuleQuery): Promise<unknown> {
    if (this.#pending >= MAX_PENDING)
      throw new DomainError('Busy', 'Too many rules are being evaluated', { retryAfterSeconds: 1 });
    this.#pending += 1;
    const key = `${query.server} ${query.name}`;
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(() => this.#evaluate(query));
    const settled = turn.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      this.#pending -= 1;
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  async #evaluate({ server, name, path, rules, input }: RuleQuery): Promise<unknown> {
    const policy = `/v1/policies/${name}`;
    try {
      await this.#call(server, { method: 'PUT', path: policy, type: 'text/plain', body: rules });
      const body = JSON.stringify({ input });
      const reply = await this.#call(server, {
        method: 'POST',
        path: `/v1/data/${path}/${name}`,
        type: 'application/json',
        body,
      });
      return reply.result;
    } finally {
      await this.#call(server, { method: 'DELETE', path: policy, type: 'application/json' }).catch((error) =>
        this.#log.warn('Rules could not be deleted from their engine', { name, reason: reasonOf(error) }),
      );
    }
  }

  async #call(server: string, { method, path, type, body }: Call): Promise<JsonObject> {
    const { status, body: bytes } = await this.#outbound.send({
      method,
      url: `${server.endsWith('/') ? server.slice(0, -1) : server}${path}`,
      headers: { 'content-type': type, accept: 'application/json' },
      ...(body !== undefined && { body }),
      expects: 'rule-decision',
    });
    const reply = readReply(bytes);
    if (status >= 200 && status < 300 && reply) return reply;
    const message = isText(reply?.message) ? `: ${reply.message.slice(0, MAX_REASON)}` : '';
    throw new DomainError('UpstreamFailed', `The rule engine answered ${method} with the status ${status}${message}`);
  }
}

/** An empty body is an empty object; undefined for anything but an object. */
function readReply(bytes: Uint8Array): JsonObject | undefined {
  if (bytes.length === 0) return {};
  try {
    const reply = parseJson(fromUtf8(bytes));
    return isObject(reply) ? reply : undefined;
  } catch {
    return undefined;
  }
}

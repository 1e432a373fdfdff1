import type { Outbound } from '../../ports/outbound.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isObject, isText } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { hostAddress, isPublicAddress } from '../network/addresses.ts';
import { derivedToken, type StatusTokens, type TokenState } from './status-tokens.ts';

/**
 * Reads the status of credentials whose `credentialStatus` is a URL that answers it (SimpleCredentialStatus2022). The
 * answer has no signature and is never cached: the URL, which the credential names, vouches for it.
 */
export class SimpleStatuses {
  constructor(
    private readonly parts: {
      outbound: Outbound;
      tokens: Pick<StatusTokens, 'get' | 'tokenIn'>;
    },
  ) {}

  /**
   * @throws DomainError `StatusRetrieval` or `StatusRetrievalTimeout` when there is no answer, `AddressRefused`,
   * `StatusVerification` when the answer is not about this token or comes without TLS, `MalformedValue`
   */
  async get(url: string): Promise<TokenState> {
    const { tokens } = this.parts;
    const own = tokens.tokenIn(url);
    try {
      return own === undefined ? readState(await this.#fetch(url), url) : await tokens.get(own);
    } catch (error) {
      throw asRetrieval(error);
    }
  }

  async #fetch(url: string): Promise<unknown> {
    if (!isProtected(new URL(url)))
      throw new DomainError('StatusVerification', 'The status of the credential is not published with TLS');
    const headers = { accept: 'application/json' };
    const reply = await this.parts.outbound.send({ method: 'GET', url, expects: 'status-token', headers });
    if (reply.status !== 200)
      throw new DomainError('StatusRetrieval', `The status of the credential was answered with ${reply.status}`);
    return parseJson(fromUtf8(reply.body));
  }
}

/** Whether who answers is known: by TLS, or in a network of the operator. */
const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (hostAddress(hostname) !== undefined && !isPublicAddress(hostname));

/** An answer about another token says nothing about the credential. */
function readState(answer: unknown, url: string): TokenState {
  const { token, isRevoked, timeOfRevocation } = isObject(answer) ? answer : {};
  if (!isText(token) || typeof isRevoked !== 'boolean')
    throw new DomainError('MalformedValue', 'The status of the credential is not a token and isRevoked');
  const asked = new URL(url).pathname.split('/').at(-1) ?? '';
  if (token !== asked && token !== derivedToken(asked))
    throw new DomainError('StatusVerification', 'The status of the credential is that of another token');
  const isTime = typeof timeOfRevocation === 'number' && isRevoked;
  return { token, isRevoked, ...(isTime && { timeOfRevocation }) };
}

function asRetrieval(error: unknown): unknown {
  if (isDomainError(error, 'UpstreamFailed') || isDomainError(error, 'NotFound'))
    return new DomainError('StatusRetrieval', error.message, { cause: error });
  if (isDomainError(error, 'UpstreamTimeout'))
    return new DomainError('StatusRetrievalTimeout', error.message, { cause: error });
  if (isDomainError(error, 'BadRequest')) return new DomainError('MalformedValue', error.message, { cause: error });
  return error;
}

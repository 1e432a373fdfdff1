import { base64url, utf8 } from '../../foundation/bytes.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { signJws } from '../../jose/jws.ts';
import { REQUEST_OBJECT } from '../../presentation/request-parameters.ts';
import type { RequestSigner } from '../protocol.ts';

/** A request to sign. */
interface NewRequestObject {
  /** The parameters of the request as JSON; `undefined` members are left out. */
  parameters: JsonObject & { client_id: string };
  /** Milliseconds since the epoch. */
  now: number;
  /** The end of the session in milliseconds since the epoch: the request is worthless afterwards. */
  expiresAt: number;
  /** `AUDIENCE` when absent. */
  audience?: string;
  /** What the wallet sent to be repeated (OpenID4VP 1.0 §5.10). */
  walletNonce?: string;
}

/** A link for a wallet: the parameters in their order; values that are not texts are JSON (OpenID4VP 1.0 §5.1). */
export function walletLink(base: string, parameters: readonly [string, unknown][]): string {
  const texts = parameters.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const separator = base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?';
  return `${base}${separator}${new URLSearchParams(texts)}`;
}

/** Signs a request object. @throws DomainError as `Signer.sign` */
export const signRequestObject = (request: NewRequestObject, { signer, header }: RequestSigner): Promise<string> =>
  signJws({ typ: REQUEST_OBJECT.TYP, ...header }, claimsOf(request), signer);

/** Writes a request object without a signature: for clients whose requests cannot be signed (OpenID4VP 1.0 §5.9.3, §5.10.1; RFC 7519 §6). */
export const unsecuredRequestObject = (request: NewRequestObject): string =>
  `${encoded({ alg: 'none', typ: REQUEST_OBJECT.TYP })}.${encoded(claimsOf(request))}.`;

const encoded = (part: JsonObject): string => base64url(utf8(JSON.stringify(part)));

/** `iss` is the client id, which wallets of the drafts read; those of 1.0 ignore it (§5.8). */
const claimsOf = ({
  parameters,
  now,
  expiresAt,
  audience = REQUEST_OBJECT.AUDIENCE,
  walletNonce,
}: NewRequestObject) => ({
  ...parameters,
  iss: parameters.client_id,
  aud: audience,
  iat: epochSeconds(now),
  exp: epochSeconds(expiresAt),
  ...(walletNonce !== undefined && { wallet_nonce: walletNonce }),
});

import type { KeyReference } from '../../../ports/key-service.ts';
import type { Outbound, OutboundReply, OutboundRequest } from '../../../ports/outbound.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { epochSeconds } from '../../foundation/time.ts';
import { signJws } from '../../jose/jws.ts';
import { KEY_TYPES } from '../../jose/key-types.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { DPOP, normalizedTarget } from '../../oauth/dpop-proof.ts';
import { ProtocolClient, readObject } from '../protocol-client.ts';

/** The key that the tokens of one issuance are bound to, and the latest nonce of each server; plain JSON, a secret. */
export interface DpopBinding {
  key: KeyReference;
  /** By the origins of the servers. */
  nonces: Record<string, string>;
}

/** What an access token is sent with: without a binding it is a bearer token. */
export interface AccessGrant {
  accessToken: string;
  dpop?: DpopBinding;
}

/** Sends requests with the latest access token of an issuance, which is renewed where its server gives another one. */
export interface TokenRenewal<G extends AccessGrant> {
  send(owner: string, grant: G, send: (access: AccessGrant) => Promise<OutboundReply>): Promise<OutboundReply>;
}

const NONCE_WANTED = 'use_dpop_nonce';
/** The error code of an access token that is not good, or not any more. */
export const INVALID_TOKEN = 'invalid_token';
const MAX_NONCE_LENGTH = 2048;
/** The keys that are created, the first that the server takes. */
const KEY_CHOICE = ['secp256r1', 'Ed25519', 'secp384r1', 'secp521r1'] as const;

/** Sends requests with DPoP proofs (RFC 9449), and once more where the server wants its nonce in the proof. */
export class DpopCalls {
  readonly #client: ProtocolClient;

  constructor(
    private readonly parts: {
      outbound: Outbound;
      keys: Pick<KeyBackends, 'create' | 'signer'>;
      clock: Clock;
      ids: Ids;
    },
  ) {
    this.#client = new ProtocolClient(parts.outbound, 'issuer');
  }

  /** A new key for an issuance; undefined where the server takes no algorithm of ours. */
  async bind(algorithms: readonly string[]): Promise<DpopBinding | undefined> {
    const keyType = KEY_CHOICE.find((name) => algorithms.includes(KEY_TYPES[name].alg));
    return keyType && { key: await this.parts.keys.create('jwk', { keyType }), nonces: {} };
  }

  /**
   * Returns the reply, of any status. `make` creates the request anew for each attempt, since other proofs in it may be
   * good once. @throws DomainError `UpstreamFailed` for a server that asks for nonces again and again, and as `Outbound.send`
   */
  async send(
    make: () => Promise<OutboundRequest>,
    { accessToken, dpop }: Partial<AccessGrant>,
  ): Promise<OutboundReply> {
    const reply = await this.#sendOnce(await make(), { accessToken, dpop });
    if (!dpop || !wantsNonce(reply)) return reply;
    const second = await this.#sendOnce(await make(), { accessToken, dpop });
    if (!wantsNonce(second)) return second;
    throw new DomainError('UpstreamFailed', 'The issuer wants another DPoP nonce than the one that it gave', {
      extra: { upstreamError: NONCE_WANTED },
    });
  }

  async #sendOnce(request: OutboundRequest, { accessToken, dpop }: Partial<AccessGrant>): Promise<OutboundReply> {
    const { url } = request;
    const target = normalizedTarget(url);
    const proof = dpop && target && { dpop: await this.#proof({ ...request, url: target }, { accessToken, dpop }) };
    const scheme = dpop ? DPOP.SCHEME : 'Bearer';
    const headers = {
      ...request.headers,
      ...(accessToken !== undefined && { authorization: `${scheme} ${accessToken}` }),
      ...proof,
    };
    const reply = await this.#client.send({ ...request, headers });
    if (dpop) noteNonce(dpop, url, reply);
    return reply;
  }

  #proof(
    { method, url }: Pick<OutboundRequest, 'method' | 'url'>,
    { accessToken, dpop }: { accessToken?: string; dpop: DpopBinding },
  ): Promise<string> {
    const { clock, ids, keys } = this.parts;
    const nonce = dpop.nonces[new URL(url).origin];
    const claims = {
      jti: ids.uuid(),
      htm: method,
      htu: url,
      iat: epochSeconds(clock.now()),
      ...(nonce !== undefined && { nonce }),
      ...(accessToken !== undefined && { ath: fingerprint(accessToken) }),
    };
    return signJws({ typ: DPOP.PROOF_TYPE, jwk: dpop.key.publicJwk }, claims, keys.signer(dpop.key));
  }
}

/** Keeps the nonce that a reply has for the next proof (RFC 9449 §8.2). */
export function noteNonce({ nonces }: DpopBinding, url: string, { headers }: OutboundReply): void {
  const nonce = headers['dpop-nonce'];
  if (nonce !== undefined && nonce !== '' && nonce.length <= MAX_NONCE_LENGTH) nonces[new URL(url).origin] = nonce;
}

/** Whether a server takes the access token no more (RFC 6750 §3.1). */
export const isTokenRefused = (reply: OutboundReply): boolean =>
  reply.status === 401 || (reply.status === 400 && readObject(reply)?.error === INVALID_TOKEN);

/** An authorization server says it in the body (RFC 9449 §8), a protected resource in its challenge (§9). */
function wantsNonce(reply: OutboundReply): boolean {
  if (reply.status !== 400 && reply.status !== 401) return false;
  const challenge = reply.headers['www-authenticate'] ?? '';
  return readObject(reply)?.error === NONCE_WANTED || challenge.includes(`error="${NONCE_WANTED}"`);
}

import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import type { PeerReply, PeerRequest, PeerRoute } from './http-peer.ts';
import type { TestIssuer } from './issuer.ts';

/** A DPoP proof as a server read it. */
interface SeenProof {
  path: string;
  /** The thumbprint of its key. */
  key: string;
  nonce: string | undefined;
}

/** What a server does with proofs; each test changes what it needs. */
interface BindingBehaviour {
  /** What `token_type` says. */
  tokenType: string;
  /** Whether proofs need the nonce that was given last. */
  wantsNonces: boolean;
  /** Gives a nonce and refuses it. */
  loops: boolean;
}

const METADATA = '/issuer/.well-known/openid-credential-issuer';

/** Makes the tokens of a test issuer good with DPoP proofs only (RFC 9449); returns what it saw of them. */
export function bindTokens(issuer: TestIssuer): { behaviour: BindingBehaviour; seen: SeenProof[] } {
  const { routes } = issuer.peer;
  const behaviour: BindingBehaviour = { tokenType: 'DPoP', wantsNonces: true, loops: false };
  const seen: SeenProof[] = [];
  let [given, bound] = ['', ''];
  const fresh = (): string => {
    given = `nonce ${seen.length}`;
    return given;
  };

  async function check({ headers, url, method }: PeerRequest, token?: string): Promise<PeerReply | undefined> {
    const { payload, protectedHeader } = await jwtVerify(String(headers.dpop), EmbeddedJWK, { typ: 'dpop+jwt' });
    const { jwk } = protectedHeader;
    if (!jwk || 'd' in jwk) return { status: 400, body: { error: 'invalid_dpop_proof' } };
    const key = await calculateJwkThumbprint(jwk);
    seen.push({ path: url.pathname, key, nonce: payload.nonce as string | undefined });
    const ath = token && createHash('sha256').update(token).digest('base64url');
    const isRight = payload.htm === method && payload.htu === `${url.origin}${url.pathname}` && payload.ath === ath;
    if (!isRight || (token && key !== bound)) return { status: 400, body: { error: 'invalid_dpop_proof' } };
    if (behaviour.loops || (behaviour.wantsNonces && payload.nonce !== given)) {
      const challenge: Record<string, string> = token ? { 'www-authenticate': 'DPoP error="use_dpop_nonce"' } : {};
      const body = token ? {} : { error: 'use_dpop_nonce' };
      return { status: token ? 401 : 400, headers: { 'dpop-nonce': fresh(), ...challenge }, body };
    }
    bound = key;
    return undefined;
  }

  const wrap = (path: string, around: (request: PeerRequest, plain: PeerRoute) => ReturnType<PeerRoute>): void => {
    const plain = routes[path];
    if (plain) routes[path] = (request) => around(request, plain);
  };
  const merged = async (reply: ReturnType<PeerRoute>, more: object): Promise<PeerReply> => {
    const { body, ...rest } = (await reply) ?? {};
    return { ...rest, body: { ...Object(body), ...more } };
  };
  wrap(METADATA, (request, plain) => merged(plain(request), { dpop_signing_alg_values_supported: ['ES256'] }));
  wrap('/issuer/token', async (request, plain) => {
    return (await check(request)) ?? merged(plain(request), { token_type: behaviour.tokenType });
  });
  wrap('/issuer/nonce', async (request, plain) => {
    return { ...(await plain(request)), headers: { 'dpop-nonce': fresh() } };
  });
  wrap('/issuer/credential', async (request, plain) => {
    const { authorization } = request.headers;
    if (behaviour.tokenType === 'Bearer') return plain(request);
    const token = /^DPoP (.*)$/.exec(authorization ?? '')?.[1];
    if (token === undefined) return { status: 401, body: { error: 'invalid_token' } };
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return (await check(request, token)) ?? plain({ ...request, headers });
  });
  return { behaviour, seen };
}

import { webcrypto } from 'node:crypto';
import { type Certified, certify, pemOf } from '../support/certificates.ts';
import { compared, interleave, type Line } from '../support/harness.ts';
import { encode, load } from '../support/load.ts';
import { inTurn } from '../support/parties.ts';
import { configFolder, fork, serveProduct } from '../support/servers.ts';

const USERS = 8;
const WARM_UP = 6;

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A login request with leaf and intermediate in the token's header. */
async function loginRequest(leaf: Certified, intermediate: Certified): Promise<Buffer> {
  const x5c = [leaf, intermediate].map(({ der }) => Buffer.from(der).toString('base64'));
  const input = `${base64url({ alg: 'RS256', x5c })}.${base64url({})}`;
  const signature = await webcrypto.subtle.sign('RSASSA-PKCS1-v1_5', leaf.keys.privateKey, Buffer.from(input));
  const token = `${input}.${Buffer.from(signature).toString('base64url')}`;
  const headers = { 'content-type': 'application/json' };
  return encode({
    method: 'POST',
    target: '/wallet-api/auth/x5c/login',
    headers,
    body: JSON.stringify({ type: 'x5c', token }),
  });
}

/** The whole login over HTTP: chain of leaf, intermediate and root, account found, session stored in SQLite, token signed. */
export async function x5cLogin(): Promise<Line[]> {
  const root = await certify({ name: 'CN=Root,O=Bench' });
  const intermediate = await certify({ name: 'CN=Intermediate,O=Bench', issuer: root });
  const users = await Promise.all(
    Array.from({ length: USERS }, (_, user) =>
      certify({ name: `CN=User ${user},O=Bench`, issuer: intermediate, ca: false }),
    ),
  );
  const requests = await Promise.all(users.map((user) => loginRequest(user, intermediate)));
  const folder = configFolder({
    _features: { enabledFeatures: ['trusted-ca'] },
    'trusted-ca': { certificates: [pemOf(root)] },
    // One address logs in far more often than the default allows; the limiter still decides on every request.
    'rate-limit': { wallet_auth_endpoint: { requestsPerMinute: 100_000 } },
  });
  const [ours, hand] = await Promise.all([serveProduct({ folder }), fork('baselines/login-by-hand', [pemOf(root)])]);
  const rates = await interleave(
    { ours: load(ours, inTurn(requests)), hand: load(hand, inTurn(requests)) },
    { warmUp: WARM_UP },
  );
  await Promise.all([ours.close(), hand.close()]);
  const named = 'koa + jose + @peculiar/x509 + SQLite by hand';
  return [compared({ work: 'x5c login, HTTP, SQLite', named, goal: { atLeast: 5 } }, rates.ours, rates.hand)];
}

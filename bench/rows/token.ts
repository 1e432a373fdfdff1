import { compared, interleave, type Line, type Slice } from '../support/harness.ts';
import { offerRequest } from '../support/issuer.ts';
import { Connection, encode, expectOk, load } from '../support/load.ts';
import { configFolder, fork, type Server, serveProduct } from '../support/servers.ts';

/** The code of both sides is compiled after some ten thousand requests. */
const WARM_UP = 20;
const SLICE_MS = 100;
/** More than a slice redeems. */
const OFFERS = 2000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

const tokenRequest = (target: string, fields: Record<string, string>): Buffer =>
  encode({ method: 'POST', target, headers: FORM, body: new URLSearchParams(fields).toString() });

/** Token requests, each with a code of its own, whose offers are created before the slice. */
function redemptions(server: Server): Slice {
  const offer = encode({
    method: 'POST',
    target: '/openid4vc/jwt/issue',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(offerRequest()),
  });
  const connections = Array.from({ length: 16 }, () => new Connection(server.port));
  const codes: string[] = [];
  const create = async (connection: Connection): Promise<void> => {
    while (codes.length < OFFERS) codes.push(await codeOf(connection, await expectOk(connection.send(offer))));
  };
  const next = (): Buffer => {
    const code = codes.pop();
    if (code === undefined) throw new Error('More codes were redeemed than offered');
    return tokenRequest('/draft13/token', { grant_type: GRANT, 'pre-authorized_code': code });
  };
  const slice = load(server, next, SLICE_MS);
  return async () => {
    await Promise.all(connections.map(create));
    return slice();
  };
}

async function codeOf(connection: Connection, link: string): Promise<string> {
  const uri = new URL(new URLSearchParams(link.slice(link.indexOf('?'))).get('credential_offer_uri') ?? '');
  const target = `${uri.pathname}${uri.search}`;
  const offer = JSON.parse(await expectOk(connection.send(encode({ method: 'GET', target }))));
  return offer.grants[GRANT]['pre-authorized_code'];
}

/** Codes redeemed over HTTP: a one-time code taken, its session read, an opaque token stored. */
export async function token(): Promise<Line[]> {
  const client = { client_id: 'wallet', client_secret: 'a-secret-of-the-client-of-32-bytes' };
  const store = { type: 'memory' };
  const [ours, library] = await Promise.all([
    serveProduct({ folder: configFolder({ store }) }),
    fork('baselines/token-by-library', Object.values(client)),
  ]);
  const credentials = tokenRequest('/token', { grant_type: 'client_credentials', ...client });
  const { ours: redeemed, library: granted } = await interleave(
    { ours: redemptions(ours), library: load(library, () => credentials, SLICE_MS) },
    { warmUp: WARM_UP },
  );
  await Promise.all([ours.close(), library.close()]);
  const named = 'oidc-provider, client_credentials';
  const beside = { work: 'token endpoint, HTTP, memory', named, goal: { atLeast: 1.2 } };
  return [compared(beside, redeemed, granted)];
}

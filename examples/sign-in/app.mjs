import { createServer } from 'node:http'; // a shop with sign-in: `npm install openid-client`, `node app.mjs`
import * as openid from 'openid-client';

const { ISSUER = 'http://127.0.0.1:7001/sign-in', SITE = 'http://127.0.0.1:3000' } = process.env;
const authentication = openid.ClientSecretBasic(process.env.SECRET ?? 'only an example');
const options = ISSUER.startsWith('http:') ? { execute: [openid.allowInsecureRequests] } : {}; // for trying it out
const provider = await openid.discovery(new URL(ISSUER), 'app', {}, authentication, options);
const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (title, [path, label]) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>
<main><h1>${escaped(title)}</h1><p><a href="${path}">${label}</a></p></main></html>`;
const visits = new Map(); // what is known of each browser, by its cookie

async function signIn(_visit, response) {
  const [id, state, nonce] = [openid.randomState(), openid.randomState(), openid.randomNonce()];
  const verifier = openid.randomPKCECodeVerifier();
  visits.set(id, { checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } });
  setTimeout(() => visits.delete(id), 3_600_000).unref();
  response.setHeader('set-cookie', `visit=${id}; Path=/; HttpOnly; SameSite=Lax`); // and Secure, with https
  const proof = { code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' };
  const asked = { redirect_uri: `${SITE}/callback`, scope: 'openid identity', state, nonce, ...proof };
  return openid.buildAuthorizationUrl(provider, asked).href;
}
async function callback(visit, _response, url) {
  const tokens = await openid.authorizationCodeGrant(provider, url, visit.checks);
  Object.assign(visit, { checks: undefined, idToken: tokens.id_token, person: tokens.claims() });
  return '/';
}
const endOf = ({ idToken }) => ({ id_token_hint: idToken, post_logout_redirect_uri: `${SITE}/` });
const signOut = (visit) => openid.buildEndSessionUrl(provider, endOf(Object.assign(visit, { person: undefined }))).href;
const routes = { '/sign-in': signIn, '/callback': callback, '/sign-out': signOut };
const welcome = ({ given_name, family_name }) =>
  page(`Welcome, ${given_name} ${family_name}`, ['/sign-out', 'Log out']);
createServer(async (request, response) => {
  const [url, cookie = ''] = [new URL(request.url, SITE), request.headers.cookie];
  const visit = visits.get(/\bvisit=([\w-]+)/.exec(cookie)?.[1]) ?? {};
  response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('cache-control', 'no-store');
  const location = await Promise.resolve(routes[url.pathname]?.(visit, response, url)).catch(() => '/?failed');
  if (location) response.writeHead(303, { location }).end();
  else response.end(visit.person ? welcome(visit.person) : page('A shop', ['/sign-in', 'Sign in with a card']));
}).listen(new URL(SITE).port, () => console.log(`The shop is at ${SITE}/`));

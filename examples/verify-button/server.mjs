import { createServer } from 'node:http'; // a shop with the button of Credenza: `node server.mjs`, then open its address

const { CREDENZA = 'http://127.0.0.1:7001', SITE = 'http://localhost:8080', TOKEN, ISSUER, VCT } = process.env;
const button = `${CREDENZA}/portal/verify-button.js`;
const policy = `default-src 'none'; script-src ${button}; connect-src 'self'; form-action 'self'`;
export const page = `<!doctype html><html lang="en"><title>A shop</title><script defer src="${button}"></script>
<main><h1>Show us your family name</h1><form action="/done"><credenza-verify backend="/session" name="response_code"
autosubmit><a href="/wallet">Use the wallet of this device</a></credenza-verify></form></main>`;
const meta = { vct_values: [VCT ?? `${CREDENZA}/openid4vci/IdentityCredential`] };
const card = { id: 'card', format: 'dc+sd-jwt', meta, claims: [{ path: ['family_name'] }] };
const vc_policies = ['signature', ...(ISSUER ? [{ policy: 'allowed-issuer', allowed_issuer: ISSUER }] : [])];
const core_flow = { dcql_query: { credentials: [card] }, policies: { vc_policies } };
const redirects = { success_redirect_uri: `${SITE}/done`, error_redirect_uri: `${SITE}/` };
const headers = { 'content-type': 'application/json', ...(TOKEN && { authorization: `Bearer ${TOKEN}` }) };
const read = (answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText)));
const call = (path, more) => fetch(`${CREDENZA}/verification-session/${path}`, { headers, ...more }).then(read);
export const post = (path, json) => call(path, { method: 'POST', body: JSON.stringify(json) });
export async function begin(response, setup) {
  const { sessionId, data, bootstrapAuthorizationRequestUrl: link } = await post('create', { ...setup, core_flow });
  response.setHeader('set-cookie', `session=${sessionId}; HttpOnly; Secure; SameSite=Lax`); // the id shows the result
  if (setup.redirects) response.setHeader('location', link).statusCode = 303;
  return JSON.stringify({ link, data });
}
const state = ({ status, failure, response_code }) => JSON.stringify({ status, failure: failure?.type, response_code });
const welcome = ({ presented_credentials }) => `Welcome, ${presented_credentials.card[0].claims.family_name}`;
export const routes = {
  'GET /': async () => page,
  'POST /session': ({ response }) => begin(response, { flow_type: 'cross_device', response_code: true }),
  'GET /session': ({ id }) => call(`${id}/info`).then(state),
  'GET /wallet': ({ response }) => begin(response, { flow_type: 'same_device', redirects }),
  'GET /done': ({ id, query }) => post(`${id}/result`, Object.fromEntries(new URLSearchParams(query))).then(welcome),
};
createServer((request, response) => {
  const [path, query] = request.url.split('?');
  const [, id] = /\bsession=([\w-]+)/.exec(request.headers.cookie) ?? [];
  response.setHeader('content-security-policy', policy).setHeader('cache-control', 'no-store');
  response.setHeader('content-type', `text/${path === '/' ? 'html' : 'plain'}; charset=utf-8`);
  const answer = routes[`${request.method} ${path}`]?.({ id, query, request, response }) ?? Promise.reject(path);
  answer.then((text) => response.end(text)).catch(() => response.writeHead(502).end('That failed. Begin again.'));
}).listen(new URL(SITE).port, () => console.log(`The shop is at ${SITE}/`));

/** A shop that asks for a card with the button of Credenza: `node server.mjs`, then open http://localhost:8080/ */
import { createServer } from 'node:http';

const { CREDENZA = 'http://127.0.0.1:7001', SITE = 'http://localhost:8080', TOKEN, ISSUER, VCT } = process.env;
const BUTTON = `${CREDENZA}/portal/verify-button.js`;
const POLICY = `default-src 'none'; script-src ${BUTTON}; connect-src 'self'; form-action 'self'`;
const HEAD = `<!doctype html><html lang="en"><title>A shop</title><script defer src="${BUTTON}"></script>`;
const PAGE = `<main><h1>Show us your family name</h1><form method="post" action="/done">
<credenza-verify backend="/session" name="response_code" digital autosubmit>
<a href="/wallet">Use the wallet of this device</a></credenza-verify></form></main>`;
const meta = { vct_values: [VCT ?? `${CREDENZA}/openid4vci/IdentityCredential`] };
const asked = { id: 'card', format: 'dc+sd-jwt', meta, claims: [{ path: ['family_name'] }] };
const vc_policies = ['signature', ...(ISSUER ? [{ policy: 'allowed-issuer', allowed_issuer: ISSUER }] : [])];
const core_flow = { dcql_query: { credentials: [asked] }, policies: { vc_policies } };
const QR = { flow_type: 'cross_device', core_flow, response_code: true };
const BROWSER = { ...QR, flow_type: 'dc_api_openid4vp', expectedOrigins: [SITE] };
const redirects = { success_redirect_uri: `${SITE}/done`, error_redirect_uri: `${SITE}/` };
const HERE = { flow_type: 'same_device', core_flow, redirects };

async function credenza(path, json) {
  const headers = { 'content-type': 'application/json', ...(TOKEN && { authorization: `Bearer ${TOKEN}` }) };
  const sent = json && { method: 'POST', body: JSON.stringify(json) };
  const answer = await fetch(`${CREDENZA}/verification-session/${path}`, { headers, ...sent });
  return answer.ok ? answer.json() : Promise.reject(new Error(`${path}: ${answer.status}`));
}
async function begin(response, setup) {
  const { sessionId, data, bootstrapAuthorizationRequestUrl: link } = await credenza('create', setup);
  // The id shows the result: it stays here and in a cookie that scripts cannot read.
  response.setHeader('set-cookie', `session=${sessionId}; HttpOnly; Secure; SameSite=Lax; Path=/`);
  if (setup === HERE) response.setHeader('location', link).statusCode = 303;
  return { link, data };
}
async function done(id, form) {
  const { presented_credentials: shown } = await credenza(`${id}/result`, { response_code: form.get('response_code') });
  const name = shown.card[0].claims.family_name.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return { html: `<h1>Welcome, ${name}</h1>` };
}
const state = ({ status, failure, response_code }) => ({ status, failure: failure?.type, response_code });
const ROUTES = {
  'GET /': () => ({ html: PAGE }),
  'POST /session': ({ body, response }) => begin(response, JSON.parse(body).digital ? BROWSER : QR),
  'GET /session': ({ id }) => credenza(`${id}/info`).then(state),
  // What came of it, the next GET says.
  'PUT /session': async ({ id, body }) => {
    await credenza(`${id}/response`, { data: JSON.parse(body).data, origin: SITE }).catch(() => 'refused');
    return {};
  },
  'GET /wallet': ({ response }) => begin(response, HERE),
  'GET /done': ({ id, query }) => done(id, query),
  'POST /done': ({ id, body }) => done(id, new URLSearchParams(body)),
};

createServer(async (request, response) => {
  // Only pages of this site act with its cookie.
  if (request.method !== 'GET' && request.headers.origin !== SITE) return response.writeHead(403).end();
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) if (body.length < 1_000_000) body += chunk;
  const { pathname, searchParams: query } = new URL(request.url, SITE);
  const [, id] = /\bsession=([\w-]+)/.exec(request.headers.cookie) ?? [];
  response.setHeader('cache-control', 'no-store').setHeader('content-security-policy', POLICY);
  try {
    const answer = await ROUTES[`${request.method} ${pathname}`]({ id, body, query, response });
    response.setHeader('content-type', answer.html ? 'text/html; charset=utf-8' : 'application/json');
    response.end(answer.html ? HEAD + answer.html : JSON.stringify(answer));
  } catch {
    response.writeHead(502).end('That did not work. Begin again.');
  }
}).listen(new URL(SITE).port, () => console.log(`The shop is at ${SITE}/`));

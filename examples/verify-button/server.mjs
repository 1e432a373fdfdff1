/** A shop that asks for a card with the button of Credenza: `node server.mjs`, then open http://localhost:8080/ */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { CREDENZA = 'http://127.0.0.1:7001', SITE = 'http://localhost:8080', TOKEN = '' } = process.env;
const { VCT = `${CREDENZA}/openid4vci/IdentityCredential`, ISSUER = '' } = process.env;
const PAGE = readFileSync(new URL('page.html', import.meta.url), 'utf8').replace('{{credenza}}', CREDENZA);
const SCRIPTS = `script-src ${CREDENZA}/portal/verify-button.js; require-trusted-types-for 'script'`;
const POLICY = `default-src 'none'; ${SCRIPTS}; connect-src 'self'; form-action 'self'; base-uri 'none'`;

// Without an ISSUER the card of any issuer is accepted.
const trusted = ISSUER ? [{ policy: 'allowed-issuer', allowed_issuer: ISSUER }] : [];
const asked = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [VCT] }, claims: [{ path: ['family_name'] }] };
const core_flow = { dcql_query: { credentials: [asked] }, policies: { vc_policies: ['signature', ...trusted] } };
const redirects = { success_redirect_uri: `${SITE}/done`, error_redirect_uri: `${SITE}/` };
const QR = { flow_type: 'cross_device', core_flow, response_code: true };
const BROWSER = { flow_type: 'dc_api_openid4vp', core_flow, response_code: true, expectedOrigins: [SITE] };
const HERE = { flow_type: 'same_device', core_flow, redirects };

async function credenza(path, json) {
  const headers = { 'content-type': 'application/json', ...(TOKEN && { authorization: `Bearer ${TOKEN}` }) };
  const sent = json ? { method: 'POST', headers, body: JSON.stringify(json) } : { headers };
  const answer = await fetch(`${CREDENZA}/verification-session/${path}`, sent);
  return answer.ok ? answer.json() : Promise.reject(new Error(`${path}: ${answer.status}`));
}
// The id shows the result: it stays here and in a cookie that scripts cannot read.
const kept = ({ sessionId }) => ({ 'set-cookie': `session=${sessionId}; HttpOnly; Secure; SameSite=Lax; Path=/` });
const json = (value, headers) => ({ type: 'application/json', text: JSON.stringify(value), headers });
const html = (text) => ({ type: 'text/html; charset=utf-8', text });

const routes = {
  'GET /': () => html(PAGE),
  'POST /session': async ({ body }) => {
    const created = await credenza('create', JSON.parse(body).digital ? BROWSER : QR);
    return json({ link: created.bootstrapAuthorizationRequestUrl, data: created.data }, kept(created));
  },
  'GET /session': async ({ id }) => {
    const { status, failure, response_code } = await credenza(`${id}/info`);
    return json({ status, failure: failure?.type, response_code });
  },
  'PUT /session': async ({ id, body }) => {
    await credenza(`${id}/response`, { data: JSON.parse(body).data, origin: SITE }).catch(() => 'the session says why');
    return json({});
  },
  'GET /wallet': async () => {
    const created = await credenza('create', HERE);
    return { status: 303, headers: { ...kept(created), location: created.bootstrapAuthorizationRequestUrl } };
  },
  'GET /done': ({ id, query }) => welcome(id, query.get('response_code')),
  'POST /done': ({ id, body }) => welcome(id, new URLSearchParams(body).get('response_code')),
};

async function welcome(id, response_code) {
  const { presented_credentials: shown } = await credenza(`${id}/result`, { response_code });
  const name = shown.card[0].claims.family_name.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return html(`<!doctype html><html lang="en"><title>A shop</title><h1>Welcome, ${name}</h1></html>`);
}

createServer(async (request, response) => {
  const { method, url, headers } = request;
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) if (body.length < 1_000_000) body += chunk;
  const { pathname, searchParams: query } = new URL(url, SITE);
  const [, id = 'none'] = /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? '') ?? [];
  // Only pages of this site act with its cookie.
  const route = method === 'GET' || headers.origin === SITE ? routes[`${method} ${pathname}`] : undefined;
  const answer = { status: 404, text: 'There is nothing here.', ...(await answered(route, { id, body, query })) };
  const common = { 'content-type': answer.type ?? 'text/plain', 'content-security-policy': POLICY };
  response.writeHead(answer.status, { 'cache-control': 'no-store', ...common, ...answer.headers }).end(answer.text);
}).listen(new URL(SITE).port, () => console.log(`The shop is at ${SITE}/`));

async function answered(route, call) {
  try {
    return route && { status: 200, ...(await route(call)) };
  } catch {
    return { status: 502, text: 'That did not work. Begin again.' };
  }
}

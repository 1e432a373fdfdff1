/** The shop with the Digital Credentials API beside the QR code: `node digital.mjs` instead of `node server.mjs` */
import { begin, page, post, routes } from './server.mjs';

const { SITE = 'http://localhost:8080' } = process.env;
const setup = { flow_type: 'dc_api_openid4vp', response_code: true, expectedOrigins: [SITE] };
const showQr = routes['POST /session'];

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) if (text.length < 1_000_000) text += chunk;
  return JSON.parse(text);
}
routes['GET /'] = async () => page.replace('autosubmit', 'autosubmit digital');
routes['POST /session'] = async (visit) =>
  (await bodyOf(visit.request)).digital ? begin(visit.response, setup) : showQr(visit);
routes['PUT /session'] = async ({ id, request }) => {
  const { data } = await bodyOf(request);
  // What came of it, the next GET says.
  await post(`${id}/response`, { data, origin: SITE }).catch(() => undefined);
  return '{}';
};

import { expect } from 'chai';
import { request } from 'undici';
import { MAX_BODY_VALUES } from '../../adapters/http/messages/body.ts';
import { MAX_PARAMETERS } from '../../adapters/http/messages/request.ts';
import { MAX_JSON_VALUES } from '../../domain/foundation/strict-json.ts';
import { accessTokens } from '../actors/access-tokens.ts';
import { Openid4vp } from '../actors/openid4vp.ts';
import { contract } from '../support/documents/contract.ts';
import { longestHold } from '../support/runs/cpu.ts';
import { inTurn } from '../support/runs/tier.ts';
import { useServer } from '../support/servers/server.ts';

const MIB = 1024 * 1024;
const LONGEST_MS = 100;
const filled = (text: string, [head, tail]: [string, string] = ['', '']): string =>
  head + text.repeat(Math.floor((MIB - head.length - tail.length) / text.length)) + tail;

const encoded = (text: string): string => Buffer.from(text.slice(0, MIB / 2)).toString('base64url');
const HEADER = encoded('{"alg":"ES256"}');

/** JSON of an object with so many members, none of which is named as another, after the `first` ones. */
const members = (count: number, first = ''): string =>
  `{${first}${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`;
/** Nearly as many members as the JSON of a token may have. */
const MOST = MAX_JSON_VALUES / 2 - 10;
/** A JWT whose header and payload have so many members. */
const jwtOf = (inHeader: number, inPayload: number, typ = 'JWT'): string =>
  [members(inHeader, `"alg":"ES256","typ":"${typ}",`), members(inPayload), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

/** Credentials as texts: JSON, JWTs with a large part, disclosures, and base64url. */
const TEXTS = [
  filled('['),
  filled('{},', ['[', '{}]']),
  filled('.'),
  filled('W10~', [`${HEADER}.e30.AAAA~`, '']),
  filled('A'),
  `${encoded(filled('[],', ['{"alg":"ES256","a":[', '']))}.e30.AAAA`,
  `${HEADER}.${encoded(filled('[],', ['{"a":[', '']))}.AAAA`,
  members(110_000),
  members(MOST),
  jwtOf(80_000, 1),
  jwtOf(1, 80_000),
  jwtOf(MOST, MOST),
];

/** A table with so many rows, whose lines have so many characters or a few more. */
const table = (rows: number, length: number): string =>
  ['key,more', ...Array.from({ length: rows }, (_, n) => `${n},`.padEnd(length, 'x'))].join('\n').slice(0, MIB);

/** Bodies of 1 MiB whose parts are as many or as costly as can be, by media type. */
const WORST: Record<string, string[]> = {
  'application/json': [
    filled('[],', ['[', '[]]']),
    filled('0,', ['[', '0]']),
    filled('"":0,', ['{', '"a":0}']),
    filled('\\"', ['{"a":"', '"}']),
    filled(':"', ['{"a":"', '"}']).replaceAll('":"', '\\":\\"').slice(0, MIB),
    filled('[', ['', '']),
    members(MAX_BODY_VALUES),
    members(MAX_BODY_VALUES / 2),
  ],
  'application/x-www-form-urlencoded': [filled('a=1&'), filled('%61&'), filled('&'), filled('%61', ['vp_token=', ''])],
  'text/plain': TEXTS,
  'text/csv': [
    // As many rows as a table may have, and more.
    table(20_000, 52),
    table(20_000, 2),
    filled('a\n'),
    filled(',""', ['a', '']),
    filled('""', ['"', '']),
  ],
  'application/jwt': TEXTS,
  'application/vc+jwt': TEXTS,
  'application/x-ndjson': ['\n', ' \r\n', '0\n', '{}\n', '['].map((line) => filled(line)),
};

const PROOF_TYPE = 'openid4vci-proof+jwt';
const DEGREE = { format: 'jwt_vc_json', type: 'UniversityDegree' };

const SUBMISSION = JSON.stringify({ id: 's', definition_id: 'd', descriptor_map: [] });

/** Requests for credentials with as many and as large proofs of possession as can be, by the document of the issuer. */
function credentialRequests(document: string): string[] {
  const { format } = DEGREE;
  const type = ['VerifiableCredential', DEGREE.type];
  const one = (jwt: string) => ({
    format,
    types: type,
    credential_definition: { type },
    proof: { proof_type: 'jwt', jwt },
  });
  const batch = { credential_requests: Array.from({ length: 100 }, () => one(jwtOf(450, 450, PROOF_TYPE))) };
  const proofs = { jwt: Array.from({ length: 20 }, () => jwtOf(2500, 2500, PROOF_TYPE)) };
  const final = { credential_configuration_id: `${DEGREE.type}_${format}`, proofs };
  return (document === 'openid4vci' ? [final] : [one(jwtOf(650, 650, PROOF_TYPE)), batch]).map((body) =>
    JSON.stringify(body),
  );
}

/** A body as it is sent. */
interface Posted {
  type: string;
  body: string;
  headers?: Record<string, string>;
  method?: 'POST' | 'PUT';
}

/** What a machine on which the bound holds in milliseconds needs to parse a worst body. */
const USUAL_PARSE_MS = 25;

/** How many times slower than that this machine is now; at least 1. */
function slowness(): number {
  const [text = ''] = WORST['application/json'] ?? [];
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    JSON.parse(text);
    return performance.now() - start;
  });
  return Math.max(1, Math.min(...times) / USUAL_PARSE_MS);
}

describe('what strangers send', () => {
  const server = useServer({ settings: { services: { trustedProxies: ['127.0.0.1'] } } });

  const post = async (path: string, { type, body, headers, method = 'POST' }: Posted): Promise<number> => {
    const sent = { 'content-type': type, authorization: 'Bearer x', ...headers };
    const answer = await request(`${server.url}${path}`, { method, headers: sent, body });
    await answer.body.dump();
    return answer.statusCode;
  };

  /** The time in milliseconds that a call holds the event loop, if that is too long each time. */
  async function tooLong(call: () => Promise<number>, title: string): Promise<string[]> {
    let [most, least] = [LONGEST_MS, Number.POSITIVE_INFINITY];
    // A collection of garbage may fall into one try.
    for (let tries = 0; tries < 4 && least > most; tries += 1) {
      if (tries > 0) most = LONGEST_MS * slowness();
      let status = 0;
      const hold = await longestHold(async () => {
        status = await call();
      });
      expect(status, title).to.be.below(500).and.not.equal(401);
      least = Math.min(least, hold);
    }
    return least > most ? [`${title}: ${Math.round(least)} ms`] : [];
  }

  it('holds the event loop for at most 100 ms at every operation, with the worst bodies of 1 MiB', async () => {
    const { operations } = await contract;
    const open = operations.filter(({ authentication, requestBody, mounted, lateBody }) =>
      Boolean(authentication !== 'required' && requestBody && !mounted && !lateBody),
    );
    expect(open).to.have.length.above(40);
    const slow: string[] = [];
    for (const [turn, { operationId, path, method, requestBody }] of open.entries())
      for (const type of Object.keys(requestBody?.content ?? {})) {
        expect(WORST, operationId).to.have.property(type);
        for (const [index, body] of inTurn([...(WORST[type] ?? []).entries()], turn, 4)) {
          const headers = { 'x-forwarded-for': `198.51.100.${index}` };
          const posted = { type, body, headers, method: method as Posted['method'] };
          const call = () => post(path.replaceAll(/\{[^}]+\}/g, 'x'), posted);
          slow.push(...(await tooLong(call, `${operationId} ${type} ${index}`)));
        }
      }
    expect(slow).to.deep.equal([]);
  });

  it('holds it no longer with a body that is read after the access token', async () => {
    const { operations } = await contract;
    const tokens = await accessTokens(server);
    const late = operations.filter(({ lateBody, requestBody, mounted }) => lateBody && requestBody && !mounted);
    expect(late).to.have.length(9);
    const slow: string[] = [];
    for (const { operationId, path, document } of late)
      for (const [index, body] of [...(WORST['application/json'] ?? []), ...credentialRequests(document)].entries()) {
        const headers = { authorization: `Bearer ${tokens[document]}` };
        const call = () => post(path, { type: 'application/json', body, headers });
        slow.push(...(await tooLong(call, `${operationId} ${index}`)));
      }
    expect(slow).to.deep.equal([]);
  });

  it('holds it no longer with the presentations for a session', async () => {
    const vp = await Openid4vp.with(server);
    const asked = await server.call('startVerification', { json: { request_credentials: [DEGREE] } });
    const state = new URL(asked.body).searchParams.get('state');
    const type = 'application/x-www-form-urlencoded';
    const slow: string[] = [];
    for (const [index, text] of TEXTS.entries()) {
      const { requestId, parameters } = await vp.request(await vp.create());
      for (const [path, form] of [
        [
          `/verification-session/${requestId}/response`,
          { vp_token: JSON.stringify({ degree: [text] }), state: parameters.state },
        ],
        [`/openid4vc/verify/${state}`, { vp_token: text, presentation_submission: SUBMISSION }],
      ] as const) {
        const body = new URLSearchParams(form).toString();
        // Within the largest body.
        if (body.length < MIB) slow.push(...(await tooLong(() => post(path, { type, body }), `${path} ${index}`)));
      }
    }
    expect(slow).to.deep.equal([]);
  });

  it('400: JSON has at most 50,000 values and names, a form and a query at most 256 parameters', async () => {
    const values = `[${'0,'.repeat(MAX_BODY_VALUES)}0]`;
    const headers = { 'content-type': 'application/json' };
    const json = await server.fetch('/openid4vc/verify', { method: 'POST', headers, body: values });
    expect([json.status, json.body.message]).to.deep.equal([400, 'JSON may have at most 50000 values and names']);
    const text = { request_credentials: ['A'], vc_policies: [{ policy: 'a', args: ',[{'.repeat(MAX_BODY_VALUES) }] };
    const quoted = await server.fetch('/openid4vc/verify', { method: 'POST', headers, body: JSON.stringify(text) });
    expect(quoted.body.message, 'separators within a text').not.to.include('values');
    const many = 'a=&'.repeat(MAX_PARAMETERS);
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await server.fetch('/draft13/token', { method: 'POST', headers: asForm, body: many });
    expect([form.status, form.body.error]).to.deep.equal([400, 'invalid_request']);
    expect(form.body.error_description).to.include(`at most ${MAX_PARAMETERS} parameters`);
    const query = await server.fetch(`/verification-session/unknown/info?${many}`);
    expect([query.status, query.body.message]).to.deep.equal([400, `may have at most ${MAX_PARAMETERS} parameters`]);
  });
});

import { expect } from 'chai';
import { encryptedResponse } from '../actors/encrypted-response.ts';
import { crossDevice, idIn, Openid4vp, type ReadRequest } from '../actors/openid4vp.ts';
import { issueOf, presentOf } from '../actors/presenters.ts';
import { useServer } from '../support/servers/server.ts';

type Json = Record<string, unknown>;

const MIB = 1024 * 1024;
const DEEP = 20_000;
const encode = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url');

/** Texts of JSON objects that readers must refuse, by what is wrong with them; each has these members. */
const hostileObjects = (members: string): Record<string, string> => ({
  'a member twice': `{${members},"x":1,"x":1}`,
  'a member of the prototype': `{${members},"__proto__":{"a":1}}`,
  'deep lists': `{${members},"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  'deep objects': `{${members},"x":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`,
  'no object': `[{${members}}]`,
  'no JSON': `{${members}`,
});

/** CBOR that readers must refuse, by what is wrong with it. */
const HOSTILE_CBOR: Record<string, Uint8Array> = {
  'deep lists': Buffer.concat([Buffer.alloc(DEEP, 0x81), Buffer.of(0)]),
  'deep lists without a length': Buffer.concat([Buffer.alloc(DEEP, 0x9f), Buffer.alloc(DEEP, 0xff)]),
  'deep tags': Buffer.concat([Buffer.alloc(DEEP, 0xc1), Buffer.of(0)]),
  'a list of four billion items': Buffer.of(0x9a, 0xff, 0xff, 0xff, 0xff, 0),
  'a text of 2^63 bytes': Buffer.of(0x7b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x61),
  'a map with a member twice': Buffer.from('a2616100616101', 'hex'),
  'many small items': Buffer.concat([Buffer.of(0x9a, 0, 0x03, 0x0d, 0x40), Buffer.alloc(200_000, 0x80)]),
  'two items': Buffer.of(0xa0, 0xa0),
  nothing: Buffer.of(),
};

describe('hostile responses to verification sessions', () => {
  const server = useServer();
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });

  async function asked(core: Json = {}): Promise<{ created: Json; request: ReadRequest }> {
    const created = await vp.create(crossDevice(core));
    return { created, request: await vp.request(created) };
  }

  it('encrypted: bombs and ambiguous JSON are refused, and the session takes a good response after them', async () => {
    const { created, request } = await asked({ encrypted_response: true });
    const good = await vp.response(request);
    const jwk = request.parameters.client_metadata.jwks.keys[0];
    const members = JSON.stringify(good).slice(1, -1);
    const texts: Record<string, [string, Json?]> = {
      ...Object.fromEntries(Object.entries(hostileObjects(members)).map(([name, text]) => [name, [text]])),
      'compressed, eight MiB': [`{${members},"x":"${'x'.repeat(8 * MIB)}"}`, { zip: 'DEF' }],
      'compressed, deep lists': [`{${members},"x":${'['.repeat(MIB)}`, { zip: 'DEF' }],
    };
    for (const [name, [text, header]] of Object.entries(texts)) {
      const { status, body } = await vp.post(request, { response: await encryptedResponse(text, jwk, { header }) });
      expect([status, body.error], `${name}: ${JSON.stringify(body)}`).to.deep.equal([400, 'invalid_request']);
    }
    expect((await vp.info(created)).status).to.equal('UNUSED');
    expect((await vp.respond(request, good)).status).to.equal(200);
  });

  it('in clear: ambiguous JSON as vp_token is refused, and the session takes a good response after it', async () => {
    const { created, request } = await asked();
    const { state } = request.parameters;
    const good = await vp.response(request);
    const members = JSON.stringify(good.vp_token).slice(1, -1);
    for (const vp_token of [`{${members},${members}}`, ...Object.values(hostileObjects(members))]) {
      const { status, body } = await vp.post(request, { vp_token, state });
      expect([status, body.error], vp_token.slice(0, 80)).to.deep.equal([400, 'invalid_request']);
    }
    expect((await vp.info(created)).status).to.equal('UNUSED');
    expect((await vp.respond(request, good)).status).to.equal(200);
  });

  it('as presentations of each format: each is answered with what is wrong', async () => {
    const claims = '"vp":{},"nonce":"n","aud":"a"';
    const jwts = Object.values(hostileObjects(claims)).map(
      (text) => `${encode('{"alg":"ES256"}')}.${encode(text)}.AAAA`,
    );
    const headers = Object.values(hostileObjects('"alg":"ES256"')).map((text) => `${encode(text)}.e30.AAAA`);
    const disclosures = await hostileSdJwts();
    const mdocs = Object.values(HOSTILE_CBOR).map(encode);
    const dots = '.'.repeat(200_000);
    for (const [format, meta, tokens] of [
      ['jwt_vc_json', { type_values: [['A']] }, [...jwts, ...headers, dots, '~'.repeat(200_000)]],
      ['dc+sd-jwt', { vct_values: ['https://types.example/identity'] }, [...jwts, ...headers, ...disclosures, dots]],
      ['mso_mdoc', { doctype_value: 'org.iso.18013.5.1.mDL' }, [...mdocs, dots]],
    ] as const)
      for (const token of tokens) {
        const { created, request } = await asked({ dcql_query: { credentials: [{ id: 'it', format, meta }] } });
        const answer = await vp.respond(request, { vp_token: { it: [token] }, state: request.parameters.state });
        const what = `${format} ${token.slice(0, 60)}: ${JSON.stringify(answer.body)}`;
        expect([answer.status, answer.body.error], what).to.deep.equal([400, 'invalid_request']);
        expect((await vp.info(created)).status, what).to.be.oneOf(['UNUSED', 'FAILED']);
      }
  });

  it('as CBOR of ISO/IEC TS 18013-7: each is refused, and the session stays usable', async () => {
    const requestedElements = { 'org.iso.18013.5.1.mDL': { 'org.iso.18013.5.1': ['family_name'] } };
    const created = await vp.create({
      flow_type: 'dc_api_18013_7',
      core_flow: { requestedElements },
      expectedOrigins: ['https://shop.example.org'],
    });
    const path = { requestId: idIn(created.responseUri) };
    for (const [name, bytes] of Object.entries(HOSTILE_CBOR)) {
      const json = { data: { response: encode(bytes) } };
      const { status, body } = await server.call('submitAuthorizationResponse', { path, json });
      expect([status, body.error], `${name}: ${JSON.stringify(body)}`).to.deep.equal([400, 'invalid_request']);
    }
    expect((await vp.info(created)).status).to.equal('UNUSED');
  });
});

/** SD-JWTs with too many disclosures, one twice, one that nothing refers to, and some that cannot be read. */
async function hostileSdJwts(): Promise<string[]> {
  const issued = await issueOf('dc+sd-jwt');
  const asked = { url: '', params: new URLSearchParams(), state: 's', nonce: 'n', clientId: 'a' };
  const { token } = await presentOf('dc+sd-jwt', asked, { documents: [issued] });
  const parts = token.split('~');
  const [jwt = '', first = ''] = parts;
  const binding = parts.at(-1) ?? '';
  const withDisclosures = (...disclosures: string[]) => [jwt, ...disclosures, binding].join('~');
  const numbered = Array.from({ length: 5000 }, (_, index) => encode(JSON.stringify([`salt${index}`, `n${index}`, 1])));
  const deep = `["s","x",${'['.repeat(DEEP)}${']'.repeat(DEEP)}]`;
  return [
    withDisclosures(...numbered),
    withDisclosures(first, first),
    withDisclosures(encode('["s","__proto__",1]')),
    withDisclosures(encode('["s","_sd",["a"]]')),
    withDisclosures(encode('["s","...",1]')),
    withDisclosures(encode(deep)),
    withDisclosures('', '', ''),
    withDisclosures(encode('{}')),
    withDisclosures(encode('["s",{"a":1,"a":2}]')),
  ];
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { ASKED, claim, identity, licence } from '../../actors/issuance-formats.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';
import { accept, credentialRequest, proofOf, requestCredential } from '../../actors/wallet.ts';
import { codeOf, readRows } from '../../docs/tables.ts';
import { contract } from '../../support/documents/contract.ts';
import { isPart, shapeOf } from '../../support/documents/shapes.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface CallbackItem {
  post: { requestBody: { content: Record<string, Media> } };
}

/** A callback of the document, by its name below its operation. */
interface Callback {
  operationId: string;
  name: string;
  expression: string;
  media: Media;
}

const examplesOf = ({ example, examples = {} }: Media): unknown[] =>
  example === undefined ? Object.values(examples).map(({ value }) => value) : [example];

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

describe('the callbacks of the document', () => {
  const on = new VerificationFixture();
  let peer: HttpPeer;
  let callbacks: Callback[];
  /** The received bodies, by the name of the callback. */
  const received: Record<string, unknown[]> = {};

  before(async () => {
    peer = await new HttpPeer().listen();
    for (const path of ['/issuanceEvent', '/verificationResult', '/policyWebhook'])
      peer.routes[path] = () => ({ status: 200 });
    callbacks = (await contract).operations.flatMap(({ operationId, resolved }) =>
      Object.entries((resolved.callbacks ?? {}) as Record<string, Record<string, CallbackItem>>).flatMap(
        ([name, items]) =>
          Object.entries(items).map(([expression, { post }]) => ({
            operationId,
            name,
            expression,
            media: post.requestBody.content['application/json'] as Media,
          })),
      ),
    );
    await issueOne();
    await issueBatch();
    await issueOtherFormats();
    await verify();
    for (const { url, body } of peer.seen) {
      const name = url.pathname.slice(1);
      received[name] = [...(received[name] ?? []), JSON.parse(body)];
    }
  });
  after(() => peer.close());

  const headers = () => ({ statusCallbackUri: `${peer.url}/issuanceEvent?id=$id` });
  async function issueOne(): Promise<void> {
    const issuer = await onboard(on.server);
    await accept(on.server, await makeOffer(on.server, degree(issuer), { headers: headers() }));
  }
  async function issueBatch(): Promise<void> {
    const issuer = await onboard(on.server);
    const operationId = 'issueJwtCredentialBatch';
    const { code } = await makeOffer(on.server, [degree(issuer), degree(issuer)], { headers: headers(), operationId });
    const form = { grant_type: GRANT, 'pre-authorized_code': code, client_id: 'a-wallet' };
    const token = (await on.server.call('requestAccessToken', { form })).body;
    const holder = makeHolderKey();
    let nonce = token.c_nonce;
    for (let i = 0; i < 2; i++) {
      const request = credentialRequest(proofOf(on.server, holder, { nonce }));
      nonce = (await requestCredential(on.server, token.access_token, request)).body.c_nonce;
    }
  }
  async function issueOtherFormats(): Promise<void> {
    const issuer = await onboard(on.server, { key: { keyType: 'secp256r1' } });
    const card = ASKED.identity(on.server);
    const offer = (operationId: string, json: unknown) =>
      makeOffer(on.server, json, { operationId, headers: headers() });
    await claim(on.server, await offer('issueSdJwtCredential', identity(issuer)), card);
    await claim(on.server, await offer('issueSdJwtCredentialBatch', [identity(issuer)]), card);
    await claim(on.server, await offer('issueMdoc', licence(issuer)), ASKED.licence());
  }
  async function verify(): Promise<void> {
    const webhook = { policy: 'webhook', args: `${peer.url}/policyWebhook` };
    const body = { ...DEGREE_REQUEST, vp_policies: ['signature', webhook], vc_policies: ['signature', webhook] };
    await on.present(await on.ask(body, { statusCallbackUri: `${peer.url}/verificationResult` }));
    const refused = await on.ask(DEGREE_REQUEST, { statusCallbackUri: `${peer.url}/verificationResult` });
    await on.server.call('submitPresentation', { path: { state: refused.state }, form: { error: 'access_denied' } });
  }
  const typesOf = (bodies: unknown[] = []): string[] => bodies.map((body) => (body as { type: string }).type);

  it('rows: are documented at every operation that takes statusCallbackUri', async () => {
    const announcing = (await contract).operations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'statusCallbackUri'),
    );
    const documented = callbacks.filter(({ expression }) => expression === '{$request.header.statusCallbackUri}');
    expect(documented.map(({ operationId }) => operationId)).to.have.members(
      announcing.map(({ operationId }) => operationId),
    );
  });

  it('are all received, each valid under its schema', () => {
    expect(callbacks).to.have.length.greaterThan(3);
    expect([...new Set(callbacks.map(({ name }) => name))].sort()).to.deep.equal(Object.keys(received).sort());
    for (const { name, media } of callbacks) {
      const validate = ajv.compile(media.schema);
      for (const body of received[name] ?? [])
        expect(validate(body), `${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`).to.equal(true);
    }
  });

  it('have valid examples with the members of the received bodies', () => {
    for (const { name, media } of callbacks) {
      const examples = examplesOf(media);
      expect(examples, name).to.have.length.greaterThan(0);
      const shapes = (received[name] ?? []).map(shapeOf);
      for (const example of examples) {
        expect(ajv.validate(media.schema, example), `${name}: ${ajv.errorsText()}`).to.equal(true);
        const isSeen = shapes.some((shape) => isPart(shapeOf(example), shape));
        expect(isSeen, `${name}: ${JSON.stringify(example)}`).to.equal(true);
      }
    }
  });

  it('report the steps of an issuance in order, once for each credential of a batch', () => {
    expect(typesOf(received.issuanceEvent)).to.deep.equal([
      'resolved_credential_offer',
      'requested_token',
      'jwt_issue',
      'resolved_credential_offer',
      'requested_token',
      'batch_jwt_issue',
      'batch_jwt_issue',
      ...['sdjwt_issue', 'batch_sdjwt_issue', 'generated_mdoc'].flatMap((issued) => [
        'resolved_credential_offer',
        'requested_token',
        issued,
      ]),
    ]);
  });

  it('docs/events.md names all seven events of the contract, and marks exactly the received ones as sent', () => {
    const rows = readRows('docs/events.md');
    expect(rows.map(([type]) => codeOf(type))).to.have.members([
      'resolved_credential_offer',
      'requested_token',
      'jwt_issue',
      'batch_jwt_issue',
      'sdjwt_issue',
      'batch_sdjwt_issue',
      'generated_mdoc',
    ]);
    const sent = rows.filter((row) => row[3] === 'yes').map(([type]) => codeOf(type));
    expect(sent).to.have.members([...new Set(typesOf(received.issuanceEvent))]);
  });

  it('docs/events.md names every member of the received data', () => {
    const rows = new Map(readRows('docs/events.md').map(([type, data = '']) => [codeOf(type), data]));
    for (const { type, data } of received.issuanceEvent as { type: string; data: object }[])
      for (const member of Object.keys(data)) expect(rows.get(type), type).to.include(`\`${member}\``);
  });

  it('of a webhook have the claims of the presentation and of the credential', () => {
    const [presentation, credential, ...more] = received.policyWebhook as Record<string, unknown>[];
    expect(more).to.deep.equal([]);
    expect(presentation).to.include.keys('iss', 'nonce', 'aud', 'vp');
    expect(credential).to.include.keys('iss', 'sub', 'vc');
  });
});

import { expect } from 'chai';
import { jwtVerify } from 'jose';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { keyOfDid } from '../../actors/party.ts';
import { definitionOf, startVerifier, type TestVerifier } from '../../actors/verifier.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

type Json = Record<string, unknown>;

/** A query for a credential of this type. */
const typed = (id: string, type: string, more: Json = {}) => ({
  id,
  format: 'jwt_vc_json',
  meta: { type_values: [['VerifiableCredential', type]] },
  ...more,
});

describe('requested credentials', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let issuer: TestIssuer;
  let verifier: TestVerifier;
  let holder: WalletUser;
  let degree: string;
  let passport: string;
  before(async () => {
    issuer = await startIssuer();
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    verifier = await startVerifier();
    const text = issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']);
    const { body } = await holder.call('acceptCredentialOffer', { text });
    [degree, passport] = body.map(({ id }: { id: string }) => id);
    verifier.peer.routes['/verify'] = () => ({});
  });
  afterEach(() => verifier.close());
  after(() => issuer.close());

  const address = () => `${verifier.peer.url}/verify`;
  /** A request of OpenID4VP 1.0. */
  const asking = (credentials: Json[], more: { sets?: Json[]; params?: Record<string, string> } = {}): string => {
    const query = { credentials, ...(more.sets && { credential_sets: more.sets }) };
    const parties = { client_id: `redirect_uri:${address()}`, response_uri: address() };
    const fixed = { response_type: 'vp_token', response_mode: 'direct_post', nonce: 'the nonce', state: 's' };
    return `openid4vp://?${new URLSearchParams({ ...fixed, ...parties, dcql_query: JSON.stringify(query), ...more.params })}`;
  };
  const present = (presentationRequest: string, selectedCredentials: (string | Json)[], more: Json = {}) =>
    holder.call('presentCredentials', { json: { presentationRequest, selectedCredentials, ...more } });
  const posted = () =>
    verifier.peer.seen.filter(({ method }) => method === 'POST').map(({ body }) => new URLSearchParams(body));
  const documentOf = async (credentialId: string): Promise<string> =>
    (await holder.call('getWalletCredential', { path: { credentialId } })).body.document;

  describe('matchRequestedCredentials', () => {
    const match = async (text: string, contentType = 'application/json') => {
      const { status, body } = await holder.call('matchRequestedCredentials', { text, contentType });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.map(({ id }: { id: string }) => id);
    };

    it('200: returns the credentials that answer a DCQL query, by type and claims', async () => {
      const level = (values: unknown[]) => ({ claims: [{ path: ['credentialSubject', 'level'], values }] });
      expect(await match(asking([typed('d', 'Degree')]))).to.deep.equal([degree]);
      expect(await match(asking([typed('d', 'Degree', level(['master']))]))).to.deep.equal([degree]);
      expect(await match(asking([typed('d', 'Degree', level(['bachelor']))]))).to.deep.equal([]);
      expect(await match(asking([typed('d', 'Licence'), typed('p', 'Passport')]))).to.deep.equal([passport]);
      expect(await match(asking([{ id: 'any', format: 'jwt_vc_json', meta: {} }]))).to.have.members([degree, passport]);
      expect(await match(asking([{ id: 'sd', format: 'dc+sd-jwt', meta: { vct_values: ['Degree'] } }]))).to.deep.equal(
        [],
      );
    });

    it('describePresentationRequest 200: names the types and the claims that are asked for, also where nothing matches', async () => {
      const claims = [{ path: ['credentialSubject', 'level'] }, { path: ['credentialSubject', 'nationality', null] }];
      const queries = [
        typed('d', 'Licence', { claims }),
        { id: 'sd', format: 'dc+sd-jwt', meta: { vct_values: ['urn:a', 'urn:b'] } },
        { id: 'm', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } },
        { id: 'any', format: 'jwt_vc_json', meta: {} },
      ];
      const { status, body } = await holder.call('describePresentationRequest', { text: asking(queries) });
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.isAnswerable).to.equal(false);
      expect(body.queries.map(({ types }: { types: string[] }) => types)).to.deep.equal([
        ['Licence'],
        ['urn:a', 'urn:b'],
        ['org.iso.18013.5.1.mDL'],
        [],
      ]);
      expect(body.queries[0].claims).to.deep.equal(claims.map(({ path }) => path));
    });

    it('200: returns those of a presentation definition too, of our own verifier as well', async () => {
      expect(await match(verifier.byUri())).to.deep.equal([degree]);
      const json = { request_credentials: [{ type: 'Degree', format: 'jwt_vc_json' }] };
      const text: string = (await server.call('startVerification', { json })).body;
      for (const type of ['text/plain', 'application/json']) expect(await match(text, type)).to.deep.equal([degree]);
    });

    it('400: names the part of a malformed query', async () => {
      for (const [text, message] of [
        [asking([]), 'dcql_query.credentials: '],
        [asking([typed('a b', 'Degree')]), 'dcql_query.credentials[0].id: '],
        [asking([], { params: { dcql_query: '{' } }), 'not valid JSON'],
        [asking([typed('d', 'Degree')], { params: { presentation_definition: '{}' } }), 'both'],
        [asking([{ id: 'x', format: 'nothing', meta: {} }]), 'cannot be requested'],
        ['openid4vp://?client_id=a', 'no dcql_query'],
      ] as const) {
        const { status, body } = await holder.call('matchRequestedCredentials', { text });
        expect(status).to.equal(400);
        expect(body.message).to.include(message);
      }
    });

    it('400: refuses a query that is too costly for this many credentials', async () => {
      const large = Array.from({ length: 9000 }, () => 1);
      issuer.behaviour.claims = (claims) => ({ ...claims, large });
      await holder.call('acceptCredentialOffer', { text: issuer.link() });
      issuer.behaviour.claims = (claims) => claims;
      const claims = Array.from({ length: 60 }, () => ({ path: ['a', null] }));
      const text = asking([typed('d', 'Degree', { claims })]);
      expect((await holder.call('matchRequestedCredentials', { text })).status).to.equal(400);
    });

    it('502: the verifier fails; 504: it does not answer', async () => {
      verifier.peer.routes['/pd'] = () => ({ status: 500 });
      expect((await holder.call('matchRequestedCredentials', { text: verifier.byUri() })).status).to.equal(502);
      verifier.peer.routes['/pd'] = () => undefined;
      expect((await holder.call('matchRequestedCredentials', { text: verifier.byUri() })).status).to.equal(504);
    });
  });

  describe('listMissingCredentials', () => {
    const missing = (json: unknown) => holder.call('listMissingCredentials', { json });

    it('200: lists the descriptors that no credential satisfies, with their filters', async () => {
      const [, licence] = definitionOf('Degree', 'Licence').input_descriptors;
      const fields = [
        { path: ['$.vc.type'], filter: { type: 'string', pattern: 'Visa' } },
        { path: ['$.country'], filter: { const: 'A.B' } },
        { path: ['$.any'] },
      ];
      const visa = { id: 'visa', name: 'A visa', constraints: { fields } };
      const { input_descriptors } = definitionOf('Degree');
      const { status, body } = await missing({ id: 'd', input_descriptors: [...input_descriptors, licence, visa] });
      expect(status).to.equal(200);
      expect(body).to.deep.equal([
        { credential: 'Licence & more', filters: [{ path: ['$.vc.type'], type: 'string', pattern: '^Licence$' }] },
        {
          credential: 'A visa',
          filters: [
            { path: ['$.vc.type'], type: 'string', pattern: 'Visa' },
            { path: ['$.country'], pattern: '^A\\.B$' },
            { path: ['$.any'], pattern: '.*' },
          ],
        },
      ]);
    });

    it('200: is empty when nothing is missing', async () => {
      expect((await missing(definitionOf('Degree', 'Passport'))).body).to.deep.equal([]);
      expect((await missing(definitionOf('Licence'))).body).to.have.length(1);
    });

    it('400: names the invalid member of a definition', async () => {
      const { status, body } = await missing({ id: 'd', input_descriptors: [] });
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/input_descriptors']);
    });
  });

  describe('presentCredentials for a DCQL query', () => {
    it('200: posts a presentation for each query, signed for the verifier and this request', async () => {
      const request = asking([typed('d', 'Degree'), typed('p', 'Passport')]);
      expect((await present(request, [passport, degree])).status).to.equal(200);
      const [form = new URLSearchParams()] = posted();
      expect([...form.keys()]).to.have.members(['vp_token', 'state']);
      const token: Record<string, string[]> = JSON.parse(form.get('vp_token') ?? '');
      expect(Object.keys(token)).to.deep.equal(['d', 'p']);
      for (const [id, credentialId] of [
        ['d', degree],
        ['p', passport],
      ] as const) {
        expect(token[id]).to.have.length(1);
        const { payload } = await jwtVerify(token[id]?.[0] ?? '', await keyOfDid(holder.did));
        expect(payload).to.include({ iss: holder.did, nonce: 'the nonce', aud: `redirect_uri:${address()}` });
        expect((payload.vp as Json).verifiableCredential).to.deep.equal([await documentOf(credentialId)]);
      }
    });

    it('200: presents several credentials for one query only when it asks for multiple', async () => {
      const [{ id: second }] = (await holder.call('acceptCredentialOffer', { text: issuer.link() })).body;
      const { status, body } = await present(asking([typed('d', 'Degree')]), [degree, second]);
      expect(status).to.equal(400);
      expect(body.errorMessage).to.include('one more than was asked for');
      expect(posted()).to.deep.equal([]);
      expect((await present(asking([typed('d', 'Degree', { multiple: true })]), [degree, second])).status).to.equal(
        200,
      );
      expect(JSON.parse(posted()[0]?.get('vp_token') ?? '').d).to.have.length(2);
    });

    it('200: gives each query a credential of its own, even when the first one could take any', async () => {
      const any = { id: 'any', format: 'jwt_vc_json', meta: {} };
      await present(asking([any, typed('d', 'Degree')]), [degree, passport]);
      const token = JSON.parse(posted()[0]?.get('vp_token') ?? '');
      const presented = (id: string) =>
        JSON.parse(Buffer.from(token[id][0].split('.')[1], 'base64url').toString()).vp.verifiableCredential;
      expect(presented('any')).to.deep.equal([await documentOf(passport)]);
      expect(presented('d')).to.deep.equal([await documentOf(degree)]);
    });

    it('200: shows each credential for the query that it was selected for; 400 names what is not asked for', async () => {
      const any = (id: string, more: Json = {}) => ({ id, format: 'jwt_vc_json', meta: {}, ...more });
      const [{ id: second }] = (await holder.call('acceptCredentialOffer', { text: issuer.link() })).body;
      const pairs = (chosen: Record<string, string[]>) =>
        Object.entries(chosen).flatMap(([queryId, ids]) => ids.map((credentialId) => ({ queryId, credentialId })));
      const request = asking([any('many', { multiple: true }), any('one')]);
      expect((await present(request, pairs({ many: [second, passport], one: [degree] }))).status).to.equal(200);
      const token = JSON.parse(posted()[0]?.get('vp_token') ?? '');
      const shown = (id: string) =>
        token[id].map(
          (vp: string) =>
            JSON.parse(Buffer.from(vp.split('.')[1] ?? '', 'base64url').toString()).vp.verifiableCredential[0],
        );
      expect(shown('many')).to.have.members([await documentOf(second), await documentOf(passport)]);
      expect(shown('one')).to.deep.equal([await documentOf(degree)]);
      const refused: Record<string, string[]>[] = [
        { many: [second], one: [degree, passport] },
        { many: [second] },
        { many: [second], one: ['none'] },
        { many: [second], one: [degree], other: [passport] },
      ];
      for (const wrong of refused) {
        const { status, body } = await present(request, pairs(wrong));
        expect(status, JSON.stringify(wrong)).to.equal(400);
        expect(body.details[0].path, JSON.stringify(body)).to.equal('/body/selectedCredentials');
      }
      expect(posted()).to.have.length(1);
    });

    it('200: sends the credential alone when the query asks for no holder binding', async () => {
      const query = typed('d', 'Degree', { require_cryptographic_holder_binding: false });
      await present(asking([query]), [degree]);
      expect(JSON.parse(posted()[0]?.get('vp_token') ?? '')).to.deep.equal({ d: [await documentOf(degree)] });
    });

    it('200: one option of a credential set is enough', async () => {
      const credentials = [typed('d', 'Degree'), typed('l', 'Licence'), typed('p', 'Passport')];
      const sets = [{ options: [['l'], ['d']] }];
      expect((await present(asking(credentials, { sets }), [degree])).status).to.equal(200);
      expect(Object.keys(JSON.parse(posted()[0]?.get('vp_token') ?? ''))).to.deep.equal(['d']);
      expect((await present(asking(credentials, { sets }), [passport])).status).to.equal(400);
    });

    it('400: sends nothing that was not asked for, and nothing to another address than that of the client', async () => {
      expect((await present(asking([typed('d', 'Degree')]), [degree, passport])).body.errorMessage).to.include(
        'not asked for',
      );
      const params = { client_id: 'redirect_uri:https://bank.example/' };
      expect((await present(asking([typed('d', 'Degree')], { params }), [degree])).status).to.equal(400);
      expect(posted()).to.deep.equal([]);
    });
  });

  describe('the event log', () => {
    const logged = async (action: string): Promise<Json[]> => {
      const { body } = await holder.call('listWalletEvents', { query: { filter: `action=${action}` } });
      return body.items;
    };

    it('has an event for each presented credential: who received it, the note and the redirect, but no claims', async () => {
      const before = (await logged('Present')).length;
      verifier.peer.routes['/verify'] = () => ({ body: { redirect_uri: 'https://shop.example/done?id=secret' } });
      const request = asking([typed('d', 'Degree'), typed('p', 'Passport')]);
      await present(request, [degree, passport], { note: 'For the discount', disclosures: { [degree]: [] } });
      const events = (await logged('Present')).slice(before);
      expect(events.map(({ credentialId }) => credentialId)).to.have.members([degree, passport]);
      const { host } = new URL(address());
      for (const { event, originator, note, data } of events) {
        expect([event, originator, note]).to.deep.equal([
          'Credential',
          `redirect_uri:${address()}`,
          'For the discount',
        ]);
        expect(data).to.include({ format: 'jwt_vc_json', responseHost: host, redirectHost: 'shop.example' });
      }
      const text = JSON.stringify(events);
      for (const claim of ['master', 'secret', 'the nonce']) expect(text).not.to.include(claim);
      expect(posted()[0]?.toString()).not.to.include('discount');
    });

    it('has no event for what the verifier did not accept, and one for a declined request', async () => {
      const before = [await logged('Present'), await logged('Decline')].map(({ length }) => length);
      verifier.peer.routes['/verify'] = () => ({ status: 400 });
      expect((await present(asking([typed('d', 'Degree')]), [degree])).status).to.equal(400);
      verifier.peer.routes['/verify'] = () => ({});
      const json = { presentationRequest: asking([typed('d', 'Degree')]), note: 'No' };
      await holder.call('declinePresentationRequest', { json });
      const [presented = [], declined = []] = [await logged('Present'), await logged('Decline')];
      expect([presented.length, declined.length]).to.deep.equal([before[0], (before[1] ?? 0) + 1]);
      expect(declined.at(-1)).to.include({ originator: `redirect_uri:${address()}`, note: 'No' });
    });
  });

  describe('describePresentationRequest for a DCQL query', () => {
    it('200: describes queries, choices and whether they can be answered', async () => {
      const credentials = [typed('d', 'Degree'), typed('l', 'Licence'), typed('p', 'Passport', { multiple: true })];
      const sets = [
        { options: [['l'], ['d']], purpose: 'Your\neducation' },
        { options: [['p']], required: false },
      ];
      const { body } = await holder.call('describePresentationRequest', { text: asking(credentials, { sets }) });
      expect(body).to.deep.include({
        isAnswerable: true,
        choices: [
          { options: [['l'], ['d']], purpose: 'Your education', isRequired: true },
          { options: [['p']], isRequired: false },
        ],
      });
      expect(body.proof).to.deep.equal({ kind: 'redirect-uri', host: new URL(address()).host });
      const facts = body.queries.map(
        ({ id, isRequired, isMultiple, credentials: found }: Json & { credentials: Json[] }) => [
          id,
          isRequired,
          isMultiple,
          found.map((one) => one.id),
        ],
      );
      expect(facts).to.deep.equal([
        ['d', false, false, [degree]],
        ['l', false, false, []],
        ['p', false, true, [passport]],
      ]);
    });

    it('200: says when the wallet cannot answer a required query', async () => {
      const { body } = await holder.call('describePresentationRequest', { text: asking([typed('l', 'Licence')]) });
      expect([body.isAnswerable, body.queries[0].isRequired]).to.deep.equal([false, true]);
    });
  });
});

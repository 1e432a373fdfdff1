import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const SCHEMES = ['openid-credential-offer', 'openid-initiate-issuance', 'haip', 'openid'];

describe('receiving credentials', () => {
  const server = useServer();
  let holder: WalletUser;
  let issuer: TestIssuer;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
  });
  afterEach(() => issuer.close());

  const accept = (text: string, query: Record<string, string> = {}) =>
    holder.call('acceptCredentialOffer', { text, query, contentType: 'application/json' });
  const held = async () => (await holder.call('listWalletCredentials', { query: { showPending: 'true' } })).body;

  describe('resolveCredentialOffer', () => {
    it('200: resolves the offer of a link of every scheme, with its URI encoded or not, labelled as JSON or not', async () => {
      const url = `${issuer.issuer}/offer?id=o1`;
      for (const scheme of SCHEMES)
        for (const inner of [url, encodeURIComponent(url)])
          for (const contentType of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
            const text = `${scheme}://?credential_offer_uri=${inner}`;
            const { status, body } = await holder.call('resolveCredentialOffer', { text, contentType });
            expect(status).to.equal(200);
            expect(body).to.deep.equal(issuer.offer());
          }
    });

    it('200: an offer that is resolved and then accepted is fetched once', async () => {
      const text = `openid-credential-offer://?credential_offer_uri=${issuer.issuer}/offer`;
      await holder.call('resolveCredentialOffer', { text });
      expect((await accept(text)).status).to.equal(200);
      expect(issuer.peer.count('/issuer/offer')).to.equal(1);
      await holder.call('resolveCredentialOffer', { text });
      expect(issuer.peer.count('/issuer/offer')).to.equal(2);
    });

    it('400: refuses an offer over 64 KiB, in the link and behind a URL', async () => {
      const large = { ...issuer.offer(), more: 'x'.repeat(65_536) };
      issuer.peer.routes['/large'] = () => ({ body: large });
      const inLink = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(large))}`;
      expect((await holder.call('resolveCredentialOffer', { text: inLink })).status).to.equal(400);
      const behindUrl = `openid-credential-offer://?credential_offer_uri=${issuer.peer.url}/large`;
      expect((await holder.call('resolveCredentialOffer', { text: behindUrl })).status).to.equal(502);
    });

    it('200: a resolved offer is fetched again after 15 minutes', async () => {
      const text = `openid-credential-offer://?credential_offer_uri=${issuer.issuer}/offer`;
      await holder.call('resolveCredentialOffer', { text });
      server.clock.advance(15 * 60 * 1000);
      await holder.call('resolveCredentialOffer', { text });
      expect(issuer.peer.count('/issuer/offer')).to.equal(2);
    });

    for (const text of [
      'not a link',
      'openid-credential-offer://',
      'openid-credential-offer://?',
      'openid-credential-offer://?credential_offer=%7B',
      'openid-credential-offer://?credential_offer=[]',
      'openid-credential-offer://?credential_offer={}',
      'openid-credential-offer://?credential_offer={"credential_issuer":"http://a","credential_configuration_ids":[]}',
      'openid-credential-offer://?credential_offer=%zz',
      'openid-credential-offer://?credential_offer={}&credential_offer={}',
      'openid-credential-offer://?credential_offer={}&credential_offer_uri=http://127.0.0.1:1',
      'gopher://?credential_offer={}',
      'openid-credential-offer://?credential_offer_uri=ftp://127.0.0.1/offer',
      'openid-credential-offer://?credential_offer_uri=http://user:secret@127.0.0.1/offer',
      'openid-credential-offer://?credential_offer_uri=http://169.254.169.254/offer',
      'openid-credential-offer://?credential_offer_uri=nowhere',
      '"',
    ])
      it(`400: refuses ${text}`, async () => {
        expect((await holder.call('resolveCredentialOffer', { text })).status).to.equal(400);
      });

    it('400: returns the error of the issuer without control characters', async () => {
      issuer.peer.routes['/issuer/offer'] = () => ({ status: 404, body: { message: 'gone\u001b[31m\r\naway' } });
      const text = `openid-credential-offer://?credential_offer_uri=${issuer.issuer}/offer`;
      const { status, body } = await holder.call('resolveCredentialOffer', { text });
      expect(status).to.equal(400);
      expect(body.message).to.include('404: gone [31m away');
    });

    it('502: the issuer fails', async () => {
      issuer.peer.routes['/issuer/offer'] = () => ({ status: 500 });
      const text = `openid-credential-offer://?credential_offer_uri=${issuer.issuer}/offer`;
      expect((await holder.call('resolveCredentialOffer', { text })).status).to.equal(502);
    });

    it('502: the issuer does not answer with an object', async () => {
      issuer.peer.routes['/issuer/offer'] = () => ({ body: [] });
      const text = `openid-credential-offer://?credential_offer_uri=${issuer.issuer}/offer`;
      expect((await holder.call('resolveCredentialOffer', { text })).status).to.equal(502);
    });
  });

  describe('acceptCredentialOffer', () => {
    it('200: the wallet stores the credential, issued to the default DID', async () => {
      const { status, body } = await accept(issuer.link());
      expect(status).to.equal(200);
      expect(body).to.have.length(1);
      expect(body[0].parsedDocument.credentialSubject.id).to.equal(holder.did);
      expect(await held()).to.deep.equal(body);
    });

    it('200: to the named DID, with one credential for each configuration of the offer', async () => {
      const { body: did } = await holder.call('createWalletDid', { path: { method: 'jwk' } });
      const { body } = await accept(issuer.link(['Passport_jwt_vc_json', 'Degree_jwt_vc_json']), { did });
      expect(body.map((entry: { parsedDocument: { type: string[] } }) => entry.parsedDocument.type[1])).to.deep.equal([
        'Passport',
        'Degree',
      ]);
      for (const { parsedDocument } of body) expect(parsedDocument.credentialSubject.id).to.equal(did);
    });

    it('200: with the request shapes of version 1.0 when the issuer has a nonce endpoint', async () => {
      issuer.behaviour.nonces = 'endpoint';
      expect((await accept(issuer.link())).status).to.equal(200);
      expect(issuer.peer.count('/issuer/nonce')).to.equal(1);
    });

    for (const nonces of ['token', 'endpoint'] as const)
      it(`200: retries once with a fresh nonce from the ${nonces === 'token' ? 'error' : 'endpoint'}`, async () => {
        Object.assign(issuer.behaviour, { nonces, staleProofs: 1 });
        expect((await accept(issuer.link())).status).to.equal(200);
        expect(issuer.peer.count('/issuer/credential')).to.equal(2);
      });

    it('200: with the transaction code that the offer requires', async () => {
      issuer.behaviour.txCode = '4711';
      expect((await accept(issuer.link(), { pinOrTxCode: '4711' })).status).to.equal(200);
    });

    it('200: after a wrong transaction code the right one is accepted, and the credential waits for the user', async () => {
      issuer.behaviour.txCode = '4711';
      const refused = await accept(issuer.link(), { pinOrTxCode: '1234', requireUserInput: 'true' });
      expect([refused.status, refused.body.message.includes('Wrong transaction code')]).to.deep.equal([400, true]);
      const { status, body } = await accept(issuer.link(), { pinOrTxCode: '4711', requireUserInput: 'true' });
      expect([status, body[0].pending]).to.deep.equal([200, true]);
    });

    it('200: finds the metadata at the other well-known address and the token endpoint at the server named there', async () => {
      const { routes, url } = issuer.peer;
      const appended = '/issuer/.well-known/openid-credential-issuer';
      const original = routes[appended];
      delete routes[appended];
      routes['/.well-known/openid-credential-issuer/issuer'] = async (request) => {
        const metadata = { ...Object((await original?.(request))?.body) };
        const { token_endpoint: _, ...body } = metadata;
        return { body: { ...body, authorization_servers: [`${url}/as`] } };
      };
      routes['/.well-known/oauth-authorization-server/as'] = () => ({
        body: { token_endpoint: `${issuer.issuer}/token` },
      });
      expect((await accept(issuer.link())).status).to.equal(200);
    });

    it('200: the same credential twice is one credential', async () => {
      let first = '';
      issuer.behaviour.credential = (jwt) => {
        first ||= jwt;
        return first;
      };
      const answers = [await accept(issuer.link()), await accept(issuer.link())];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(answers[0]?.body).to.deep.equal(answers[1]?.body);
      expect(await held()).to.have.length(1);
    });

    it('200: another credential that claims the same id does not replace the first', async () => {
      issuer.behaviour.id = 'urn:same';
      const { body: first } = await accept(issuer.link());
      const { body: second } = await accept(issuer.link());
      expect(first[0].id).to.equal('urn:same');
      expect(second[0].id).not.to.equal('urn:same');
      expect(await held()).to.have.length(2);
    });

    it('200: accepts an issuer whose keys cannot be resolved', async () => {
      const iss = 'https://issuer.example';
      issuer.behaviour.claims = ({ vc, ...claims }) => ({ ...claims, iss, vc: { ...Object(vc), issuer: iss } });
      expect((await accept(issuer.link())).status).to.equal(200);
    });

    for (const [about, subject] of [
      ['a child', 'did:key:zDnaeTDHP1rEYDFKYtQtH9Yx6Aycyxj7y9PXYDSeDKHnWUFP6'],
      ['an organization', 'https://organization.example/1'],
      ['a DID that does not exist', 'did:key:zAnother'],
    ] as const)
      it(`200: takes a credential about ${about}, and says that its subject is not the holder`, async () => {
        issuer.behaviour.claims = ({ vc, ...claims }) => ({
          ...claims,
          sub: subject,
          vc: { ...Object(vc), credentialSubject: { id: subject } },
        });
        const { status, body } = await accept(issuer.link());
        expect(status, JSON.stringify(body)).to.equal(200);
        issuer.behaviour.claims = (claims) => claims;
        await accept(issuer.link(['Passport_jwt_vc_json']));
        const marks = (await held()).map((one: { subjectIsHolder: boolean }) => one.subjectIsHolder);
        expect(marks).to.deep.equal([false, true]);
      });

    it('200: asks for metadata at the place of version 1.0 first, and takes no page and no other document that is there', async () => {
      const { routes } = issuer.peer;
      const final = '/.well-known/openid-credential-issuer/issuer';
      const draft = '/issuer/.well-known/openid-credential-issuer';
      for (const body of ['<html></html>', { credential_issuer: issuer.peer.url }]) {
        routes[final] = () => ({ body });
        expect((await accept(issuer.link())).status).to.equal(200);
      }
      const before = issuer.peer.count(draft);
      routes[final] = routes[draft] ?? (() => ({ status: 500 }));
      expect((await accept(issuer.link())).status).to.equal(200);
      expect([before, issuer.peer.count(draft)]).to.deep.equal([2, 2]);
    });

    const broken: Record<string, () => void> = {
      'a bad signature': () => {
        issuer.behaviour.credential = (jwt) => `${jwt.slice(0, -8)}AAAAAAAA`;
      },
      'a key of another DID': () => {
        const iss = 'did:web:example.org';
        issuer.behaviour.claims = ({ vc, ...claims }) => ({ ...claims, iss, vc: { ...Object(vc), issuer: iss } });
      },
      'another issuer inside than the one that signs': () => {
        issuer.behaviour.claims = ({ vc, ...claims }) => ({
          ...claims,
          vc: { ...Object(vc), issuer: 'did:web:a.example' },
        });
      },
      'another subject inside than the holder': () => {
        issuer.behaviour.claims = ({ vc, ...claims }) => ({
          ...claims,
          vc: { ...Object(vc), credentialSubject: { id: 'did:key:zAnother' } },
        });
      },
      'something that is no credential': () => {
        issuer.behaviour.credential = () => 'x.y';
      },
      'nothing but a promise': () => {
        issuer.peer.routes['/issuer/credential'] = () => ({ body: { transaction_id: 't' } });
      },
      'metadata of another issuer': () => {
        const path = '/issuer/.well-known/openid-credential-issuer';
        issuer.peer.routes[path] = () => ({ body: { credential_issuer: 'https://other.example' } });
      },
      'a proof refused again and again': () => {
        issuer.behaviour.staleProofs = 5;
      },
    };
    for (const [what, break_] of Object.entries(broken))
      it(`400: stores nothing when the issuer returns ${what}`, async () => {
        break_();
        const { status } = await accept(issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']));
        expect(status).to.equal(400);
        expect(await held()).to.deep.equal([]);
        expect(issuer.peer.count('/issuer/credential')).to.be.below(3);
      });

    it('400: returns the error of the issuer for a code on one line', async () => {
      const offer = JSON.stringify(issuer.offer()).replace('the-code', 'another');
      const { status, body } = await accept(`openid-credential-offer://?credential_offer=${encodeURIComponent(offer)}`);
      expect(status).to.equal(400);
      expect(body.message).to.include('The code is not known here');
    });

    it('400: limits the length of the returned error', async () => {
      issuer.peer.routes['/issuer/token'] = () => ({ status: 400, body: 'long '.repeat(100_000) });
      expect((await accept(issuer.link())).body.message).to.have.length.below(600);
    });

    for (const [what, ids] of [
      ['the issuer does not have', ['Nothing']],
      ['is of the prototype', ['constructor']],
      ['has a format this wallet cannot hold', ['Degree_jwt_vc_json', 'Licence_ldp']],
    ] as const)
      it(`400: refuses a configuration that ${what} before it uses the code`, async () => {
        expect((await accept(issuer.link([...ids]))).status).to.equal(400);
        expect(issuer.peer.count('/issuer/token')).to.equal(0);
      });

    it('400: refuses a DID that the wallet does not have, an absent and a wrong transaction code, an offer without a code', async () => {
      expect((await accept(issuer.link(), { did: 'did:key:zOther' })).status).to.equal(400);
      issuer.behaviour.txCode = '4711';
      const { message, details } = (await accept(issuer.link())).body;
      expect(message).to.equal('pinOrTxCode: the offer asks for a transaction code');
      expect(details[0].path).to.equal('/query/pinOrTxCode');
      expect((await accept(issuer.link(), { pinOrTxCode: '1' })).body.message).to.include('Wrong transaction code');
      const offer = encodeURIComponent(JSON.stringify({ ...issuer.offer(), grants: { authorization_code: {} } }));
      expect((await accept(`haip://?credential_offer=${offer}`)).status).to.equal(400);
    });

    it('502: the issuer fails', async () => {
      issuer.peer.routes['/issuer/credential'] = () => ({ status: 503 });
      expect((await accept(issuer.link())).status).to.equal(502);
    });

    it('502: the issuer cannot be reached', async () => {
      const link = issuer.link();
      await issuer.peer.close();
      expect((await accept(link)).status).to.equal(502);
      issuer = await startIssuer();
    });
  });

  describe('resolveIssuerMetadata', () => {
    const resolve = (url: string) => holder.call('resolveIssuerMetadata', { query: { issuer: url } });

    it('200: returns the published metadata', async () => {
      const { status, body } = await resolve(issuer.issuer);
      expect(status).to.equal(200);
      expect(body.credential_configurations_supported).to.have.property('Degree_jwt_vc_json');
    });

    it('400: refuses an invalid issuer', async () => {
      for (const url of ['x', 'ftp://a', `${issuer.issuer}?a=b`, `${issuer.peer.url}/other`, 'http://10.0.0.1'])
        expect((await resolve(url)).status).to.equal(400);
      expect((await holder.call('resolveIssuerMetadata')).body.details[0].path).to.equal('/query/issuer');
    });

    it('502: the issuer fails', async () => {
      issuer.peer.routes['/issuer/.well-known/openid-credential-issuer'] = () => ({ status: 500 });
      expect((await resolve(issuer.issuer)).status).to.equal(502);
    });
  });

  it('504: a server that does not answer within five seconds', async () => {
    const silent = await new HttpPeer().listen();
    for (const path of ['/offer', '/pd', '/.well-known/openid-credential-issuer', '/verify'])
      silent.routes[path] = () => undefined;
    const offer = { ...issuer.offer(), credential_issuer: silent.url };
    const [{ id }] = (await accept(issuer.link())).body;
    const definition = encodeURIComponent(
      JSON.stringify({ id: 'a', input_descriptors: [{ id: 'a', constraints: {} }] }),
    );
    const request = `openid4vp://?client_id=a&response_uri=${silent.url}/verify&presentation_definition=${definition}`;
    const answers = await Promise.all([
      holder.call('resolveCredentialOffer', { text: `haip://?credential_offer_uri=${silent.url}/offer` }),
      accept(`haip://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`),
      holder.call('resolveIssuerMetadata', { query: { issuer: silent.url } }),
      holder.call('resolvePresentationRequest', { text: `openid://?presentation_definition_uri=${silent.url}/pd` }),
      holder.call('presentCredentials', { json: { presentationRequest: request, selectedCredentials: [id] } }),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([504, 504, 504, 504, 504]);
    await silent.close();
  });
});

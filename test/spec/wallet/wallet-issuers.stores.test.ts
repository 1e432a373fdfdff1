import { expect } from 'chai';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const METADATA = '/.well-known/openid-credential-issuer';
const UNIVERSITY = {
  name: 'University',
  description: 'The university of the town',
  uiEndpoint: 'https://university.example.org/credentials',
  configurationEndpoint: `https://university.example.org${METADATA}`,
};

describe('the issuers of a wallet', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let user: WalletUser;
  let issuer: TestIssuer;
  before(async () => {
    [user, issuer] = [await newWalletUser(server), await startIssuer()];
  });
  after(() => issuer.peer.close());

  let count = 0;
  /** Adds an issuer with a new name. */
  async function added(changes: object = {}): Promise<string> {
    count += 1;
    const name = `https://issuer.example.org/${count}?a=b&c=%2F#ä`;
    const answer = await user.call('addWalletIssuer', { json: { name, ...changes } });
    expect([answer.status, answer.body]).to.deep.equal([201, '']);
    return name;
  }
  const of = (name: string) => ({ path: { issuer: name } });

  describe('addWalletIssuer', () => {
    it('201: adds an issuer that is not authorized yet', async () => {
      const json = UNIVERSITY;
      expect((await user.call('addWalletIssuer', { json })).status).to.equal(201);
      const { name: did, ...rest } = json;
      const expected = { wallet: user.wallet, did, ...rest, authorized: false };
      expect((await user.call('getWalletIssuer', of('University'))).body).to.deep.equal(expected);
    });

    it('400: names what is wrong', async () => {
      const wrong: [object, string][] = [
        [{}, '/body/name'],
        [{ name: '' }, '/body/name'],
        [{ name: 'x'.repeat(513) }, '/body/name'],
        [{ name: 'a', uiEndpoint: 'javascript:alert(1)' }, '/body/uiEndpoint'],
        [{ name: 'a', configurationEndpoint: 'https://user:secret@a.example' }, '/body/configurationEndpoint'],
        [{ name: 'a', authorized: true }, '/body/authorized'],
      ];
      for (const [json, path] of wrong) {
        const answer = await user.call('addWalletIssuer', { json });
        expect([answer.status, answer.body.details[0].path], JSON.stringify(json)).to.deep.equal([400, path]);
      }
    });

    it('400: refuses the 201st issuer', async () => {
      const full = await newWalletUser(server);
      const add = (name: string) => full.call('addWalletIssuer', { json: { name } });
      for (let name = 1; name <= 200; name += 1) expect((await add(`${name}`)).status).to.equal(201);
      expect((await add('201')).status).to.equal(400);
      expect((await full.call('listWalletIssuers')).body).to.have.length(200);
    });

    it('409: refuses a name that the wallet has, and of several at once one is added', async () => {
      const name = await added();
      expect((await user.call('addWalletIssuer', { json: { name, description: 'other' } })).status).to.equal(409);
      const answers = await Promise.all([1, 2, 3].map(() => user.call('addWalletIssuer', { json: { name: 'once' } })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409]);
      const other = await newWalletUser(server);
      expect((await other.call('addWalletIssuer', { json: { name } })).status).to.equal(201);
    });
  });

  describe('listWalletIssuers', () => {
    it('200: lists the issuers of this wallet in the order in which they were added', async () => {
      const other = await newWalletUser(server);
      expect((await other.call('listWalletIssuers')).body).to.deep.equal([]);
      for (const name of ['b', 'a']) await other.call('addWalletIssuer', { json: { ...UNIVERSITY, name } });
      const { status, body } = await other.call('listWalletIssuers');
      expect([status, body.map(({ did }: { did: string }) => did)]).to.deep.equal([200, ['b', 'a']]);
    });
  });

  describe('getWalletIssuer', () => {
    it('200: finds an issuer by a name of any characters', async () => {
      const name = await added();
      const { status, body } = await user.call('getWalletIssuer', of(name));
      const expected = { wallet: user.wallet, did: name, uiEndpoint: '', configurationEndpoint: '', authorized: false };
      expect([status, body]).to.deep.equal([200, expected]);
    });

    it('404: unknown in this wallet', async () => {
      const other = await newWalletUser(server);
      const answers = [
        await user.call('getWalletIssuer', of('x')),
        await other.call('getWalletIssuer', of(await added())),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404]);
    });
  });

  describe('authorizeWalletIssuer', () => {
    it('202: marks the issuer, also a second time', async () => {
      const name = await added();
      for (const _ of [1, 2]) expect((await user.call('authorizeWalletIssuer', of(name))).status).to.equal(202);
      expect((await user.call('getWalletIssuer', of(name))).body.authorized).to.equal(true);
    });

    it('404: an unknown issuer', async () => {
      expect((await user.call('authorizeWalletIssuer', of('x'))).status).to.equal(404);
    });
  });

  describe('listIssuerCredentials', () => {
    it('200: lists the configurations in the metadata, by its URL, by the issuer or by a name that is one', async () => {
      const metadata = `${issuer.issuer}${METADATA}`;
      const names = [
        await added({ configurationEndpoint: metadata }),
        await added({ configurationEndpoint: issuer.issuer }),
      ];
      await user.call('addWalletIssuer', { json: { name: issuer.issuer } });
      const json = { ...UNIVERSITY, name: 'Documented', configurationEndpoint: issuer.issuer };
      await user.call('addWalletIssuer', { json });
      for (const name of [...names, issuer.issuer, 'Documented']) {
        const { status, body } = await user.call('listIssuerCredentials', of(name));
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body.issuer.did).to.equal(name);
        const [first] = body.credentials;
        expect(first).to.have.all.keys('id', 'format', 'types');
        expect(body.credentials.map(({ id }: { id: string }) => id)).to.include('Degree_jwt_vc_json');
      }
    });

    it('200: the types are those of the credential, the vct or the doctype; what names no format is left out', async () => {
      const path = '/kinds';
      const all = {
        w3c: { format: 'jwt_vc_json', credential_definition: { type: ['VerifiableCredential', 'Degree'] } },
        older: { format: 'jwt_vc_json', types: ['VerifiableCredential', 'Diploma'] },
        sdjwt: { format: 'dc+sd-jwt', vct: 'https://types.example.org/id' },
        mdoc: { format: 'mso_mdoc', doctype: 'org.iso.18013.5.1.mDL' },
        bare: { format: 'ldp_vc' },
        broken: { types: ['A'] },
        text: 'x',
      };
      const credential_issuer = `${issuer.peer.url}${path}`;
      issuer.peer.routes[`${path}${METADATA}`] = () => ({
        body: { credential_issuer, credential_configurations_supported: all },
      });
      const { body } = await user.call(
        'listIssuerCredentials',
        of(await added({ configurationEndpoint: credential_issuer })),
      );
      const types = Object.fromEntries(
        body.credentials.map(({ id, types }: { id: string; types: string[] }) => [id, types]),
      );
      expect(types).to.deep.equal({
        w3c: ['VerifiableCredential', 'Degree'],
        older: ['VerifiableCredential', 'Diploma'],
        sdjwt: ['https://types.example.org/id'],
        mdoc: ['org.iso.18013.5.1.mDL'],
        bare: [],
      });
    });

    it('400: no address, a private address, or the metadata of another issuer', async () => {
      await user.call('addWalletIssuer', { json: { name: 'did:web:issuer.example' } });
      const names = [
        'did:web:issuer.example',
        await added({ configurationEndpoint: 'http://10.0.0.1' }),
        await added({ configurationEndpoint: `${issuer.peer.url}/other` }),
      ];
      for (const name of names) expect((await user.call('listIssuerCredentials', of(name))).status).to.equal(400);
    });

    it('404: an unknown issuer', async () => {
      expect((await user.call('listIssuerCredentials', of('x'))).status).to.equal(404);
    });

    it('502: the issuer fails; 504: it does not answer', async () => {
      issuer.peer.routes[`/down${METADATA}`] = () => ({ status: 500 });
      issuer.peer.routes[`/silent${METADATA}`] = () => undefined;
      const names = [];
      for (const path of ['/down', '/silent'])
        names.push(await added({ configurationEndpoint: issuer.peer.url + path }));
      const answers = await Promise.all(names.map((name) => user.call('listIssuerCredentials', of(name))));
      expect(answers.map(({ status }) => status)).to.deep.equal([502, 504]);
    });
  });
});

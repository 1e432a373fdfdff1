import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { startIssuer } from '../../actors/issuer.ts';
import { credentialRequest, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const BATCH = { operationId: 'issueJwtCredentialBatch' };

describe('an offer of several credentials', () => {
  const faults = new StoreFaults();
  const server = useServer({ wrapStore: (store) => new FaultyStore(store, faults) });
  let holder: WalletUser;
  let issuer: Issuer;
  let peer: HttpPeer;
  before(async () => {
    [issuer, holder, peer] = [await onboard(server), await newWalletUser(server), await new HttpPeer().listen()];
  });
  beforeEach(() => resetWallet(holder));
  afterEach(() => {
    faults.failIn = 0;
  });
  after(() => peer.close());

  /** A request for a credential of this type and level. */
  const wish = (type: string, level: number, changes: object = {}): object => {
    const json = degree(issuer, { credentialConfigurationId: `${type}_jwt_vc_json`, ...changes });
    const { '@context': context } = json.credentialData as Record<string, unknown>;
    const credentialSubject = { level };
    return {
      ...json,
      credentialData: { '@context': context, type: ['VerifiableCredential', type], credentialSubject },
    };
  };
  const offer = async (json: object[]): Promise<string> =>
    (await server.call('issueJwtCredentialBatch', { json })).body;
  const accept = (text: string) => holder.call('acceptCredentialOffer', { text });
  const held = async () => (await holder.call('listWalletCredentials')).body;

  /** The type and level of each credential of a list, in order. */
  const contents = (credentials: { parsedDocument: { type: string[]; credentialSubject: { level: number } } }[]) =>
    credentials
      .map(({ parsedDocument: { type, credentialSubject } }) => `${type.at(-1)} ${credentialSubject.level}`)
      .sort();

  for (const types of [['A'], ['A', 'A'], ['A', 'B', 'A'], ['B', 'A', 'A', 'B', 'A'], Array(40).fill('A')])
    it(`acceptCredentialOffer 200: the wallet receives all ${types.length} of ${[...new Set(types)].join(' and ')}`, async () => {
      const names: Record<string, string> = { A: 'UniversityDegree', B: 'OpenBadgeCredential' };
      const wanted = types.map((type, level) => `${names[type]} ${level}`).sort();
      const text = await offer(types.map((type, level) => wish(names[type] ?? '', level)));
      const { status, body } = await accept(text);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(contents(body)).to.deep.equal(wanted);
      expect(contents(await held())).to.deep.equal(wanted);
      expect((await accept(text)).status).to.equal(400);
    });

  it('acceptCredentialOffer: stores none when one of them is not issued', async () => {
    peer.routes['/hook'] = () => ({ status: peer.count('/hook') > 2 ? 500 : 200, body: '{}' });
    const mapping = { mapping: { id: '<uuid>', note: `<webhook:${peer.url}/hook>` } };
    const { status } = await accept(await offer([1, 2, 3, 4].map((level) => wish('UniversityDegree', level, mapping))));
    expect(status).to.equal(502);
    expect(peer.count('/hook')).to.be.greaterThan(2);
    expect(await held()).to.deep.equal([]);
  });

  it('acceptCredentialOffer: when any call of the store fails, the wallet has all of them or none', async () => {
    const sizes = new Set<number>();
    for (let call = 1, isDone = false; !isDone; call += 1) {
      await resetWallet(holder);
      const text = await offer([1, 2, 3].map((level) => wish('UniversityDegree', level)));
      faults.failIn = call;
      const { status } = await accept(text);
      // What is removed after an issue may fail.
      isDone = faults.failIn > 0;
      faults.failIn = 0;
      const found = await held();
      expect(found.length, `at call ${call}`).to.be.oneOf(status === 200 ? [3] : [0, 3]);
      if (status !== 200) sizes.add(found.length);
      expect(call).to.be.below(200);
    }
    expect([...sizes].sort()).to.deep.equal([0, 3]);
  });

  it('acceptCredentialOffer: requests every identifier that another issuer names, at most 128', async () => {
    const foreign = await startIssuer();
    const asked: string[] = [];
    const token = foreign.peer.routes['/issuer/token'];
    const credential = foreign.peer.routes['/issuer/credential'];
    let count = 3;
    foreign.peer.routes['/issuer/token'] = async (request) => {
      const credential_identifiers = Array.from({ length: count }, (_, number) => `degree ${number}`);
      const authorization_details = [{ credential_configuration_id: 'Degree_jwt_vc_json', credential_identifiers }];
      return { body: { ...Object((await token?.(request))?.body), authorization_details } };
    };
    foreign.peer.routes['/issuer/credential'] = (request) => {
      const { credential_identifier, ...rest } = JSON.parse(request.body);
      asked.push(credential_identifier);
      const body = { ...rest, credential_definition: { type: ['VerifiableCredential', 'Degree'] } };
      return credential?.({ ...request, body: JSON.stringify(body) });
    };
    expect((await accept(foreign.link())).body).to.have.length(3);
    expect(asked).to.deep.equal(['degree 0', 'degree 1', 'degree 2']);
    count = 129;
    const { status, body } = await accept(foreign.link());
    expect([status, body.message]).to.deep.equal([400, 'The issuer has more than 128 credentials in one offer']);
    count = 20;
    foreign.behaviour.claims = (claims) => ({ ...claims, pad: 'x'.repeat(500 * 1024) });
    const large = await accept(foreign.link());
    expect([large.status, large.body.message]).to.deep.equal([
      400,
      'The credentials of the offer are too many or too large',
    ]);
    expect(await held()).to.have.length(3);
    await foreign.close();
  });

  describe('at the issuer', () => {
    const detail = (credential_configuration_id: string, type = 'openid_credential') => ({
      type,
      credential_configuration_id,
    });
    const tokenWith = (code: string, authorization_details: string) => {
      const grant_type = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
      const form = { grant_type, 'pre-authorized_code': code, authorization_details };
      return server.call('requestAccessToken', { form });
    };

    it('requestAccessToken 200: names the credentials of the requested configurations, and ignores other details', async () => {
      const json = [wish('UniversityDegree', 1), wish('OpenBadgeCredential', 2), wish('UniversityDegree', 3)];
      const { code } = await makeOffer(server, json, BATCH);
      const asked = [
        detail('UniversityDegree_jwt_vc_json'),
        detail('Other'),
        detail('OpenBadgeCredential_jwt_vc_json', 'x'),
      ];
      const { status, body } = await tokenWith(code, JSON.stringify([...asked, 5, null]));
      expect(status).to.equal(200);
      const [only, ...others] = body.authorization_details;
      expect(others).to.deep.equal([]);
      expect(only.credential_configuration_id).to.equal('UniversityDegree_jwt_vc_json');
      const [first, second] = only.credential_identifiers;
      const wallet = makeHolderKey();
      const ask = (nonce: string, credential_identifier: unknown) =>
        requestCredential(server, body.access_token, {
          credential_identifier,
          proof: proofOf(server, wallet, { nonce }),
        });
      const one = await ask(body.c_nonce, second);
      expect(one.status).to.equal(200);
      for (const unknown of ['unknown', '', `${second}0`])
        expect((await ask(one.body.c_nonce, unknown)).body.error).to.equal('invalid_credential_request');
      const again = await ask(one.body.c_nonce, second);
      expect([again.status, again.body.credential]).to.deep.equal([200, one.body.credential]);
      expect((await ask(again.body.c_nonce, first)).status).to.equal(200);
    });

    it('requestAccessToken 400: details that are not JSON do not consume the code', async () => {
      const { code } = await makeOffer(server, degree(issuer));
      const { status, body } = await tokenWith(code, '[');
      expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
      expect((await redeem(server, code)).status).to.equal(200);
    });

    it('requestCredential 200: a wallet that names no identifier receives the next credential each time, and a c_nonce while there are more', async () => {
      const { code } = await makeOffer(
        server,
        [1, 2, 3].map((level) => wish('UniversityDegree', level)),
        BATCH,
      );
      const { body: token } = await redeem(server, code);
      expect(token).not.to.have.property('authorization_details');
      const levels: unknown[] = [];
      for (let nonce = token.c_nonce; nonce !== undefined; ) {
        const { body } = await requestCredential(
          server,
          token.access_token,
          credentialRequest(proofOf(server, makeHolderKey(), { nonce })),
        );
        const claims = JSON.parse(Buffer.from(body.credential.split('.')[1], 'base64url').toString());
        levels.push(claims.vc.credentialSubject.level);
        nonce = body.c_nonce;
      }
      expect(levels).to.deep.equal([1, 2, 3]);
    });
  });
});

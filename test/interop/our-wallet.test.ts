import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { newWalletUser, resetWallet, type WalletUser } from '../actors/wallet-user.ts';
import { useServer } from '../support/servers/server.ts';
import { verified } from './judge.ts';
import { type Behaviour, LibraryIssuer } from './library-issuer.ts';
import { definitionOf, LibraryVerifier, type RequestForm } from './library-verifier.ts';

const ISSUERS: Record<string, Partial<Behaviour>> = {
  'of draft 13, ES256': {},
  'of draft 13, EdDSA, data model 2.0': { alg: 'EdDSA', dataModel: 2 },
  'of draft 13, RS256, with credential identifiers': { alg: 'RS256', identifiers: true },
  'of draft 13 that wants a transaction code': { txCode: '4711' },
  'of version 1.0, ES256': { version: '1.0' },
  'of version 1.0, EdDSA, data model 2.0, with a transaction code': {
    version: '1.0',
    alg: 'EdDSA',
    dataModel: 2,
    txCode: '0815',
  },
  'of version 1.0, RS256, with credential identifiers': { version: '1.0', alg: 'RS256', identifiers: true },
};

/** The DID methods and key types of our wallet. */
const DIDS = [
  { method: 'jwk', keyType: 'secp256r1' },
  { method: 'jwk', keyType: 'Ed25519' },
  { method: 'key', keyType: 'secp256r1' },
  { method: 'key', keyType: 'Ed25519' },
  { method: 'key', keyType: 'RSA' },
  { method: 'jwk', keyType: 'secp256k1' },
];

const FORMS: RequestForm[] = ['parameters', 'client id with prefix', 'signed, by reference'];

describe('our wallet with an independent issuer and verifier', () => {
  const server = useServer();
  let holder: WalletUser;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(() => resetWallet(holder));

  async function newDid({ method, keyType }: { method: string; keyType: string }): Promise<string> {
    const { body: keyId } = await holder.call('generateWalletKey', { json: { backend: 'jwk', keyType } });
    return (await holder.call('createWalletDid', { path: { method }, query: { keyId } })).body;
  }

  async function accept(issuer: LibraryIssuer, link: string, did = holder.did) {
    const { txCode: pinOrTxCode = '' } = issuer.behaviour;
    const answer = await holder.call('acceptCredentialOffer', { text: link, query: { did, pinOrTxCode } });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  }

  describe('acceptCredentialOffer', () => {
    for (const [what, behaviour] of Object.entries(ISSUERS))
      it(`200: receives both credentials of an issuer ${what}, with an offer by value and by reference`, async () => {
        const issuer = await LibraryIssuer.start(behaviour);
        for (const byReference of [false, true]) {
          const held = await accept(issuer, await issuer.offer(['Degree', 'Passport'], { byReference }));
          expect(held).to.have.length(2);
          for (const { document, parsedDocument } of held) {
            const { sub } = await verified(document, issuer.publicKey);
            expect([sub, parsedDocument.credentialSubject.id]).to.deep.equal([holder.did, holder.did]);
          }
        }
        await issuer.close();
      });

    for (const kind of DIDS)
      it(`200: proves possession of a did:${kind.method} with a key of type ${kind.keyType}`, async () => {
        const issuer = await LibraryIssuer.start();
        const did = await newDid(kind);
        const [{ parsedDocument }] = await accept(issuer, await issuer.offer(), did);
        expect(parsedDocument.credentialSubject.id).to.equal(did);
        await issuer.close();
      });

    it('200: proves possession by a JWK to an issuer that does not support DIDs in proofs', async () => {
      const issuer = await LibraryIssuer.start({ bindings: ['jwk'], subject: holder.did });
      await accept(issuer, await issuer.offer());
      const { proof } = JSON.parse(issuer.peer.seen.find(({ url }) => url.pathname === '/vci/credential')?.body ?? '');
      expect(decodeProtectedHeader(proof.jwt)).to.have.property('jwk').that.does.not.have.property('d');
      await issuer.close();
    });

    it('400: the issuer refuses a wrong transaction code; its message is returned', async () => {
      const issuer = await LibraryIssuer.start({ txCode: '4711' });
      const call = { text: await issuer.offer(), query: { pinOrTxCode: '1234' } };
      const { status, body } = await holder.call('acceptCredentialOffer', call);
      expect(status).to.equal(400);
      expect(body.message).to.include("Invalid 'tx_code'");
      await issuer.close();
    });
  });

  describe('presentCredentials', () => {
    let verifier: LibraryVerifier;
    beforeEach(async () => {
      verifier = await LibraryVerifier.start();
    });
    afterEach(() => verifier.close());

    const present = (presentationRequest: string, selectedCredentials: string[]) =>
      holder.call('presentCredentials', { json: { presentationRequest, selectedCredentials } });

    for (const form of FORMS)
      for (const dataModel of [1, 2] as const)
        it(`200: answers a request in ${form}, with credentials of data model ${dataModel}`, async () => {
          const issuer = await LibraryIssuer.start({ dataModel, alg: 'EdDSA' });
          const [degree, passport] = await accept(issuer, await issuer.offer(['Degree', 'Passport']));
          const link = await verifier.ask(definitionOf('Passport', 'Degree'), form);
          const { body: resolved } = await holder.call('resolvePresentationRequest', { text: link });
          const { status, body } = await present(resolved, [degree.id, passport.id]);
          expect(status, JSON.stringify(body)).to.equal(200);
          expect(body.redirectUri).to.equal(`${verifier.peer.url}/thanks`);
          const [judged] = verifier.received;
          expect(judged?.holder).to.equal(holder.did);
          const named = Object.entries(judged?.credentials ?? {}).map(([id, { vc, ...rest }]) => [
            id,
            (vc ?? rest).type[1],
          ]);
          expect(named).to.have.deep.members([
            ['the Degree', 'Degree'],
            ['the Passport', 'Passport'],
          ]);
          await issuer.close();
        });

    for (const kind of DIDS)
      it(`200: signs as did:${kind.method} with a key of type ${kind.keyType}`, async () => {
        const issuer = await LibraryIssuer.start();
        const did = await newDid(kind);
        const [{ id }] = await accept(issuer, await issuer.offer(), did);
        const { status, body } = await present(await verifier.ask(definitionOf('Degree')), [id]);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(verifier.received[0]?.holder).to.equal(did);
        expect(verifier.received[0]?.credentials['the Degree']?.sub).to.equal(did);
        await issuer.close();
      });
  });
});

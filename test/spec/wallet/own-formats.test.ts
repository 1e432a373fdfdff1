import { expect } from 'chai';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { identity, licence } from '../../actors/issuance-formats.ts';
import { startIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { issueMdoc, MDL } from '../../support/credentials/mdoc-issuer.ts';
import { contentOf, newSigner } from '../../support/credentials/sd-jwts.ts';
import { useServer } from '../../support/servers/server.ts';

type Json = Record<string, unknown>;

describe('acceptCredentialOffer', () => {
  const server = useServer({
    settings: { issuerMetadata: { supportedCredentialTypes: { Card: { format: 'dc+sd-jwt', vct: 'urn:card:1' } } } },
  });
  let issuer: Issuer;
  let holder: WalletUser;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    holder = await newWalletUser(server);
  });
  beforeEach(() => resetWallet(holder));

  const offerOf = async (operationId: string, json: unknown): Promise<string> =>
    (await server.call(operationId, { json })).body;
  const accept = async (operationId: string, json: unknown) => {
    const { status, body } = await holder.call('acceptCredentialOffer', { text: await offerOf(operationId, json) });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const withDegree = { credentialSubject: { sd: false, children: { fields: { degree: { sd: true } } } } };
  const card = { credentialConfigurationId: 'Card' };
  const kinds: [format: string, operationId: string, request: () => Json, shown: object, type: RegExp][] = [
    ['vc+sd-jwt', 'issueSdJwtCredential', () => identity(issuer), { given_name: 'Ada', country: 'GB' }, /identity/i],
    [
      'dc+sd-jwt',
      'issueSdJwtCredential',
      () => identity(issuer, card),
      { given_name: 'Ada', vct: 'urn:card:1' },
      /^urn:card:1$/,
    ],
    [
      'mso_mdoc',
      'issueMdoc',
      () => licence(issuer),
      { nameSpaces: { [MDL.namespace]: { family_name: 'Lovelace', age_over_18: true } } },
      /mDL$/,
    ],
    [
      'jwt_vc_json',
      'issueJwtCredential',
      () => degree(issuer, { selectiveDisclosure: { fields: withDegree } }),
      { type: ['VerifiableCredential', 'UniversityDegree'] },
      /^UniversityDegree$/,
    ],
  ];
  for (const [format, operationId, request, shown, type] of kinds)
    it(`200: stores a ${format} of our own issuer and shows its claims, those that can be withheld too`, async () => {
      const [{ id }] = await accept(operationId, request());
      const { body } = await holder.call('getWalletCredential', { path: { credentialId: id } });
      expect(body.format).to.equal(format);
      expect(body.parsedDocument).to.deep.include(shown);
      expect(body.type).to.match(type);
      expect(body.issuer).to.be.a('string').and.not.equal('');
      expect(body.hasStatus).to.equal(false);
      if (format === 'mso_mdoc') expect(Date.parse(body.validUntil)).to.be.greaterThan(server.clock.now());
      expect(JSON.stringify(body.parsedDocument)).to.not.include('"_sd');
    });

  it('200: all credentials of a batch are stored', async () => {
    const { length } = await accept('issueSdJwtCredentialBatch', [identity(issuer), identity(issuer, card)]);
    expect(length).to.equal(2);
    expect(await accept('issueMdocBatch', [licence(issuer)])).to.have.length(1);
  });

  it('400: refuses an SD-JWT VC of another vct than was offered; 200: takes that one', async () => {
    const other = await startIssuer();
    const { codec } = testFormats.get('dc+sd-jwt');
    const signer = await newSigner('secp256r1');
    let type = 'urn:card:2';
    other.peer.routes['/issuer/.well-known/openid-credential-issuer'] = () => ({
      body: {
        credential_issuer: other.issuer,
        token_endpoint: `${other.issuer}/token`,
        credential_endpoint: `${other.issuer}/credential`,
        credential_configurations_supported: { Card: { format: 'dc+sd-jwt', vct: 'urn:card:1' } },
      },
    });
    other.peer.routes['/issuer/credential'] = async () => ({
      body: { format: 'dc+sd-jwt', credential: await codec.issue(contentOf(signer, { type }), signer) },
    });
    const answer = () => holder.call('acceptCredentialOffer', { text: other.link(['Card']) });
    const { status, body } = await answer();
    expect([status, body.message]).to.deep.equal([
      400,
      'The issuer delivered a credential of another type than it offered',
    ]);
    type = 'urn:card:1';
    expect((await answer()).status).to.equal(200);
    await other.close();
  });

  it('importWalletCredential 201: takes an SD-JWT VC and an mdoc bound to the key of the DID; 400: none of another key', async () => {
    const other = await newWalletUser(server);
    for (const [operationId, json] of [
      ['issueSdJwtCredential', identity(issuer)],
      ['issueMdoc', licence(issuer)],
    ] as const) {
      const [{ id: credentialId, document: jwt }] = await accept(operationId, json);
      await holder.call('deleteWalletCredential', { path: { credentialId }, query: { permanent: 'true' } });
      const stolen = await other.call('importWalletCredential', { json: { jwt, associated_did: other.did } });
      expect([stolen.status, stolen.body.message]).to.deep.equal([400, 'jwt: is not issued to the associated DID']);
      const { status, body } = await holder.call('importWalletCredential', {
        json: { jwt, associated_did: holder.did },
      });
      expect(status, JSON.stringify(body)).to.equal(201);
    }
    const foreign = { jwt: await issueMdoc(), associated_did: holder.did };
    expect((await holder.call('importWalletCredential', { json: foreign })).status).to.equal(400);
  });
});

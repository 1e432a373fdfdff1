import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { type Call, useServer } from '../../support/servers/server.ts';

const OFFERED = { offerUrl: 'openid-credential-offer://?credential_offer={}' };
const ASKED = { requestUrl: 'openid4vp://?client_id=a' };
const PAGE = { origin: 'https://shop.example', protocol: 'openid4vp-v1-unsigned', data: {} };

/** Every operation on a wallet with a call that is well-formed. */
const OPERATIONS: Record<string, Call> = {
  listWalletKeys: {},
  generateWalletKey: { json: { backend: 'jwk', keyType: 'secp256r1' } },
  importWalletKey: { text: '{}' },
  verifyWithWalletKey: { query: { JWK: '{}' }, text: 'a.b.c' },
  deleteWalletKey: { path: { keyId: 'any' } },
  loadWalletKey: { path: { keyId: 'any' } },
  describeWalletKey: { path: { keyId: 'any' } },
  exportWalletKey: { path: { keyId: 'any' } },
  removeWalletKey: { path: { keyId: 'any' } },
  signWithWalletKey: { path: { keyId: 'any' }, json: {} },
  listWalletDids: {},
  createWalletDid: { path: { method: 'jwk' } },
  importWalletDid: { json: { did: 'did:key:any', key: {} } },
  setDefaultWalletDid: { query: { did: 'did:key:any' } },
  getWalletDid: { path: { did: 'did:key:any' } },
  deleteWalletDid: { path: { did: 'did:key:any' } },
  listWalletCredentials: {},
  getWalletCredential: { path: { credentialId: 'any' } },
  deleteWalletCredential: { path: { credentialId: 'any' } },
  acceptWalletCredential: { path: { credentialId: 'any' } },
  rejectWalletCredential: { path: { credentialId: 'any' }, json: {} },
  restoreWalletCredential: { path: { credentialId: 'any' } },
  getWalletCredentialStatus: { path: { credentialId: 'any' } },
  importWalletCredential: { json: { jwt: 'a.b.c', associated_did: 'did:key:any' } },
  addWalletCredentialCategories: { path: { credentialId: 'any' }, json: ['any'] },
  removeWalletCredentialCategories: { path: { credentialId: 'any' }, json: ['any'] },
  listWalletCategories: {},
  getWalletManifest: { path: { credentialId: 'any' } },
  getWalletManifestDisplay: { path: { credentialId: 'any' } },
  getWalletManifestIssuer: { path: { credentialId: 'any' } },
  extractManifest: { query: { offer: 'openid-credential-offer://?credential_offer={}' } },
  addWalletCategory: { path: { name: 'any' } },
  deleteWalletCategory: { path: { name: 'any' } },
  renameWalletCategory: { path: { name: 'any', newName: 'other' } },
  resolveCredentialOffer: { text: 'openid-credential-offer://?credential_offer={}' },
  acceptCredentialOffer: { text: 'openid-credential-offer://?credential_offer={}' },
  beginOfferAuthorization: { json: { offer: 'openid-credential-offer://?credential_offer={}' } },
  finishOfferAuthorization: { json: { state: 'a', code: 'a' } },
  listDeferredCredentials: {},
  collectDeferredCredential: { path: { id: 'any' } },
  abandonDeferredCredential: { path: { id: 'any' } },
  renewWalletCredential: { path: { credentialId: 'any' } },
  listWalletIssuers: {},
  resolveIssuerMetadata: { query: { issuer: 'http://127.0.0.1:1' } },
  resolvePresentationRequest: { text: 'openid4vp://?client_id=a' },
  matchWalletCredentials: { json: { id: 'a', input_descriptors: [{ id: 'a', constraints: {} }] } },
  listWalletEvents: {},
  deleteWalletEvent: { path: { id: 'any' } },
  listWalletHistory: {},
  getWalletSettings: {},
  setWalletSettings: { json: {} },
  addWalletIssuer: { json: { name: 'any' } },
  getWalletIssuer: { path: { issuer: 'any' } },
  authorizeWalletIssuer: { path: { issuer: 'any' } },
  listIssuerCredentials: { path: { issuer: 'any' } },
  listFrequentCredentials: {},
  resolveTypeMetadata: { query: { vct: 'http://127.0.0.1:1' } },
  presentCredentials: { json: { presentationRequest: 'openid4vp://?client_id=a', selectedCredentials: ['a'] } },
  describePresentationRequest: { text: 'openid4vp://?client_id=a' },
  describePageRequest: { json: PAGE },
  answerPageRequest: { json: { ...PAGE, selectedCredentials: ['a'] } },
  prepareExternalPresentation: {
    json: { did: 'did:key:any', presentationRequest: 'openid4vp://?client_id=a', selectedCredentialIdList: ['a'] },
  },
  submitExternalPresentation: {
    json: {
      did: 'did:key:any',
      presentationRequest: 'openid4vp://?client_id=a',
      selectedCredentialIdList: ['a'],
      presentationSubmission: {},
      w3cJwtVpProof: 'a',
    },
  },
  prepareExternalOffer: { json: { offerURL: 'openid-credential-offer://?credential_offer={}' } },
  submitExternalOffer: {
    json: {
      offerURL: 'openid-credential-offer://?credential_offer={}',
      accessToken: 'a',
      credentialIssuer: 'http://127.0.0.1:1',
      offeredCredentialProofsOfPossession: [{ offeredCredential: {}, proofType: 'jwt', signedProofOfPossession: 'a' }],
    },
  },
  listMissingCredentials: { json: { id: 'a', input_descriptors: [{ id: 'a', constraints: {} }] } },
  matchRequestedCredentials: { text: 'openid4vp://?client_id=a' },
  declinePresentationRequest: { json: { presentationRequest: 'openid4vp://?client_id=a' } },
  receiveCredentials: { json: OFFERED },
  resolveOffer: { json: OFFERED },
  resolveOfferBatch: { json: OFFERED },
  listPendingCredentials: {},
  resumePendingCredential: { path: { pendingId: 'any' } },
  requestToken: { json: { tokenEndpoint: 'http://127.0.0.1:1', preAuthorizedCode: 'a' } },
  requestNonce: { json: { credentialIssuer: 'http://127.0.0.1:1' } },
  signProof: { json: { issuerUrl: 'http://127.0.0.1:1', credentialConfigurationId: 'a' } },
  fetchCredential: {
    json: { credentialEndpoint: 'http://127.0.0.1:1', accessToken: 'a', credentialConfigurationId: 'a' },
  },
  collectDeferred: { json: { transactionId: 'a' } },
  createAuthorizationUrl: { json: OFFERED },
  createAuthorizationUrlBatch: { json: OFFERED },
  exchangeCode: { json: { code: 'a', credentialIssuerBaseUrl: 'http://127.0.0.1:1', state: 'a' } },
  receiveAuthorized: {
    json: {
      code: 'a',
      state: 'a',
      credentialIssuer: 'http://127.0.0.1:1',
      credentialEndpoint: 'http://127.0.0.1:1',
      credentialConfigurationId: 'a',
    },
  },
  receiveAuthorizedBatch: {
    json: {
      code: 'a',
      state: 'a',
      credentialIssuer: 'http://127.0.0.1:1',
      credentialEndpoint: 'http://127.0.0.1:1',
      credentials: [{ credentialConfigurationId: 'a' }],
    },
  },
  presentToVerifier: { json: ASKED },
  presentGivenCredentials: { json: { ...ASKED, credentials: [] } },
  resolveRequest: { json: ASKED },
  matchGivenCredentials: { json: { dcqlQuery: {}, credentials: [] } },
  matchStoredCredentials: { json: { dcqlQuery: {} } },
  previewRequest: { json: ASKED },
  buildVpToken: { json: ASKED },
  sendResponse: { json: { ...ASKED, vpToken: '{}' } },
  rejectRequest: { json: ASKED },
};
const WITH_JSON = [
  'setWalletSettings',
  'addWalletIssuer',
  'importWalletDid',
  'generateWalletKey',
  'signWithWalletKey',
  'matchWalletCredentials',
  'presentCredentials',
  'declinePresentationRequest',
  'beginOfferAuthorization',
  'finishOfferAuthorization',
  'describePageRequest',
  'answerPageRequest',
  'listMissingCredentials',
  'prepareExternalPresentation',
  'submitExternalPresentation',
  'prepareExternalOffer',
  'submitExternalOffer',
  'importWalletCredential',
  'addWalletCredentialCategories',
  'removeWalletCredentialCategories',
  'receiveCredentials',
  'resolveOffer',
  'resolveOfferBatch',
  'requestToken',
  'requestNonce',
  'signProof',
  'fetchCredential',
  'collectDeferred',
  'createAuthorizationUrl',
  'createAuthorizationUrlBatch',
  'exchangeCode',
  'receiveAuthorized',
  'receiveAuthorizedBatch',
  'presentToVerifier',
  'presentGivenCredentials',
  'resolveRequest',
  'matchGivenCredentials',
  'matchStoredCredentials',
  'previewRequest',
  'buildVpToken',
  'sendResponse',
  'rejectRequest',
];
const WITH_TEXT = [
  'importWalletKey',
  'verifyWithWalletKey',
  'resolveCredentialOffer',
  'acceptCredentialOffer',
  'resolvePresentationRequest',
  'describePresentationRequest',
  'matchRequestedCredentials',
];

describe('whose wallet', () => {
  const server = useServer();
  let holder: WalletUser;
  let other: WalletUser;
  before(async () => {
    [holder, other] = [await newWalletUser(server), await newWalletUser(server)];
  });

  for (const [operationId, call] of Object.entries(OPERATIONS))
    describe(operationId, () => {
      it('401: refuses a caller without a login', async () => {
        const answer = await holder.call(operationId, { ...call, token: undefined });
        expect(answer.status).to.equal(401);
        expect(answer.body.id).to.equal('LoginRequired');
      });

      it('403: the answers for a wallet of another account and one that does not exist are the same', async () => {
        const answers = [];
        for (const wallet of [other.wallet, randomUUID()])
          answers.push(await holder.call(operationId, { ...call, path: { ...call.path, wallet } }));
        const [foreign, unknown] = answers.map(({ status, body }) => ({ status, ...body, requestId: '' }));
        expect(foreign?.status).to.equal('Forbidden');
        expect(foreign).to.deep.equal(unknown);
      });

      it('400: refuses a wallet id that is not a UUID', async () => {
        const answer = await holder.call(operationId, { ...call, path: { ...call.path, wallet: 'mine' } });
        expect(answer.status).to.equal(400);
        expect(answer.body.details[0].path).to.equal('/path/wallet');
      });

      it('400: refuses an unknown query parameter', async () => {
        const answer = await holder.call(operationId, { ...call, query: { ...call.query, colour: 'red' } });
        expect(answer.status).to.equal(400);
        expect(answer.body.details[0].path).to.equal('/query/colour');
      });
    });

  for (const operationId of [...WITH_JSON, ...WITH_TEXT])
    describe(operationId, () => {
      it('413: refuses a body over 1 MiB', async () => {
        const text = 'x'.repeat(1024 * 1024 + 1);
        const answer = await holder.call(operationId, { ...OPERATIONS[operationId], json: undefined, text });
        expect(answer.status).to.equal(413);
      });

      it('400: refuses an absent body', async () => {
        const { path, query } = OPERATIONS[operationId] ?? {};
        const answer = await holder.call(operationId, { path, query, contentType: 'application/json' });
        expect(answer.status).to.equal(400);
        expect(answer.body.details[0].path).to.equal('/body');
      });
    });

  for (const operationId of WITH_JSON)
    describe(operationId, () => {
      it('415: refuses a body that is not JSON by its media type', async () => {
        const { path } = OPERATIONS[operationId] ?? {};
        const answer = await holder.call(operationId, { path, text: '{}', contentType: 'text/csv' });
        expect(answer.status).to.equal(415);
      });

      it('400: refuses a member name that would reach a prototype', async () => {
        const { path } = OPERATIONS[operationId] ?? {};
        const call = { path, text: '{"__proto__":{}}', contentType: 'application/json' };
        const answer = await holder.call(operationId, call);
        expect(answer.status).to.equal(400);
      });
    });

  describe('listTransactionDataProfiles', () => {
    const transactionDataProfiles = [{ type: 'payment', displayName: 'Payment', fields: ['amount'] }];
    const knowing = useServer({ settings: { wallet: { transactionDataProfiles } } });

    it('200: needs no login; those of wallet-service.conf', async () => {
      for (const [at, profiles] of [
        [server, []],
        [knowing, transactionDataProfiles],
      ] as const) {
        const answer = await at.call('listTransactionDataProfiles');
        expect([answer.status, answer.body]).to.deep.equal([200, profiles]);
      }
    });

    it('400: refuses an unknown query parameter', async () => {
      expect((await server.call('listTransactionDataProfiles', { query: { a: '1' } })).status).to.equal(400);
    });
  });
});

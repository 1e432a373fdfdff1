import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { makeOffer, offerId } from '../../actors/issuance.ts';
import { credentialRequest, decodeJwt, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';
import { operationOf } from '../../support/documents/contract.ts';
import { useServer } from '../../support/servers/server.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

const OPERATIONS = ['issueJwtCredential', 'issueJwtCredentialBatch'] as const;

describe('issuing', () => {
  const server = useServer();
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  for (const operationId of OPERATIONS)
    describe(operationId, () => {
      const isBatch = operationId === 'issueJwtCredentialBatch';
      const base = isBatch ? '/body/0' : '/body';
      const send = (json: unknown, headers?: Record<string, string>) =>
        server.call(operationId, { json: isBatch ? [json] : json, headers });

      it('200: answers with the URL of an offer by reference as text', async () => {
        const { status, body, headers } = await send(degree(issuer));
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.match(/^text\/plain/);
        const uri = `${server.url}/draft13/credentialOffer?id=${offerId(body)}`;
        expect(body).to.equal(`openid-credential-offer://?credential_offer_uri=${encodeURIComponent(uri)}`);
      });

      it('200: accepts the example of the document', async () => {
        const { requestBody } = await operationOf(operationId);
        const content = requestBody?.content['application/json'] as {
          examples: Record<string, { value: unknown }>;
        };
        for (const { value } of Object.values(content.examples))
          expect((await server.call(operationId, { json: value })).status).to.equal(200);
      });

      it('200: derives the configuration from the last type', async () => {
        const { status } = await send(degree(issuer, { credentialConfigurationId: undefined }));
        expect(status).to.equal(200);
      });

      it('200: accepts the key as JSON text, and every known field', async () => {
        const issuerKey = { type: 'jwk', jwk: JSON.stringify(issuer.issuerKey.jwk) };
        const more = {
          authenticationMethod: 'PRE_AUTHORIZED',
          standardVersion: 'DRAFT13',
          credentialStatus: { type: 'StatusList2021Entry' },
          display: [{ name: 'Degree' }],
        };
        const headers = { sessionTtl: '900', statusCallbackUri: 'https://hooks.example/issuance/$id?session=$id' };
        expect((await send(degree({ ...issuer, issuerKey } as never, more), headers)).status).to.equal(200);
      });

      const mapping = (value: unknown) => ({ mapping: { a: { b: value } } });
      const refused: [string, Record<string, unknown>, string][] = [
        ['no issuerKey', { issuerKey: undefined }, '/issuerKey'],
        ['no issuerDid', { issuerDid: undefined }, '/issuerDid'],
        ['an issuerDid that is none', { issuerDid: 'https://issuer.example' }, '/issuerDid'],
        ['an issuerDid that cannot be read', { issuerDid: 'did:jwk:nonsense' }, '/issuerDid'],
        ['the DID of another key', { issuerDid: makeHolderKey().did }, '/issuerDid'],
        ['no credentialData', { credentialData: undefined }, '/credentialData'],
        ['empty credentialData', { credentialData: {} }, '/credentialData/type'],
        [
          'an issuer that can name none',
          { credentialData: { type: ['VerifiableCredential', 'UniversityDegree'], issuer: ['did:a'] }, mapping: {} },
          '/credentialData/issuer',
        ],
        [
          'an id that is no text',
          { credentialData: { type: ['VerifiableCredential', 'UniversityDegree'], id: 7 }, mapping: {} },
          '/credentialData/id',
        ],
        ['a type that is no text', { credentialData: { type: [5] } }, '/credentialData/type/0'],
        [
          'an unknown configuration',
          { credentialConfigurationId: 'Unknown_jwt_vc_json' },
          '/credentialConfigurationId',
        ],
        [
          'a configuration by the name of a prototype',
          { credentialConfigurationId: 'constructor' },
          '/credentialConfigurationId',
        ],
        ['an authenticationMethod that is not served', { authenticationMethod: 'PWD' }, '/authenticationMethod'],
        ['a standardVersion of another service', { standardVersion: 'V1' }, '/standardVersion'],
        [
          'a transaction code that draft 11 does not have',
          { standardVersion: 'DRAFT11', txCodeValue: 'abc' },
          '/txCodeValue',
        ],
        ['a vct', { vct: 'https://a.example' }, '/vct'],
        ['selectiveDisclosure without fields', { selectiveDisclosure: {} }, '/selectiveDisclosure/fields'],
        ['mdocData', { mdocData: {} }, '/mdocData'],
        ['an unknown field', { surprise: 1 }, '/surprise'],
        ['an unknown data function', mapping('<nonsense>'), '/mapping/a/b'],
        ['a bad duration', mapping('<timestamp-in:soon>'), '/mapping/a/b'],
        ['a mapping onto a text', { mapping: { type: { a: 1 } } }, '/mapping/type'],
        [
          'a certificate that is none',
          { x5Chain: ['-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----'] },
          '/x5Chain/0',
        ],
        ['a credentialStatus that is no object', { credentialStatus: 'revoked' }, '/credentialStatus'],
      ];
      for (const [title, changes, path] of refused)
        it(`400: refuses ${title}, naming it`, async () => {
          const { status, body } = await send(degree(issuer, changes));
          expect(status).to.equal(400);
          expect(body.details.map((detail: { path: string }) => detail.path)).to.include(`${base}${path}`);
        });

      it('400: refuses a key of an unsupported backend, a public key, a malformed key', async () => {
        const { d: _, ...publicPart } = issuer.issuerKey.jwk;
        for (const issuerKey of [
          { type: 'kmsa-rest-api', id: 'x' },
          { type: 'jwk', jwk: publicPart },
          { type: 'jwk' },
        ]) {
          const { status, body } = await send(degree({ ...issuer, issuerKey } as never));
          expect([status, body.details[0].path.startsWith(`${base}/issuerKey/`)]).to.deep.equal([400, true]);
          expect(JSON.stringify(body)).to.not.include(issuer.issuerKey.jwk.d);
        }
      });

      it('400: refuses a key reference that contradicts its key, naming the member; 200: accepts a consistent one', async () => {
        const other = makeHolderKey().jwk;
        const { d: _, ...publicJwk } = issuer.issuerKey.jwk;
        const stated = (more: object) =>
          send(degree({ ...issuer, issuerKey: { ...issuer.issuerKey, ...more } } as never));
        const contradicting: [string, unknown][] = [
          ...['Ed25519', 'secp256k1', 'RSA', 'nonsense', ''].map((type): [string, unknown] => ['_keyType', type]),
          ...[other, JSON.stringify(other), { type: 'jwk', jwk: other }, {}, 'nonsense'].map(
            (key): [string, unknown] => ['_publicKey', key],
          ),
        ];
        for (const [member, value] of contradicting) {
          const { status, body } = await stated({ [member]: value });
          expect([status, body.details?.[0].path], JSON.stringify(value)).to.deep.equal([
            400,
            `${base}/issuerKey/${member}`,
          ]);
        }
        for (const key of [publicJwk, JSON.stringify(publicJwk), { type: 'jwk', jwk: publicJwk }])
          expect((await stated({ _keyType: 'secp256r1', _publicKey: key })).status).to.equal(200);
      });

      it('400: refuses malformed certificates, those of another key, and those that do not certify each other', async () => {
        const root = makeCertificate({ subject: 'CN=Root', ca: true, keys: testKeys('P-256', 0) });
        const keys = testKeys('P-256', 1);
        const leaf = makeCertificate({ subject: 'CN=Issuer', issuer: root, keys });
        const issuerKey = { type: 'jwk', jwk: keys.privateKey.export({ format: 'jwk' }) };
        const pem = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`;
        const chains: [string[], number][] = [
          [[pem('AAAA')], 0],
          [[root.pem], 0],
          [[leaf.pem, leaf.pem], 1],
          [[leaf.pem, root.pem, leaf.pem], 2],
        ];
        for (const [x5Chain, index] of chains) {
          const { status, body } = await send(
            degree(issuer, { issuerKey, issuerDid: 'did:web:issuer.example', x5Chain }),
          );
          expect([status, body.details[0].path]).to.deep.equal([400, `${base}/x5Chain/${index}`]);
        }
      });

      const callbacks = [
        'nowhere',
        'ftp://a.example/',
        'file:///etc/passwd',
        'https://user:secret@a.example/',
        'javascript:1',
        'https://a.example/ $id',
        'http://',
      ];
      for (const statusCallbackUri of callbacks)
        it(`400: refuses the callback ${statusCallbackUri}`, async () => {
          const { status, body } = await send(degree(issuer), { statusCallbackUri });
          expect([status, body.details[0].path]).to.deep.equal([400, '/header/statusCallbackUri']);
        });

      for (const sessionTtl of ['0', '-1', '1e3', 'soon', '99999999', '1.5'])
        it(`400: refuses the sessionTtl ${sessionTtl}`, async () => {
          expect((await send(degree(issuer), { sessionTtl })).status).to.equal(400);
        });

      it('413: refuses a body over 1 MiB', async () => {
        expect((await send({ a: 'x'.repeat(1024 * 1024) })).status).to.equal(413);
      });

      it('415: refuses another media type', async () => {
        expect((await server.call(operationId, { text: '{}' })).status).to.equal(415);
      });
    });

  it('an offer that cannot be derived names the missing field', async () => {
    const credentialData = { type: ['VerifiableCredential', 'Unheard'] };
    const json = degree(issuer, { credentialData, credentialConfigurationId: undefined });
    const { status, body } = await server.call('issueJwtCredential', { json });
    expect(status).to.equal(400);
    expect(body.message).to.include('credentialConfigurationId').and.include('Unheard_jwt_vc_json');
  });

  it('400: an empty batch is refused', async () => {
    expect((await server.call('issueJwtCredentialBatch', { json: [] })).status).to.equal(400);
  });

  it('a batch is one offer; its session ends with the last credential, each reported as batch_jwt_issue', async () => {
    const callback = await startCallback();
    const badge = degree(issuer, {
      credentialConfigurationId: 'OpenBadgeCredential_jwt_vc_json',
      credentialData: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'OpenBadgeCredential'],
      },
    });
    const { code } = await makeOffer(server, [degree(issuer), badge], {
      operationId: 'issueJwtCredentialBatch',
      headers: { statusCallbackUri: callback.url },
    });
    const holder = makeHolderKey();
    const { body: token } = await redeem(server, code);
    const types = ['VerifiableCredential', 'OpenBadgeCredential'];
    const first = await requestCredential(
      server,
      token.access_token,
      credentialRequest(proofOf(server, holder, { nonce: token.c_nonce }), types),
    );
    expect(decodeJwt(first.body.credential).claims.vc.type).to.deep.equal(types);
    const proof = proofOf(server, holder, { nonce: first.body.c_nonce });
    const again = await requestCredential(server, token.access_token, credentialRequest(proof, types));
    expect([again.status, again.body.credential]).to.deep.equal([200, first.body.credential]);
    const fresh = proofOf(server, holder, { nonce: again.body.c_nonce });
    const second = await requestCredential(server, token.access_token, credentialRequest(fresh));
    expect(second.status).to.equal(200);
    expect(second.body).to.not.have.property('c_nonce');
    const used = await requestCredential(server, token.access_token, credentialRequest(fresh));
    expect([used.status, used.body.error]).to.deep.equal([400, 'invalid_proof']);
    expect(callback.events.map(({ type }) => type)).to.deep.equal([
      'resolved_credential_offer',
      'requested_token',
      'batch_jwt_issue',
      'batch_jwt_issue',
    ]);
    await callback.goAway();
  });
});

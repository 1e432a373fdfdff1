import { expect } from 'chai';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import { offerId } from '../../actors/issuance.ts';
import { identity, licence, signerChain } from '../../actors/issuance-formats.ts';
import { useServer } from '../../support/servers/server.ts';
import { DAY, makeCertificate, testKeys } from '../../support/trust/certificates.ts';

type Json = Record<string, unknown>;

const OPERATIONS = ['issueSdJwtCredential', 'issueSdJwtCredentialBatch', 'issueMdoc', 'issueMdocBatch'] as const;

describe('issuing SD-JWT VCs and mdocs', () => {
  const server = useServer({
    settings: {
      issuerMetadata: {
        supportedCredentialTypes: {
          UniversityDegree: ['VerifiableCredential', 'UniversityDegree'],
          IdentityCredential: ['VerifiableCredential', 'IdentityCredential'],
          'org.iso.18013.5.1.mDL': { format: 'mso_mdoc' },
          Card: { format: 'dc+sd-jwt', vct: 'urn:card:1' },
        },
      },
    },
  });
  let issuer: Issuer;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });

  /** The member of a request that a refusal names. */
  const refusedAt = async (operationId: string, json: Json): Promise<string> => {
    const { status, body } = await server.call(operationId, { json });
    return status === 400 ? body.details[0].path : `${status}`;
  };

  for (const operationId of OPERATIONS)
    describe(operationId, () => {
      const isBatch = operationId.endsWith('Batch');
      const isMdoc = operationId.startsWith('issueMdoc');
      const [request, other] = isMdoc ? [licence, identity] : [identity, licence];
      const send = (json: unknown, headers?: Record<string, string>) =>
        server.call(operationId, { json: isBatch ? [json] : json, headers });

      it('200: answers with the URL of an offer by reference as text', async () => {
        const { status, body, headers } = await send(request(issuer), { sessionTtl: '900' });
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(headers.get('content-type')).to.match(/^text\/plain/);
        const offer = await server.call('getCredentialOffer', { query: { id: offerId(body) } });
        expect(offer.body.credential_configuration_ids).to.deep.equal([request(issuer).credentialConfigurationId]);
      });

      it('400: refuses what the configuration of another kind of format has no place for, naming it', async () => {
        const { credentialConfigurationId } = other(issuer);
        const { status, body } = await send(request(issuer, { credentialConfigurationId }));
        const base = isBatch ? '/body/0' : '/body';
        expect([status, body.details[0].path]).to.deep.equal([
          400,
          `${base}/${isMdoc ? 'mdocData' : 'credentialData'}`,
        ]);
      });

      it('413: refuses a body over 1 MiB', async () => {
        expect((await send({ a: 'x'.repeat(1024 * 1024) })).status).to.equal(413);
      });

      it('415: refuses another media type', async () => {
        expect((await server.call(operationId, { text: '{}' })).status).to.equal(415);
      });
    });

  const named = (fields: Json) => ({ selectiveDisclosure: { fields } });
  const frames: [string, (issuer: Issuer, changes: Json) => Json, Json, string][] = [
    ['a member that there is not', identity, named({ age: { sd: true } }), '/selectiveDisclosure/fields/age'],
    ['the type', identity, named({ vct: { sd: true } }), '/selectiveDisclosure/fields/vct'],
    [
      'too many decoys',
      identity,
      { selectiveDisclosure: { fields: {}, decoyMode: 'FIXED', decoys: 33 } },
      '/selectiveDisclosure/decoys',
    ],
    [
      'data with a name of RFC 9901',
      identity,
      { credentialData: { given_name: 'A', address: { _sd: [] } } },
      '/credentialData/address/_sd',
    ],
    ['a mapping with such a name', identity, { mapping: { address: { '...': 1 } } }, '/mapping/address/...'],
    ['claims with such a name', identity, { sdJwtCredentialClaims: { _sd: 1 } }, '/sdJwtCredentialClaims/_sd'],
    ['a W3C member that there is not', degree, named({ age: { sd: true } }), '/selectiveDisclosure/fields/age'],
    [
      'a part of the status',
      identity,
      {
        sdJwtCredentialClaims: { status: { status_list: { idx: 0, uri: 'https://lists.example/1' } } },
        ...named({
          status: {
            sd: false,
            children: { fields: { status_list: { sd: false, children: { fields: { idx: { sd: true } } } } } },
          },
        }),
      },
      '/selectiveDisclosure/fields/status/children/fields/status_list/children/fields/idx',
    ],
    [
      'decoys in the key of the holder',
      identity,
      {
        credentialData: { cnf: { jwk: { kty: 'EC' } } },
        ...named({ cnf: { sd: false, children: { fields: {}, decoyMode: 'FIXED', decoys: 1 } } }),
      },
      '/selectiveDisclosure/fields/cnf/children/decoys',
    ],
    [
      'a status with digests',
      identity,
      { credentialStatus: { status_list: { _sd: ['x'] } } },
      '/credentialStatus/status_list/_sd',
    ],
    [
      'a status of a W3C credential with digests',
      degree,
      { credentialStatus: { type: 'BitstringStatusListEntry', entry: { _sd: ['x'] } } },
      '/credentialStatus/entry/_sd',
    ],
    ['the issuer of a W3C credential', degree, named({ issuer: { sd: true } }), '/selectiveDisclosure/fields/issuer'],
  ];
  for (const [title, request, changes, path] of frames)
    it(`400: a frame that cannot be packed is refused when the credential is offered: ${title}`, async () => {
      const operationId = request === degree ? 'issueJwtCredential' : 'issueSdJwtCredential';
      expect(await refusedAt(operationId, request(issuer, changes))).to.equal(`/body${path}`);
    });

  it('200: a frame may name what only the mapping or the claims beside the data add', async () => {
    const mapping = { mobile: '<uuid>', 'jwt:nickname': '<uuid>' };
    const fields = { mobile: { sd: true }, nickname: { sd: true }, email: { sd: true }, iat: { sd: true } };
    const request = identity(issuer, { mapping, sdJwtCredentialClaims: { email: 'a@b.example' }, ...named(fields) });
    expect((await server.call('issueSdJwtCredential', { json: request })).status).to.equal(200);
  });

  it('400: a dc+sd-jwt under a self-signed leaf is refused, naming it; under a certified one it is offered', async () => {
    const keys = testKeys('P-256', 42);
    const root = makeCertificate({ subject: 'CN=Root', ca: true, keys: testKeys('P-256', 43) });
    const altNames = [{ uniformResourceIdentifier: 'https://issuer.example' }];
    const chains = [
      [makeCertificate({ keys, altNames }).pem],
      [makeCertificate({ keys, altNames, issuer: root }).pem, root.pem],
    ];
    const issuerKey = { type: 'jwk', jwk: keys.privateKey.export({ format: 'jwk' }) };
    const request = (x5Chain: unknown) => ({ issuerKey, vct: 'urn:card:1', credentialData: { a: 1 }, x5Chain });
    expect(await refusedAt('issueSdJwtCredential', request(chains[0]))).to.equal('/body/x5Chain/0');
    expect(await refusedAt('issueSdJwtCredential', request(chains[1]))).to.equal('200');
  });

  it('400: an mdoc under a key that cannot sign it, or certificates that are missing, of another key or not valid now', async () => {
    const k1 = await onboard(server, { key: { keyType: 'secp256k1' } });
    const refused = (of: Issuer, changes: Json) =>
      refusedAt('issueMdoc', licence(issuer, { issuerKey: of.issuerKey, ...changes }));
    expect(await refused(k1, { x5Chain: signerChain(k1.issuerKey.jwk) })).to.equal('/body/issuerKey');
    expect(await refused(issuer, { x5Chain: undefined })).to.equal('/body/x5Chain');
    const other = await onboard(server, { key: { keyType: 'secp256r1' } });
    expect(await refused(other, {})).to.equal('/body/x5Chain/0');
    const past = signerChain(issuer.issuerKey.jwk, { notAfter: new Date(server.clock.now() - DAY) });
    expect(await refused(issuer, { x5Chain: past })).to.equal('/body/x5Chain/0');
  });
});

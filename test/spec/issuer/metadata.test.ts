import { expect } from 'chai';
import { startServer, useServer } from '../../support/servers/server.ts';

describe('issuer metadata', () => {
  const server = useServer({
    settings: {
      issuerMetadata: {
        issuerDisplay: [{ name: 'University' }],
        supportedCredentialTypes: {
          StateDiploma: ['VerifiableCredential', 'StateDiploma'],
          Named: {
            format: 'jwt_vc_json',
            credential_definition: { type: ['VerifiableCredential', 'Named'] },
            scope: 'named',
          },
        },
      },
    },
  });

  for (const operationId of ['getIssuerMetadata', 'getIssuerMetadataOfHost'])
    describe(operationId, () => {
      it('200: describes the issuer and its configurations, with absolute links', async () => {
        const { body } = await server.call(operationId, { query: { anything: 'ignored' } });
        const issuer = `${server.url}/draft13`;
        expect(body).to.include({
          credential_issuer: issuer,
          credential_endpoint: `${issuer}/credential`,
          token_endpoint: `${issuer}/token`,
        });
        expect(body.authorization_servers).to.deep.equal([issuer]);
        expect(body.display).to.deep.equal([{ name: 'University' }]);
        const { StateDiploma_jwt_vc_json: diploma, Named } = body.credential_configurations_supported;
        expect(diploma).to.deep.include({
          format: 'jwt_vc_json',
          credential_definition: { type: ['VerifiableCredential', 'StateDiploma'] },
          display: [{ name: 'State Diploma', locale: 'en' }],
        });
        expect(diploma.proof_types_supported.jwt.proof_signing_alg_values_supported).to.include.members([
          'ES256',
          'EdDSA',
          'ES256K',
        ]);
        expect(Named).to.include({ format: 'jwt_vc_json', scope: 'named' });
      });
    });

  for (const operationId of [
    'getAuthorizationServerMetadata',
    'getAuthorizationServerMetadataOfHost',
    'getOpenidConfiguration',
    'getOpenidConfigurationOfHost',
  ])
    describe(operationId, () => {
      it('200: names the endpoints and both grants', async () => {
        const { body } = await server.call(operationId);
        expect(body).to.include({ issuer: `${server.url}/draft13`, token_endpoint: `${server.url}/draft13/token` });
        expect(body.pushed_authorization_request_endpoint).to.equal(`${server.url}/draft13/par`);
        expect(body.grant_types_supported).to.deep.equal([
          'authorization_code',
          'urn:ietf:params:oauth:grant-type:pre-authorized_code',
        ]);
        expect(body).to.not.have.property('credential_configurations_supported');
      });
    });

  for (const operationId of ['getOpenidConfiguration', 'getOpenidConfigurationOfHost'])
    describe(operationId, () => {
      it('200: has the members that OpenID Connect Discovery requires, and every link has an operation', async () => {
        const { body } = await server.call(operationId);
        expect(body.subject_types_supported).to.deep.equal(['public']);
        expect(body.id_token_signing_alg_values_supported).to.include('RS256');
        expect(body.response_types_supported).to.deep.equal(['code']);
        for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'])
          expect((await fetch(body[name])).status, name).to.not.equal(404);
      });
    });

  describe('getJwtVcIssuerMetadata', () => {
    it('200: returns the URL of the keys', async () => {
      const { body } = await server.call('getJwtVcIssuerMetadata');
      expect(body).to.deep.equal({ issuer: `${server.url}/draft13`, jwks_uri: `${server.url}/draft13/jwks` });
    });
  });

  it('any origin may read it, and send the headers of an offer', async () => {
    const read = await server.fetch('/draft13/.well-known/openid-credential-issuer', {
      headers: { origin: 'https://w.example' },
    });
    expect(read.headers.get('access-control-allow-origin')).to.equal('*');
    const preflight = await fetch(`${server.url}/openid4vc/jwt/issue`, {
      method: 'OPTIONS',
      headers: { origin: 'https://w.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers'))
      .to.include('statuscallbackuri')
      .and.include('sessionttl');
  });

  it('a configuration that cannot be issued stops the start with file and field', async () => {
    const supportedCredentialTypes = { mDL: { format: 'ldp_vc' } };
    const settings = { issuerMetadata: { supportedCredentialTypes } };
    const error = await startServer({ settings }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message)
      .to.include('credential-issuer-metadata.conf')
      .and.include('supportedCredentialTypes.mDL.format');
  });
});

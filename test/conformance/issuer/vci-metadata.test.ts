import { expect } from 'chai';
import { decodeJwt } from '../../actors/wallet.ts';
import { type HaipIssuer, startHaipIssuer } from './wallet-flow.ts';

const PUBLIC = 'https://issuer.example';
const FORMATS = ['dc+sd-jwt', 'mso_mdoc', 'jwt_vc_json'];

describe('OpenID conformance suite, HAIP plan for issuers, OpenID4VCI: metadata', () => {
  let issuer: HaipIssuer;
  before(async () => {
    issuer = await startHaipIssuer(PUBLIC);
  });
  after(() => issuer.issuance.close());

  const { call } = { call: (id: string, headers = {}) => issuer.issuance.server.call(id, { headers }) };

  // biome-ignore lint/suspicious/noExplicitAny: metadata as it was received
  function checkIssuer(metadata: any): void {
    expect(metadata.credential_issuer).to.equal(`${PUBLIC}/openid4vci`);
    expect(metadata).to.include.keys('credential_endpoint', 'nonce_endpoint', 'credential_configurations_supported');
    for (const [name, value] of Object.entries(metadata))
      if (name.endsWith('_endpoint')) expect(value, name).to.match(/^https:\/\/issuer\.example\//);
    for (const direction of ['request', 'response']) {
      const encryption = metadata[`credential_${direction}_encryption`];
      expect(encryption.encryption_required).to.be.a('boolean');
      expect(encryption.enc_values_supported).to.include.members(['A128GCM', 'A256GCM']);
    }
    expect(metadata.credential_response_encryption.alg_values_supported).to.deep.equal(['ECDH-ES']);
    for (const { kid, alg } of metadata.credential_request_encryption.jwks.keys)
      expect([typeof kid, alg]).to.deep.equal(['string', 'ECDH-ES']);
    const configurations = Object.entries<Record<string, unknown>>(metadata.credential_configurations_supported);
    expect(configurations.length).to.be.greaterThan(0);
    for (const [id, configuration] of configurations) checkConfiguration(id, configuration);
  }

  function checkConfiguration(id: string, configuration: Record<string, unknown>): void {
    const { format, scope, vct, doctype, credential_definition: definition } = configuration;
    expect(format, id).to.be.oneOf(FORMATS);
    expect(scope, `${id} needs a scope`).to.be.a('string');
    const types = { 'dc+sd-jwt': vct, mso_mdoc: doctype, jwt_vc_json: definition };
    expect(types[format as keyof typeof types], `${id} needs a type`).to.not.equal(undefined);
    expect(configuration.cryptographic_binding_methods_supported, id).to.be.an('array').that.is.not.empty;
    const proofs = Object.entries<Record<string, unknown>>(configuration.proof_types_supported as never);
    expect(proofs.length, id).to.be.greaterThan(0);
    for (const [type, proof] of proofs) {
      expect(type, id).to.be.oneOf(['jwt', 'attestation']);
      expect(proof.proof_signing_alg_values_supported, id).to.be.an('array').that.is.not.empty;
    }
    const algorithms = configuration.credential_signing_alg_values_supported as unknown[];
    const kind = format === 'mso_mdoc' ? 'number' : 'string';
    for (const algorithm of algorithms) expect(algorithm, id).to.be.a(kind);
  }

  async function checkServer(): Promise<void> {
    const { body, headers } = await call('getOpenid4vciServerMetadata');
    expect(headers.get('content-type')).to.match(/^application\/json/);
    expect(body.issuer).to.equal(`${PUBLIC}/openid4vci`);
    expect(body).to.include.keys(
      'authorization_endpoint',
      'token_endpoint',
      'pushed_authorization_request_endpoint',
      'jwks_uri',
    );
    expect(body.require_pushed_authorization_requests).to.equal(true);
    expect(body.code_challenge_methods_supported).to.include('S256');
    expect(body.authorization_response_iss_parameter_supported).to.equal(true);
    expect(body.authorization_details_types_supported).to.include('openid_credential');
    expect(body.token_endpoint_auth_methods_supported).to.include('attest_jwt_client_auth');
    for (const name of ['client_attestation', 'client_attestation_pop', 'dpop'])
      expect(body[`${name}_signing_alg_values_supported`], name).to.include('ES256');
  }

  describe('oid4vci-1_0-issuer-metadata-test', () => {
    it('VCIIssuerMetadataTest: complete metadata of the issuer and of its authorization server', async () => {
      const { status, headers, body } = await call('getOpenid4vciIssuerMetadata', { accept: 'application/json' });
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
      checkIssuer(body);
      await checkServer();
    });
  });

  describe('oid4vci-1_0-issuer-metadata-test-signed', () => {
    it('VCIIssuerMetadataSignedTest: the same, signed', async () => {
      const { status, headers, body } = await call('getOpenid4vciIssuerMetadata', { accept: 'application/jwt' });
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/jwt']);
      const { header, claims, verifies } = decodeJwt(body);
      expect(header).to.include({ typ: 'openidvci-issuer-metadata+jwt', alg: 'ES256' });
      expect(claims.sub).to.equal(`${PUBLIC}/openid4vci`);
      expect(claims.iat).to.be.a('number');
      const { keys } = (await call('listOpenid4vciKeys')).body;
      expect(verifies(keys.find(({ kid }: { kid: string }) => kid === header.kid))).to.equal(true);
      checkIssuer(claims);
      await checkServer();
    });
  });
});

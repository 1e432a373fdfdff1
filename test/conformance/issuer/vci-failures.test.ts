import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import type { Sent } from '../../actors/attested-wallet.ts';
import type { Answer } from '../../support/servers/server.ts';
import { type Changes, type HaipIssuer, PLAIN, startHaipIssuer, type Variant, WalletFlow } from './wallet-flow.ts';

const ENCRYPTED: Variant = { ...PLAIN, encryption: 'encrypted' };

/** A JWT whose signature has another byte. */
function withBrokenSignature(jwt: string): string {
  const [head, body, signature = ''] = jwt.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  bytes[10] = (bytes[10] ?? 0) ^ 0x5a;
  return `${head}.${body}.${bytes.toString('base64url')}`;
}

/** The error responses that the suite accepts have these members only, and are not encrypted. */
function expectError({ status, headers, body }: Answer, statuses: number[], errors: string[]): void {
  expect(status, JSON.stringify(body)).to.be.oneOf(statuses);
  expect(headers.get('content-type')).to.match(/^application\/json/);
  expect(headers.get('cache-control')).to.match(/no-store/);
  expect(body.error).to.be.oneOf(errors);
  expect(Object.keys(body)).to.have.members(['error', 'error_description']);
  expect(body.error_description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
}

describe('OpenID conformance suite, HAIP plan for issuers, OpenID4VCI: refusals', () => {
  let issuer: HaipIssuer;
  before(async () => {
    issuer = await startHaipIssuer();
  });
  after(() => issuer.issuance.close());

  /** A request to the credential endpoint that is refused; a right one is served afterwards. */
  const credentialModules: [string, string, Variant[], Changes, string][] = [
    [
      'oid4vci-1_0-issuer-fail-invalid-nonce',
      'VCIIssuerFailOnInvalidNonce',
      [PLAIN],
      { nonce: 'bad-nonce-0f9c6a52' },
      'invalid_nonce',
    ],
    [
      'oid4vci-1_0-issuer-fail-invalid-jwt-proof-signature',
      'VCIIssuerFailOnInvalidJwtProofSignature',
      [PLAIN],
      { proofs: (jwts) => jwts.map(withBrokenSignature) },
      'invalid_proof',
    ],
    [
      'oid4vci-1_0-issuer-fail-invalid-key-attestation-signature',
      'VCIIssuerFailOnInvalidKeyAttestationSignature',
      [PLAIN],
      { attestation: withBrokenSignature },
      'invalid_proof',
    ],
    [
      'oid4vci-1_0-issuer-fail-missing-proof',
      'VCIIssuerFailOnMissingProof',
      [PLAIN],
      { request: ({ proofs: _, ...others }) => others },
      'invalid_proof',
    ],
    [
      'oid4vci-1_0-issuer-fail-unknown-credential-configuration',
      'VCIIssuerFailOnUnknownCredentialConfigurationId',
      [PLAIN, ENCRYPTED],
      { request: (members) => ({ ...members, credential_configuration_id: 'unknown-0f9c6a52' }) },
      'unknown_credential_configuration',
    ],
    [
      'oid4vci-1_0-issuer-fail-unknown-credential-identifier',
      'VCIIssuerFailOnUnknownCredentialIdentifier',
      [PLAIN],
      {
        request: ({ credential_configuration_id: _, ...others }) => ({
          ...others,
          credential_identifier: 'unknown-0f9c6a52',
        }),
      },
      'unknown_credential_identifier',
    ],
    [
      'oid4vci-1_0-issuer-fail-unsupported-encryption-algorithm',
      'VCIIssuerFailOnUnsupportedEncryptionAlgorithm',
      [ENCRYPTED],
      { encryption: { response: { enc: 'UNSUPPORTED_ENC' } } },
      'invalid_encryption_parameters',
    ],
  ];
  for (const [name, module, variants, changes, error] of credentialModules)
    describe(name, () => {
      for (const variant of variants)
        it(`${module} (${variant.encryption}): ${error}`, async () => {
          const flow = new WalletFlow(issuer, variant);
          const token = await flow.token();
          expectError(await flow.request(token, changes), [400], [error]);
          expect((await flow.members(await flow.request(token))).credentials).to.have.length(1);
        });
    });

  const ATTESTATION_ERRORS = ['invalid_client', 'invalid_request', 'invalid_client_attestation'];
  const clientModules: [string, string, (flow: WalletFlow) => Sent][] = [
    [
      'oid4vci-1_0-issuer-fail-invalid-client-attestation-signature',
      'VCIIssuerFailOnInvalidClientAttestationSignature',
      ({ wallet }) => ({ attestation: { text: withBrokenSignature(wallet.attestation()) } }),
    ],
    [
      'oid4vci-1_0-issuer-fail-invalid-client-attestation-pop-signature',
      'VCIIssuerFailOnInvalidClientAttestationPopSignature',
      ({ wallet }) => ({ pop: { text: withBrokenSignature(wallet.pop()) } }),
    ],
    [
      'oid4vci-1_0-issuer-fail-client-attestation-exp-in-past',
      'VCIIssuerFailOnClientAttestationExpInPast',
      () => ({ attestation: { claims: { exp: Math.floor(issuer.issuance.server.clock.now() / 1000) - 300 } } }),
    ],
    [
      'oid4vci-1_0-issuer-fail-client-attestation-no-sub',
      'VCIIssuerFailOnClientAttestationNoSub',
      () => ({ attestation: { claims: { sub: undefined } } }),
    ],
    [
      'oid4vci-1_0-issuer-fail-client-attestation-pop-wrong-aud',
      'VCIIssuerFailOnClientAttestationPopWrongAud',
      () => ({ pop: { claims: { aud: 'https://wrong-aud.example.com' } } }),
    ],
    [
      'oid4vci-1_0-issuer-fail-mismatched-client-attestation-pop-key',
      'VCIIssuerFailOnMismatchedClientAttestationPopKey',
      () => ({ pop: { key: makeHolderKey() } }),
    ],
  ];
  for (const [name, module, sent] of clientModules)
    describe(name, () => {
      it(`${module}: refused at the pushed request, and at the token endpoint`, async () => {
        const flow = new WalletFlow(issuer, PLAIN);
        const parameters = await flow.parameters();
        expectError(await flow.wallet.push(parameters, sent(flow)), [400, 401], ATTESTATION_ERRORS);
        const code = await flow.wallet.code(parameters);
        expectError(await flow.wallet.redeem(code, {}, sent(flow)), [400, 401], ATTESTATION_ERRORS);
        expect((await flow.wallet.redeem(code)).status).to.equal(200);
      });
    });

  describe('oid4vci-1_0-issuer-fail-on-access-token-in-query', () => {
    it('VCIIssuerFailOnRequestWithAccessTokenInQuery: the token is read from the header only', async () => {
      const flow = new WalletFlow(issuer, PLAIN);
      const token = await flow.token();
      expect((await flow.request(token)).status).to.equal(200);
      const { server } = issuer.issuance;
      const answer = await server.call('requestOpenid4vciCredential', {
        query: { access_token: token },
        headers: { dpop: flow.wallet.dpop('credential', token) },
        json: { credential_configuration_id: flow.configuration },
      });
      expect(answer.status).to.be.oneOf([400, 401]);
    });
  });
});

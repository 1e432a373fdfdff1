import type { JsonObject } from '../../../domain/foundation/json.ts';
import { PASSWORD } from '../../actors/tenant.ts';
import { makeCertificate, testKeys } from '../trust/certificates.ts';
import { at, key, LIST, MDL, NAMESPACE, type Noted, ORG, type RecordedCall, TENANT } from './cli-call.ts';

const privateJwk = (number: number) => testKeys('P-256', number).privateKey.export({ format: 'jwk' });
const publicJwk = (number: number) => testKeys('P-256', number).publicKey.export({ format: 'jwk' });

/** The file with the certificate of the key that signs VICALs. */
export const VICAL_SIGNER = makeCertificate({ subject: 'C=US,CN=VICAL signer', keys: testKeys('P-256', 63) }).pem;

const kmsKey = (name: string) => ({ type: 'kms-hosted-key-descriptor', keyIdPath: key(name) });
const pemOf = (body: JsonObject): string => {
  const { data = {}, certificatePem, pem } = body as { data?: { pem?: string }; certificatePem?: string; pem?: string };
  return data.pem ?? certificatePem ?? pem ?? '';
};

const service = (name: string, json: object): RecordedCall => ({
  name: `create ${name}`,
  method: 'POST',
  path: `/v1/${at(name)}/resource-api/services/create`,
  json,
});

const linked = (name: string, path: string, dependency: string): RecordedCall => ({
  name,
  method: 'POST',
  path,
  json: { dependency: at(dependency) },
});

/** The first generation of its calls sends the target as a text. */
const linkedByText = (name: string, api: string, dependency: string): RecordedCall => ({
  name: `link ${name} to ${dependency}`,
  method: 'POST',
  path: `/v1/${at(name)}/${api}/dependencies/add`,
  text: at(dependency),
});

const certificate = (id: string, reads: RecordedCall['reads']): RecordedCall => ({
  name: `read the certificate ${id}`,
  method: 'GET',
  path: `/v1/${at(`x509-store.${id}`)}/x509-store-api/certificates`,
  reads,
});

const wallet = {
  createIfNotFound: true,
  target: at('wallet'),
  kms: {
    createIfNotFound: true,
    target: at('wallet-kms'),
    key: {
      createIfNotFound: true,
      target: at('wallet-kms.wallet_key'),
      config: { backend: 'jwk', keyType: 'secp256r1' },
    },
  },
  didStore: { createIfNotFound: true, target: at('wallet-didstore') },
  didService: {
    createIfNotFound: true,
    target: at('wallet-did-service'),
    dependencies: [at('wallet-kms'), at('wallet-didstore')],
    did: { createIfNotFound: true, target: at('wallet-didstore.wallet_did'), type: 'jwk' },
  },
  credentialStore: { createIfNotFound: true, target: at('wallet-credentialstore') },
};

/** The administrator who makes all calls but the first three. */
export const ADMIN = { email: 'admin@example.org', password: PASSWORD };

/** The organization and its administrator, by the superadmin. */
export const system = (noted: Noted): (() => RecordedCall)[] => [
  () => ({
    name: 'create the organization',
    method: 'POST',
    path: '/v1/admin/organizations',
    json: { _id: ORG, profile: { name: `${ORG} Organization` } },
  }),
  () => ({
    name: 'register the administrator',
    method: 'POST',
    path: '/v1/admin/account/register',
    json: {
      profile: { name: 'Admin User', email: ADMIN.email, addressCountry: 'AT', address: 'Vienna, Austria' },
      preferences: { timeZone: 'UTC', languagePreference: 'EN' },
      initialAuth: {
        type: 'email',
        identifier: { type: 'email', email: ADMIN.email },
        data: { type: 'email', password: ADMIN.password },
      },
    },
    reads: ({ _id }) => {
      noted.adminId = String(_id);
      return _id;
    },
  }),
  () => ({
    name: 'assign the role',
    method: 'POST',
    path: `/v1/admin/account/${noted.adminId}/roles/add/${ORG}/${ORG}.admin`,
  }),
];

const TENANT_CALL: RecordedCall = {
  name: 'create the tenant',
  method: 'POST',
  path: `/v1/${TENANT}/resource-api/tenants/create`,
  json: { name: 'Tenant tenant01' },
};

/** The services of the tenant, with keys and certificates. `inPath`: the newer form, with the name of a certificate in the path. */
export function setup(noted: Noted, { inPath }: { inPath: boolean }): (() => RecordedCall)[] {
  const named = (id: string) =>
    inPath ? { suffix: `.${id}`, member: {} } : { suffix: '', member: { storedCertificateId: id } };
  const iaca = named('vical-iaca-cert');
  const signer = named('vical-doc-signer-cert');
  const x509 = { kms: 'kms', 'x509-service': 'x509-service', 'x509-store': 'x509-store' };
  return [
    () => TENANT_CALL,
    () => ({
      name: 'create the wallet',
      method: 'POST',
      path: `/v1/${TENANT}/resource-api/services/init`,
      json: { wallet },
    }),
    () =>
      service('verifier2', { type: 'verifier2', baseUrl: 'http://example.localhost', clientId: 'verifier2-client' }),
    ...Object.entries(x509).map(
      ([name, type]) =>
        () =>
          service(name, { type }),
    ),
    () => linked('link x509-service to kms', `/v1/${at('x509-service')}/x509-service-api/dependencies/add`, 'kms'),
    () =>
      linked(
        'link x509-service to x509-store',
        `/v1/${at('x509-service')}/x509-service-api/dependencies/add`,
        'x509-store',
      ),
    ...Object.entries({
      'vical-iaca-key': 61,
      'issuer-signing-key': 62,
      'vical-signing-key': 63,
      'attester-signing-key': 64,
    }).map(
      ([name, number]) =>
        (): RecordedCall => ({
          name: `import ${name}`,
          method: 'POST',
          path: `/v1/${key(name)}/kms-service-api/keys/import/jwk`,
          json: privateJwk(number),
        }),
    ),
    () => ({
      name: 'create the IACA',
      method: 'POST',
      path: `/v1/${at('x509-service')}${iaca.suffix}/x509-service-api/iso/iacas`,
      json: {
        ...iaca.member,
        certificateData: {
          country: 'US',
          commonName: 'Test IACA',
          issuerAlternativeNameConf: { uri: 'https://a.example/iaca' },
        },
        iacaKeyDesc: kmsKey('vical-iaca-key'),
        vicalEntryComplementaryMetadata: { docType: [MDL] },
      },
    }),
    () => certificate('vical-iaca-cert', (body) => (noted.iacaPem = pemOf(body))),
    () => ({
      name: 'create the document signer',
      method: 'POST',
      path: `/v1/${at('x509-service')}${signer.suffix}/x509-service-api/iso/document-signers`,
      json: {
        ...signer.member,
        iacaSigner: {
          type: 'iaca-pem-cert-descriptor',
          iacaPemEncodedCertificate: noted.iacaPem,
          iacaKeyDesc: kmsKey('vical-iaca-key'),
        },
        certificateData: {
          country: 'US',
          commonName: 'Document Signer',
          crlDistributionPointUri: 'https://a.example/crl',
        },
        dsKeyDescriptor: kmsKey('issuer-signing-key'),
      },
    }),
    () => certificate('vical-doc-signer-cert', (body) => (noted.signerPem = pemOf(body))),
    () => ({
      name: 'store the certificate of the VICAL signer',
      method: 'POST',
      path: `/v1/${at('x509-store.vical-signer-cert')}/x509-store-api/certificates`,
      json: { type: 'base', certificatePem: VICAL_SIGNER },
    }),
    () =>
      service('vical', {
        type: 'vical-service',
        _id: at('vical'),
        signingKeyId: key('vical-signing-key'),
        signerCertificateId: at('x509-store.vical-signer-cert'),
        dependencies: [at('kms'), at('x509-store')],
      }),
    () => ({
      name: 'publish the VICAL',
      method: 'POST',
      path: `/v1/${at('vical')}/vical-service-api/publish`,
      json: { vicalProvider: 'Example VICAL Provider' },
      reads: ({ versionIdPath, entryCount }) => typeof versionIdPath === 'string' && entryCount === 1,
    }),
    () =>
      service('client-attester', {
        type: 'client-attester',
        _id: at('client-attester'),
        signingKeyId: key('attester-signing-key'),
        ...(inPath && { dependencies: [at('kms')] }),
      }),
    ...(inPath ? [] : [() => linkedByText('client-attester', 'client-attester-api', 'kms')]),
    () => service('credential-status', { type: 'credential-status', config: { registry: { type: 'in-memory' } } }),
    () => linkedByText('credential-status', 'credential-status-service-api', 'kms'),
    () => ({
      name: 'open the status list',
      method: 'POST',
      path: `/v1/${LIST}/credential-status-service-api/status-credential/create`,
      json: {
        kid: key('issuer-signing-key'),
        x5Chain: [noted.signerPem],
        config: { type: 'TokenStatusList', format: 'CWT' },
      },
    }),
    ...issuerSetup(noted),
  ];
}

const issuerSetup = (noted: Noted): (() => RecordedCall)[] => [
  () =>
    service('issuer2', {
      type: 'issuer2',
      _id: at('issuer2'),
      tokenKeyId: key('issuer-signing-key'),
      kms: at('kms'),
      credentialConfigurations: {
        [MDL]: {
          format: 'mso_mdoc',
          doctype: MDL,
          scope: MDL,
          credential_signing_alg_values_supported: [-7, -9],
          cryptographic_binding_methods_supported: ['cose_key'],
          proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256'] } },
        },
      },
      clientAuthenticationConfig: {
        supportedMethods: [
          {
            type: 'client-attestation',
            config: { verificationMethod: { type: 'static-jwk', jwk: publicJwk(64) } },
          },
        ],
      },
    }),
  () =>
    linked(
      'link issuer2 to credential-status',
      `/v2/${at('issuer2')}/issuer-service-api/dependencies/add`,
      'credential-status',
    ),
  () => ({
    name: 'create the profile',
    method: 'POST',
    path: `/v2/${at('issuer2.mdl-profile')}/issuer-service-api/credentials/profiles`,
    json: {
      name: 'mdl-profile',
      credentialConfigurationId: MDL,
      issuerKeyId: key('issuer-signing-key'),
      x5Chain: [noted.signerPem, noted.iacaPem].map((pemEncodedCertificate) => ({
        type: 'pem-encoded-x509-certificate-descriptor',
        pemEncodedCertificate,
      })),
      credentialData: {
        [NAMESPACE]: {
          family_name: 'Doe',
          given_name: 'John',
          birth_date: '1990-01-01',
          issue_date: '2024-01-01',
          expiry_date: '2099-01-01',
          issuing_country: 'US',
          issuing_authority: 'Test DMV',
          document_number: 'DL123456789',
          un_distinguishing_sign: 'USA',
        },
      },
    },
  }),
  () =>
    linked(
      'link the wallet to the attester',
      `/v2/${at('wallet')}/wallet-service-api/dependencies/add`,
      'client-attester',
    ),
  () => ({
    name: 'obtain the attestation of the wallet',
    method: 'POST',
    path: `/v2/${at('wallet')}/wallet-service-api/client-attestation/obtain`,
    json: { clientAttesterServiceRef: at('client-attester'), instanceKeyReference: at('wallet-kms.wallet_key') },
    reads: ({ clientAttestationJwt }) => clientAttestationJwt,
  }),
  () => service('trust-registry', { type: 'trust-registry' }),
  () =>
    linked(
      'link verifier2 to trust-registry',
      `/v2/${at('verifier2')}/verifier-service-api/dependencies/add`,
      'trust-registry',
    ),
];

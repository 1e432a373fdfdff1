import type { JsonObject } from '../../../domain/foundation/json.ts';
import { PASSWORD } from '../../actors/tenant.ts';
import { makeCertificate, testKeys } from '../trust/certificates.ts';

/**
 * What the command line of the reference implementation's enterprise release calls, recorded from its public code (its
 * quickstart of 2026): the path and the members that it writes, and what it reads of each answer. Values are our own.
 */
export interface RecordedCall {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  json?: unknown;
  text?: string;
  /** Notes what it reads for later calls; undefined when it does not find it. */
  reads?(body: JsonObject, noted: Noted): unknown;
}

/** What the command line keeps between its calls. */
export interface Noted {
  adminId: string;
  iacaPem: string;
  signerPem: string;
  offer: string;
  issuanceSession: string;
  sessionId: string;
  requestUrl: string;
}

const ORG = 'example';
const TENANT = `${ORG}.tenant01`;
const at = (name: string): string => `${TENANT}.${name}`;
const key = (name: string): string => at(`kms.${name}`);
const MDL = 'org.iso.18013.5.1.mDL';
const NAMESPACE = 'org.iso.18013.5.1';
const LIST = at('credential-status.token-status-list-cwt');

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

/** The list with the IACA that it loads without a signature. */
const anchors = ({ iacaPem }: Noted) => {
  const named = (value: string) => [{ lang: 'en', value }];
  const at = (uriValue: string) => [{ lang: 'en', uriValue }];
  const postal = { lang: 'en', StreetAddress: 'Street 1', Locality: 'Local', Country: 'US' };
  return {
    LoTE: {
      ListAndSchemeInformation: {
        LoTEVersionIdentifier: 1,
        LoTESequenceNumber: 1,
        LoTEType: 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList',
        SchemeOperatorName: named('Example operator'),
        SchemeOperatorAddress: {
          SchemeOperatorPostalAddress: [postal],
          SchemeOperatorElectronicAddress: at('https://operator.example/'),
        },
        SchemeName: named('Example trust scheme'),
        SchemeInformationURI: at('https://operator.example/'),
        SchemeTerritory: 'US',
        StatusDeterminationApproach: 'urn:example:trust-status',
        ListIssueDateTime: '2026-01-01T00:00:00Z',
        NextUpdate: '2099-01-01T00:00:00Z',
      },
      TrustedEntitiesList: [
        {
          TrustedEntityInformation: {
            TEName: named('Example IACA'),
            TEAddress: { TEPostalAddress: [postal], TEElectronicAddress: at('https://operator.example/') },
            TEInformationURI: at('urn:example:trust-entity:iaca'),
          },
          TrustedEntityServices: [
            {
              ServiceInformation: {
                ServiceName: named('mDL issuing'),
                ServiceDigitalIdentity: {
                  X509Certificates: [{ val: iacaPem.replaceAll(/-----[A-Z ]+-----|\s/g, '') }],
                },
                ServiceTypeIdentifier: 'urn:example:trust-service:mdl-issuer',
                ServiceStatus: 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted',
                StatusStartingTime: '2026-01-01T00:00:00Z',
              },
            },
          ],
        },
      ],
    },
  };
};

/** Loads the IACA as a source of the trust registry, and lists the sources; public lists that it cannot load are passed over. */
export const trustSources = (noted: Noted): (() => RecordedCall)[] => [
  () => ({
    name: 'load the IACA',
    method: 'POST',
    path: `/v1/${at('trust-registry')}/trust-registry-api/sources/load`,
    json: {
      sourceId: 'journey-iaca-local',
      content: JSON.stringify(anchors(noted)),
      sourceUrl: 'local://journey-test',
      acceptancePolicy: 'ALLOW_UNSIGNED',
    },
    reads: ({ success }) => success,
  }),
  () => ({
    name: 'list the sources',
    method: 'GET',
    path: `/v1/${at('trust-registry')}/trust-registry-api/sources`,
    reads: (body) => (body as unknown as { assurance?: { accepted?: boolean } }[])[0]?.assurance?.accepted,
  }),
];

/** Empties the stores of the wallet; one that does not exist is passed over. */
export const clear = (): RecordedCall => ({
  name: 'empty the wallet',
  method: 'DELETE',
  path: `/v1/${at('wallet-credentialstore')}/credential-store-service-api/credentials/delete-all`,
  reads: ({ deleted }) => deleted !== undefined,
});

/** An offer, with an entry of the status list or without, and its way into the wallet. */
export const issue = (noted: Noted, { withStatus }: { withStatus: boolean }): (() => RecordedCall)[] => [
  () => ({
    name: `create an offer ${withStatus ? 'with' : 'without'} status`,
    method: 'POST',
    path: `/v2/${at('issuer2.mdl-profile')}/issuer-service-api/credentials/offers`,
    json: {
      authMethod: 'PRE_AUTHORIZED',
      ...(withStatus && {
        runtimeOverrides: { credentialStatus: { statusCredentialConfig: LIST, initialStatus: '0x0' } },
      }),
    },
    reads: ({ credentialOffer }) => {
      noted.offer = String(credentialOffer);
      const uri = new URL(noted.offer).searchParams.get('credential_offer_uri') ?? '';
      const id = new URL(uri).searchParams.get('id');
      noted.issuanceSession = `${at('issuer2')}.${id}`;
      return id;
    },
  }),
  () => ({
    name: 'receive the credential',
    method: 'POST',
    path: `/v2/${at('wallet')}/wallet-service-api/credentials/receive/pre-authorized`,
    json: { offerUrl: noted.offer, keyReference: at('wallet-kms.wallet_key') },
    reads: (body) => {
      const { credentialIds } = body as { credentialIds?: unknown[] };
      return Array.isArray(body) ? body.length : credentialIds?.length;
    },
  }),
];

/** A session that asks for the credential, its answer by the wallet, and what became of it. */
export const verify = (
  noted: Noted,
  { policies, expected }: { policies: object[]; expected: string },
): (() => RecordedCall)[] => [
  () => ({
    name: 'create a verification session',
    method: 'POST',
    path: `/v2/${at('verifier2')}/verifier-service-api/verification-session/create`,
    json: {
      flow_type: 'cross_device',
      core_flow: {
        dcql_query: {
          credentials: [
            {
              id: 'my_mdl',
              format: 'mso_mdoc',
              meta: { doctype_value: MDL },
              claims: ['family_name', 'given_name', 'birth_date'].map((name) => ({ path: [NAMESPACE, name] })),
            },
          ],
        },
        policies: { vc_policies: policies },
      },
    },
    reads: ({ sessionId, bootstrapAuthorizationRequestUrl }) => {
      noted.sessionId = String(sessionId);
      noted.requestUrl = String(bootstrapAuthorizationRequestUrl);
      return sessionId && bootstrapAuthorizationRequestUrl;
    },
  }),
  () => ({
    name: 'present the credential',
    method: 'POST',
    path: `/v2/${at('wallet')}/wallet-service-api/credentials/present`,
    json: {
      requestUrl: noted.requestUrl,
      keyReference: at('wallet-kms.wallet_key'),
      did: at('wallet-didstore.wallet_did'),
    },
  }),
  () => ({
    name: `see the session ${expected}`,
    method: 'GET',
    path: `/v2/${at('verifier2')}.${noted.sessionId}/verifier-service-api/verification-session/info`,
    reads: ({ session }) => (session as JsonObject | undefined)?.status === expected,
  }),
];

export const SIGNATURE = { policy: 'signature' };
export const STATUS = { policy: 'credential-status', argument: { discriminator: 'ietf', value: 0 } };

/** Where the VICAL of the tenant is published by a server with this base URL. */
export const vicalUrl = (baseUrl: string): string => `${baseUrl}/v1/${at('vical')}/vical-service-api/latest`;

/** The policy that asks that VICAL. */
export const vicalPolicy = (baseUrl: string) => ({
  policy: 'vical',
  vicalUrl: vicalUrl(baseUrl),
  enableDocumentTypeValidation: true,
});

/** Sets the status of what the last offer became. */
export const setStatus = (noted: Noted, status: string): RecordedCall => ({
  name: `set the status ${status}`,
  method: 'PUT',
  path: `/v1/${LIST}/credential-status-service-api/status-credential/status/update`,
  json: { session: noted.issuanceSession, status },
});

import type { JsonObject } from '../../../domain/foundation/json.ts';
import { at, LIST, MDL, NAMESPACE, type Noted, type RecordedCall } from './cli-call.ts';

/** The kind of service that it lists an issuer as, which ETSI did not register. */
const MDL_ISSUING = 'urn:example:trust-service:mdl-issuer';

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
                ServiceTypeIdentifier: MDL_ISSUING,
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

/** What an offer changes of its profile: an entry of a status list, or the certificates without the root (after release 1.0). */
const CHANGES = {
  none: () => undefined,
  status: () => ({ credentialStatus: { statusCredentialConfig: LIST, initialStatus: '0x0' } }),
  leaf: ({ signerPem }: Noted) => ({
    x5Chain: [{ type: 'pem-encoded-x509-certificate-descriptor', pemEncodedCertificate: signerPem }],
    credentialData: { [NAMESPACE]: { family_name: 'Trust List', document_number: 'TRUSTLIST01' } },
  }),
};

/** An offer, with changes of its profile or without, and its way into the wallet. */
export const issue = (noted: Noted, change: keyof typeof CHANGES): (() => RecordedCall)[] => [
  () => ({
    name: `create an offer with changes: ${change}`,
    method: 'POST',
    path: `/v2/${at('issuer2.mdl-profile')}/issuer-service-api/credentials/offers`,
    json: {
      authMethod: 'PRE_AUTHORIZED',
      ...(change !== 'none' && { runtimeOverrides: CHANGES[change](noted) }),
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
    json: {
      offerUrl: noted.offer,
      keyReference: at('wallet-kms.wallet_key'),
      ...(change === 'leaf' && { runPolicies: false }),
    },
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

/** Asks the registry for a chain without its root, and for another one (after release 1.0). */
export const resolveChains = (noted: Noted, other: string): (() => RecordedCall)[] =>
  [
    [noted.signerPem, 'TRUSTED'],
    [other, 'NOT_TRUSTED'],
  ].map(([pem, expected]) => () => ({
    name: `resolve a chain that is ${expected}`,
    method: 'POST',
    path: `/v1/${at('trust-registry')}/trust-registry-api/resolve/certificate-chain`,
    json: {
      certificateChainPemOrDer: [pem],
      expectedEntityType: 'PID_PROVIDER',
      expectedServiceType: MDL_ISSUING,
    },
    reads: ({ decision }) => decision === expected,
  }));

export const SIGNATURE = { policy: 'signature' };
/** Asks the registry that is linked to the verifier. */
export const TRUST_LIST = {
  policy: 'etsi-trust-list',
  expectedEntityType: 'PID_PROVIDER',
  allowStaleSource: true,
  requireAuthenticated: false,
};
/** The same after release 1.0. */
export const TRUST_LIST_OF_SERVICE = { ...TRUST_LIST, expectedServiceType: MDL_ISSUING, allowStaleSource: false };
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

import { randomUUID } from 'node:crypto';
import type { WalletUser } from '../actors/wallet-user.ts';
import type { Answer } from '../support/servers/server.ts';
import type { UrlInput } from './url-inputs.ts';

/** A definition that each credential with a `vc` satisfies. */
export const DEFINITION = {
  id: 'd',
  input_descriptors: [{ id: 'any', constraints: { fields: [{ path: ['$.vc'] }] } }],
};
const encoded = encodeURIComponent;
const inline = encoded(JSON.stringify(DEFINITION));

/** The parameters of a request of OpenID4VP 1.0 but for where its response goes. */
const LATER_REQUEST = new URLSearchParams({
  ...{ response_type: 'vp_token', response_mode: 'direct_post', nonce: 'n', state: 's' },
  dcql_query: JSON.stringify({
    credentials: [{ id: 'any', format: 'jwt_vc_json', meta: { type_values: [['VerifiableCredential']] } }],
  }),
});

const PRE_AUTHORIZED = { 'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': 'x' } };

/** A wallet and a credential that it stores. */
export interface WalletParts {
  wallet: WalletUser;
  credential: string;
}

/** The fields of a wallet's operations that take a URL to call. */
export const walletInputs = (parts: WalletParts): UrlInput[] => [
  ...offerInputs(parts),
  ...requestInputs(parts),
  ...answerInputs(parts),
  ...stepInputs(parts),
];

/** Fields of a wallet's operations that look like one to call: what is in them is shown, or opened by a browser. */
export const shownInputs = ({ wallet: { call }, credential }: WalletParts): UrlInput[] => [
  {
    name: 'request_uri of previewRequest',
    send: (url) => call('previewRequest', { json: { requestUrl: byReference(encoded(url)) } }),
  },
  {
    name: 'redirect_uri of a response that a browser brings',
    send: (url) => call('presentToVerifier', { json: { requestUrl: carriedTo(encoded(url)) } }),
  },
  {
    name: 'redirect_uri of a response that a browser brings, in API 1',
    send: (url) => {
      const presentationRequest = carriedTo(encoded(url));
      return call('presentCredentials', { json: { presentationRequest, selectedCredentials: [credential] } });
    },
  },
];

/** Two inputs: a link that contains the URL as it is, and encoded. */
const inLink = (name: string, send: (url: string) => ReturnType<UrlInput['send']>): UrlInput[] => [
  { name, send },
  { name: `${name}, encoded`, send: (url) => send(encoded(url)) },
];

function offerInputs(parts: WalletParts): UrlInput[] {
  const { call, did } = parts.wallet;
  return [
    ...inLink('credential_offer_uri', (url) => call('resolveCredentialOffer', { text: reference(url) })),
    ...inLink('credential_offer_uri, accepted', (url) => call('acceptCredentialOffer', { text: reference(url) })),
    {
      name: 'credential_offer_uri, for its manifest',
      send: (url) => call('extractManifest', { query: { offer: reference(encoded(url)) } }),
    },
    {
      name: 'credential_offer_uri, signed outside the wallet',
      send: (url) => call('prepareExternalOffer', { json: { did, offerURL: reference(encoded(url)) } }),
    },
    { name: 'credential_issuer', send: (url) => call('acceptCredentialOffer', { text: offerOf(url) }) },
    {
      name: 'credential_issuer, authorized',
      send: (url) => call('beginOfferAuthorization', { json: { offer: offerOf(url, {}) } }),
    },
    {
      name: 'credential_issuer, for its manifest',
      send: (url) => call('extractManifest', { query: { offer: offerOf(url) } }),
    },
    { name: 'vct', send: (vct) => call('resolveTypeMetadata', { query: { vct } }) },
    { name: 'configurationEndpoint', send: (url) => listOffered(parts, url) },
    { name: 'issuer', send: (issuer) => call('resolveIssuerMetadata', { query: { issuer } }) },
  ];
}

/** Adds an issuer to the wallet and asks what it offers. */
async function listOffered({ wallet: { call } }: WalletParts, configurationEndpoint: string): Promise<Answer> {
  const name = randomUUID();
  const added = await call('addWalletIssuer', { json: { name, configurationEndpoint } });
  return added.status === 201 ? call('listIssuerCredentials', { path: { issuer: name } }) : added;
}

function requestInputs({ wallet: { call } }: WalletParts): UrlInput[] {
  const read = (operationId: string): UrlInput[] => [
    ...inLink(`presentation_definition_uri of ${operationId}`, (url) => call(operationId, { text: definedBy(url) })),
    ...inLink(`request_uri of ${operationId}`, (url) => call(operationId, { text: byReference(url) })),
  ];
  return [
    ...['resolvePresentationRequest', 'describePresentationRequest', 'matchRequestedCredentials'].flatMap(read),
    ...inLink('request_uri by post', (url) =>
      call('resolvePresentationRequest', { text: `haip://?request_uri=${url}&request_uri_method=post` }),
    ),
  ];
}

function answerInputs({ wallet: { call, did }, credential }: WalletParts): UrlInput[] {
  const answering = (member: string) => (url: string) =>
    `openid://?client_id=a&nonce=n&presentation_definition=${inline}&${member}=${url}`;
  const requests: Record<string, (url: string) => string> = {
    request_uri: byReference,
    response_uri: answering('response_uri'),
    'response_uri of OpenID4VP 1.0': laterRequest,
    redirect_uri: answering('redirect_uri'),
  };
  const present = (presentationRequest: string) =>
    call('presentCredentials', { json: { presentationRequest, selectedCredentials: [credential] } });
  const prepare = (presentationRequest: string) =>
    call('prepareExternalPresentation', { json: { did, presentationRequest, selectedCredentialIdList: [credential] } });
  return [
    { name: 'presentation_definition_uri of a request that is signed outside', send: (url) => prepare(definedBy(url)) },
    { name: 'request_uri of a request that is signed outside', send: (url) => prepare(byReference(url)) },
    { name: 'presentation_definition_uri of a request that is answered', send: (url) => present(definedBy(url)) },
    ...Object.entries(requests).flatMap(([name, request]): UrlInput[] => [
      { name: `${name} of a request that is answered`, send: (url) => present(request(url)) },
      {
        name: `${name} of a request that is declined`,
        send: (url) => call('declinePresentationRequest', { json: { presentationRequest: request(url) } }),
      },
    ]),
  ];
}

/** Each member of the steps of wallet API 2 that holds an address, or a link to one. */
function stepInputs({ wallet: { call } }: WalletParts): UrlInput[] {
  const token = { accessToken: 'x', credentialConfigurationId: 'a' };
  const bodies: Record<string, (url: string) => object> = {
    'receiveCredentials offerUrl': (url) => ({ offerUrl: reference(encoded(url)) }),
    'receiveCredentials credential_issuer': (url) => ({ offerUrl: offerOf(url) }),
    'resolveOffer offerUrl': (url) => ({ offerUrl: reference(encoded(url)) }),
    'resolveOfferBatch credential_issuer': (url) => ({ offerUrl: offerOf(url) }),
    'createAuthorizationUrl credential_issuer': (url) => ({ offerUrl: offerOf(url, {}) }),
    'createAuthorizationUrlBatch credential_issuer': (url) => ({ offerUrl: offerOf(url, {}) }),
    'requestToken tokenEndpoint': (tokenEndpoint) => ({ tokenEndpoint, preAuthorizedCode: 'x' }),
    'requestNonce credentialIssuer': (credentialIssuer) => ({ credentialIssuer }),
    'signProof issuerUrl': (issuerUrl) => ({ issuerUrl, credentialConfigurationId: 'a' }),
    'fetchCredential credentialEndpoint': (credentialEndpoint) => ({ ...token, credentialEndpoint }),
    'collectDeferred credentialIssuerBaseUrl': (credentialIssuerBaseUrl) => ({
      ...{ ...token, transactionId: 'x', credentialIssuerBaseUrl },
    }),
    'resolveRequest request_uri': (url) => ({ requestUrl: byReference(encoded(url)) }),
    'presentToVerifier request_uri': (url) => ({ requestUrl: byReference(encoded(url)) }),
    'presentToVerifier response_uri': (url) => ({ requestUrl: laterRequest(encoded(url)) }),
    'buildVpToken request_uri': (url) => ({ requestUrl: byReference(encoded(url)) }),
    'rejectRequest response_uri': (url) => ({ requestUrl: laterRequest(encoded(url)) }),
  };
  return Object.entries(bodies).map(([name, body]) => ({
    name,
    send: (url) => call(name.split(' ')[0] ?? '', { json: body(url) }),
  }));
}

const reference = (url: string): string => `haip://?credential_offer_uri=${url}`;

/** A request of OpenID4VP 1.0 whose verifier is its address. */
const laterRequest = (url: string): string =>
  `openid4vp://?${LATER_REQUEST}&client_id=${encoded('redirect_uri:')}${url}&response_uri=${url}`;

const carriedTo = (url: string): string =>
  laterRequest(url)
    .replace('response_mode=direct_post', 'response_mode=fragment')
    .replace('response_uri=', 'redirect_uri=');

const offerOf = (issuer: string, grants: object = PRE_AUTHORIZED): string =>
  `haip://?credential_offer=${encoded(
    JSON.stringify({
      credential_issuer: issuer,
      credential_configuration_ids: ['a'],
      grants,
    }),
  )}`;

const byReference = (url: string): string => `openid4vp://?client_id=a&request_uri=${url}`;

const definedBy = (url: string): string =>
  `openid://?client_id=a&nonce=n&response_uri=http://8.8.8.8/&presentation_definition_uri=${url}`;

import { readdirSync, readFileSync } from 'node:fs';
import { CLOUDS } from '../../../demo/fake-clouds/clouds.ts';
import { contract } from '../documents/contract.ts';
import { documentedBodies } from '../documents/examples.ts';

/** The secrets that are planted in each field of requests, answers and settings, by their names in the sweep. */
export const PLANTED: Record<string, string[]> = {
  Authorization: ['wallet token', 'enterprise token', 'access token'],
  acceptance_token: ['acceptance token'],
  accessKey: ['access key of a token'],
  accessKeyId: ['kmsa secretAccessKey'],
  access_token: ['access token'],
  auth: ['kmsa secretAccessKey', 'kmsb clientSecret', 'tse secretId', 'access key of a token'],
  baseToken: ['base token'],
  basic_auth_password: ['password of a webhook'],
  bearerToken: ['webhook token', 'webhook token of a tenant'],
  bearer_token: ['webhook token of a session'],
  clientSecret: ['kmsb clientSecret'],
  code: ['authorization code', 'recovery code'],
  current: ['account password'],
  d: ['jwk d', 'imported key'],
  initialAuth: ['account password'],
  key: ['API key', 'jwk d'],
  new: ['new password'],
  managementToken: ['management token'],
  otpauthUrl: ['second factor', 'bytes of a second factor'],
  recoveryCodes: ['recovery code'],
  secret: ['second factor', 'bytes of a second factor'],
  signingSecret: ['webhook secret', 'webhook secret of a tenant'],
  signingSecrets: ['callback secret'],
  password: ['wallet password', 'account password', 'new password', 'superadmin password', 'Redis password'],
  pin: ['PIN of a token'],
  pinOrTxCode: ['transaction code'],
  'pre-authorized_code': ['pre-authorized code'],
  refresh_token: ['refresh token'],
  response_code: ['response code'],
  secretAccessKey: ['kmsa secretAccessKey'],
  secretId: ['tse secretId'],
  signingKeyPem: ['kmsc signingKeyPem'],
  statusCallbackApiKey: ['callback key'],
  token: ['wallet token', 'certificate token', 'superadmin token', 'invitation token', 'reset token'],
  tokens: ['superadmin token'],
  txCodeValue: ['transaction code of an offer'],
  tx_code: ['transaction code'],
  user_pin: ['transaction code'],
  cookie: ['wallet token', 'session cookie'],
  ADMIN_TOKEN: ['management token'],
  MASTER_KEY: ['master key'],
  MASTER_KEYS: ['master key', 'old master key'],
};

/** The secrets that are stored, sealed, so that they can be read again, and what for; of all others there is at most a digest. */
export const KEPT: Record<string, string> = {
  'bytes of a second factor': 'codes are computed from them',
  'callback key': 'sent to the callback',
  'imported key': 'signs',
  'jwk d': 'signs',
  'kmsa secretAccessKey': 'the cloud is called with it',
  'kmsb clientSecret': 'the cloud is called with it',
  'kmsc signingKeyPem': 'the cloud is called with it',
  'password of a policy': 'sent to the webhook',
  'password of a webhook': 'sent to the webhook',
  'pre-authorized code': 'in the offer, which wallets fetch',
  'reference of a case': 'shown with its session; the recipient of the same offer was removed',
  'setting of a service': 'what the operator of a tenant writes is given to the service',
  'token of a policy': 'sent to the webhook',
  'tse secretId': 'Vault is called with it',
  'webhook secret': 'signs what is sent to the webhook',
  'webhook secret of a tenant': 'signs what is sent to the webhook',
  'webhook token': 'sent to the webhook',
  'webhook token of a session': 'sent to the webhook',
  'webhook token of a tenant': 'sent to the webhook',
};

/** Fields with such a name that hold no secret, and why. */
export const HARMLESS: Record<string, string> = {
  Cookie: 'cookies of a browser, which name a sign-in; their values are digests in the store',
  authentication: 'the name of a way to authenticate',
  authenticityState: 'says whether a list is signed',
  client_secret: 'compared with its digest, and not stored',
  idTokenAlgorithm: 'the name of an algorithm',
  id_token_hint: 'a token of a sign-in that is over',
  requirePushedAuthorizationRequests: 'whether requests are pushed',
  secretDigest: 'the digest of a random secret',
  'OAuth-Client-Attestation': 'a statement about a wallet, which is good with its key only',
  'OAuth-Client-Attestation-PoP': 'a proof that is good once',
  accessToken: 'a name of prepared signatures that can be used once; the access token of the issuer is stored',
  accessTokenUrl: 'an address',
  anonymousPreAuthorizedCode: 'whether a code is redeemed without a name',
  basic_auth_username: 'a name',
  authMethod: 'the name of a grant',
  authenticationMethod: 'the name of a grant',
  authorizationRequest: 'a request of a verifier',
  authorizationUrl: 'where a user logs in; the state of the login is planted',
  authorization_code: 'the name of a grant; its issuer_state is planted in issuer-secrets.test.ts',
  authorization_details: 'what a token is for',
  authorization_endpoint: 'an address',
  bootstrapAuthorizationRequestUrl: 'a request of a verifier',
  enforcePushedAuthorizationRequests: 'whether requests are pushed',
  fullAuthorizationRequestUrl: 'a request of a verifier',
  forwardIssuerStateToAuthorizationServer: 'whether a server is sent the state of an offer',
  iacaPem: 'a certificate',
  clientAuthenticationConfig: 'names of methods, and whose attestations count',
  trustedRootCertificatesPem: 'certificates',
  certificatePEM: 'a certificate',
  certificatePem: 'a certificate',
  certificateSigningRequestPEM: 'a request for a certificate',
  pem: 'a certificate',
  id_token_signing_alg_values_supported: 'names of algorithms',
  id_token_signed_response_alg: 'the name of an algorithm',
  id_token_type: 'the name of a type of tokens',
  presented_id_token: 'a login, which the result of the verification shows',
  id_token: 'a proof of the wallet for one login, which it ends',
  idToken: 'a proof of the wallet for one login, which it ends',
  errorCode: 'the name of an error',
  preAuthorizedCode: 'the code of an offer, which is planted in offers; it is redeemed and not stored',
  draft_token_endpoint: 'a section of rate limits',
  enterprise_auth_endpoint: 'a section of rate limits',
  issuer2_token_endpoint: 'a section of rate limits',
  superadmin_create_by_token_endpoint: 'a section of rate limits',
  wallet_auth_endpoint: 'a section of rate limits',
  tokenResponse: 'presentations, which the result of the verification shows',
  token_endpoint: 'an address',
  token_type: 'the name of a scheme',
  'urn:ietf:params:oauth:grant-type:pre-authorized_code': 'the name of a grant; its code is planted',
  user_pin_required: 'whether there is a transaction code',
  vpToken: 'a presentation, which the result of the verification shows',
  tokenEndpoint: 'an address',
  tokenRequestHeaders: 'a statement about a wallet and a proof that is good once',
  tokenType: 'the name of a scheme',
  tokenKeyId: 'the target of a key',
  transactionCode: 'how a transaction code looks',
  userAuthentication: 'how keys are protected',
  tokenLifetimeSeconds: 'a number of seconds',
  privateKey:
    'the key of a profile that shows its certificate to a source of attributes; attribute-sources.stores.test.ts',
  idTokenClaimsMapping: 'names of claims and of members',
  loadPrivateKey: 'whether an export has the private key',
  user_authentication: 'how the key of a holder is unlocked',
  txCode: 'the form of a transaction code; its value is txCodeValue',
  vp_token: 'a presentation, which the result of the verification shows',
};

/** What a body of text is: the name of the secret in it, or why it has none. */
export const TEXTS: Record<string, string> = {
  addDependency: 'no secret: a target',
  addServiceDependency: 'no secret: a target',
  addServiceDependencyV2: 'no secret: a target',
  removeDependency: 'no secret: a target',
  createSuperadmin: 'superadmin token',
  acceptCredentialOffer: 'pre-authorized code',
  resolveCredentialOffer: 'pre-authorized code',
  checkRevocation: 'no secret: a credential',
  revokeCredential: 'no secret: a credential',
  importWalletKey: 'imported key',
  verifyWithWalletKey: 'no secret: a signed text',
  describePresentationRequest: 'no secret: a request of a verifier',
  matchRequestedCredentials: 'no secret: a query',
  parseMdoc: 'no secret: an mdoc',
  resolvePresentationRequest: 'no secret: a request of a verifier',
};

/** Names that secrets have; `K` alone is a symmetric key, `D` to `QI` are private members of a JWK (RFC 7518 §6). */
const SECRET =
  /secret|password|passphrase|token|pem$|^(d|p|q|dp|dq|qi|k|oth|current|new|key|otpauthUrl)$|api_?key|private|codes?$|pin(?!g)|auth(?!or)|authorization|cookie|access_?key/i;

/** The names of all fields of requests, answers, configuration files and key references that may hold secrets. */
export async function secretFields(): Promise<string[]> {
  const found = new Set<string>();
  const note = (name: string): void => {
    if (SECRET.test(name)) found.add(name);
  };
  for (const operation of (await contract).operations) {
    for (const { name } of operation.parameters) note(name);
    for (const { part, schema, examples } of documentedBodies(operation)) {
      eachProperty(schema, note);
      if (part !== 'request') continue;
      for (const { value } of examples) eachMember(value, note);
    }
  }
  for (const file of readdirSync('openapi/config'))
    eachProperty(JSON.parse(readFileSync(`openapi/config/${file}`, 'utf8')), note);
  for (const start of Object.values(CLOUDS)) {
    const { key, close } = await start();
    eachMember(key, note);
    await close();
  }
  return [...found].sort();
}

/** The operations whose request body is text without named fields. */
export async function textBodies(): Promise<string[]> {
  const texts = (await contract).operations.filter((operation) =>
    [...documentedBodies(operation)].some(({ part, type }) => part === 'request' && type === 'text/plain'),
  );
  return texts.map(({ operationId }) => operationId).sort();
}

/** The variables of the environment, as docs/configuration.md lists them, that hold secrets. */
export const secretVariables = (): string[] =>
  [...readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)]
    .map(([, name = '']) => name)
    .filter((name) => /KEY|SECRET|TOKEN|PASSWORD/.test(name));

/** Calls `visit` with the name of each property in a JSON Schema, at any depth. */
function eachProperty(schema: unknown, visit: (name: string) => void, seen = new Set<unknown>()): void {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return;
  seen.add(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') for (const name of Object.keys(value as object)) visit(name);
    if (keyword === 'example' || keyword === 'examples' || keyword === 'default') eachMember(value, visit);
    else eachProperty(value, visit, seen);
  }
}

/** Calls `visit` with the name of each member in a JSON value, at any depth. */
function eachMember(value: unknown, visit: (name: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) visit(name);
    eachMember(inner, visit);
  }
}

import { createHash } from 'node:crypto';
import { CompactEncrypt, decodeJwt, importJWK, type JWK } from 'jose';
import { Caller, GRANT, parameterOf } from './caller.ts';
import type { Connection } from './load.ts';
import { type Party, signBare } from './parties.ts';

const CONFIGURATION = 'IdentityCredential_dc+sd-jwt';
const CLIENT = 'bench-verifier';
const WALLET = 'http://127.0.0.1';

const now = (): number => Math.floor(Date.now() / 1000);

/** What a verifier asks for: the whole credential, in a signed request whose response is encrypted. */
const setupFor = (vct: string) => ({
  flow_type: 'cross_device',
  core_flow: {
    dcql_query: { credentials: [{ id: 'identity', format: 'dc+sd-jwt', meta: { vct_values: [vct] } }] },
    clientId: CLIENT,
    signed_request: true,
    encrypted_response: true,
  },
});

/**
 * Issues an SD-JWT VC over OpenID4VCI 1.0 and presents it over OpenID4VP 1.0, signed and encrypted: nine requests.
 * @throws Error when it is not verified
 */
export async function playV1Story(connection: Connection, holder: Party): Promise<void> {
  const caller = new Caller(connection);
  await present(caller, holder, await obtain(caller, holder));
}

/** Offer, offer fetched, token, nonce, credential; `runtimeOverrides` are those of the offer. */
export async function obtain(caller: Caller, holder: Party, runtimeOverrides?: object): Promise<string> {
  const asked = { profileId: CONFIGURATION.replace('+', '-'), authMethod: 'PRE_AUTHORIZED', runtimeOverrides };
  const { credentialOffer } = JSON.parse(await caller.post('/issuer2/credential-offers', asked));
  const offer = JSON.parse(await caller.get(parameterOf(credentialOffer, 'credential_offer_uri')));
  const code = offer.grants[GRANT]['pre-authorized_code'];
  const token = JSON.parse(await caller.form('/openid4vci/token', { grant_type: GRANT, 'pre-authorized_code': code }));
  const { c_nonce: nonce } = JSON.parse(await caller.form('/openid4vci/nonce', {}));
  const claims = { aud: offer.credential_issuer, nonce, iat: now() };
  const jwt = signBare({ typ: 'openid4vci-proof+jwt', jwk: holder.publicJwk }, claims, holder.privateKey);
  const request = { credential_configuration_id: CONFIGURATION, proofs: { jwt: [jwt] } };
  const { credentials } = JSON.parse(await caller.post('/openid4vci/credential', request, token.access_token));
  return credentials[0].credential;
}

/** Session, request, response, result. */
async function present(caller: Caller, holder: Party, credential: string): Promise<void> {
  const { vct } = decodeJwt(credential.slice(0, credential.indexOf('~')));
  const session = JSON.parse(await caller.post('/verification-session/create', setupFor(String(vct))));
  const link = session.bootstrapAuthorizationRequestUrl;
  // biome-ignore lint/suspicious/noExplicitAny: a request object has many members
  const request = decodeJwt<any>(await caller.get(parameterOf(link, 'request_uri')));
  const sd_hash = createHash('sha256').update(credential).digest('base64url');
  const binding = { aud: CLIENT, nonce: request.nonce, iat: now(), sd_hash };
  const presentation = `${credential}${signBare({ typ: 'kb+jwt' }, binding, holder.privateKey)}`;
  const [key] = request.client_metadata.jwks.keys;
  const response = await encrypted({ vp_token: { identity: [presentation] }, state: request.state }, key);
  await caller.form(new URL(request.response_uri).pathname, { response });
  const { status } = JSON.parse(await caller.get(`${WALLET}/verification-session/${session.sessionId}/info`));
  if (status !== 'SUCCESSFUL') throw new Error(`Not verified: ${status}`);
}

const encrypted = async (response: object, key: JWK): Promise<string> =>
  new CompactEncrypt(Buffer.from(JSON.stringify(response)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: key.kid })
    .encrypt(await importJWK(key, 'ECDH-ES'));

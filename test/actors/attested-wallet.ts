import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type HolderKey, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { signJws } from '../../demo/actors/jws.ts';
import { type Answer, type Call, type ServerOptions, startServer, type TestServer } from '../support/servers/server.ts';
import { makeCertificate, testKeys } from '../support/trust/certificates.ts';
import { proofOf } from './wallet.ts';

type Json = Record<string, unknown>;
type Texts = Record<string, string | undefined>;

/** What is different about a statement that a wallet signs: members that are undefined are left out. */
export interface Changes {
  header?: Json;
  claims?: Json;
  key?: HolderKey;
  /** Sent as it is. */
  text?: string;
}

/** What a wallet sends beside a request; `false` leaves it out. */
export interface Sent {
  dpop?: Changes | false;
  attestation?: Changes | false;
  pop?: Changes | false;
}

/** The `iss` of the attester. */
export const ATTESTER = 'https://wallet-provider.example';
const OPERATIONS = {
  par: 'pushOpenid4vciAuthorization',
  token: 'requestOpenid4vciToken',
  credential: 'requestOpenid4vciCredential',
  notification: 'notifyOpenid4vciIssuer',
} as const;
type Endpoint = keyof typeof OPERATIONS;

/** The configuration of the credential that the issuer issues, which is its scope. */
export const IDENTITY = 'identity_credential';
export const REDIRECT_URI = 'https://wallet.example/callback';

const defined = (values: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

const ca = makeCertificate({ subject: 'CN=Issuer CA', ca: true, keys: testKeys('P-256', 11) });
const leaf = makeCertificate({
  subject: 'CN=Issuer',
  issuer: ca,
  keys: testKeys('P-256', 12),
  altNames: [{ uniformResourceIdentifier: 'https://issuer.example' }],
});

/** The signer of the profiles, with certificates. */
export const SIGNER = {
  issuerKey: { type: 'jwk', jwk: leaf.keys.privateKey.export({ format: 'jwk' }) },
  x5Chain: [leaf.pem, ca.pem],
};

/** The settings of an issuer that trusts one provider of wallets. */
export function issuerSettings(
  attester: Pick<HolderKey, 'jwk'>,
  {
    securityProfile = 'HAIP',
    profile = {},
    settings = {},
  }: { securityProfile?: 'OPEN' | 'HAIP'; profile?: object; settings?: ServerOptions['settings'] } = {},
): NonNullable<ServerOptions['settings']> {
  const jwks = { keys: [{ ...attester.jwk }] };
  const identity = {
    name: 'Identity',
    credentialConfigurationId: IDENTITY,
    credentialData: { given_name: 'Ada', family_name: 'Lovelace' },
    ...SIGNER,
    ...profile,
  };
  return {
    ...settings,
    issuerMetadata: { securityProfile, clientAttesters: [{ issuer: ATTESTER, jwks }], ...settings.issuerMetadata },
    issuer2Profiles: { profiles: { identity, ...settings.issuer2Profiles?.profiles } },
  };
}

/** A server whose issuer of OpenID4VCI 1.0 trusts one provider of wallets; what it demands is that of HAIP unless stated. */
export class AttestedIssuance {
  readonly server: TestServer;
  readonly attester: HolderKey;

  private constructor(server: TestServer, attester: HolderKey) {
    this.server = server;
    this.attester = attester;
  }

  static async start(
    securityProfile: 'OPEN' | 'HAIP' = 'HAIP',
    profile: object = { walletInitiated: true },
    settings: ServerOptions['settings'] = {},
    attester = makeHolderKey(),
  ): Promise<AttestedIssuance> {
    const server = await startServer({ settings: issuerSettings(attester, { securityProfile, profile, settings }) });
    return new AttestedIssuance(server, attester);
  }

  wallet(clientId = 'https://wallet.example'): AttestedWallet {
    return new AttestedWallet(this, clientId);
  }

  /** The grants of a new offer, and the id of its session. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any grant
  async offer(changes: Json = {}): Promise<{ offerId: string; grants: any }> {
    const json = { profileId: 'identity', authMethod: 'AUTHORIZED', valueMode: 'BY_VALUE', ...changes };
    const { status, body } = await this.server.call('createCredentialOffer', { json });
    if (status !== 201) throw new Error(`There is no offer: ${JSON.stringify(body)}`);
    const offer = JSON.parse(new URL(body.credentialOffer).searchParams.get('credential_offer') ?? '{}');
    return { offerId: body.offerId, grants: offer.grants };
  }

  async issuerState(): Promise<string> {
    return (await this.offer()).grants.authorization_code.issuer_state;
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

/** A server, and the provider of wallets that it trusts. */
type AttestedServer = Pick<AttestedIssuance, 'server' | 'attester'>;

/** The issuer of a tenant, and the attestation that a wallet has; one of its own making when absent. */
interface AttestedAtTenant {
  target: string;
  attestation?: string;
}

/** A wallet with a client attestation and DPoP proofs. */
export class AttestedWallet {
  readonly clientId: string;
  readonly instance = makeHolderKey();
  readonly dpopKey = makeHolderKey();
  readonly holder = makeHolderKey();
  readonly verifier = randomBytes(32).toString('base64url');
  /** The latest nonce of the server. */
  nonce: string | undefined;
  /** Where it is not at the open issuer. */
  tenant: AttestedAtTenant | undefined;
  readonly #issuance: AttestedServer;

  constructor(issuance: AttestedServer, clientId: string) {
    this.#issuance = issuance;
    this.clientId = clientId;
  }

  get server(): TestServer {
    return this.#issuance.server;
  }

  get issuer(): string {
    const place = this.tenant ? `v2/${this.tenant.target}/issuer-service-api/` : '';
    return `${this.server.url}/${place}openid4vci`;
  }

  attestation({ header, claims, key = this.#issuance.attester, text }: Changes = {}): string {
    const own = { iss: ATTESTER, sub: this.clientId, exp: this.#now() + 3600, cnf: { jwk: this.instance.jwk } };
    const head = { typ: 'oauth-client-attestation+jwt', alg: 'ES256', ...header };
    return (
      text ?? this.tenant?.attestation ?? signJws({ header: head, payload: { ...own, ...claims } }, key.privateKey)
    );
  }

  pop({ header, claims, key = this.instance, text }: Changes = {}): string {
    const own = { iss: this.clientId, aud: this.issuer, jti: randomUUID(), iat: this.#now() };
    const head = { typ: 'oauth-client-attestation-pop+jwt', alg: 'ES256', ...header };
    return text ?? signJws({ header: head, payload: { ...own, ...claims } }, key.privateKey);
  }

  dpop(endpoint: Endpoint, token?: string, { header, claims, key = this.dpopKey, text }: Changes = {}): string {
    const own = { jti: randomUUID(), htm: 'POST', htu: `${this.issuer}/${endpoint}`, iat: this.#now() };
    const ath = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
    const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk, ...header };
    return text ?? signJws({ header: head, payload: { ...own, nonce: this.nonce, ath, ...claims } }, key.privateKey);
  }

  /** The thumbprint of the DPoP key (RFC 7638). */
  get thumbprint(): string {
    const { crv, kty, x, y } = this.dpopKey.jwk;
    return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  }

  parameters(changes: Texts = {}): Record<string, string> {
    return defined({
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: REDIRECT_URI,
      scope: IDENTITY,
      state: '7f3a',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    });
  }

  push(changes: Texts = {}, sent: Sent = {}): Promise<Answer> {
    return this.send('par', { form: this.parameters(changes) }, { dpop: false, ...sent });
  }

  authorize(query: Record<string, string>): Promise<Answer> {
    return this.#call('authorizeOpenid4vci', { query });
  }

  /** Pushes a request and opens it; the parameters of the redirect. */
  async returned(changes: Texts = {}, sent: Sent = {}): Promise<URLSearchParams> {
    const { body } = await this.push(changes, sent);
    const answer = await this.authorize({ client_id: this.clientId, request_uri: body.request_uri });
    return new URL(answer.headers.get('location') ?? '').searchParams;
  }

  async code(changes: Texts = {}, sent: Sent = {}): Promise<string> {
    const answer = await this.returned(changes, sent);
    const code = answer.get('code');
    if (code === null) throw new Error(`There is no code: ${answer}`);
    return code;
  }

  redeem(code: string, changes: Texts = {}, sent: Sent = {}): Promise<Answer> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: this.verifier };
    return this.send('token', { form: defined({ ...form, client_id: this.clientId, ...changes }) }, sent);
  }

  refresh(refreshToken: string, changes: Texts = {}, sent: Sent = {}): Promise<Answer> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: this.clientId };
    return this.send('token', { form: defined({ ...form, ...changes }) }, sent);
  }

  /** The tokens of a new authorization. */
  async tokens(changes: Texts = {}): Promise<Answer['body']> {
    const { status, body } = await this.redeem(await this.code(changes));
    if (status !== 200) throw new Error(`There is no token: ${JSON.stringify(body)}`);
    return body;
  }

  /** Claims the credential with a fresh nonce. */
  async claim(token: string, sent: Sent = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const { server } = this;
    const { c_nonce: nonce } = (await this.#call('requestOpenid4vciNonce', {})).body;
    const { jwt } = proofOf(server, this.holder, { nonce, claims: { aud: this.issuer } });
    const json = { credential_configuration_id: IDENTITY, proofs: { jwt: [jwt] } };
    return this.present('credential', token, { json, headers }, sent);
  }

  /** Presents an access token that is bound to the key. */
  present(endpoint: Endpoint, token: string, call: Call, sent: Sent = {}): Promise<Answer> {
    const headers = { authorization: `DPoP ${token}`, ...call.headers };
    return this.send(endpoint, { ...call, headers }, { attestation: false, pop: false, ...sent }, token);
  }

  /** Sends a request with its proofs, once more when the server wants a nonce in the DPoP proof. */
  async send(endpoint: Endpoint, call: Call, sent: Sent = {}, token?: string): Promise<Answer> {
    const answer = await this.sendOnce(endpoint, call, sent, token);
    return answer.body?.error === 'use_dpop_nonce' ? this.sendOnce(endpoint, call, sent, token) : answer;
  }

  async sendOnce(endpoint: Endpoint, call: Call, { dpop, attestation, pop }: Sent, token?: string): Promise<Answer> {
    const proofs = defined({
      dpop: dpop === false ? undefined : this.dpop(endpoint, token, dpop),
      'oauth-client-attestation': attestation === false ? undefined : this.attestation(attestation),
      'oauth-client-attestation-pop': pop === false ? undefined : this.pop(pop),
    });
    const headers = { ...proofs, ...call.headers };
    const answer = await this.#call(OPERATIONS[endpoint], { ...call, headers });
    this.nonce = answer.headers.get('dpop-nonce') ?? this.nonce;
    return answer;
  }

  #call(operationId: string, call: Call): Promise<Answer> {
    if (!this.tenant) return this.server.call(operationId, call);
    const { target } = this.tenant;
    const ofTenant = `tenant${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
    return this.server.call(ofTenant, { ...call, path: { target } });
  }

  #now(): number {
    return Math.floor(this.server.clock.now() / 1000);
  }
}

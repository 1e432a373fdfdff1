import { createHash, randomUUID } from 'node:crypto';
import { HttpPeer } from './http-peer.ts';

/** How the server answers; each test changes what it needs. */
export interface LoginBehaviour {
  /** The error of the user's login. */
  error?: string;
  /** The status of the token endpoint, in place of a token. */
  tokenStatus?: number;
  /** The claims of its ID tokens; none are given when absent. */
  claims?: Record<string, unknown>;
}

/** A login server written against RFC 6749 and RFC 7636, with one client. */
export class LoginServer {
  readonly client = { clientId: 'credenza', clientSecret: 'a-secret-of-the-client' };
  readonly behaviour: LoginBehaviour = {};
  readonly #peer: HttpPeer;
  /** What each code was given for. */
  readonly #codes = new Map<string, { challenge: string | null; redirectUri: string | null }>();

  private constructor(peer: HttpPeer) {
    this.#peer = peer;
    peer.routes['/authorize'] = ({ url }) => ({ status: 302, headers: { location: this.#login(url.searchParams) } });
    peer.routes['/token'] = ({ body }) => this.#token(new URLSearchParams(body));
  }

  static async start(): Promise<LoginServer> {
    return new LoginServer(await new HttpPeer().listen());
  }

  /** What authentication-service.conf says of it. */
  get settings() {
    const { url } = this.#peer;
    return {
      ...this.client,
      name: 'test',
      authorizeUrl: `${url}/authorize?tenant=1`,
      accessTokenUrl: `${url}/token`,
      defaultScopes: ['openid', 'profile'],
      forwardIssuerStateToAuthorizationServer: true,
    };
  }

  /** How often codes were exchanged. */
  get exchanges(): number {
    return this.#peer.count('/token');
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  #login(asked: URLSearchParams): string {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    const { error } = this.behaviour;
    const code = randomUUID();
    back.searchParams.set(error === undefined ? 'code' : 'error', error ?? code);
    this.#codes.set(code, { challenge: asked.get('code_challenge'), redirectUri: asked.get('redirect_uri') });
    return back.href;
  }

  #token(form: URLSearchParams) {
    const { tokenStatus } = this.behaviour;
    const issued = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const isGood =
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === this.client.clientId &&
      form.get('client_secret') === this.client.clientSecret &&
      issued?.redirectUri === form.get('redirect_uri') &&
      issued?.challenge === createHash('sha256').update(verifier).digest('base64url');
    if (tokenStatus !== undefined || !isGood) return { status: tokenStatus ?? 400, body: { error: 'invalid_grant' } };
    const { claims } = this.behaviour;
    const encoded = [{ alg: 'none' }, { aud: this.client.clientId, exp: 4_000_000_000, ...claims }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const idToken = claims && { id_token: [...encoded, Buffer.from('not checked').toString('base64url')].join('.') };
    return { body: { access_token: 'of-the-login', token_type: 'Bearer', ...idToken } };
  }
}

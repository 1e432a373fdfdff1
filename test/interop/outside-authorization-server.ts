import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is used of `oidc-provider`, which has no types of its own. */
interface Provider {
  issuer: string;
  callback(): RequestListener;
  interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
  AccessToken: { find(token: string): Promise<{ jkt?: string } | undefined> };
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

/** What its rules get. */
interface Context {
  oidc: {
    client?: { clientId: string };
    session?: { accountId?: string };
    params?: { scope?: string };
  };
}

const LIBRARY: string = 'oidc-provider';

/** `oidc-provider`, an authorization server with pushed requests, proof keys and DPoP nonces, whose users are logged in at once. */
export class OutsideAuthorizationServer {
  readonly provider: Provider;
  readonly #server: Server;

  private constructor(provider: Provider, server: Server) {
    this.provider = provider;
    this.#server = server;
  }

  static async start(configuration: object): Promise<OutsideAuthorizationServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { default: Library }: { default: new (issuer: string, configuration: object) => Provider } = await import(
      LIBRARY
    );
    const provider: Provider = new Library(url, {
      ...configuration,
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      async loadExistingGrant({ oidc }: Context) {
        const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope(String(oidc.params?.scope));
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return callback(request, response);
      return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
    });
    return new OutsideAuthorizationServer(provider, server);
  }

  get url(): string {
    return this.provider.issuer;
  }

  /** Whether an access token is good, and bound to a key. */
  async isBound(token: string): Promise<boolean> {
    return (await this.provider.AccessToken.find(token))?.jkt !== undefined;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

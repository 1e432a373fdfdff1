import { randomUUID } from 'node:crypto';
import { FakeServer } from './fake-server.ts';
import { FakeVaultTokens } from './vault-tokens.ts';
import { FakeTransit } from './vault-transit.ts';

/** What a fake of HashiCorp Vault is started with. */
export interface FakeHashiVaultOptions {
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Seconds that a token of a login lives. */
  tokenSeconds?: number;
  namespace?: string;
}

/** A fake of HashiCorp Vault with Transit and AppRole: an HTTP server on loopback, which counts calls and can go wrong. */
export class FakeHashiVault {
  readonly server: FakeServer;
  /** The keys. */
  readonly transit: FakeTransit;
  /** The tokens and what they may. */
  readonly tokens: FakeVaultTokens;
  readonly namespace: string | undefined;

  private constructor(parts: Pick<FakeHashiVault, 'server' | 'transit' | 'tokens' | 'namespace'>) {
    this.server = parts.server;
    this.transit = parts.transit;
    this.tokens = parts.tokens;
    this.namespace = parts.namespace;
  }

  static async start({ now = Date.now, tokenSeconds = 3600, namespace }: FakeHashiVaultOptions = {}) {
    const tokens = new FakeVaultTokens({
      now,
      seconds: tokenSeconds,
      role: { roleId: randomUUID(), secretId: randomUUID() },
    });
    const transit = new FakeTransit({ tokens, namespace });
    const server = await FakeServer.start(transit);
    return new FakeHashiVault({ server, transit, tokens, namespace });
  }

  /** The section `tse` of kms.conf with which a server uses this fake. */
  get settings(): { servers: string[]; allowHttp: true } {
    return { servers: [this.server.url], allowHttp: true };
  }

  /** `config` of a request to create a key, with AppRole. */
  get config(): Record<string, unknown> {
    return this.#config({ ...this.tokens.role });
  }

  /** `config` with a token of a caller. */
  withToken(accessKey: string): Record<string, unknown> {
    return this.#config({ accessKey });
  }

  #config(auth: Record<string, string>): Record<string, unknown> {
    const { namespace } = this;
    return { server: `${this.server.url}/v1/transit`, auth, ...(namespace !== undefined && { namespace }) };
  }

  /** Adds a version to a key, as `vault write -f transit/keys/<name>/rotate` does. */
  rotate(name: string): Promise<void> {
    return this.transit.rotate(name);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

import { type FakeApplication, FakeAuthority } from './azure-authority.ts';
import { FakeVault } from './azure-vault.ts';
import { FakeServer } from './fake-server.ts';

/** What a fake of Azure Key Vault is started with. */
export interface FakeAzureOptions {
  /** The URL that clients call the vault by, when a proxy leads to the fake; its own address otherwise. */
  vaultUrl?: string;
  /** The resource of the challenge; the vault's own URL when absent. */
  resource?: string;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Seconds that an access token lives; 3599 when absent, as at the service. */
  tokenSeconds?: number;
}

const APPLICATION: FakeApplication = {
  tenantId: '11111111-2222-4333-8444-555555555555',
  clientId: '66666666-7777-4888-9999-aaaaaaaaaaaa',
  clientSecret: 'demo~client.secret-of-the-fake',
};

/** A fake of Azure Key Vault with its authority: two HTTP servers on loopback, which count calls and can go wrong. */
export class FakeAzure {
  readonly authority: FakeServer;
  readonly vault: FakeServer;
  /** The keys and permissions of the vault. */
  readonly content: FakeVault;
  /** What issues and revokes tokens. */
  readonly tokens: FakeAuthority;
  /** What the vault's challenge demands a token for. */
  resource: string;
  /** What key identifiers begin with. */
  origin: string;

  private constructor(parts: Pick<FakeAzure, 'authority' | 'vault' | 'content' | 'tokens' | 'origin' | 'resource'>) {
    this.authority = parts.authority;
    this.vault = parts.vault;
    this.content = parts.content;
    this.tokens = parts.tokens;
    this.origin = parts.origin;
    this.resource = parts.resource;
  }

  static async start({ now = Date.now, tokenSeconds = 3599, ...options }: FakeAzureOptions = {}): Promise<FakeAzure> {
    const tokens = new FakeAuthority({ application: APPLICATION, resources: () => [fake.resource], now, tokenSeconds });
    const authority = await FakeServer.start(tokens);
    const content = new FakeVault({
      authority: tokens,
      authorization: () => `${authority.url}/${APPLICATION.tenantId}`,
      resource: () => fake.resource,
      origin: () => fake.origin,
      now,
    });
    const vault = await FakeServer.start(content);
    const origin = options.vaultUrl ?? vault.url;
    const resource = options.resource ?? origin;
    const fake: FakeAzure = new FakeAzure({ authority, vault, content, tokens, origin, resource });
    return fake;
  }

  /** The section `kmsb` of kms.conf with which a server uses this fake. */
  get settings(): { authorityHost: string; allowHttp: true } {
    return { authorityHost: this.authority.url, allowHttp: true };
  }

  /** `config` of a request to create a key. */
  get config(): { auth: Record<'keyVaultUrl' | 'clientId' | 'tenantId' | 'clientSecret', string> } {
    return { auth: { keyVaultUrl: this.origin, ...APPLICATION } };
  }

  /** Forgets calls and faults. */
  reset(): void {
    this.authority.reset();
    this.vault.reset();
  }

  async close(): Promise<void> {
    await Promise.all([this.authority.close(), this.vault.close()]);
  }
}

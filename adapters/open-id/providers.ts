import { LruCache } from '../../domain/foundation/lru-cache.ts';
import type { SignInServer } from '../../domain/sign-in/sign-in-server.ts';
import type { OpenIdProvider } from '../../ports/open-id-provider.ts';
import type { Store } from '../../ports/store.ts';
import type { LibraryParts } from './provider-configuration.ts';
import { type ProtocolRecords, protocolRecords } from './stored-records.ts';

/** The memory of a provider without its clients, and of a client, in bytes; both are measured. */
const PROVIDER_BYTES = 96 * 1024;
const CLIENT_BYTES = 8 * 1024;

/** Signs the cookies of a provider. */
interface CookieSecret {
  /** Another key for each provider. */
  cookieKey(server: string): Promise<string>;
}

/** The providers that were called lately. A provider is made anew when its keys or its configuration are others. */
export class Providers {
  readonly #made = new LruCache<OpenIdProvider>('sign-in-providers');

  /** Known from the start, so that a restored backup is void in it. */
  readonly #records: ProtocolRecords;

  constructor(
    private readonly parts: Omit<LibraryParts, 'cookieKey' | 'keys' | 'records'> & {
      store: Store;
      secret: CookieSecret;
    },
  ) {
    this.#records = protocolRecords(parts.store);
  }

  /** The protocol of a provider. @throws as `SignInServer.keys` */
  async of(server: SignInServer): Promise<OpenIdProvider> {
    const { id, version, clients } = server;
    const keys = await server.keys();
    const name = JSON.stringify([
      id,
      version,
      keys.map(({ publicJwk, signer }) => [publicJwk.kid, signer !== undefined]),
    ]);
    const known = this.#made.get(name);
    if (known) return known;
    const cookieKey = await this.parts.secret.cookieKey(id);
    // Most servers have no sign-ins: what makes them is loaded when it is needed.
    const { LibraryProvider } = await import('./library-provider.ts');
    const made = new LibraryProvider(server, { ...this.parts, records: this.#records, keys, cookieKey });
    return this.#made.set(name, made, { bytes: PROVIDER_BYTES + clients.size * CLIENT_BYTES });
  }
}

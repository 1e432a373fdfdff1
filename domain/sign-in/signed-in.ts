import type { Collection, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { JsonObject } from '../foundation/json.ts';
import { insertFirst } from '../foundation/records.ts';
import type { SignInServer } from './sign-in-server.ts';

/** A person who signed in, for the tokens of one sign-in. */
export interface SignedIn {
  /** The `sub` for the client. */
  subject: string;
  claims: JsonObject;
  /** The issuer of each claim, by claim. */
  issuers: Record<string, string>;
  acr: string;
  amr: readonly string[];
  /** When the wallet's answer was accepted, in seconds since the epoch. */
  at: number;
  trustFramework?: string;
}

/** How long a sign-in may take beyond its lifetimes, in milliseconds: clocks differ. */
const MARGIN_MS = 60_000;

/** Who signed in, sealed; what a sign-in shows ends with its access token. */
export class SignedInPeople {
  readonly #records: Collection<SignedIn>;

  constructor(
    store: Store,
    private readonly clock: Clock,
  ) {
    this.#records = store.collection({ name: 'signed-in', hidden: 'id', afterRestore: 'void' });
  }

  /** Keeps who signed in, once for each id. */
  async keep({ id: server, lifetimes }: SignInServer, id: string, value: SignedIn): Promise<void> {
    const { signIn, code, accessToken } = lifetimes;
    const expiresAt = this.clock.now() + (signIn + code + accessToken) * 1000 + MARGIN_MS;
    await insertFirst(this.#records, { id: `${server} ${id}`, value, expiresAt });
  }

  /** Undefined when the sign-in is over. */
  async find({ id: server }: Pick<SignInServer, 'id'>, id: string): Promise<SignedIn | undefined> {
    return (await this.#records.get({ id: `${server} ${id}` }))?.value;
  }
}

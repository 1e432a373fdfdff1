import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { makeRoom, update } from '../../foundation/records.ts';
import type { AccessGrant } from '../issuance/dpop-calls.ts';
import type { WantedCredential } from '../issuance/openid4vci.ts';

/** An access token that was handed out, and what it is bound to; with a private key. */
export interface StepToken extends AccessGrant {
  /** The credential issuer, where it is known. */
  issuer?: string;
  /** What the token is for, as far as the server said it. */
  wanted: WantedCredential[];
}

const TOKENS: CollectionSpec<StepToken> = { name: 'wallet-step-tokens', listed: true, afterRestore: 'void' };
/** How long a token can be used, in milliseconds. */
const KEPT_MS = 10 * 60 * 1000;
/** How many of a wallet are kept; the oldest makes room. */
const MAX_KEPT = 16;

/** The access tokens that wallets got step by step: what each is bound to never leaves the server. */
export class StepTokens {
  readonly #records: Collection<StepToken>;

  constructor(private readonly parts: { store: Store; clock: Clock }) {
    this.#records = parts.store.collection(TOKENS);
  }

  async keep(walletId: string, token: StepToken): Promise<void> {
    const key = keyOf(walletId, token.accessToken);
    await this.#records.remove(key);
    await makeRoom(this.#records, { parent: walletId, most: MAX_KEPT });
    await this.#records.insert({ ...key, value: token, expiresAt: this.parts.clock.now() + KEPT_MS });
  }

  /** Undefined for a token that this wallet did not get, or not lately. */
  async get(walletId: string, accessToken: string): Promise<StepToken | undefined> {
    return (await this.#records.get(keyOf(walletId, accessToken)))?.value;
  }

  /** Notes that a credential was delivered: the next request asks for the next one of its configuration, if there is one. */
  async delivered(walletId: string, accessToken: string, credential: WantedCredential): Promise<void> {
    const change = (token: StepToken): StepToken => {
      const rest = token.wanted.filter(({ identifier }) => identifier !== credential.identifier);
      const isLast = !rest.some(({ configurationId }) => configurationId === credential.configurationId);
      return isLast ? token : { ...token, wanted: rest };
    };
    await update({ collection: this.#records, key: keyOf(walletId, accessToken), change });
  }
}

/** Tokens are secrets, so records are identified by their digests. */
const keyOf = (walletId: string, accessToken: string) => ({ parent: walletId, id: fingerprint(accessToken) });

import { ask, type HttpRequest, member, textOf } from '../http-client.ts';

/** One credential of a wallet. */
export interface WalletCredential {
  id: string;
  /** As it was issued. */
  document: string;
}

/** The first wallet of a logged-in account. */
export class DemoWallet {
  readonly url: string;
  readonly did: string;
  readonly #token: string;

  private constructor(url: string, did: string, token: string) {
    this.url = url;
    this.did = did;
    this.#token = token;
  }

  static async open(walletUrl: string, token: string): Promise<DemoWallet> {
    const wallets = await ask(`${walletUrl}/wallet-api/wallet/accounts/wallets`, { token });
    const url = `${walletUrl}/wallet-api/wallet/${textOf(wallets.body, 'wallets', 0, 'id')}`;
    const dids = await ask(`${url}/dids`, { token });
    return new DemoWallet(url, textOf(dids.body, 0, 'did'), token);
  }

  /** Resolves an offer without accepting it. */
  async resolve(offer: string): Promise<unknown> {
    return this.#post('resolveCredentialOffer', { text: offer });
  }

  async accept(offer: string, txCode = ''): Promise<WalletCredential> {
    const query = new URLSearchParams({ did: this.did, ...(txCode && { pinOrTxCode: txCode }) });
    const received = await this.#post(`useOfferRequest?${query}`, { text: offer });
    return { id: textOf(received, 0, 'id'), document: textOf(received, 0, 'document') };
  }

  /** Presents the first credential that a request matches. Returns how many credentials match. */
  async present(request: string): Promise<number> {
    const resolved = textOf(await this.#post('resolvePresentationRequest', { text: request }));
    const definition = JSON.parse(new URL(resolved).searchParams.get('presentation_definition') ?? 'null');
    const matching = await this.#post('matchCredentialsForPresentationDefinition', { json: definition });
    const json = { presentationRequest: resolved, selectedCredentials: [textOf(matching, 0, 'id')] };
    await this.#post('usePresentationRequest', { json });
    return Array.isArray(matching) ? matching.length : 0;
  }

  /** Answers a request for one credential, of either generation. Returns the names of the claims that were withheld. */
  async answer(request: string, { isRefused = false } = {}): Promise<string[]> {
    const described = await this.#post('describePresentationRequest', { text: request });
    const credential = member(described, 'queries', 0, 'credentials', 0);
    const json = { presentationRequest: request, selectedCredentials: [textOf(credential, 'id')] };
    await this.#post('usePresentationRequest', { json, ...(isRefused && { expect: [400] }) });
    const withheld: unknown[] = Object(member(credential, 'withheld'));
    return withheld.map((claim) => String(Object(member(claim, 'path')).at(-1)));
  }

  async #post(operation: string, request: HttpRequest): Promise<unknown> {
    return (await ask(`${this.url}/exchange/${operation}`, { ...request, token: this.#token })).body;
  }
}

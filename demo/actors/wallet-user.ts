import { type HttpAnswer, member, textOf } from '../http-client.ts';
import { type Call, type Caller, perform, type Services } from '../services.ts';

/** One credential of a wallet. */
export interface WalletCredential {
  id: string;
  /** As it was issued. */
  document: string;
}

/** A logged-in user of the wallet service with a wallet. */
export class WalletUser<A extends HttpAnswer = HttpAnswer, C extends Call = Call> implements Caller<A> {
  readonly wallet: string;
  readonly token: string;
  /** The default DID. */
  readonly did: string;
  /** Calls an operation with the wallet and the token. */
  readonly call: Services<A, C>['call'];

  private constructor(
    services: Services<A, C>,
    { wallet, token, did }: { wallet: string; token: string; did: string },
  ) {
    this.wallet = wallet;
    this.token = token;
    this.did = did;
    this.call = (operationId, call) => {
      const own: Call = { token, ...call, path: { wallet, ...call?.path } };
      return services.call(operationId, own as C);
    };
  }

  /** The user of a login token with the first wallet. */
  static async open<A extends HttpAnswer, C extends Call>(
    services: Services<A, C>,
    token: string,
  ): Promise<WalletUser<A, C>> {
    const wallet = textOf(await perform(services, 'listAccountWallets', { token }), 'wallets', 0, 'id');
    const dids = await perform(services, 'listWalletDids', { token, path: { wallet } });
    return new WalletUser(services, { wallet, token, did: textOf(dids, 0, 'did') });
  }

  /** Resolves an offer without accepting it. */
  resolve(offer: string): Promise<A['body']> {
    return perform(this, 'resolveCredentialOffer', { text: offer });
  }

  async accept(offer: string, txCode = ''): Promise<WalletCredential> {
    const query = { did: this.did, ...(txCode && { pinOrTxCode: txCode }) };
    const received = await perform(this, 'acceptCredentialOffer', { query, text: offer });
    return { id: textOf(received, 0, 'id'), document: textOf(received, 0, 'document') };
  }

  /** Presents the first credential that a request matches. Returns how many credentials match. */
  async present(request: string): Promise<number> {
    const resolved = textOf(await perform(this, 'resolvePresentationRequest', { text: request }));
    const definition = JSON.parse(new URL(resolved).searchParams.get('presentation_definition') ?? 'null');
    const matching = await perform(this, 'matchWalletCredentials', { json: definition });
    const json = { presentationRequest: resolved, selectedCredentials: [textOf(matching, 0, 'id')] };
    await perform(this, 'presentCredentials', { json });
    return Array.isArray(matching) ? matching.length : 0;
  }

  /** Answers a request for one credential, of either generation. Returns the names of the claims that were withheld. */
  async answer(request: string, { isRefused = false } = {}): Promise<string[]> {
    const described = await perform(this, 'describePresentationRequest', { text: request });
    const credential = member(described, 'queries', 0, 'credentials', 0);
    const json = { presentationRequest: request, selectedCredentials: [textOf(credential, 'id')] };
    await perform(this, 'presentCredentials', { json, expect: isRefused ? 400 : 200 });
    const withheld: unknown[] = Object(member(credential, 'withheld'));
    return withheld.map((claim) => String(Object(member(claim, 'path')).at(-1)));
  }
}

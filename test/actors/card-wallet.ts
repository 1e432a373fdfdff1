import { decodeJwt } from 'jose';
import { issueOf, OTHER, presentOf } from './presenters.ts';
import { readRequest } from './wallet.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of verifiers have any member
type Json = Record<string, any>;

/** A wallet with a card as SD-JWT VC, which answers requests of OpenID4VP 1.0 for the query `card`. */
export class CardWallet {
  private constructor(
    readonly card: string,
    readonly now: () => number,
  ) {}

  /** Gets a card of a type; another issuer than usual makes one where that is said. */
  static async with(type: string, { now, foreign = false }: { now: () => number; foreign?: boolean }) {
    const other = { issuer: OTHER.did, kid: OTHER.kid };
    const card = await issueOf('dc+sd-jwt', { type, ...(foreign && other) }, foreign ? OTHER.signer : undefined);
    return new CardWallet(card, now);
  }

  get issuer(): string {
    return String(decodeJwt(this.card.split('~')[0] ?? '').iss);
  }

  /** Fetches the request of a link, and shares the family name or declines; returns where the browser is sent. */
  async follow(link: string, answer: 'share' | 'decline' = 'share'): Promise<string | undefined> {
    const response = await (await this.decide(link, answer))();
    return ((await response.json()) as Json).redirect_uri;
  }

  /** Fetches the request of a link; returns what sends the answer, which may be sent again. */
  async decide(link: string, answer: 'share' | 'decline' = 'share'): Promise<() => Promise<Response>> {
    const asked = await fetch(new URL(link).searchParams.get('request_uri') ?? '');
    const request = (await asked.json()) as Json;
    const { state, response_uri: to, client_id: audience } = request;
    const vpToken = async () => ({ vp_token: JSON.stringify({ card: [await this.#presentation(request, audience)] }) });
    const parameters = answer === 'share' ? await vpToken() : { error: 'access_denied' };
    return () => fetch(to, { method: 'POST', body: new URLSearchParams({ state, ...parameters }) });
  }

  /** What `navigator.credentials.get` gives to a page of an origin. */
  async answer({ digital }: Json, origin: string): Promise<Json> {
    const [{ protocol, data }] = digital.requests;
    return { protocol, data: { vp_token: { card: [await this.#presentation(data, `origin:${origin}`)] } } };
  }

  async #presentation({ nonce }: Json, audience: string): Promise<string> {
    const request = readRequest(`?${new URLSearchParams({ nonce, client_id: audience })}`);
    const disclosed = [['family_name']];
    const made = await presentOf('dc+sd-jwt', request, { documents: [this.card], disclosed, now: this.now() });
    return made.token;
  }
}

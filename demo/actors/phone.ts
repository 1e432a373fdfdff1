import { ask, member, textOf } from '../http-client.ts';
import { GRANT, makeHolderKey, proofJwt } from './holder-key.ts';

/** An offer as a wallet reads it, with the endpoints of its issuer. */
interface ReadOffer {
  issuer: string;
  configurationId: string;
  code: string;
  tokenEndpoint: string;
  nonceEndpoint: string;
  credentialEndpoint: string;
}

/** A wallet of another maker, which redeems an offer of OpenID4VCI 1.0, with a key of its own. */
export class DemoPhone {
  readonly #key = makeHolderKey();

  /** Fetches the offer that a URL names (§4.1.3), and the metadata of its issuer (§12.2.2, RFC 8414). */
  async read(url: string): Promise<ReadOffer> {
    const { body: offer } = await ask(new URL(url).searchParams.get('credential_offer_uri') ?? '');
    const issuer = textOf(offer, 'credential_issuer');
    const { origin, pathname } = new URL(issuer);
    const { body: metadata } = await ask(`${origin}/.well-known/openid-credential-issuer${pathname}`);
    const { body: server } = await ask(`${origin}/.well-known/oauth-authorization-server${pathname}`);
    return {
      issuer,
      configurationId: textOf(offer, 'credential_configuration_ids', 0),
      code: textOf(offer, 'grants', GRANT, 'pre-authorized_code'),
      tokenEndpoint: textOf(server, 'token_endpoint'),
      nonceEndpoint: textOf(metadata, 'nonce_endpoint'),
      credentialEndpoint: textOf(metadata, 'credential_endpoint'),
    };
  }

  /** Asks for a token (§6.1); without the transaction code the answer is an error. */
  async token({ tokenEndpoint, code }: ReadOffer, txCode?: string): Promise<unknown> {
    const form = { grant_type: GRANT, 'pre-authorized_code': code, ...(txCode && { tx_code: txCode }) };
    return (await ask(tokenEndpoint, { form, expect: [txCode === undefined ? 400 : 200] })).body;
  }

  /** Proves its key and gets the credential (§8.2). */
  async claim(offer: ReadOffer, token: string): Promise<string> {
    const { body: nonce } = await ask(offer.nonceEndpoint, { text: '' });
    const payload = { aud: offer.issuer, nonce: textOf(nonce, 'c_nonce'), iat: Math.floor(Date.now() / 1000) };
    const proof = proofJwt(this.#key, { header: { kid: undefined, jwk: this.#key.jwk }, payload });
    const json = { credential_configuration_id: offer.configurationId, proofs: { jwt: [proof] } };
    const { body } = await ask(offer.credentialEndpoint, { json, token });
    return textOf(member(body, 'credentials', 0), 'credential');
  }
}

/** The names of the claims that the holder of an SD-JWT can withhold. */
export const withholdable = (credential: string): string[] =>
  credential
    .split('~')
    .slice(1)
    .filter((disclosure) => disclosure !== '')
    .map((disclosure) => JSON.parse(Buffer.from(disclosure, 'base64url').toString('utf8'))[1]);

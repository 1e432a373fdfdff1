import type { KeyObject } from 'node:crypto';
import type { JwtSigner } from '@openid4vc/oauth2';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { type JWK, SignJWT } from 'jose';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import { toBase58 } from './judge.ts';
import { callbacks, didJwkOf, publicJwkOf } from './library.ts';
import { type Exchange, OfferWallet } from './offer-wallet.ts';

/** How a proof names its key. */
export type Binding = 'did:key' | 'did:jwk' | 'jwk';
export type HolderAlg = 'ES256' | 'EdDSA';

/** Every supported kind of holder. */
export const HOLDERS: { alg: HolderAlg; binding: Binding }[] = (['ES256', 'EdDSA'] as const).flatMap((alg) =>
  (['did:key', 'did:jwk', 'jwk'] as const).map((binding) => ({ alg, binding })),
);

/** A redeemed offer with its credentials. */
export type Accepted = Exchange & { credentials: string[] };

/** An independent wallet: the protocol is the library's, the signatures are jose's. */
export class OutsideWallet {
  readonly alg: HolderAlg;
  readonly binding: Binding;
  readonly did: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #presentation: Openid4vpClient;

  constructor({ alg, binding }: { alg: HolderAlg; binding: Binding }) {
    const pair = alg === 'EdDSA' ? keyPair('ed25519') : keyPair({ namedCurve: 'P-256' });
    this.alg = alg;
    this.binding = binding;
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
    this.did = binding === 'did:key' ? didKeyOf(pair.publicKey) : didJwkOf(pair.publicKey);
    const surroundings = callbacks(this.#privateKey, this.#publicKey);
    this.#presentation = new Openid4vpClient({ callbacks: surroundings });
  }

  /** For judges that present for the holder. */
  get privateJwk(): JWK {
    return this.#privateKey.export({ format: 'jwk' }) as JWK;
  }

  get publicJwk(): JWK {
    return publicJwkOf(this.#publicKey);
  }

  get didUrl(): string {
    return this.binding === 'did:key' ? `${this.did}#${this.did.slice('did:key:'.length)}` : `${this.did}#0`;
  }

  /** The part that redeems offers. */
  get offers(): OfferWallet {
    return new OfferWallet(this.#signer(), callbacks(this.#privateKey, this.#publicKey));
  }

  /** Redeems an offer: every credential of it. */
  accept(offerUrl: string): Promise<Accepted> {
    return this.offers.accept(offerUrl);
  }

  #signer(): JwtSigner {
    const { alg } = this;
    if (this.binding === 'jwk') return { method: 'jwk', alg, publicJwk: publicJwkOf(this.#publicKey) };
    return { method: 'did', alg, didUrl: this.didUrl };
  }

  /** Parses a request link and fetches the definition behind a URL, which the library does not. */
  async read(requestUrl: string) {
    const parsed = this.#presentation.parseOpenid4vpAuthorizationRequest({ authorizationRequest: requestUrl });
    if (parsed.type !== 'openid4vp') throw new Error(`The request is one of the kind ${parsed.type}`);
    const { presentation_definition_uri: uri, ...params } = parsed.params;
    const definition = uri === undefined ? params.presentation_definition : await (await fetch(uri)).json();
    const payload = { ...params, presentation_definition: definition };
    const resolved = await this.#presentation.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: payload,
    });
    return { ...resolved, authorizationRequestPayload: payload };
  }

  /** Answers a request link with one credential for each descriptor, in order. */
  async present(requestUrl: string, credentials: string[], dataModel: 1 | 2 = 1): Promise<Response> {
    const { authorizationRequestPayload, pex } = await this.read(requestUrl);
    const { nonce, client_id: audience = '' } = authorizationRequestPayload;
    const definition = Object(pex?.presentation_definition);
    const vpToken = await this.#sign({ nonce, aud: audience, ...this.#document(credentials, dataModel) }, dataModel);
    const path = dataModel === 1 ? '$.vp.verifiableCredential' : '$.verifiableCredential';
    const submission = {
      id: 'submission',
      definition_id: definition.id,
      descriptor_map: definition.input_descriptors.map(({ id }: { id: string }, index: number) => ({
        id,
        format: 'jwt_vp_json',
        path: '$',
        path_nested: { id, format: 'jwt_vc_json', path: `${path}[${index}]` },
      })),
    };
    const answer = await this.#presentation.createOpenid4vpAuthorizationResponse({
      authorizationRequestPayload,
      authorizationResponsePayload: { vp_token: vpToken, presentation_submission: submission },
    });
    const { response } = await this.#presentation.submitOpenid4vpAuthorizationResponse({
      authorizationRequestPayload,
      ...answer,
    });
    return response;
  }

  #document(credentials: string[], dataModel: 1 | 2): Record<string, unknown> {
    const holder = this.did;
    const type = ['VerifiablePresentation'];
    if (dataModel === 1) {
      const context = ['https://www.w3.org/2018/credentials/v1'];
      return { vp: { '@context': context, type, holder, verifiableCredential: credentials } };
    }
    const context = ['https://www.w3.org/ns/credentials/v2'];
    const verifiableCredential = credentials.map((jwt) => ({
      '@context': context,
      type: 'EnvelopedVerifiableCredential',
      id: `data:application/vc+jwt,${jwt}`,
    }));
    return { '@context': context, type, holder, verifiableCredential };
  }

  #sign(claims: Record<string, unknown>, dataModel: 1 | 2): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: this.alg, kid: this.didUrl, typ: dataModel === 1 ? 'JWT' : 'vp+jwt' })
      .setIssuer(this.did)
      .setSubject(this.did)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(this.#privateKey);
  }
}

function didKeyOf(key: KeyObject): string {
  const { crv, x = '', y = '' } = publicJwkOf(key);
  const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url'));
  const isOdd = ((right?.at(-1) ?? 0) & 1) === 1;
  const prefix = crv === 'Ed25519' ? [0xed, 0x01] : [0x80, 0x24, isOdd ? 3 : 2];
  return `did:key:z${toBase58(Uint8Array.from([...prefix, ...(left ?? [])]))}`;
}

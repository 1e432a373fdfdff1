import { createHash, type KeyObject, randomUUID } from 'node:crypto';
import { type CallbackContext, calculateJwkThumbprint, type JwtSigner } from '@openid4vc/oauth2';
import { Openid4vpVerifier } from '@openid4vc/openid4vp';
import { cborEncode } from '@owf/mdoc';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { compactDecrypt, decodeProtectedHeader, type JWK, SignJWT } from 'jose';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import type { HttpPeer, PeerReply, PeerRequest } from '../actors/http-peer.ts';
import { iaca, MDL } from '../support/credentials/mdoc-issuer.ts';
import type { Combination } from '../support/runs/combinations.ts';
import { keyOfDid, keyOfJwk, verified } from './judge.ts';
import { callbacks, publicJwkOf } from './library.ts';
import { answered } from './library-issuer.ts';
import { mdlPresentationVerdict } from './mdl-verdict.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests have any member
type Json = Record<string, any>;

/** What a verifier asks of a wallet, one of each. */
export const REQUESTS = {
  client: [
    'redirect_uri',
    'x509_san_dns',
    'x509_hash',
    'decentralized_identifier',
    'verifier_attestation',
    'openid_federation',
    'pre-registered',
  ],
  request: ['by value', 'request_uri', 'request_uri by post', 'Digital Credentials API'],
  response: ['plain', 'A128GCM', 'A256GCM'],
  format: ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'],
  credentials: ['one', 'several'],
} as const;

/** One combination. */
export type Asked = Combination<typeof REQUESTS>;

/** How a client proves who it is. */
export interface VerifierIdentity {
  clientId: string;
  privateKey: KeyObject;
  signer: JwtSigner;
  /** Members of the header that the library does not write. */
  header?: object;
}

/** A page of the verifier. */
const ORIGIN = 'https://shop.example';
const AUDIENCE = 'https://self-issued.me/v2';
/** The queries, by format. */
const QUERIES: Record<Asked['format'], object> = {
  jwt_vc_json: { meta: { type_values: [['UniversityDegree']] } },
  'dc+sd-jwt': { meta: { vct_values: ['urn:card:1'] }, claims: [{ path: ['given_name'] }] },
  mso_mdoc: { meta: { doctype_value: MDL.docType }, claims: [{ path: [MDL.namespace, 'family_name'] }] },
};

const encryption = keyPair({ namedCurve: 'P-256' });
const ENCRYPTION_KEY = { ...publicJwkOf(encryption.publicKey), alg: 'ECDH-ES', use: 'enc', kid: 'response' };

/** What a verifier says of itself, also in the metadata of a federation. */
export const verifierMetadata = (response: Asked['response'], more: object = {}): Json => ({
  vp_formats_supported: {
    jwt_vc_json: { alg_values: ['ES256'] },
    'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'], 'kb-jwt_alg_values': ['ES256'] },
    mso_mdoc: {},
  },
  ...more,
  ...(response !== 'plain' && {
    jwks: { keys: [...(Object(more).jwks?.keys ?? []), ENCRYPTION_KEY] },
    encrypted_response_enc_values_supported: [response],
  }),
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A verifier of OpenID4VP 1.0: the library writes its requests and reads the responses, other libraries judge what is presented. */
export class DemandingVerifier {
  readonly peer: HttpPeer;
  /** How many credentials were presented with valid signatures to the last request. */
  accepted = 0;
  readonly #identities: (asked: Asked) => VerifierIdentity | undefined;
  #request: Json = {};
  #asked!: Asked;

  /** `identities` has all clients but those that sign nothing. */
  constructor(peer: HttpPeer, identities: (asked: Asked) => VerifierIdentity | undefined) {
    this.peer = peer;
    this.#identities = identities;
    peer.routes['/response'] = ({ body }) =>
      answered(() => this.judge(Object.fromEntries(new URLSearchParams(body)))) as Promise<PeerReply>;
    peer.routes['/request'] = (request) => answered(() => this.#requestObject(request));
  }

  /** Asks, by a link or, for a browser, by an object. */
  async ask(asked: Asked): Promise<{ link: string } | { page: Json }> {
    const isPage = asked.request === 'Digital Credentials API';
    const identity = this.#identities(asked);
    const responseUri = `${this.peer.url.replace('127.0.0.1', 'localhost')}/response`;
    const id = identity?.clientId ?? `redirect_uri:${responseUri}`;
    const mode = isPage ? 'dc_api' : 'direct_post';
    const several = asked.credentials === 'several';
    this.accepted = 0;
    this.#asked = asked;
    this.#request = {
      ...{ response_type: 'vp_token', response_mode: asked.response === 'plain' ? mode : `${mode}.jwt` },
      ...(isPage ? identity && { expected_origins: [ORIGIN] } : { response_uri: responseUri, state: randomUUID() }),
      ...((identity || !isPage) && { client_id: id }),
      nonce: randomUUID(),
      client_metadata: verifierMetadata(asked.response),
      dcql_query: {
        credentials: [
          { id: 'asked', format: asked.format, ...QUERIES[asked.format], ...(several && { multiple: true }) },
        ],
      },
    };
    if (isPage) return { page: { origin: ORIGIN, ...(await this.#pageRequest(identity)) } };
    if (asked.request === 'by value' && !identity) return { link: await this.#unsigned() };
    const link = new URLSearchParams({ client_id: id });
    if (asked.request === 'by value') link.set('request', await this.#signed());
    else link.set('request_uri', `${this.peer.url}/request`);
    if (asked.request === 'request_uri by post') link.set('request_uri_method', 'post');
    return { link: `openid4vp://?${link}` };
  }

  async #pageRequest(identity: VerifierIdentity | undefined): Promise<Json> {
    if (!identity) return { protocol: 'openid4vp-v1-unsigned', data: this.#request };
    return { protocol: 'openid4vp-v1-signed', data: { request: await this.#signed() } };
  }

  async #unsigned(): Promise<string> {
    const verifier = new Openid4vpVerifier({ callbacks: this.#callbacks() });
    const made = await verifier.createOpenId4vpAuthorizationRequest({ authorizationRequestPayload: this.#payload() });
    return made.authorizationRequest;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the library checks the request itself
  #payload(more: object = {}): any {
    return { ...this.#request, ...more };
  }

  async #requestObject({ method, body }: PeerRequest): Promise<PeerReply> {
    const isPosted = this.#asked.request === 'request_uri by post';
    if (isPosted !== (method === 'POST')) return { status: 405 };
    const nonce = new URLSearchParams(body).get('wallet_nonce');
    const headers = { 'content-type': 'application/oauth-authz-req+jwt' };
    return { headers, body: await this.#signed(nonce ?? undefined) };
  }

  async #signed(nonce?: string): Promise<string> {
    const { signer } = this.#identities(this.#asked) ?? { signer: { method: 'custom' as const, alg: 'none' } };
    const verifier = new Openid4vpVerifier({ callbacks: this.#callbacks() });
    const { jar } = await verifier.createOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: this.#payload({ wallet_nonce: nonce }),
      ...(nonce && { wallet: { expectedNonce: nonce } }),
      jar: { jwtSigner: signer, expiresInSeconds: 60, additionalJwtPayload: { aud: AUDIENCE } },
    });
    return jar?.authorizationRequestJwt ?? '';
  }

  #callbacks(): CallbackContext {
    const identity = this.#identities(this.#asked);
    const own = callbacks(encryption.privateKey, encryption.publicKey);
    return {
      ...own,
      signJwt: async (_, { header, payload }) => {
        const whole = { ...header, ...identity?.header } as { alg: string };
        const signed = identity && new SignJWT(payload).setProtectedHeader(whole).sign(identity.privateKey);
        const jwt = signed ? await signed : `${encoded(whole)}.${encoded(payload)}.`;
        return { jwt, signerJwk: publicJwkOf(encryption.publicKey) };
      },
      decryptJwe: async (jwe) => {
        const { plaintext, protectedHeader } = await compactDecrypt(jwe, encryption.privateKey);
        const { enc, kid } = protectedHeader;
        if (enc !== this.#asked.response || kid !== ENCRYPTION_KEY.kid) throw new Error('Encrypted in another way');
        return { decrypted: true, decryptionJwk: ENCRYPTION_KEY, payload: new TextDecoder().decode(plaintext) };
      },
    };
  }

  /** Judges the parameters of a response. @throws Error saying what is wrong with it */
  async judge(authorizationResponse: Json): Promise<PeerReply> {
    const own = this.#callbacks();
    const response = await new Openid4vpVerifier({ callbacks: own }).parseOpenid4vpAuthorizationResponse({
      ...{ authorizationResponse, authorizationRequestPayload: this.#payload(), callbacks: own, origin: ORIGIN },
    });
    if (response.type !== 'dcql') throw new Error('No answer to a DCQL query');
    const { asked: presentations = [], ...others } = response.dcql.presentations as Record<string, string[]>;
    if (Object.keys(others).length > 0) throw new Error('An answer to a query that was not asked');
    for (const text of presentations) await this.#judges[this.#asked.format](text);
    this.accepted = presentations.length;
    return { body: {} };
  }

  get #audience(): string {
    return this.#request.expected_origins || !this.#request.response_uri ? `origin:${ORIGIN}` : this.#request.client_id;
  }

  #requireBound({ nonce, aud }: Json): void {
    if (nonce !== this.#request.nonce || aud !== this.#audience)
      throw new Error('The presentation is for another request');
  }

  readonly #judges: Record<Asked['format'], (text: string) => Promise<void>> = {
    jwt_vc_json: async (text) => {
      const { kid = '' } = decodeProtectedHeader(text);
      const { vp, ...claims } = await verified(text, keyOfDid(kid));
      this.#requireBound(claims);
      const [credential = ''] = vp.verifiableCredential;
      const { sub, vc } = await verified(credential, keyOfDid(decodeProtectedHeader(credential).kid ?? ''));
      if (sub !== kid.split('#')[0] || !vc.type.includes('UniversityDegree')) throw new Error('Of another holder');
    },
    'dc+sd-jwt': async (text) => {
      const issuer = keyOfDid(decodeProtectedHeader(text.split('~')[0] ?? '').kid ?? '');
      const library = new SDJwtVcInstance({
        hashAlg: 'sha-256',
        hasher: (data) =>
          createHash('sha256')
            .update(typeof data === 'string' ? data : new Uint8Array(data))
            .digest(),
        verifier: async (data, signature) => verified(`${data}.${signature}`, issuer).then(() => true),
        kbVerifier: async (data, signature, { cnf }) =>
          verified(`${data}.${signature}`, keyOfJwk(cnf?.jwk as JWK)).then(() => true),
      });
      const asked = { requiredClaimKeys: ['given_name'], keyBindingNonce: this.#request.nonce };
      const { kb } = await library.verify(text, asked);
      this.#requireBound(kb?.payload ?? {});
    },
    mso_mdoc: async (response) => {
      const elements = { [MDL.namespace]: ['family_name'] };
      const transcript = [null, null, await this.#handover()];
      const verdict = await mdlPresentationVerdict({ response, transcript, elements, authority: iaca.pem });
      const shown = JSON.stringify('elements' in verdict ? verdict.elements[MDL.namespace] : verdict);
      if (shown !== '{"family_name":"Lovelace"}') throw new Error(shown);
    },
  };

  /** OpenID4VP 1.0 annexes B.2.6.1 and B.2.6.2. */
  async #handover(): Promise<unknown[]> {
    const { nonce, client_id: client, response_uri: address } = this.#request;
    const thumbprint = await calculateJwkThumbprint({
      jwk: ENCRYPTION_KEY,
      hashAlgorithm: 'sha-256' as never,
      hashCallback: this.#callbacks().hash,
    });
    const key = this.#asked.response === 'plain' ? null : Buffer.from(thumbprint, 'base64url');
    const [name, info] = address
      ? ['OpenID4VPHandover', [client, nonce, key, address]]
      : ['OpenID4VPDCAPIHandover', [ORIGIN, nonce, key]];
    return [name, createHash('sha256').update(cborEncode(info)).digest()];
  }
}

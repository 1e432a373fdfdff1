import { createHash, randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { readDcqlQuery } from '../../../domain/presentation/dcql/query.ts';
import { REQUEST_OBJECT } from '../../../domain/presentation/request-parameters.ts';
import { inOrder } from '../../../domain/verifier/verification/evaluation.ts';
import type { Handover } from '../../../ports/credential-formats.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { testVerification } from '../../support/credentials/verification.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests and responses have any member
export type Json = Record<string, any>;

/** What a module changes of a request. */
export interface Change {
  claims?: Json;
  header?: Json;
  /** The signed request object, or the parameters of the link. */
  object?: (text: string) => string;
  link?: Record<string, string>;
}

/** How requests reach the wallet: as signed request objects, in the link, or from a page. */
export type Method = 'request_uri_signed' | 'url_query' | 'page_unsigned' | 'page_signed' | 'page_multisigned';

/** The page of the verifier. */
export const ORIGIN = 'https://verifier.example.com';

const SAFE = 24;
const nonce = (): string => randomBytes(SAFE).toString('base64url');

/** The verifier that the conformance suite plays for a wallet under test, written with jose. */
export class SuiteVerifier {
  readonly peer = new HttpPeer();
  /** The parameters of each response, decrypted. */
  readonly received: Json[] = [];
  /** The headers of encrypted responses. */
  readonly sealed: Json[] = [];
  reply: Json = {};
  readonly #key: JWK;
  readonly #certified: Awaited<ReturnType<typeof certifiedKey>>;
  readonly #decryption: Awaited<ReturnType<typeof generateKeyPair>>;
  #request: Json = {};

  static async start(): Promise<SuiteVerifier> {
    const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
    const key = { ...(await exportJWK(pair.publicKey)), alg: 'ECDH-ES', kid: 'response-key', use: 'enc' };
    const verifier = new SuiteVerifier(key, pair, await certifiedKey());
    await verifier.peer.listen();
    verifier.peer.routes['/response'] = async ({ body }) => {
      const { vp_token: token, ...form } = Object.fromEntries(new URLSearchParams(body));
      await verifier.take({ ...form, ...(token && { vp_token: JSON.parse(token) }) });
      return { body: verifier.reply };
    };
    return verifier;
  }

  private constructor(
    key: JWK,
    decryption: Awaited<ReturnType<typeof generateKeyPair>>,
    certified: Awaited<ReturnType<typeof certifiedKey>>,
  ) {
    this.#key = key;
    this.#decryption = decryption;
    this.#certified = certified;
  }

  close(): Promise<void> {
    return this.peer.close();
  }

  get encryptionKey(): JWK {
    return this.#key;
  }

  /** Receives a response, encrypted or not. */
  async take(response: Json): Promise<void> {
    if (response.response === undefined) {
      this.received.push(response);
      return;
    }
    const { plaintext, protectedHeader } = await compactDecrypt(response.response, this.#decryption.privateKey);
    this.sealed.push(protectedHeader);
    this.received.push(JSON.parse(new TextDecoder().decode(plaintext)));
  }

  /** The parameters of a request for a DCQL query. */
  parameters(method: Method, mode: string, query: Json): Json {
    const isPage = method.startsWith('page');
    const address = `${this.peer.url}/response`;
    const isSigned = method !== 'url_query' && method !== 'page_unsigned';
    const clientId = isSigned ? this.#certified.hash : `redirect_uri:${address}`;
    const metadata = {
      vp_formats_supported: { 'dc+sd-jwt': {}, mso_mdoc: {} },
      ...(mode.endsWith('.jwt') && {
        jwks: { keys: [this.#key] },
        encrypted_response_enc_values_supported: ['A256GCM'],
      }),
    };
    return {
      ...{ response_type: 'vp_token', response_mode: mode, nonce: nonce(), dcql_query: query },
      ...{ client_metadata: metadata },
      ...(!isPage || method === 'page_signed' ? { client_id: clientId } : {}),
      ...(isPage ? {} : { response_uri: address }),
      ...(isPage && isSigned ? { expected_origins: [ORIGIN] } : {}),
    };
  }

  /** A signed request object. */
  async sign(claims: Json, { header = {}, object = (text) => text }: Change, nowMs: number): Promise<string> {
    const now = Math.floor(nowMs / 1000);
    const { key, x5c } = this.#certified;
    const token = new SignJWT({ aud: REQUEST_OBJECT.AUDIENCE, iat: now, exp: now + 300, ...claims });
    const protectedHeader = { alg: 'ES256', typ: REQUEST_OBJECT.TYP, x5c, ...header };
    return object(await token.setProtectedHeader(protectedHeader).sign(await importJWK(key.jwk, 'ES256')));
  }

  /** The link of a request, which is remembered to judge its response. */
  async link(method: Method, parameters: Json, change: Change, nowMs: number): Promise<string> {
    const claims = { ...parameters, ...change.claims };
    this.#request = claims;
    if (method === 'url_query') {
      const texts = Object.entries({ ...claims, ...change.link })
        .filter(([, value]) => value !== undefined)
        .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
      return `openid4vp://?${new URLSearchParams(texts)}`;
    }
    this.peer.routes['/request'] = async ({ method: verb, body }) => {
      const asked = verb === 'POST' ? new URLSearchParams(body).get('wallet_nonce') : undefined;
      const repeated = asked ? { wallet_nonce: asked, ...change.claims } : {};
      return { body: await this.sign({ ...claims, ...repeated }, change, nowMs) };
    };
    const link = { client_id: parameters.client_id, request_uri: `${this.peer.url}/request`, ...change.link };
    return `openid4vp://?${new URLSearchParams(link)}`;
  }

  /** The request of the verifier's page, as a browser passes it to a wallet. */
  async page(method: Method, parameters: Json, change: Change, nowMs: number): Promise<Json> {
    const claims = { ...parameters, ...change.claims };
    this.#request = claims;
    if (method === 'page_unsigned') return { origin: ORIGIN, protocol: 'openid4vp-v1-unsigned', data: claims };
    if (method === 'page_signed')
      return {
        ...{ origin: ORIGIN, protocol: 'openid4vp-v1-signed' },
        data: { request: await this.sign(claims, change, nowMs) },
      };
    const signature = async (header: Json) => {
      const text = await this.sign(claims, { header: { ...header, ...change.header } }, nowMs);
      const [head, payload, tail] = text.split('.');
      return { payload, signed: { protected: head, signature: tail } };
    };
    const { hash, sanDns } = this.#certified;
    const [one, two] = [await signature({ client_id: sanDns }), await signature({ client_id: hash })];
    const first = { ...one.signed, signature: (change.object ?? ((text) => text))(one.signed.signature ?? '') };
    const request = { payload: two.payload, signatures: [first, two.signed] };
    return { origin: ORIGIN, protocol: 'openid4vp-v1-multisigned', data: { request } };
  }

  /** The failed checks of the last response, and the paths of claims that it shows. */
  async judged(): Promise<{ failures: unknown[]; shown: unknown[]; state?: string }> {
    const { client_id: clientId, response_uri: responseUri, nonce: asked, dcql_query, response_mode } = this.#request;
    const isEncrypted = response_mode.endsWith('.jwt');
    const encryptionKey = Buffer.from(await calculateJwkThumbprint(this.#key), 'base64url');
    const isPage = responseUri === undefined;
    const handover: Handover = {
      ...(isPage
        ? { kind: 'dc-api', origin: ORIGIN, nonce: asked }
        : { kind: 'redirect', clientId, responseUri, nonce: asked }),
      ...(isEncrypted && { encryptionKey }),
    };
    const verification = testVerification(testFormats);
    const audience = isPage ? `origin:${ORIGIN}` : clientId;
    const task = {
      query: { language: 'dcql', query: readDcqlQuery(dcql_query, testFormats) } as const,
      ...{ nonce: asked, audience, vpPolicies: [], vcPolicies: [{ policy: 'signature' }], ownPolicies: [] },
    };
    const { vp_token: token, state } = this.received.at(-1) ?? {};
    const submission = await verification.read(task, { vpToken: JSON.stringify(token), handover });
    const results = inOrder(await verification.evaluatePolicies(task, submission, Date.now()));
    const failures = results.flatMap(({ policies }) => policies.filter(({ is_success }) => !is_success));
    return { failures, shown: submission.credentials.map(({ withholdable }) => withholdable), state };
  }
}

/** A client identifier of a certificate that does not exist. */
export const otherHash = (): string => `x509_hash:${createHash('sha256').update('another').digest('base64url')}`;

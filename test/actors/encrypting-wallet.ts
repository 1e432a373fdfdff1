import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Answer, TestServer } from '../support/servers/server.ts';

type Json = Record<string, unknown>;

/** How a request is encrypted; each test changes what it needs, undefined removes a member of the header. */
export interface Encryption {
  header?: Json;
  /** Members of `credential_response_encryption`; null leaves it out. */
  response?: Json | null;
  key?: JWK;
}

/** A wallet that encrypts its credential requests and gets encrypted responses, with jose. */
export class EncryptingWallet {
  readonly #server: TestServer;
  readonly #privateKey: Parameters<typeof compactDecrypt>[1];
  /** Its public key for responses. */
  readonly jwk: JWK;

  private constructor(parts: { server: TestServer; privateKey: Parameters<typeof compactDecrypt>[1]; jwk: JWK }) {
    this.#server = parts.server;
    this.#privateKey = parts.privateKey;
    this.jwk = parts.jwk;
  }

  static async create(server: TestServer, crv = 'P-256'): Promise<EncryptingWallet> {
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv });
    const jwk = { ...(await exportJWK(publicKey)), alg: 'ECDH-ES', kid: 'wallet-1', use: 'enc' };
    return new EncryptingWallet({ server, privateKey, jwk });
  }

  /** The key that the issuer publishes for requests. */
  async issuerKey(): Promise<JWK> {
    const { body } = await this.#server.call('getOpenid4vciIssuerMetadata');
    return body.credential_request_encryption.jwks.keys[0];
  }

  /** A request as a JWE. */
  async seal(request: Json | string, { header, response = {}, key }: Encryption = {}): Promise<string> {
    const jwk = key ?? (await this.issuerKey());
    const wanted = response && { jwk: this.jwk, enc: 'A256GCM', ...response };
    const members = typeof request === 'string' ? request : { ...request, credential_response_encryption: wanted };
    const text = typeof members === 'string' ? members : JSON.stringify(members, (_, value) => value ?? undefined);
    return new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader(withoutUndefined({ alg: 'ECDH-ES', enc: 'A128GCM', kid: jwk.kid, ...header }))
      .encrypt(await importJWK(jwk, 'ECDH-ES'));
  }

  /** Sends a JWE to an endpoint. */
  send(operationId: string, token: string, text: string): Promise<Answer> {
    return this.#server.call(operationId, { token, text, contentType: 'application/jwt' });
  }

  /** Decrypts an answer. */
  async open({ body, headers }: Answer) {
    if (headers.get('content-type') !== 'application/jwt') throw new Error(`Not encrypted: ${JSON.stringify(body)}`);
    const { plaintext, protectedHeader } = await compactDecrypt(body, this.#privateKey, {
      maxDecompressedLength: Infinity,
    });
    return { header: protectedHeader, members: JSON.parse(Buffer.from(plaintext).toString()) };
  }
}

const withoutUndefined = (header: Json) =>
  Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined)) as {
    alg: string;
    enc: string;
  };

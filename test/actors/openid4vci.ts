import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GRANT, type HolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { type Answer, type ServerOptions, startServer, type TestServer } from '../support/servers/server.ts';
import { OfferWriter, type WrittenOffer } from '../support/stores/offer-writer.ts';
import { proofOf } from './wallet.ts';

type Json = Record<string, unknown>;

/** The configuration of the degree. */
export const DEGREE = 'UniversityDegree_jwt_vc_json';

/** A server that offers credentials over OpenID4VCI 1.0, and a wallet that redeems them step by step. */
export class FinalIssuance {
  readonly server: TestServer;
  readonly issuer: Issuer;
  readonly #writer: OfferWriter;
  readonly #dataDir: string;

  private constructor(parts: { server: TestServer; issuer: Issuer; writer: OfferWriter; dataDir: string }) {
    this.server = parts.server;
    this.issuer = parts.issuer;
    this.#writer = parts.writer;
    this.#dataDir = parts.dataDir;
  }

  static async start(options: ServerOptions = {}): Promise<FinalIssuance> {
    const dataDir = await mkdtemp(join(tmpdir(), 'credenza-final-'));
    const server = await startServer({ ...options, store: 'sqlite', dataDir });
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    return new FinalIssuance({ server, issuer, dataDir, writer: await OfferWriter.open(server) });
  }

  /** Another instance on the store of the first one. */
  static startBeside(first: FinalIssuance, options: ServerOptions = {}): Promise<TestServer> {
    return startServer({ ...options, store: 'sqlite', dataDir: first.#dataDir });
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.server.close();
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  /** An offer of the degree; `changes` are members of the offer. */
  offer(changes: Json = {}): Promise<WrittenOffer> {
    return this.#writer.offer({ content: degree(this.issuer), ttlSeconds: 900, ...changes });
  }

  redeem(code: string, form: Record<string, string> = {}): Promise<Answer> {
    return this.server.call('requestOpenid4vciToken', {
      form: { grant_type: GRANT, 'pre-authorized_code': code, ...form },
    });
  }

  /** The access token of a new offer. */
  async access(changes: Json = {}): Promise<string> {
    return (await this.redeem((await this.offer(changes)).code)).body.access_token;
  }

  async nonce(): Promise<string> {
    return (await this.server.call('requestOpenid4vciNonce')).body.c_nonce;
  }

  /** A proof for this issuer; `header` and `claims` replace single members. */
  proof(holder: HolderKey, { nonce, header, claims }: { nonce?: string; header?: Json; claims?: Json }): string {
    const aud = `${this.server.url}/openid4vci`;
    return proofOf(this.server, holder, { nonce, header, claims: { aud, ...claims } }).jwt;
  }

  claim(token: string, json: Json): Promise<Answer> {
    return this.server.call('requestOpenid4vciCredential', { token, json });
  }

  /** Claims the degree for some holders, with a fresh nonce. */
  async claimFor(token: string, holders: HolderKey[], nonce?: string): Promise<Answer> {
    const good = nonce ?? (await this.nonce());
    const jwt = holders.map((holder) => this.proof(holder, { nonce: good }));
    return this.claim(token, { credential_configuration_id: DEGREE, proofs: { jwt } });
  }
}

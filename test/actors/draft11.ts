import { GRANT, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer } from '../../demo/actors/issuer.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import { offerId } from './issuance.ts';
import { proofOf } from './wallet.ts';

type Json = Record<string, unknown>;

/** Types of the degree. */
export const DEGREE_TYPES = ['VerifiableCredential', 'UniversityDegree'];

/** A wallet of draft 11 and its holder, written against the draft. */
export class Draft11Wallet {
  readonly holder = makeHolderKey();
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** An offer of one request, or of a list of them, as the wallet reads it. */
  async offer(request: Json | Json[], operationId = 'issueJwtCredential'): Promise<Json & { code: string }> {
    const json = Array.isArray(request) ? request.map(ofDraft11) : ofDraft11(request);
    const answer = await this.#server.call(operationId, { json });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    const { body } = await this.#server.call('getDraft11Offer', { query: { id: offerId(answer.body) } });
    return { ...body, code: body.grants[GRANT]?.['pre-authorized_code'] };
  }

  /** An offer of the degree. */
  degree(issuer: Issuer, changes: Json = {}): Promise<Json & { code: string }> {
    return this.offer(degree(issuer, changes));
  }

  redeem(code: string, form: Record<string, string> = {}): Promise<Answer> {
    return this.#server.call('requestDraft11Token', {
      form: { grant_type: GRANT, 'pre-authorized_code': code, ...form },
    });
  }

  proof(nonce: string | undefined, claims: Json = {}): Json {
    return proofOf(this.#server, this.holder, { nonce, claims: { aud: `${this.#server.url}/draft11`, ...claims } });
  }

  /** A request for the degree. */
  asked(nonce: string | undefined, changes: Json = {}): Json {
    return { format: 'jwt_vc_json', types: DEGREE_TYPES, proof: this.proof(nonce), ...changes };
  }

  claim(token: string, json: unknown): Promise<Answer> {
    return this.#server.call('requestDraft11Credential', { token, json });
  }

  claimAll(token: string, requests: unknown): Promise<Answer> {
    return this.#server.call('requestDraft11CredentialBatch', { token, json: { credential_requests: requests } });
  }

  /** Claims a deferred credential. */
  collect(acceptanceToken: string): Promise<Answer> {
    return this.#server.call('requestDraft11DeferredCredential', { token: acceptanceToken });
  }
}

const ofDraft11 = (request: Json): Json => ({ standardVersion: 'DRAFT11', ...request });

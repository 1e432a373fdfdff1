import { randomBytes, randomUUID } from 'node:crypto';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { HttpPeer, type PeerReply, type PeerRequest } from '../../actors/http-peer.ts';

type Json = Record<string, unknown>;

interface Job {
  document: Json;
  payload: string;
}

/** How the registrar fails: at the first call, or at the one with the signature. */
export type RegistrarFault =
  | 'refuses'
  | 'fails'
  | 'hangs'
  | 'nonsense'
  | 'hangs at the end'
  | 'other DID'
  | 'other key';

/**
 * A registrar and resolver of did:cheqd on loopback, in memory. It registers a document only with a signature over its
 * payload by the key of that document, which it verifies with WebCrypto.
 */
export class TestRegistrar {
  readonly documents = new Map<string, Json>();
  fault: RegistrarFault | undefined;
  readonly #jobs = new Map<string, Job>();
  readonly #peer = new HttpPeer();

  async listen(): Promise<this> {
    await this.#peer.listen();
    this.#peer.routes['/1.0/create'] = (request) => this.#create(request);
    return this;
  }

  get url(): string {
    return `${this.#peer.url}/1.0`;
  }

  get requests(): PeerRequest[] {
    return this.#peer.seen;
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  async #create({ method, url, body }: PeerRequest): Promise<PeerReply | undefined> {
    const { didDocument: document, options, secret, jobId } = JSON.parse(body);
    if (method !== 'POST' || url.searchParams.get('method') !== 'cheqd' || options?.clientSecretMode !== true)
      return failed(400, 'the request is not one of the client-managed secret mode');
    if (this.fault === 'hangs') return undefined;
    if (this.fault === 'nonsense') return { body: '<html>' };
    if (this.fault === 'refuses') return failed(400, `the network ${options.network} is unknown`);
    if (this.fault === 'fails') return failed(500, 'the network is down');
    if (typeof jobId !== 'string') return this.#begin(document, options);
    const job = this.#jobs.get(jobId);
    this.#jobs.delete(jobId);
    return job ? this.#finish(job, secret?.signingResponse) : failed(400, 'there is no such job');
  }

  #begin(document: Json, { network }: Json): PeerReply {
    const { id, verificationMethod: [method] = [] } = document as { id?: string; verificationMethod?: Json[] };
    if (!new RegExp(`^did:cheqd:${network}:[0-9a-f-]{36}$`).test(id ?? '') || !method)
      return failed(400, 'the document has no DID of the network');
    const jobId = randomUUID();
    const payload = randomBytes(40).toString('base64');
    this.#jobs.set(jobId, { document, payload });
    const signingRequest = { signingRequest0: { kid: method.id, alg: 'EdDSA', serializedPayload: payload } };
    return { body: { jobId, didState: { did: id, state: 'action', action: 'signPayload', signingRequest } } };
  }

  async #finish(
    { document, payload }: Job,
    response: Record<string, Json> | undefined,
  ): Promise<PeerReply | undefined> {
    const [method] = document.verificationMethod as [{ id: string; publicKeyJwk: JWK }];
    const { kid, signature } = response?.signingRequest0 ?? {};
    if (this.fault === 'hangs at the end') return undefined;
    if (kid !== method.id || !(await isSigned(method.publicKeyJwk, payload, String(signature))))
      return failed(400, 'the signature is not valid');
    const did = this.fault === 'other DID' ? `did:cheqd:mainnet:${randomUUID()}` : String(document.id);
    const registered = this.fault === 'other key' ? { ...document, assertionMethod: [] } : document;
    this.documents.set(did, registered);
    this.#peer.routes[`/1.0/identifiers/${did}`] = () => this.#resolve(did);
    return { status: 201, body: { jobId: null, didState: { did, state: 'finished', didDocument: registered } } };
  }

  #resolve(did: string): PeerReply {
    const didDocument = this.documents.get(did);
    const didResolutionMetadata = { contentType: 'application/did+ld+json' };
    return { body: { didDocument, didResolutionMetadata, didDocumentMetadata: {} } };
  }
}

const failed = (status: number, reason: string): PeerReply => ({
  status,
  body: { didState: { state: 'failed', reason } },
});

/** Whether a signature over the payload is valid under the key. */
async function isSigned(jwk: JWK, payload: string, signature: string): Promise<boolean> {
  const key = (await importJWK(jwk, 'EdDSA')) as CryptoKey;
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  return crypto.subtle.verify('Ed25519', key, bytes(signature), bytes(payload));
}

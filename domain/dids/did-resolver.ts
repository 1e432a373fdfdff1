import type { DidKeys, KeyPurpose } from '../../ports/did-keys.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, type JsonObject, memoryOf } from '../foundation/json.ts';
import { LruCache } from '../foundation/lru-cache.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { checkDidLength } from '../network/document-bounds.ts';
import { keyInDocument, keysInDocument } from './did-document.ts';
import { containsKey, didDocument, publicKeyOfDid } from './did-methods.ts';

/** The resolver of network-bound methods (did-registrar.conf). */
interface NetworkResolver {
  /** Absent when there is none. */
  resolverUrl?: string;
  methods: readonly string[];
}

/** Resolves did:key and did:jwk by decoding them, did:web by fetching its document, all others by an HTTP resolver. */
export class DidResolver implements DidKeys {
  readonly #spelledOut = new LruCache<PublicJwk>('did-keys');

  constructor(
    private readonly outbound: Outbound,
    private readonly network: NetworkResolver = { methods: [] },
  ) {}

  key(didUrl: string, purpose: KeyPurpose): Promise<PublicJwk> {
    return this.#key(didUrl, purpose, (did) => this.#fetch(did));
  }

  /** Returns all keys that a DID has for a purpose. @throws DomainError as `DidKeys.key` */
  async keys(did: string, purpose: KeyPurpose): Promise<PublicJwk[]> {
    return this.#resolve(did, {
      spelledOut: (jwk) => [jwk],
      fetched: async () => keysInDocument(await this.#fetch(did), did, purpose),
    });
  }

  /** Returns the document of a DID. @throws DomainError as `DidKeys.key` */
  async document(did: string): Promise<JsonObject> {
    return this.#resolve(did, {
      spelledOut: (jwk) => didDocument(did, jwk),
      fetched: async () => {
        const document = await this.#fetch(did);
        if (isObject(document) && document.id === did) return document;
        throw new DomainError('BadRequest', `The document of ${did.slice(0, 120)} is another DID's`);
      },
    });
  }

  /** Returns a resolver that fetches each document once, for the tokens of one submission. */
  forOneSubmission(): DidKeys {
    const fetched = new Map<string, Promise<unknown>>();
    const fetch = (did: string): Promise<unknown> => {
      const known = fetched.get(did) ?? this.#fetch(did);
      fetched.set(did, known);
      return known;
    };
    return { key: (didUrl, purpose) => this.#key(didUrl, purpose, fetch) };
  }

  async #key(didUrl: string, purpose: KeyPurpose, fetch: (did: string) => Promise<unknown>): Promise<PublicJwk> {
    return this.#resolve(didUrl, {
      spelledOut: (jwk) => jwk,
      fetched: async (did) => keyInDocument(await fetch(did), didUrl, purpose),
    });
  }

  /** Dispatches by DID method: did:jwk and did:key are decoded, the documents of all others are fetched. */
  async #resolve<T>(
    didUrl: string,
    { spelledOut, fetched }: { spelledOut: (jwk: PublicJwk) => T; fetched: (did: string) => Promise<T> },
  ): Promise<T> {
    checkDidLength(didUrl);
    const [did = ''] = didUrl.split('#');
    if (containsKey(did)) return spelledOut(this.#readOut(did));
    this.#requireSupported(did);
    return fetched(did);
  }

  #readOut(did: string): PublicJwk {
    const known = this.#spelledOut.get(did);
    if (known) return known;
    const jwk = publicKeyOfDid(did);
    return this.#spelledOut.set(did, jwk, { bytes: memoryOf(jwk) });
  }

  /** @throws DomainError `BadRequest` for a method that cannot be resolved here */
  #requireSupported(did: string): void {
    const { methods, resolverUrl } = this.network;
    const method = did.split(':')[1] ?? '';
    if (method === 'web' || (methods.includes(method) && resolverUrl !== undefined)) return;
    const reason = methods.includes(method)
      ? 'needs a resolver, and did-registrar.conf names none'
      : 'is not supported';
    throw new DomainError('BadRequest', `The DID method of ${did.slice(0, 80)} ${reason}`);
  }

  async #fetch(did: string): Promise<unknown> {
    const isWeb = did.startsWith('did:web:');
    const url = isWeb ? documentUrl(did) : resolutionUrl(this.network.resolverUrl ?? '', did);
    const expects = isWeb ? 'did-document' : 'did-resolution';
    const headers = { accept: isWeb ? 'application/did+json, application/json' : RESOLUTION };
    const reply = await this.outbound.send({ method: 'GET', url, expects, headers });
    // Our own registries answer so for a DID that was deactivated.
    if (isWeb && reply.status === 410) throw deactivated(did);
    if (reply.status !== 200)
      throw new DomainError('UpstreamFailed', `The document of ${did.slice(0, 120)} was answered with ${reply.status}`);
    const body = parseJson(fromUtf8(reply.body));
    return isWeb ? body : resolvedDocument(did, body);
  }
}

/** A resolution result, or a document alone. */
const RESOLUTION =
  'application/did-resolution, application/ld+json;profile="https://w3id.org/did-resolution", application/did+json, application/json';

const resolutionUrl = (base: string, did: string): string =>
  `${base}${base.endsWith('/') ? '' : '/'}identifiers/${encodeURIComponent(did).replaceAll('%3A', ':')}`;

/** The document of a resolution result (DID Resolution §4). @throws DomainError `BadRequest` for a deactivated DID */
function resolvedDocument(did: string, body: unknown): unknown {
  if (!isObject(body) || body.didDocument === undefined) return body;
  const { didDocumentMetadata: metadata } = body;
  if (isObject(metadata) && metadata.deactivated === true) throw deactivated(did);
  return body.didDocument;
}

const deactivated = (did: string): DomainError => new DomainError('BadRequest', `${did.slice(0, 120)} is deactivated`);

/** did:web §3.2; plain http only for a host on this machine, which the network guard refuses unless it is allowed. */
function documentUrl(did: string): string {
  const [domain = '', ...path] = did.slice('did:web:'.length).split(':').map(decodePart);
  if (!/^[A-Za-z0-9.-]+(:\d{1,5})?$/.test(domain)) throw new DomainError('BadRequest', 'The DID names no domain');
  const scheme = /^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?$/.test(domain) ? 'http' : 'https';
  const segments = path.length === 0 ? ['.well-known'] : path.map(encodeURIComponent);
  return `${scheme}://${domain}/${segments.join('/')}/did.json`;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DomainError('BadRequest', 'The DID is not well-formed');
  }
}

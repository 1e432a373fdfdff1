import type { DidKeys, KeyPurpose } from '../../ports/did-keys.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { memoryOf } from '../foundation/json.ts';
import { LruCache } from '../foundation/lru-cache.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { checkDidLength } from '../network/document-bounds.ts';
import { keyInDocument, keysInDocument } from './did-document.ts';
import { publicKeyOfDid } from './did-methods.ts';

/** Resolves did:key and did:jwk by decoding them, did:web by fetching its document. */
export class DidResolver implements DidKeys {
  readonly #outbound: Outbound;
  readonly #spelledOut = new LruCache<PublicJwk>('did-keys');

  constructor(outbound: Outbound) {
    this.#outbound = outbound;
  }

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

  /** Dispatches by DID method: did:jwk and did:key are decoded, the document of did:web is fetched. */
  async #resolve<T>(
    didUrl: string,
    { spelledOut, fetched }: { spelledOut: (jwk: PublicJwk) => T; fetched: (did: string) => Promise<T> },
  ): Promise<T> {
    checkDidLength(didUrl);
    const [did = ''] = didUrl.split('#');
    if (/^did:(jwk|key):/.test(did)) return spelledOut(this.#readOut(did));
    if (!did.startsWith('did:web:'))
      throw new DomainError('BadRequest', `The DID method of ${did.slice(0, 80)} is not supported`);
    return fetched(did);
  }

  #readOut(did: string): PublicJwk {
    const known = this.#spelledOut.get(did);
    if (known) return known;
    const jwk = publicKeyOfDid(did);
    return this.#spelledOut.set(did, jwk, { bytes: memoryOf(jwk) });
  }

  async #fetch(did: string): Promise<unknown> {
    const url = documentUrl(did);
    const headers = { accept: 'application/did+json, application/json' };
    const reply = await this.#outbound.send({ method: 'GET', url, expects: 'did-document', headers });
    if (reply.status !== 200)
      throw new DomainError('UpstreamFailed', `The document of ${did.slice(0, 120)} was answered with ${reply.status}`);
    return parseJson(fromUtf8(reply.body));
  }
}

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

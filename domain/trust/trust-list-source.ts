import type { Certificates } from '../../ports/certificates.ts';
import type { SignedTrustList, TrustListReader } from '../../ports/codecs/trust-lists.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import { base64, fromBase64, utf8 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { type Loaded, TimedCache } from '../foundation/timed-cache.ts';
import { anchorsOf, type ListSigners, type TrustedList, verifiedContent } from './list-anchors.ts';

/** The kinds of lists: VICAL (ISO 18013-5 Annex C), and the lists of ETSI TS 119 612 and TS 119 602. */
export type ListKind = 'vical' | 'etsi';

/** Whether a source of a list is its URL. */
export const isListUrl = (source: string | Uint8Array): source is string =>
  typeof source === 'string' && /^https?:\/\//i.test(source);

/** What is asked of a list; without signers its signature is not looked at. */
export interface ListRequest {
  kind: ListKind;
  signers?: ListSigners;
}

export interface TrustListParts {
  outbound: Outbound;
  clock: Clock;
  certificates: Certificates;
  readers: Readonly<Record<ListKind, TrustListReader>>;
}

const KEPT_MS = 3600_000;
const FAILURE_KEPT_MS = 30_000;
/** Memory of a parsed certificate as a multiple of its DER, and of a list entry in bytes (estimates). */
const READ_FACTOR = 8;
const ENTRY_BYTES = 1024;

const ACCEPT: Readonly<Record<ListKind, string>> = {
  vical: 'application/cbor, application/octet-stream, */*;q=0.1',
  etsi: 'application/vnd.etsi.tsl+xml, application/xml, application/jwt, application/jose, */*;q=0.1',
};

/** The URL of a list, or the list itself, and its signers as text, since one list may be asked for with other signers. */
interface CacheKey {
  kind: ListKind;
  source: string;
  /** DER in base64. */
  signers?: string[];
}

/** Lists of trusted authorities: parsed, verified, and cached for an hour when they are fetched. */
export class TrustListSource {
  readonly #cache: TimedCache<TrustedList>;

  constructor(private readonly parts: TrustListParts) {
    const { clock } = parts;
    const load = (key: string) => this.#load(key);
    this.#cache = new TimedCache({ name: 'trust-lists', load, failureTtlMs: FAILURE_KEPT_MS, clock });
  }

  /**
   * The list at a URL; whether it is out of date is not judged.
   * @throws DomainError `BadRequest` when it is no list or not signed by a signer, as `Outbound.send`
   */
  fetch(url: string, request: ListRequest): Promise<TrustedList> {
    return this.#cache.get(keyOf(url, request), new URL(url).host);
  }

  /** The list at a URL as `fetch`, or one that is text, in the share of an owner. @throws DomainError as `fetch` */
  kept(source: string, request: ListRequest, owner: string): Promise<TrustedList> {
    return isListUrl(source) ? this.fetch(source, request) : this.#cache.get(keyOf(source, request), owner);
  }

  /** The list at a URL as its publisher has it now; when it cannot be read, what is cached stays. @throws DomainError as `fetch` */
  async refreshed(source: string, request: ListRequest): Promise<TrustedList> {
    if (!isListUrl(source)) return this.read(utf8(source), request);
    const list = await this.read(await this.download(source, request.kind), request);
    this.#cache.forget(keyOf(source, request), new URL(source).host);
    return list;
  }

  /** Reads a list. @throws DomainError `BadRequest` when it is no list or not signed by a signer */
  async read(bytes: Uint8Array, { kind, signers }: ListRequest): Promise<TrustedList> {
    const { certificates, clock } = this.parts;
    const signed = await this.parse(bytes, kind);
    const judgement = { certificates, now: clock.now() };
    const content = signers ? await verifiedContent(signed, signers, judgement) : signed.content();
    return anchorsOf(content, certificates);
  }

  /** Parses a list; nothing is verified. @throws DomainError `BadRequest` when it is none */
  parse(bytes: Uint8Array, kind: ListKind): Promise<SignedTrustList> {
    return this.parts.readers[kind].parse(bytes);
  }

  /** The bytes of a list at a URL that is not cached. @throws DomainError as `Outbound.send`, `UpstreamFailed` */
  async download(url: string, kind: ListKind): Promise<Uint8Array> {
    const { outbound } = this.parts;
    const reply = await outbound.send({ method: 'GET', url, expects: 'trust-list', headers: { accept: ACCEPT[kind] } });
    if (reply.status === 200) return reply.body;
    throw new DomainError('UpstreamFailed', `The trust list was answered with ${reply.status}`);
  }

  async #load(key: string): Promise<Loaded<TrustedList>> {
    const { kind, source, signers } = parseJson(key) as CacheKey;
    const { certificates } = this.parts;
    const parsed = signers?.flatMap((text) => certificates.parse(fromBase64(text) ?? new Uint8Array()));
    const bytes = isListUrl(source) ? await this.download(source, kind) : utf8(source);
    const value = await this.read(bytes, { kind, signers: parsed });
    const size = value.anchors.reduce(
      (sum, { certificate }) => sum + READ_FACTOR * certificate.der.length + ENTRY_BYTES,
      ENTRY_BYTES,
    );
    return { value, ttlMs: KEPT_MS, bytes: size };
  }
}

function keyOf(source: string, { kind, signers }: ListRequest): string {
  const key: CacheKey = { kind, source, ...(signers && { signers: signers.map(({ der }) => base64(der)) }) };
  return JSON.stringify(key);
}

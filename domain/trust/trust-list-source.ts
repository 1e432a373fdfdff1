import type { Certificates } from '../../ports/certificates.ts';
import type { SignedTrustList, TrustListReader } from '../../ports/codecs/trust-lists.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import { base64, fromBase64 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { type Loaded, TimedCache } from '../foundation/timed-cache.ts';
import { anchorsOf, type ListSigners, type TrustedList, verifiedContent } from './list-anchors.ts';

/** The kinds of lists: VICAL (ISO 18013-5 Annex C), and the lists of ETSI TS 119 612 and TS 119 602. */
export type ListKind = 'vical' | 'etsi';

/** What is asked of a list; without signers its signature is not looked at. */
interface ListRequest {
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

/** The URL and the signers of a list as text, since one list may be asked for with other signers. */
interface CacheKey {
  kind: ListKind;
  url: string;
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
  fetch(url: string, { kind, signers }: ListRequest): Promise<TrustedList> {
    const key: CacheKey = { kind, url, ...(signers && { signers: signers.map(({ der }) => base64(der)) }) };
    return this.#cache.get(JSON.stringify(key), new URL(url).host);
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
    const { kind, url, signers } = parseJson(key) as CacheKey;
    const { certificates } = this.parts;
    const parsed = signers?.flatMap((text) => certificates.parse(fromBase64(text) ?? new Uint8Array()));
    const value = await this.read(await this.download(url, kind), { kind, signers: parsed });
    const bytes = value.anchors.reduce(
      (sum, { certificate }) => sum + READ_FACTOR * certificate.der.length + ENTRY_BYTES,
      ENTRY_BYTES,
    );
    return { value, ttlMs: KEPT_MS, bytes };
  }
}

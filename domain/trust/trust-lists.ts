import type { ParsedCertificate } from '../../ports/certificates.ts';
import { fromBase64, utf8 } from '../foundation/bytes.ts';
import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { derOfPem } from '../x509/pem.ts';
import { type ChainQuestion, decideChain, type TrustDecision } from './chain-trust.ts';
import { LIST_VIOLATIONS, type ListSigners, listViolation, type TrustedList } from './list-anchors.ts';
import { issuingAnchors } from './listed-services.ts';
import type { TrustAnchor, TrustAnchors } from './trust-anchors.ts';
import {
  isListUrl,
  type ListKind,
  type ListRequest,
  type TrustListParts,
  TrustListSource,
} from './trust-list-source.ts';

/** A list of the configuration: its signers and the authorities above them, in PEM. */
export interface ConfiguredList {
  kind: ListKind;
  url: string;
  signers: readonly string[];
}

/** Where a list is, and who may sign it. */
export interface WantedList {
  kind: ListKind;
  /** Its URL, or the list itself. */
  source: string | Uint8Array;
  /** In PEM or base64 DER, beside those of the configuration. */
  signers?: readonly string[];
  /** Whether the list is read without a look at its signature. */
  isUnsigned?: boolean;
}

/** A list that a verifier believes regardless of what a request names. */
export interface BelievedList extends WantedList {
  source: string;
  /** What its registry calls it; absent for a list of the configuration. */
  sourceId?: string;
  /** In whose share of the cache a list that is text is kept. */
  owner?: string;
}

/** When a list is judged, in milliseconds since the epoch, and whether it counts when its next update is overdue. */
interface ListMoment {
  now: number;
  allowsStale?: boolean;
}

const MAX_SIGNERS = 16;
const MAX_SIGNER_CHARACTERS = 16 * 1024;

/** Reads signers of lists: at most 16 certificates in PEM or base64 DER. @throws DomainError `BadRequest` */
export function readSignerTexts(value: unknown): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_SIGNERS)
    throw invalidField([], `must be a list of at most ${MAX_SIGNERS} certificates`);
  return value.map((text: unknown, index) => {
    if (isText(text) && text.length <= MAX_SIGNER_CHARACTERS && derOf(text)) return text;
    throw invalidField([index], 'must be a certificate in PEM form or its DER in base64');
  });
}

const derOf = (text: string): Uint8Array | undefined => derOfPem(text) ?? fromBase64(text.replaceAll(/\s/g, ''));

export interface TrustListsParts extends TrustListParts {
  configured: readonly ConfiguredList[];
}

/** Lists of trusted authorities: those of the configuration, and those that policies name. */
export class TrustLists {
  readonly #source: TrustListSource;

  constructor(private readonly parts: TrustListsParts) {
    this.#source = new TrustListSource(parts);
  }

  get source(): TrustListSource {
    return this.#source;
  }

  /** The ETSI lists of the configuration. */
  get etsi(): BelievedList[] {
    return believed(this.parts.configured.filter(({ kind }) => kind === 'etsi'));
  }

  /** Decides on a chain. */
  decide(question: ChainQuestion): TrustDecision {
    return decideChain(question, this.parts.certificates);
  }

  /** Parses certificates of signers. @throws DomainError `BadRequest` naming the one that is none */
  signers(texts: readonly string[]): ParsedCertificate[] {
    return texts.map((text, index) => {
      try {
        return this.parts.certificates.parse(derOf(text) ?? new Uint8Array());
      } catch (error) {
        if (!isDomainError(error, 'BadRequest')) throw error;
        throw invalidField([index], 'is not an X.509 certificate');
      }
    });
  }

  /** Whether a signer of the list is known. */
  hasSigners(wanted: WantedList): boolean {
    return this.#signersOf(wanted).length > 0;
  }

  /**
   * Reads a list. Without signers it is refused, unless it may be unsigned. Whether it is out of date is not judged.
   * @throws DomainError `BadRequest` when it is no list or not signed by a signer, as `Outbound.send`
   */
  read(wanted: WantedList & Pick<BelievedList, 'owner'>): Promise<TrustedList> {
    const { source, owner } = wanted;
    const request = this.#requestOf(wanted);
    if (isListUrl(source)) return this.#source.fetch(source, request);
    if (typeof source !== 'string') return this.#source.read(source, request);
    return owner === undefined ? this.#source.read(utf8(source), request) : this.#source.kept(source, request, owner);
  }

  /** As `read`. @throws DomainError `BadRequest` also when the list does not count at that time, as `Outbound.send` */
  async usable(
    wanted: WantedList & Pick<BelievedList, 'owner'>,
    { now, allowsStale }: ListMoment,
  ): Promise<TrustedList> {
    const list = await this.read(wanted);
    const violation = listViolation(list, now);
    if (violation === undefined || (violation === 'stale' && allowsStale)) return list;
    throw new DomainError('BadRequest', LIST_VIOLATIONS[violation]);
  }

  /** As `read`, but a list at a URL comes from its publisher, and so does the next one that is read. */
  refreshed(wanted: WantedList & { source: string }): Promise<TrustedList> {
    return this.#source.refreshed(wanted.source, this.#requestOf(wanted));
  }

  /** The anchors of the lists of the configuration and of others, and why those that are missing could not be read. */
  async anchors(now: number, others: readonly BelievedList[] = []): Promise<TrustAnchors> {
    return this.anchorsOf([...believed(this.parts.configured), ...others], now);
  }

  /** The anchors of lists, and why those that are missing could not be read. */
  async anchorsOf(lists: readonly BelievedList[], now: number): Promise<TrustAnchors> {
    const read = await Promise.all(lists.map((list) => this.#anchors(list, now)));
    return {
      anchors: read.flatMap((found) => (typeof found === 'string' ? [] : found)),
      missing: read.filter((found) => typeof found === 'string'),
    };
  }

  /** The anchors of the ETSI lists of the configuration at these URLs; of a list that cannot be read, none. */
  async anchorsAt(urls: readonly string[], now: number): Promise<Map<string, readonly TrustAnchor[]>> {
    const wanted = this.etsi.filter(({ source }) => urls.includes(source));
    const found = wanted.map(async (list) => [list.source, (await this.anchorsOf([list], now)).anchors] as const);
    return new Map(await Promise.all(found));
  }

  /** The ETSI lists of the configuration that can be read and are not out of date, with services of all kinds. */
  async etsiLists(now: number): Promise<TrustedList[]> {
    const read = await Promise.all(this.etsi.map((list) => this.usableOrWhyNot(list, now)));
    return read.filter((found) => typeof found !== 'string');
  }

  /** A list that counts now, or a sentence that says why it does not. */
  async usableOrWhyNot(list: BelievedList, now: number): Promise<TrustedList | string> {
    try {
      return await this.usable(list, { now });
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return error.message;
    }
  }

  async #anchors(list: BelievedList, now: number): Promise<readonly TrustAnchor[] | string> {
    const read = await this.usableOrWhyNot(list, now);
    const anchors = typeof read === 'string' ? [] : (issuingAnchors(read, { now }) ?? []);
    // Without any anchor a verifier may believe more than with a list that names no issuer.
    if (anchors.length > 0) return anchors;
    return `${typeof read === 'string' ? read : 'The trust list names no issuer now'} (${list.sourceId ?? list.source})`;
  }

  #requestOf(wanted: WantedList): ListRequest {
    return { kind: wanted.kind, signers: wanted.isUnsigned ? undefined : this.#signersOf(wanted) };
  }

  #signersOf({ kind, source, signers = [] }: WantedList): ListSigners {
    const own = this.parts.configured.filter((list) => list.kind === kind && list.url === source);
    return this.signers([...own.flatMap((list) => list.signers), ...signers]);
  }
}

const believed = (lists: readonly ConfiguredList[]): BelievedList[] =>
  lists.map(({ kind, url }) => ({ kind, source: url }));

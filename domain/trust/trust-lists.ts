import type { ParsedCertificate } from '../../ports/certificates.ts';
import { fromBase64, utf8 } from '../foundation/bytes.ts';
import { invalidField, isDomainError } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { derOfPem } from '../x509/pem.ts';
import { type ChainQuestion, decideChain, type TrustDecision } from './chain-trust.ts';
import { LIST_VIOLATIONS, type ListSigners, listViolation, type TrustedList } from './list-anchors.ts';
import { isIssuing } from './listed-services.ts';
import type { TrustAnchor } from './trust-anchors.ts';
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

  /** The URLs of the ETSI lists of the configuration. */
  get etsiUrls(): string[] {
    return this.parts.configured.filter(({ kind }) => kind === 'etsi').map(({ url }) => url);
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
  read(wanted: WantedList): Promise<TrustedList> {
    const { source } = wanted;
    const request = this.#requestOf(wanted);
    if (isListUrl(source)) return this.#source.fetch(source, request);
    return this.#source.read(typeof source === 'string' ? utf8(source) : source, request);
  }

  /** As `read`, but a list that is text is kept too, in the share of an owner. */
  kept(wanted: WantedList & { source: string }, owner: string): Promise<TrustedList> {
    return this.#source.kept(wanted.source, this.#requestOf(wanted), owner);
  }

  /** As `read`, but a list at a URL comes from its publisher, and so does the next one that is read. */
  refreshed(wanted: WantedList & { source: string }): Promise<TrustedList> {
    return this.#source.refreshed(wanted.source, this.#requestOf(wanted));
  }

  /** The anchors of the lists of the configuration, and why those that are missing could not be read. */
  async configuredAnchors(now: number): Promise<{ anchors: TrustAnchor[]; missing: string[] }> {
    const read = await Promise.all(this.parts.configured.map((list) => this.#configured(list, now)));
    return {
      anchors: read.flatMap((found) => (typeof found === 'string' ? [] : issuingAnchors(found, now))),
      missing: read.filter((found) => typeof found === 'string'),
    };
  }

  /** The anchors of the ETSI lists of the configuration at these URLs; of a list that cannot be read, none. */
  async anchorsAt(urls: readonly string[], now: number): Promise<Map<string, readonly TrustAnchor[]>> {
    const wanted = this.parts.configured.filter(({ kind, url }) => kind === 'etsi' && urls.includes(url));
    const found = wanted.map(async (list) => [list.url, await this.#configured(list, now)] as const);
    return new Map(
      (await Promise.all(found)).flatMap(([url, list]) =>
        typeof list === 'string' ? [] : [[url, issuingAnchors(list, now)]],
      ),
    );
  }

  /** The ETSI lists of the configuration that can be read and are not out of date, with services of all kinds. */
  async etsiLists(now: number): Promise<TrustedList[]> {
    const etsi = this.parts.configured.filter(({ kind }) => kind === 'etsi');
    const read = await Promise.all(etsi.map((list) => this.#configured(list, now)));
    return read.filter((found) => typeof found !== 'string');
  }

  async #configured({ kind, url }: ConfiguredList, now: number): Promise<TrustedList | string> {
    try {
      const list = await this.read({ kind, source: url });
      const violation = listViolation(list, now);
      return violation === undefined ? list : `${LIST_VIOLATIONS[violation]} (${url})`;
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return `${error.message} (${url})`;
    }
  }

  #requestOf(wanted: WantedList): ListRequest {
    return { kind: wanted.kind, signers: wanted.isUnsigned ? undefined : this.#signersOf(wanted) };
  }

  #signersOf({ kind, source, signers = [] }: WantedList): ListSigners {
    const own = this.parts.configured.filter((list) => list.kind === kind && list.url === source);
    return this.signers([...own.flatMap((list) => list.signers), ...signers]);
  }
}

/** The anchors of the services that issue now. */
const issuingAnchors = ({ anchors }: TrustedList, now: number): TrustAnchor[] =>
  anchors.filter((anchor) => isIssuing(anchor, { now }));

import { createPublicKey } from 'node:crypto';
import { fromBase64, fromUtf8 } from '../../domain/foundation/bytes.ts';
import { isObject, isText } from '../../domain/foundation/json.ts';
import { parseJson } from '../../domain/foundation/strict-json.ts';
import { parseJws, verifyJws } from '../../domain/jose/jws.ts';
import type { SignedTrustList, TrustListReader } from '../../ports/codecs/trust-lists.ts';
import { DOCUMENTS } from '../../ports/documents.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { readJsonList } from './json-list.ts';
import { refusedList } from './xml-elements.ts';
import { XmlLists } from './xml-thread.ts';

const MAX_CERTIFICATES = 10;
/** The most values and names of members of a list in JSON. */
const MAX_VALUES = 50_000;

/**
 * Parses the lists of ETSI: XML with an enveloped signature (TS 119 612), JSON in a compact JWS (TS 119 602), and JSON
 * without a signature.
 */
export class EtsiLists implements TrustListReader {
  readonly #signatures: Signatures;
  readonly #xml: XmlLists;

  constructor({ signatures, script }: { signatures: Signatures; script?: URL }) {
    this.#signatures = signatures;
    this.#xml = new XmlLists({ script });
  }

  async parse(bytes: Uint8Array): Promise<SignedTrustList> {
    if (bytes.length > DOCUMENTS['trust-list'].maxBytes)
      throw refusedList(`may have at most ${DOCUMENTS['trust-list'].maxBytes} bytes`);
    const text = textOf(bytes);
    if (text.startsWith('<')) return this.#parseXml(text);
    if (text.startsWith('{')) return unsignedJson(text);
    return parseJwsList(text, this.#signatures);
  }

  async #parseXml(text: string): Promise<SignedTrustList> {
    const { chain, content } = await this.#xml.read({ text });
    return {
      chain,
      content: () => content ?? notRead(),
      verify: async (jwk) => (await this.#xml.read({ text, keyPem: pemOf(jwk) })).content,
    };
  }
}

/** UTF-8, with or without its mark. */
function textOf(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes)
      .replace(/^\uFEFF/, '')
      .trim();
  } catch {
    throw refusedList('is not UTF-8');
  }
}

const pemOf = (jwk: PublicJwk): string =>
  String(createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' }));

function notRead(): never {
  throw refusedList('cannot be read');
}

function unsignedJson(text: string): SignedTrustList {
  const document = parseJson(text, MAX_VALUES);
  if (!isObject(document)) throw refusedList('is not a JSON object');
  const content = readJsonList(document);
  return { chain: [], content: () => content, verify: async () => undefined };
}

function parseJwsList(text: string, signatures: Signatures): SignedTrustList {
  const jws = parseJws(text, 'The trust list', MAX_VALUES);
  const content = readJsonList(jws.payload);
  return {
    chain: chainOf(jws.header.x5c),
    content: () => content,
    verify: async (jwk) => ((await verifyJws(jws, jwk, signatures)) ? content : undefined),
  };
}

/** RFC 7515 §4.1.6. */
function chainOf(x5c: unknown): Uint8Array[] {
  if (x5c === undefined) return [];
  if (!Array.isArray(x5c) || x5c.length > MAX_CERTIFICATES) throw refusedList('has an x5c that is not a list');
  return x5c.map((text) => {
    const der = isText(text) ? fromBase64(text) : undefined;
    return der ?? notBase64();
  });
}

function notBase64(): never {
  throw refusedList('has an x5c whose certificates are not base64');
}

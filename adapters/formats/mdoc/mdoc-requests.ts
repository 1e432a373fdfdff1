import type * as Library from '@owf/mdoc';
import { base64url, fromBase64url } from '../../../domain/foundation/bytes.ts';
import { badRequest, DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type {
  MdocExchange,
  MdocRequests,
  ReaderKey,
  ReceivedDocument,
  RequestedDocument,
} from '../../../ports/codecs/mdoc-requests.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { checkDefiniteCbor } from './cbor-bounds.ts';
import { deviceKeyOf } from './cose.ts';
import { membersOf } from './device-signed.ts';
import type { Hpke } from './hpke.ts';
import { signAsReader } from './reader-authentication.ts';
import { sessionTranscript } from './session-transcript.ts';

const PROTOCOL = 'dcapi';

/** Requests and encrypted responses with @owf/mdoc, which is imported at first use. */
export class OwfMdocRequests implements MdocRequests {
  readonly #hpke: Hpke;

  constructor({ hpke }: { hpke: Hpke }) {
    this.#hpke = hpke;
  }

  async encryptionInfo({ nonce, jwk }: { nonce: Uint8Array; jwk: PublicJwk }): Promise<string> {
    const library = await import('@owf/mdoc');
    const parameters = new Map<string, unknown>([
      ['nonce', nonce],
      ['recipientPublicKey', deviceKeyOf(jwk, library).encodedStructure],
    ]);
    return base64url(library.cborEncode([PROTOCOL, parameters]));
  }

  async deviceRequest(
    documents: readonly RequestedDocument[],
    signed?: { reader: ReaderKey; exchange: MdocExchange },
  ): Promise<string> {
    const library = await import('@owf/mdoc');
    const items = documents.map((document) => itemsRequest(document, library));
    const members = signed
      ? await signAsReader(items, { ...signed, library })
      : new Map<string, unknown>([
          ['version', '1.0'],
          ['docRequests', items.map((item) => new Map([['itemsRequest', item]]))],
        ]);
    return base64url(library.cborEncode(members));
  }

  async open(
    response: string,
    { exchange, key }: { exchange: MdocExchange; key: Readonly<Record<string, unknown>> },
  ): Promise<ReceivedDocument[]> {
    const library = await import('@owf/mdoc');
    const { enc, ciphertext } = accepted(() => readEncrypted(response, library));
    const info = library.cborEncode(sessionTranscript(exchange, library));
    const opened = await this.#hpke.open({ enc, ciphertext, info }, key);
    return accepted(() => readDocuments(opened, library));
  }
}

/** The ItemsRequestBytes (ISO 18013-5 §8.3.2.1.2.1). The verifier says of no element that it means to keep it. */
function itemsRequest({ docType, elements }: RequestedDocument, { DataItem }: typeof Library): Library.DataItem {
  const nameSpaces = Object.entries(elements).map(([nameSpace, names]): [string, Map<string, boolean>] => [
    nameSpace,
    new Map(names.map((name) => [name, false])),
  ]);
  const members: [string, unknown][] = [
    ['docType', docType],
    ['nameSpaces', new Map(nameSpaces)],
  ];
  return DataItem.fromData(new Map(members));
}

function readEncrypted(text: string, { cborDecode }: typeof Library): { enc: Uint8Array; ciphertext: Uint8Array } {
  const bytes = fromBase64url(text);
  if (!bytes) throw badRequest('it is not canonical base64url');
  checkDefiniteCbor(bytes);
  const [protocol, data, ...others] = asItems(cborDecode(bytes));
  if (protocol !== PROTOCOL || others.length > 0) throw badRequest(`it is not a pair that begins with ${PROTOCOL}`);
  const members = membersOf(data, ['enc', 'cipherText'], 'EncryptedResponseData');
  const [enc, ciphertext] = [members.get('enc'), members.get('cipherText')];
  if (enc instanceof Uint8Array && ciphertext instanceof Uint8Array) return { enc, ciphertext };
  throw badRequest('enc and cipherText must be byte strings');
}

const asItems = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The documents of a DeviceResponse, each in a response of its own: so much is read that each has its type. */
function readDocuments(bytes: Uint8Array, { cborDecode, cborEncode }: typeof Library): ReceivedDocument[] {
  checkDefiniteCbor(bytes);
  const response: unknown = cborDecode(bytes);
  const listed = response instanceof Map ? asItems(response.get('documents')) : [];
  if (!(response instanceof Map) || listed.length === 0) throw badRequest('it is not a DeviceResponse with documents');
  return listed.map((document) => {
    const docType: unknown = document instanceof Map ? document.get('docType') : undefined;
    if (typeof docType !== 'string') throw badRequest('a document has no docType');
    const alone = new Map([...response, ['documents', [document]]]);
    return { docType, presentation: base64url(cborEncode(alone)) };
  });
}

/** The library and its decoder throw errors of many classes for what is not acceptable. @throws DomainError `BadRequest` */
function accepted<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const why = isDomainError(cause) ? cause.message : 'it is not CBOR of ISO 18013-7 annex C';
    throw new DomainError('BadRequest', `The response is not acceptable: ${why}`, { cause });
  }
}

import type * as Library from '@owf/mdoc';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { MdocExchange, ReaderKey } from '../../../ports/codecs/mdoc-requests.ts';
import { COSE_HEADER, coseAlgorithm, signingInput } from './cose.ts';
import { sessionTranscript } from './session-transcript.ts';

/** Who signs a request, and for which exchange. */
interface ReaderSigning {
  reader: ReaderKey;
  exchange: MdocExchange;
  library: typeof Library;
}

/** A request without the information of the second edition of ISO 18013-5, as its signature covers it. */
const NO_REQUEST_INFO = null;

/**
 * The members of a DeviceRequest that a reader signs (ISO 18013-5 §9.1.4): each request for a document, and all of them
 * together, which is version 1.1 (second edition). @throws DomainError `BadRequest` for a key that no reader signs with, and as the signer
 */
export async function signAsReader(
  items: readonly Library.DataItem[],
  { reader, exchange, library }: ReaderSigning,
): Promise<Map<string, unknown>> {
  const sign = signerOf(reader, library);
  const transcript = sessionTranscript(exchange, library);
  const docRequests: Map<string, unknown>[] = [];
  for (const item of items) {
    const readerAuth = await sign(['ReaderAuthentication', transcript, item]);
    docRequests.push(
      new Map<string, unknown>([
        ['itemsRequest', item],
        ['readerAuth', readerAuth],
      ]),
    );
  }
  return new Map<string, unknown>([
    ['version', '1.1'],
    ['docRequests', docRequests],
    ['readerAuthAll', [await sign(['ReaderAuthenticationAll', transcript, items, NO_REQUEST_INFO])]],
  ]);
}

/** Signs a list as embedded CBOR that is not sent along. */
function signerOf({ signer, chain }: ReaderKey, library: typeof Library) {
  const { cborEncode, DataItem } = library;
  const algorithm = coseAlgorithm(KEY_TYPES[signer.keyType].alg);
  if (algorithm === undefined)
    throw new DomainError('BadRequest', `A key of the type ${signer.keyType} signs no request for mdocs`);
  const header = cborEncode(new Map([[COSE_HEADER.ALG, algorithm]]));
  const [leaf] = chain;
  const unprotected = new Map([[COSE_HEADER.X5CHAIN, chain.length === 1 ? leaf : chain]]);
  return async (list: readonly unknown[]): Promise<unknown[]> => {
    const payload = cborEncode(DataItem.fromData(list));
    return [header, unprotected, null, await signer.sign(signingInput(header, payload, library))];
  };
}

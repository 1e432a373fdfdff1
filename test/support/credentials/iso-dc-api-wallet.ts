import { cborDecode, cborEncode, DeviceRequest } from '@owf/mdoc';
import { digest } from '../../../domain/foundation/bytes.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { seal } from './hpke-seal.ts';
import { deviceSigner, presentMdocs } from './mdoc-presenter.ts';

/** What a page passes to the wallet in the protocol `org-iso-mdoc`. */
export interface IsoRequest {
  deviceRequest: string;
  encryptionInfo: string;
}

/** A wallet with mdocs that answers requests of ISO/IEC TS 18013-7 annex C, without code of the server but for mdocs. */
export class IsoDcApiWallet {
  /** The mdocs by document type. */
  readonly #mdocs: Readonly<Record<string, string>>;
  readonly #signer: Signer;

  constructor(mdocs: Readonly<Record<string, string>>, signer: Signer = deviceSigner()) {
    this.#mdocs = mdocs;
    this.#signer = signer;
  }

  /** The elements that are asked for, by document type. */
  asked({ deviceRequest }: Pick<IsoRequest, 'deviceRequest'>): Map<string, string[][]> {
    const { docRequests } = DeviceRequest.decode(Buffer.from(deviceRequest, 'base64url'));
    return new Map(
      docRequests.map(({ itemsRequest: { docType, namespaces } }) => [
        docType,
        [...namespaces].flatMap(([nameSpace, names]) => [...names.keys()].map((name) => [nameSpace, name])),
      ]),
    );
  }

  /** The DeviceResponse for a page. */
  present(request: IsoRequest, origin: string): Promise<string> {
    const { encryptionInfo } = request;
    const credentials = [...this.asked(request)].flatMap(([docType, disclosed]) => {
      const document = this.#mdocs[docType];
      return document === undefined ? [] : { document, disclosed };
    });
    return presentMdocs([], { credentials, handover: { kind: 'iso-dc-api', origin, encryptionInfo } }, this.#signer);
  }

  /** Encrypts a DeviceResponse for the verifier. */
  encrypt(deviceResponse: string, { encryptionInfo }: IsoRequest, origin: string): string {
    const hash = digest('sha256', cborEncode([encryptionInfo, origin]));
    const { enc, ciphertext } = seal(Buffer.from(deviceResponse, 'base64url'), {
      receiver: receiverOf(encryptionInfo),
      info: cborEncode([null, null, ['dcapi', hash]]),
    });
    const data = new Map([
      ['enc', Uint8Array.from(enc)],
      ['cipherText', Uint8Array.from(ciphertext)],
    ]);
    return Buffer.from(cborEncode(['dcapi', data])).toString('base64url');
  }

  /** What the page gets back. */
  async answer(request: IsoRequest, origin: string): Promise<string> {
    return this.encrypt(await this.present(request, origin), request, origin);
  }
}

/** The public key of the verifier as a point. */
function receiverOf(encryptionInfo: string): Buffer {
  const [, parameters] = cborDecode(Buffer.from(encryptionInfo, 'base64url')) as [string, Map<string, unknown>];
  const key = parameters.get('recipientPublicKey') as Map<number, Uint8Array>;
  return Buffer.concat([Buffer.of(4), key.get(-2) ?? new Uint8Array(), key.get(-3) ?? new Uint8Array()]);
}

import type { pack as LibraryPack } from '@sd-jwt/core';
import { checkClaimNames, checkDisclosure, type FramedDocument } from '../../../domain/credentials/disclosure-frame.ts';
import { type PackedClaims, SD_ALG } from '../../../domain/credentials/sd-jwt.ts';
import { base64url, digest } from '../../../domain/foundation/bytes.ts';
import { at } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import type { DisclosureFrame } from '../../../ports/credential-formats.ts';
import type { Random } from '../../../ports/system.ts';

/** Bytes of a salt (RFC 9901 §9.3). */
const SALT_BYTES = 16;

/** A frame as the library reads it. */
interface PackingFrame {
  _sd: (string | number)[];
  _sd_decoy: number;
  [member: string]: unknown;
}

/** Replaces members of documents by digests of their disclosures (RFC 9901 §5). */
export class DisclosurePacker {
  readonly #random: Random;

  constructor({ random }: { random: Random }) {
    this.#random = random;
  }

  /** @throws DomainError `BadRequest` when the frame does not fit the document, below `selectiveDisclosure` */
  async pack(frame: DisclosureFrame | undefined, framed: FramedDocument): Promise<PackedClaims> {
    const { document } = framed;
    checkClaimNames(document);
    if (!frame) return { payload: document, disclosures: [] };
    at(['selectiveDisclosure'], () => checkDisclosure(frame, framed));
    const { pack } = await import('@sd-jwt/core');
    const hasher = (data: string | ArrayBuffer): Uint8Array =>
      digest('sha256', typeof data === 'string' ? data : new Uint8Array(data));
    const { packedClaims, disclosures } = await pack(
      document,
      this.#frameOf(frame, document) as Parameters<typeof LibraryPack<JsonObject>>[1],
      { hasher, alg: SD_ALG },
      () => base64url(this.#random.bytes(SALT_BYTES)),
    );
    return { payload: packedClaims as JsonObject, disclosures: disclosures.map((disclosure) => disclosure.encode()) };
  }

  #frameOf(frame: DisclosureFrame, value: unknown): PackingFrame {
    const fields = Object.entries(frame.fields);
    const children = fields.flatMap(([name, { children: inner }]) =>
      inner ? [[name, this.#frameOf(inner, Reflect.get(value as object, name))]] : [],
    );
    const withheld = fields.filter(([, { sd }]) => sd).map(([name]) => (Array.isArray(value) ? Number(name) : name));
    return { ...Object.fromEntries(children), _sd: withheld, _sd_decoy: this.#decoys(frame) };
  }

  /** `RANDOM` is a number from 1 to `decoys`. */
  #decoys({ decoyMode = 'NONE', decoys = 0 }: DisclosureFrame): number {
    if (decoyMode === 'NONE' || decoys === 0) return 0;
    if (decoyMode === 'FIXED') return decoys;
    return 1 + (new DataView(this.#random.bytes(4).slice().buffer).getUint32(0) % decoys);
  }
}

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { DomainError } from '../../domain/errors.ts';

/** Bytes a reply may have after decompression, unless the caller wants less (decisions §12). */
const MAX_DECOMPRESSED_BYTES = 16 * 1024 * 1024;
/** Bytes a reply may have as it is sent, unless the caller says otherwise. */
const MAX_REPLY_BYTES = 5 * 1024 * 1024;

type Decompress = (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS: Record<string, Decompress> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** A reply's body while it is still arriving. */
export interface ArrivingBody {
  /** Who sends it, for messages. */
  host: string;
  chunks: AsyncIterable<Uint8Array>;
  /** The content codings of the reply, '' for none. */
  coding: string;
  maxBytes?: number;
}

/** Reads and decompresses a body within its limits. @throws DomainError `UpstreamFailed` when it breaks one */
export async function readReply({ host, chunks, coding, maxBytes }: ArrivingBody): Promise<Uint8Array> {
  const data = await collect(chunks, maxBytes ?? MAX_REPLY_BYTES);
  if (!data) throw new DomainError('UpstreamFailed', `The reply of ${host} is too large`);
  const name = coding.trim().toLowerCase();
  if (name === '' || name === 'identity' || data.length === 0) return data;
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!decode) throw new DomainError('UpstreamFailed', `${host} replies in a content coding that is not supported`);
  const maxOutputLength = maxBytes ?? MAX_DECOMPRESSED_BYTES;
  return decode(data, { maxOutputLength }).catch((cause: unknown) => {
    throw new DomainError('UpstreamFailed', `The reply of ${host} is damaged or too large`, { cause });
  });
}

/** All of the chunks, or nothing when they come to more than `maxBytes`. */
async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { DomainError } from '../../domain/foundation/errors.ts';

type Decompress = (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS: Record<string, Decompress> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** The body of a reply as a stream. */
interface ArrivingBody {
  /** The sender, for messages. */
  host: string;
  chunks: AsyncIterable<Uint8Array>;
  /** The content codings of the reply, '' for none. */
  coding: string;
  /** Limit of the body as sent, and again after decompression. */
  maxBytes: number;
}

/** Reads and decompresses a body. @throws DomainError `UpstreamFailed` when it exceeds a limit */
export async function readReply({ host, chunks, coding, maxBytes }: ArrivingBody): Promise<Uint8Array> {
  const data = await collect(chunks, maxBytes);
  if (!data) throw new DomainError('UpstreamFailed', `The reply of ${host} is too large`);
  const name = coding.trim().toLowerCase();
  if (name === '' || name === 'identity' || data.length === 0) return data;
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!decode) throw new DomainError('UpstreamFailed', `${host} replies in a content coding that is not supported`);
  return decode(data, { maxOutputLength: maxBytes }).catch((cause: unknown) => {
    throw new DomainError('UpstreamFailed', `The reply of ${host} is damaged or too large`, { cause });
  });
}

/** Concatenates the chunks; undefined when they exceed `maxBytes`. */
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

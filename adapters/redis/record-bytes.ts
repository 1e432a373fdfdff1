import { bodyOf, bytesOf, type Codec } from '../../domain/foundation/bodies.ts';
import type { Body, RecordKey, Stored } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';

/** What is stored of a record beside its key and body: `<revision> <created> <updated> <expires or ->`. */
interface Head {
  revision: number;
  createdAt: number;
  updatedAt: number;
  expiresAt?: number;
}

const SPACE = 0x20;

/** A body among arguments of a command, after a head; text stays text, which is sent with less work. */
export const encodeBody = (body: Body, head = ''): string | Buffer =>
  typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), bytesOf(body)]);

/** A stored record without its key: its head, a space and its body. */
export const encode = ({ revision, createdAt, updatedAt, expiresAt, body }: Head & { body: Body }): string | Buffer =>
  encodeBody(body, `${revision} ${createdAt} ${updatedAt} ${expiresAt ?? '-'} `);

export function decode(bytes: Buffer): Head & { body: Body } {
  let end = -1;
  for (let part = 0; part < 4; part += 1) {
    end = bytes.indexOf(SPACE, end + 1);
    if (end < 0) throw new Error('A record in the store is not one of ours');
  }
  return { ...readHead(bytes.toString('latin1', 0, end)), body: bodyOf(bytes.subarray(end + 1)) };
}

export function readHead(text: string): Head {
  const [revision, createdAt, updatedAt, expires] = text.split(' ');
  const head = { revision: Number(revision), createdAt: Number(createdAt), updatedAt: Number(updatedAt) };
  return expires === '-' ? head : { ...head, expiresAt: Number(expires) };
}

/** A stored record that lives; undefined when there is none. */
export function readLive(bytes: unknown, clock: Clock): ReturnType<typeof decode> | undefined {
  const record = Buffer.isBuffer(bytes) ? decode(bytes) : undefined;
  return record?.expiresAt === undefined || record.expiresAt > clock.now() ? record : undefined;
}

/** The record of a key that lives; undefined when there is none. */
export function readRecord<T>(
  bytes: unknown,
  { id, parent = '' }: RecordKey,
  { codec, clock }: { codec: Codec<T>; clock: Clock },
): Stored<T> | undefined {
  const record = readLive(bytes, clock);
  if (!record) return undefined;
  const { body, ...head } = record;
  return { id, parent, value: codec.decode(body, { id, parent }), ...head };
}

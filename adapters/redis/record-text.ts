import type { Stored } from '../../ports/store.ts';

/** A stored record without its key: `<revision> <created> <updated> <expires or -> <body>`. */
interface RecordText {
  revision: number;
  createdAt: number;
  updatedAt: number;
  expiresAt?: number;
  /** JSON text. */
  body: string;
}

export const encode = ({ revision, createdAt, updatedAt, expiresAt, body }: RecordText): string =>
  `${revision} ${createdAt} ${updatedAt} ${expiresAt ?? '-'} ${body}`;

export function decode(text: string): RecordText {
  const { head, body } = split(text);
  const [revision, createdAt, updatedAt, expires] = head;
  const record = { revision: Number(revision), createdAt: Number(createdAt), updatedAt: Number(updatedAt), body };
  return expires === '-' ? record : { ...record, expiresAt: Number(expires) };
}

/** Whether `now` is before the record's expiry. */
export const isLive = ({ expiresAt }: RecordText, now: number): boolean => expiresAt === undefined || expiresAt > now;

export function toStored<T>({ id, parent }: { id: string; parent: string }, record: RecordText): Stored<T> {
  const { body, expiresAt, ...known } = record;
  const stored = { id, parent, value: JSON.parse(body) as T, ...known };
  return expiresAt === undefined ? stored : { ...stored, expiresAt };
}

function split(text: string): { head: string[]; body: string } {
  const head: string[] = [];
  let from = 0;
  while (head.length < 4) {
    const to = text.indexOf(' ', from);
    if (to < 0) throw new Error('A record in the store is not one of ours');
    head.push(text.slice(from, to));
    from = to + 1;
  }
  return { head, body: text.slice(from) };
}

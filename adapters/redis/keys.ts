import { LAST_WRITES } from '../../domain/foundation/last-writes.ts';
import type { RecordKey } from '../../ports/store.ts';

/** The record or group that a key belongs to. */
export type Place = { kind: 'single'; collection: string; parent: string; id: string } | Group;

/** The records of one parent of a listed collection. */
export interface Group {
  kind: 'group';
  collection: string;
  parent: string;
}

/** The keys of a listed collection's parent, all in one hash slot. */
export interface GroupKeys {
  /** Hash: id → record text. */
  records: string;
  /** Sorted sets of ids: by bytes, by creation, by update and, for those that expire, by expiry. */
  byId: string;
  byCreated: string;
  byUpdated: string;
  byExpiry: string;
  /** The time of the last write, stored as a separate record. */
  lastWrite: string;
}

/** The names of all keys: `<prefix>s:<collection>:<parent>:<id>` and `<prefix>l:{<collection>:<parent>}:…`. */
export class Keys {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** An unlisted record has one key in any slot; a last write shares the slot of its group. */
  single(collection: string, { parent = '', id }: RecordKey): string {
    if (collection === LAST_WRITES) return this.group(parent, id).lastWrite;
    return `${this.prefix}s:${collection}:${toText(parent)}:${id}`;
  }

  group(collection: string, parent: string): GroupKeys {
    const of = (suffix: string): string => `${this.prefix}l:{${collection}:${toText(parent)}}:${suffix}`;
    return {
      records: of('r'),
      byId: of('i'),
      byCreated: of('c'),
      byUpdated: of('u'),
      byExpiry: of('x'),
      lastWrite: of('w'),
    };
  }

  /** The record or group of a key; undefined for index keys and keys of other applications. */
  place(key: string): Place | undefined {
    if (!key.startsWith(this.prefix)) return undefined;
    const rest = key.slice(this.prefix.length);
    const single = /^s:([^:]*):([^:]*):(.*)$/s.exec(rest);
    if (single) {
      const [, collection = '', parent = '', id = ''] = single;
      return { kind: 'single', collection, parent: fromText(parent), id };
    }
    const group = /^l:\{([^:]*):([^:]*)\}:([rw])$/s.exec(rest);
    if (!group) return undefined;
    const [, collection = '', text = '', suffix] = group;
    const parent = fromText(text);
    if (suffix === 'r') return { kind: 'group', collection, parent };
    return { kind: 'single', collection: LAST_WRITES, parent: collection, id: parent };
  }
}

/** Escapes a parent, so that it cannot end its part of the key or the hash tag; the colon keeps the tag of '' from being empty. */
const toText = (parent: string): string =>
  parent.replace(/[%:{}]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);

const fromText = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

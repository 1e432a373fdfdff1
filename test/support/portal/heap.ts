import type { CDPSession, Page } from 'playwright-core';

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
  strings: string[];
}

/** What scripts make: code that the browser compiled, and what it keeps of requests for its tools, is not counted. */
const COUNTED = ['object', 'closure', 'string', 'concatenated string', 'regexp', 'number', 'symbol', 'bigint'];

/** What is in the memory of a page after everything that is not used was removed. */
export class Heap {
  #chunks: string[] = [];

  private constructor(private readonly session: CDPSession) {
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => this.#chunks.push(chunk));
  }

  static async of(page: Page): Promise<Heap> {
    return new Heap(await page.context().newCDPSession(page));
  }

  /** How many objects of scripts there are, and every text. */
  async look(): Promise<{ objects: number; strings: string[] }> {
    this.#chunks = [];
    await this.session.send('HeapProfiler.collectGarbage');
    await this.session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    const { snapshot, nodes, strings }: Snapshot = JSON.parse(this.#chunks.join(''));
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const place = fields.indexOf('type');
    const counted = new Set(COUNTED.map((type) => types[0].indexOf(type)));
    let objects = 0;
    for (let at = place; at < nodes.length; at += fields.length) if (counted.has(nodes[at] ?? -1)) objects += 1;
    return { objects, strings };
  }
}

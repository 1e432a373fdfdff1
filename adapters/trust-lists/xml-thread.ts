import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { TrustListContent } from '../../ports/codecs/trust-lists.ts';
import { checkTags, refusedList } from './xml-elements.ts';
import { readSignedXmlList, readXmlList } from './xml-list.ts';

/** A list to read: alone, or what a key signed of it. */
export interface XmlTask {
  text: string;
  keyPem?: string;
}

/** The result; `content` is absent when the key did not sign the list. */
interface XmlReading {
  chain: Uint8Array[];
  content?: TrustListContent;
}

/** What the thread answers. */
export type XmlAnswer = XmlReading | { refusal: string };

/** Reading takes about a millisecond for 1 KiB; larger lists are read in a thread, so that requests need not wait. */
const MAX_CHARACTERS_HERE = 64 * 1024;
const MAX_MS = 20_000;
const MAX_HEAP_MIB = 256;
const MAX_WAITING = 16;

/** Reads a list. @throws DomainError `BadRequest` */
export const readXml = ({ text, keyPem }: XmlTask): XmlReading =>
  keyPem === undefined ? readXmlList(text) : { chain: [], content: readSignedXmlList(text, keyPem) };

/** What the thread runs. */
const SCRIPT = new URL('./xml-worker.js', import.meta.url);

/** Reads lists in XML, a large one in a thread, one after the other. */
export class XmlLists {
  readonly #script: URL;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ script = SCRIPT }: { script?: URL }) {
    this.#script = script;
  }

  /** @throws DomainError `BadRequest`, `Overloaded` when too many wait */
  async read(task: XmlTask): Promise<XmlReading> {
    checkTags(task.text);
    if (task.text.length <= MAX_CHARACTERS_HERE) return readXml(task);
    if (this.#waiting >= MAX_WAITING) throw new DomainError('Overloaded', 'Too many trust lists are being read');
    this.#waiting += 1;
    const reading = this.#last
      .then(() => runThread(task, this.#script))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last = reading.catch(() => undefined);
    return reading;
  }
}

function runThread(task: XmlTask, script: URL): Promise<XmlReading> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    const timer = setTimeout(() => void worker.terminate(), MAX_MS);
    worker.once('message', (answer: XmlAnswer) =>
      'refusal' in answer ? reject(refusedList(answer.refusal)) : resolve(answer),
    );
    worker.once('error', () => reject(refusedList('could not be read')));
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(refusedList('could not be read in time'));
    });
  });
}

import { parentPort, workerData } from 'node:worker_threads';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { refusedList } from './xml-elements.ts';
import { readXml, type XmlAnswer, type XmlTask } from './xml-thread.ts';

const PREFIX = refusedList('').message;

/** Only plain values pass between threads. */
function answer(task: XmlTask): XmlAnswer {
  try {
    return readXml(task);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { refusal: error.message.replace(PREFIX, '') };
  }
}

parentPort?.postMessage(answer(workerData));

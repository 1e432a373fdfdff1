import { coresGain, wallSeconds } from '../support/cores.ts';
import { didStoreFolder, openDidStore } from '../support/did-store.ts';
import { compared, interleave, type Line, type Slice } from '../support/harness.ts';
import { load } from '../support/load.ts';
import { FEW, PAGE } from '../support/pages.ts';
import { type Server, serveProduct } from '../support/servers.ts';

const WARM_UP = 8;
const SLICE_MS = 300;

async function serve(workers: number): Promise<{ slice: Slice; server: Server }> {
  const server = await serveProduct({ folder: await didStoreFolder({ count: FEW, workers }) });
  const request = await openDidStore(server.port);
  return { slice: load({ ...server, cpuSeconds: wallSeconds }, () => request, SLICE_MS), server };
}

/** The same page by one and by two processes that share a port and a file; the client uses a share of the cores too. */
export async function workers(): Promise<Line[]> {
  const [one, two] = await Promise.all([serve(1), serve(2)]);
  const rates = await interleave({ one: one.slice, two: two.slice }, { warmUp: WARM_UP });
  await Promise.all([one.server.close(), two.server.close()]);
  const work = `${PAGE} of ${FEW.toLocaleString('en')}, HTTP, 2 workers`;
  return [compared({ work, named: `1 worker (${coresGain()})` }, rates.two, rates.one)];
}

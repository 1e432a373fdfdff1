import type { Line } from './harness.ts';
import { makeIssuer, offerRequest } from './issuer.ts';
import { usedBytes } from './memory.ts';

const SESSIONS = 100_000;
const ALLOWED_MIB = 100;
/** Memory of issuance sessions with one credential each that nobody has fetched yet, sealed, in the memory store. */
export async function sessionMemory(): Promise<Line[]> {
  const { issuer, offers } = makeIssuer();
  const request = { content: offerRequest() };
  const make = (): Promise<string> => offers.create(issuer, request);
  await make();
  const before = await usedBytes();
  for (let made = 0; made < SESSIONS; made += 1) await make();
  const mib = ((await usedBytes()) - before) / 2 ** 20;
  // Without this the sessions could be let go before they are measured.
  await make();
  const work = '100,000 issuance sessions in memory, sealed';
  const [allowed, goal] = [`${ALLOWED_MIB} MiB allowed`, { atMost: 1 }];
  return [{ work, ours: `${mib.toFixed(1)} MiB`, beside: allowed, ratio: mib / ALLOWED_MIB, goal }];
}

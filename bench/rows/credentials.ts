import { sign } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { mapBounded } from '../../domain/foundation/concurrency.ts';
import { ContentReader } from '../../domain/issuer/offers/content-reader.ts';
import { CredentialBuilder } from '../../domain/issuer/offers/credential-builder.ts';
import { IssuerDids } from '../../domain/issuer/onboarding/issuer-dids.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { LIBRARY_CREDENTIALS, type MakeCredential } from '../baselines/credential-libraries.ts';
import { compared, interleave, type Line, median, repeat } from '../support/harness.ts';
import { documentSigner, ISSUED, type Issued, makeIssuer } from '../support/issuer.ts';
import { usedBytes } from '../support/memory.ts';
import { makeParty } from '../support/parties.ts';

const WARM_UP = 20;

/** Makes credentials of an offered content: mapping, claims, codec and signature, without a session. */
async function credentialMaker(format: Issued): Promise<MakeCredential> {
  const { platform, issuers, keys } = await makeIssuer();
  const issuerDids = new IssuerDids(keys, platform.dids);
  const reader = new ContentReader({ ...platform, issuerDids, issuerKeys: keys });
  const [content] = await reader.read(issuers.draft13, { content: await ISSUED[format].offer() });
  if (!content) throw new Error('One request has one content');
  const builder = new CredentialBuilder({ ...platform, statusEntries: platform.issuedLists.entries });
  return ({ did, publicJwk }) => builder.build(content, { did, jwk: publicJwk as PublicJwk });
}

/** A driving licence of ten elements for one device, made and signed with ES256. */
export async function mdoc(): Promise<Line[]> {
  const own = makeParty();
  const certificates = (await documentSigner(own)).map(({ der }) => der);
  const ours = await credentialMaker('mso_mdoc');
  const library = LIBRARY_CREDENTIALS.mso_mdoc(own, certificates);
  const holder = makeParty();
  const rates = await interleave(
    { ours: repeat(() => ours(holder)), library: repeat(() => library(holder)) },
    { warmUp: WARM_UP },
  );
  const named = '@owf/mdoc alone';
  return [compared({ work: 'mdoc of 10 elements, ES256', named, goal: { atLeast: 0.7 } }, rates.ours, rates.library)];
}

const BATCH = 10_000;
/** As many as one request makes at once. */
const AT_ONCE = 8;
const POOL = 64;
const ROUNDS = 5;
const MOST_MS = 20;

/** 10,000 JWT VCs, each its own mapping and signature, beside as many signatures on the threads of node and nothing else. */
export async function credentialBatch(): Promise<Line[]> {
  const make = await credentialMaker('jwt_vc_json');
  const holder = makeParty();
  const batch = Array.from({ length: BATCH }, () => holder);
  const aside = promisify(sign);
  const key = { key: holder.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const input = Buffer.alloc(800, 'x');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const p99: number[] = [];
  let most = 0;
  const ours = async () => {
    const before = await usedBytes();
    delay.reset();
    delay.enable();
    const made = await mapBounded(batch, AT_ONCE, async (one) => make(one));
    // The turn after a delay records it.
    await new Promise((turn) => setTimeout(turn, 2));
    delay.disable();
    p99.push(delay.percentile(99) / 1e6);
    most = Math.max(most, (await usedBytes()) - before);
    if (made.length < BATCH) throw new Error('A credential is missing');
  };
  const pool = () => mapBounded(batch, POOL, () => aside('sha256', input, key));
  const rates = await interleave({ ours: repeat(ours, 1), pool: repeat(pool, 1) }, { rounds: ROUNDS });
  const ms = median(p99.slice(-ROUNDS));
  const work = `batch of 10,000 JWT VCs, ES256, ${(most / 2 ** 20).toFixed(0)} MiB with its results`;
  const named = 'signatures in the thread pool, 64 in flight';
  return [
    compared({ work, named, goal: { atLeast: 0.45 } }, rates.ours, rates.pool),
    {
      work: 'event loop, p99 of its delay meanwhile',
      ours: `${ms.toFixed(1)} ms`,
      beside: `${MOST_MS} ms`,
      ratio: ms / MOST_MS,
      goal: { atMost: 1 },
    },
  ];
}

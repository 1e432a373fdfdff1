import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BulkCall, type BulkLine } from '../actors/bulk-call.ts';
import type { BulkPlan } from '../support/processes/killed-bulk.ts';
import { testScript } from '../support/processes/script.ts';
import { startServer } from '../support/servers/server.ts';
import type { Death } from '../support/stores/deadly-store.ts';
import { freePort } from '../support/stores/redis.ts';

const COUNT = 40;

/** The write of an offer, and when the process dies at it. */
const DEATHS: Death[] = [
  { collection: 'issuance-sessions', write: 7, when: 'before' },
  { collection: 'issuance-sessions', write: 30, when: 'after' },
];

describe('Many offers of one call', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-bulk-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  /** Sends lines to a server in a process of its own that is killed meanwhile; returns its URL and the answers. */
  async function cutOff(lines: object[], death: Death): Promise<{ url: string; known: BulkLine[] }> {
    const { file, execArgv } = testScript('test/support/processes/killed-bulk.ts');
    const child = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.send({ dataDir, ...death } satisfies BulkPlan);
    const [url] = (await once(child, 'message')) as [string];
    const ended = once(child, 'exit');
    const call = new BulkCall(url);
    await call.send(...lines);
    const known = await call.finish();
    expect((await ended)[1]).to.equal('SIGKILL');
    return { url, known };
  }

  for (const death of DEATHS)
    it(`a process that is killed ${death.when} write ${death.write} of ${death.collection} leaves whole offers; the same lines create the others`, async () => {
      const json = { profileId: 'UniversityDegree_jwt_vc_json', authMethod: 'PRE_AUTHORIZED' };
      const lines = Array.from({ length: COUNT }, () => ({ ...json, sessionId: randomUUID() }));
      const { url, known } = await cutOff(lines, death);
      expect(known.length).to.be.below(COUNT);
      const settings = { port: await freePort(), publicUrl: url };
      const survivor = await startServer({ store: 'sqlite', dataDir, settings });
      const { body } = await survivor.call('createCredentialOffersInBulk', { lines });
      expect(body.map(({ status }: BulkLine) => status)).to.deep.equal(lines.map(() => 201));
      expect(body.slice(0, known.length)).to.deep.equal(known);
      const { body: sessions } = await survivor.call('listIssuanceSessions', { query: { limit: '100' } });
      expect(sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).to.have.members(
        lines.map(({ sessionId }) => sessionId),
      );
      for (const { offer } of body) {
        const uri = new URL(new URL(offer.credentialOffer).searchParams.get('credential_offer_uri') ?? '');
        expect((await survivor.fetch(uri.pathname + uri.search)).status).to.equal(200);
      }
      await survivor.close();
    });
});

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { expect } from 'chai';
import { type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { makeOffer } from '../actors/issuance.ts';
import { ASKED, claim, identity } from '../actors/issuance-formats.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { isRevoked } from '../support/status/status-checks.ts';
import { setStatus } from '../support/status/status-writer.ts';
import { keyOfJwk, verified } from './judge.ts';

describe('status lists before the verifiers of other projects', () => {
  let dataDir: string;
  let server: TestServer;
  let issuer: Issuer;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-lists-'));
    server = await startServer({ store: 'sqlite', dataDir });
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  });
  after(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** The status that @sd-jwt/sd-jwt-vc reads in the list it fetches; it verifies credential and list. */
  async function judged(credential: string): Promise<number | undefined> {
    const { d: _, ...jwk } = issuer.issuerKey.jwk;
    let seen: number | undefined;
    const library = new SDJwtVcInstance({
      hasher: (data) =>
        createHash('sha256')
          .update(new Uint8Array(Buffer.from(data as string)))
          .digest(),
      hashAlg: 'sha-256',
      verifier: async (data, signature) => (await verified(`${data}.${signature}`, keyOfJwk(jwk))) !== undefined,
      statusValidator: async (status) => {
        seen = status;
      },
    });
    await library.verify(credential, { currentDate: Math.floor(server.clock.now() / 1000) });
    return seen;
  }

  for (const statusSize of [1, 2, 4, 8])
    it(`@sd-jwt/sd-jwt-vc reads statuses of ${statusSize} bits as our own check does`, async () => {
      const json = identity(issuer, { statusList: { statusSize } });
      const offer = await makeOffer(server, json, { operationId: 'issueSdJwtCredential' });
      const { credential } = (await claim(server, offer, ASKED.identity(server))).body;
      const { status } = JSON.parse(Buffer.from(credential.split('.')[1], 'base64url').toString());
      for (const value of statusSize === 1 ? [0, 1, 0] : [0, 1, 2, 0]) {
        await setStatus(server, status, value);
        server.clock.advance(301_000);
        expect(await judged(credential)).to.equal(value);
        expect(await isRevoked(server.call('checkRevocation', { text: credential }))).to.equal(value === 1);
      }
    });
});

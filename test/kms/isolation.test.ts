import { expect } from 'chai';
import fc from 'fast-check';
import { startFakeAws } from '../../demo/fake-clouds/aws.ts';
import { FakeOci } from '../../demo/fake-clouds/oci.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';

const CALLERS = 4;
const KEYS_EACH = 2;

/** Who called the fake for which key. */
interface Seen {
  caller: string;
  key: string;
}

interface Fake {
  backend: string;
  configs(): Promise<Record<string, unknown>[]>;
  seen(): Seen[];
  /** What identifies the caller of a reference in `seen`. */
  callerOf(config: Record<string, unknown>): string;
  forget(): void;
  close(): Promise<void>;
}

async function aws(): Promise<Fake & { kms: object }> {
  const fake = await startFakeAws();
  return {
    backend: 'kmsa-rest-api',
    kms: { kmsa: fake.settings },
    configs: async () => Array.from({ length: CALLERS }, () => fake.config()),
    seen: () =>
      fake.server.calls.map(({ headers, body }) => ({
        caller: /Credential=(\w+)\//.exec(String(headers.authorization))?.[1] ?? '',
        key: String(JSON.parse(body.toString()).KeyId),
      })),
    callerOf: ({ auth }) => Object(auth).accessKeyId,
    forget: () => fake.server.reset(),
    close: fake.close,
  };
}

async function oci(): Promise<Fake & { kms: object }> {
  const fake = await FakeOci.start();
  return {
    backend: 'kmsc-rest-api',
    kms: { kmsc: { allowHttp: true } },
    configs: () => Promise.all(Array.from({ length: CALLERS }, async () => fake.configOf(await fake.newUser()))),
    seen: () =>
      [...fake.management.calls, ...fake.crypto.calls].map(({ headers, body, path }) => ({
        caller: /keyId="([^"]*)"/.exec(String(headers.authorization))?.[1] ?? '',
        key: body.length > 0 ? String(JSON.parse(body.toString()).keyId) : (path.split('/')[3] ?? ''),
      })),
    callerOf: ({ tenancyId, userId, fingerprint }) => `${tenancyId}/${userId}/${fingerprint}`,
    forget: () => fake.reset(),
    close: () => fake.close(),
  };
}

describe('the credentials of callers of key management services', () => {
  for (const start of [aws, oci])
    it(`${start.name}: never sign or read for the key of another caller, however operations interleave`, async () => {
      const fake = await start();
      const allow = ['127.0.0.1'];
      const made = remoteBackends({ ...fake.kms, allow });
      const references: KeyReference[] = [];
      for (const config of await fake.configs())
        for (let n = 0; n < KEYS_EACH; n += 1)
          references.push(await made.backends.create(fake.backend, { keyType: 'secp256r1', config }));
      const pairs = new Set(references.map(({ id, config }) => `${fake.callerOf(config)} ${id}`));
      const operation = fc.record({ key: fc.nat(references.length - 1), isRead: fc.boolean(), waits: fc.nat(3) });
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 24 }), async (operations) => {
            // A new process: nothing is cached.
            const { backends, outbound } = remoteBackends({ ...fake.kms, allow });
            fake.forget();
            await Promise.all(
              operations.map(async ({ key, isRead, waits }) => {
                const reference = references[key] as KeyReference;
                for (let turn = 0; turn < waits; turn += 1) await new Promise((resolve) => setImmediate(resolve));
                if (!isRead) return backends.signer(reference).sign(Buffer.from('data'));
                const { _publicKey: _, _keyType: __, ...wire } = backends.write(reference);
                const read = await backends.read(wire);
                expect(read.publicJwk).to.deep.equal(reference.publicJwk);
              }),
            );
            for (const { caller, key } of fake.seen()) expect(pairs, `${caller} ${key}`).to.include(`${caller} ${key}`);
            await backends.close();
            await (outbound as { close?(): Promise<void> }).close?.();
          }),
          { numRuns: 15 },
        );
      } finally {
        await made.backends.close();
        await fake.close();
      }
    });

  it('credentials of one caller with the key id of another are refused, and nothing of the other is returned', async () => {
    const fake = await oci();
    const { backends } = remoteBackends({ ...fake.kms, allow: ['127.0.0.1'] });
    try {
      const [mine = {}, theirs = {}] = await fake.configs();
      const reference = await backends.create(fake.backend, { keyType: 'secp256r1', config: theirs });
      await backends.read({ ...backends.write(reference), _publicKey: undefined });
      const wire = { type: fake.backend, id: reference.id, config: mine };
      const refusal = await backends.read(wire).catch((error) => error);
      expect(refusal.code).to.equal('BadRequest');
      const { publicJwk, keyType } = reference;
      const signer = backends.signer({ ...reference, config: mine, publicJwk, keyType });
      expect((await signer.sign(Buffer.from('data')).catch((error) => error)).code).to.equal('BadRequest');
    } finally {
      await backends.close();
      await fake.close();
    }
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { KeyReference } from '../../ports/key-service.ts';
import { AwsTrial, outcomeOf } from '../support/kms/aws-trial.ts';
import { SLOW_MACHINE_MS } from '../support/runs/waiting.ts';

const DATA = Buffer.from('data');

describe('AWS KMS: the use of a key', () => {
  const trial = new AwsTrial();
  const { fake, called, create, fresh } = trial;
  const sign = (reference: KeyReference) => trial.backends.signer(reference).sign(DATA);
  const stateOf = ({ id }: { id: string }) => fake.service.keys.get(id)?.state;

  describe('a signature', () => {
    it('is one call', async () => {
      const reference = await fresh();
      for (const _ of [1, 2, 3]) await sign(reference);
      expect(called()).to.deep.equal(['Sign', 'Sign', 'Sign']);
    });

    it('is refused for a key that is unknown, disabled or being deleted: names the id, after one call', async () => {
      const reference = await fresh();
      const unknown = await outcomeOf(sign({ ...reference, id: randomUUID() }));
      expect(unknown).to.include({ code: 'BadRequest', field: 'id' });
      expect(unknown.message).to.match(/:eu-central-1:.* does not exist/);
      for (const state of ['Disabled', 'PendingDeletion'] as const) {
        Object.assign(fake.service.keys.get(reference.id) ?? {}, { state });
        expect(await outcomeOf(sign(reference)), state).to.include({ code: 'BadRequest', field: 'id' });
      }
      expect(called()).to.deep.equal(['Sign', 'Sign', 'Sign']);
    });

    it('is refused where the key is in another region, naming the region', async () => {
      const reference = await fresh();
      const { auth } = reference.config as { auth: object };
      const elsewhere = { ...reference, config: { auth: { ...auth, region: 'us-east-1' } } };
      const outcome = await outcomeOf(sign(elsewhere));
      expect(outcome).to.include({ code: 'BadRequest', field: 'id' });
      expect(outcome.message).to.include('us-east-1');
    });

    for (const kind of ['throttle', 'fail', 'cut', 'nonsense'] as const)
      it(`is tried up to three times when the service fails: ${kind}`, async () => {
        const reference = await fresh();
        for (const failures of [1, 2, 3]) {
          fake.server.reset();
          for (let at = 1; at <= failures; at += 1) fake.server.fault(at, { kind });
          expect((await outcomeOf(sign(reference))).code).to.equal(failures < 3 ? 'done' : 'UpstreamFailed');
          expect(called()).to.have.length(Math.min(failures + 1, 3));
        }
      });

    it('is answered within the deadline when the service hangs, and not tried again after it', async () => {
      const reference = await fresh();
      fake.server.always({ kind: 'hang' });
      const startedAt = performance.now();
      const outcome = await outcomeOf(sign(reference));
      expect(outcome.code).to.equal('UpstreamTimeout');
      expect(outcome.message).to.equal('AWS KMS did not answer in 1000 ms');
      expect(performance.now() - startedAt).to.be.within(900, SLOW_MACHINE_MS);
      expect(called()).to.have.length(1);
    });

    it('that is not valid never leaves', async () => {
      const [one, two] = [await fresh(), await fresh()];
      const stolen = { ...one, id: two.id, config: two.config };
      expect(await outcomeOf(sign(stolen))).to.include({ code: 'BadRequest', field: '_publicKey' });
      const r = Buffer.alloc(70, 1).toString('base64');
      fake.server.always({ kind: 'nonsense', body: JSON.stringify({ Signature: r }) });
      expect((await outcomeOf(sign(one))).code).to.equal('UpstreamFailed');
    });

    it('with a type that AWS does not have is refused before any call', async () => {
      const reference = await fresh();
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
      const wire = { type: 'kmsa', id: reference.id, config: reference.config, _publicKey: jwk };
      expect(await outcomeOf(trial.backends.read(wire))).to.include({ code: 'BadRequest', field: '_publicKey' });
      expect(called()).to.deep.equal([]);
    });
  });

  describe('a public key', () => {
    const wire = ({ id, config }: KeyReference) => ({ type: 'kmsa', id, config });

    it('is fetched once for concurrent first uses, and then not again', async () => {
      const reference = await fresh('secp384r1');
      const read = await Promise.all(Array.from({ length: 20 }, () => trial.backends.read(wire(reference))));
      for (const one of read) expect(one).to.deep.equal(reference);
      await trial.backends.read(wire(reference));
      expect(called()).to.deep.equal(['GetPublicKey']);
    });

    it('is fetched with the credentials of each reference: refused ones get no answer of the cache', async () => {
      const reference = await fresh();
      await trial.backends.read(wire(reference));
      const { auth } = reference.config as { auth: object };
      const config = { auth: { ...auth, secretAccessKey: 'not the secret of this access key' } };
      expect((await outcomeOf(trial.backends.read({ ...wire(reference), config }))).code).to.equal('BadRequest');
      const other = await trial.backends.read({ ...wire(reference), config: fake.config() });
      expect(other.publicJwk).to.deep.equal(reference.publicJwk);
      expect(called()).to.have.length(3);
    });

    it('that was not read is fetched again by the next use', async () => {
      const reference = await fresh();
      for (const at of [1, 2, 3]) fake.server.fault(at, { kind: 'fail' });
      expect((await outcomeOf(trial.backends.read(wire(reference)))).code).to.equal('UpstreamFailed');
      expect((await trial.backends.read(wire(reference))).publicJwk).to.deep.equal(reference.publicJwk);
    });

    it('that is no key, or of no type that is known here, is refused', async () => {
      const reference = await fresh();
      const answer = (PublicKey: string, more = {}) =>
        fake.server.always({ kind: 'nonsense', body: JSON.stringify({ PublicKey, ...more }) });
      answer(Buffer.from('no key').toString('base64'));
      expect((await outcomeOf(trial.backends.read(wire(reference)))).code).to.equal('UpstreamFailed');
      // An Ed25519 key (RFC 8410 §10.1).
      answer('MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=');
      expect(await outcomeOf(trial.backends.read(wire(reference)))).to.include({ code: 'BadRequest', field: 'id' });
      answer('', { KeyUsage: 'ENCRYPT_DECRYPT' });
      expect(await outcomeOf(trial.backends.read(wire(reference)))).to.include({ code: 'BadRequest', field: 'id' });
    });
  });

  describe('the deletion of a key', () => {
    it('is scheduled, and done where the key is being deleted or does not exist', async () => {
      const reference = await fresh();
      await trial.backends.remove(reference);
      expect(stateOf(reference)).to.equal('PendingDeletion');
      expect(JSON.parse(String(fake.server.calls[0]?.body))).to.deep.equal({
        KeyId: reference.id,
        PendingWindowInDays: 7,
      });
      await trial.backends.remove(reference);
      await trial.backends.remove({ ...reference, id: randomUUID() });
      expect(called()).to.have.length(3);
    });

    it('is tried again when the service fails, and refused without the permission', async () => {
      const reference = await fresh();
      fake.server.fault(1, { kind: 'throttle' });
      fake.server.fault(2, { kind: 'cut', after: true });
      await trial.backends.remove(reference);
      expect(stateOf(reference)).to.equal('PendingDeletion');
      fake.service.denied.add('kms:ScheduleKeyDeletion');
      expect(await outcomeOf(trial.backends.remove(reference))).to.include({
        code: 'BadRequest',
        field: 'config.auth',
      });
    });
  });

  describe('credentials', () => {
    it('sign for no other reference, however references alternate (property)', async () => {
      const references = await Promise.all([1, 2, 3].map(() => create()));
      const accessKeyOf = ({ config }: KeyReference) => (config.auth as { accessKeyId: string }).accessKeyId;
      const order = fc.array(fc.constantFrom(...references), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(order, async (sequence) => {
          fake.server.reset();
          await Promise.all(sequence.map(sign));
          const used = fake.server.calls.map(({ body, headers }) => [
            JSON.parse(String(body)).KeyId,
            /Credential=(\w+)/.exec(String(headers.authorization))?.[1],
          ]);
          const expected = sequence.map((reference) => [reference.id, accessKeyOf(reference)]);
          expect(used.sort()).to.deep.equal(expected.sort());
        }),
        { numRuns: 15 },
      );
    });

    it('that are refused sign nothing, though another caller’s are accepted for the same key', async () => {
      const reference = await fresh();
      await sign(reference);
      const { auth } = reference.config as { auth: object };
      const config = { auth: { ...auth, secretAccessKey: 'not the secret of this access key' } };
      expect((await outcomeOf(sign({ ...reference, config }))).code).to.equal('BadRequest');
    });

    it('are in no error, regardless of what the service quotes (property)', async () => {
      const [text, outage] = [fc.stringMatching(/^[\x20-\x7e]{0,12}$/), fc.boolean()];
      const secrets = fc.stringMatching(/^[!-~][ -~]{6,38}[!-~]$/);
      await fc.assert(
        fc.asyncProperty(secrets, text, outage, async (secretAccessKey, around, fails) => {
          const { auth } = fake.config();
          const __type = fails ? 'KMSInternalException' : 'InvalidSignatureException';
          const message = `${around}${secretAccessKey}\n${secretAccessKey}${around}${auth.accessKeyId}`;
          fake.server.always({ kind: 'refuse', status: fails ? 500 : 400, body: JSON.stringify({ __type, message }) });
          const outcome = await outcomeOf(create({ auth: { ...auth, secretAccessKey } }));
          expect(outcome.code).to.equal(fails ? 'UpstreamFailed' : 'BadRequest');
          expect(outcome.message + outcome.detail)
            .to.not.include(secretAccessKey)
            .and.not.include(auth.accessKeyId);
        }),
        { numRuns: 40 },
      );
    });

    it('are in the request only as their id and signature', async () => {
      const config = fake.config();
      await create(config);
      const { headers, body } = fake.server.calls[0] ?? {};
      expect(JSON.stringify(headers) + body).to.not.include(config.auth.secretAccessKey);
    });
  });
});

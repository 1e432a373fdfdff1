import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { KEY_TYPE_NAMES } from '../../domain/jose/key-types.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { signingContract } from '../contract/signing.contract.ts';
import { outcomeOf } from '../support/kms/aws-trial.ts';
import { PIN, useSoftHsm } from '../support/kms/softhsm.ts';
import { until } from '../support/runs/waiting.ts';

const keyType = 'secp256r1' as const;
const DATA = Buffer.from('data');

describe('PKCS#11', () => {
  const under = useSoftHsm();
  type Open = ReturnType<typeof under.hsm.open>;
  const create = ({ backends }: Open, more: object = {}): Promise<KeyReference> =>
    backends.create('pkcs11', { keyType, config: { ...under.hsm.config, ...more } });
  const sign = ({ backends }: Open, reference: KeyReference): Promise<Uint8Array> =>
    backends.signer(reference).sign(DATA);

  signingContract('pkcs11 (SoftHSM)', async () => ({
    ...under.hsm.open(),
    spelling: 'pkcs11',
    keyTypes: KEY_TYPE_NAMES,
    config: under.hsm.config,
  }));

  describe('keys', () => {
    let server: Open;
    before(() => {
      server = under.hsm.open();
    });

    it('cannot leave: no value can be read, and none be wrapped', async () => {
      const { id } = await create(server);
      const { default: pkcs11 } = await import('pkcs11js');
      const module = new pkcs11.PKCS11();
      module.load(under.hsm.token.library);
      module.C_Initialize();
      try {
        const [slot = Buffer.alloc(0)] = module.C_GetSlotList(true);
        const session = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION);
        module.C_Login(session, pkcs11.CKU_USER, PIN);
        module.C_FindObjectsInit(session, [
          { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY },
          { type: pkcs11.CKA_ID, value: Buffer.from(id, 'hex') },
        ]);
        const [key = Buffer.alloc(0)] = module.C_FindObjects(session, 2);
        module.C_FindObjectsFinal(session);
        const value = [{ type: pkcs11.CKA_VALUE, value: Buffer.alloc(64) }];
        expect(() => module.C_GetAttributeValue(session, key, value)).to.throw(/CKR_ATTRIBUTE_SENSITIVE/);
        const wrapping = module.C_GenerateKey(session, { mechanism: pkcs11.CKM_AES_KEY_GEN }, [
          { type: pkcs11.CKA_VALUE_LEN, value: 32 },
          { type: pkcs11.CKA_WRAP, value: true },
        ]);
        const wrap = () =>
          module.C_WrapKey(session, { mechanism: pkcs11.CKM_AES_KEY_WRAP_PAD }, wrapping, key, Buffer.alloc(1024));
        expect(wrap).to.throw(/CKR_KEY_UNEXTRACTABLE/);
        const less = [{ type: pkcs11.CKA_EXTRACTABLE, value: true }];
        expect(() => module.C_SetAttributeValue(session, key, less)).to.throw(/CKR_ATTRIBUTE_READ_ONLY/);
      } finally {
        module.C_Finalize();
        under.hsm.logins();
      }
    });

    it('that could leave are refused, and none is left', async () => {
      const name = `key-${randomUUID()}`;
      under.hsm.fault('open');
      const outcome = await outcomeOf(create(server, { name }));
      expect(outcome.code).to.equal('UpstreamFailed');
      expect(outcome.detail).to.include('made a key that could leave it');
      under.hsm.fault();
      expect((await outcomeOf(create(server, { name }))).code).to.equal('done');
    });

    it('of two with the same name at once one is made; the other is 400 naming config.name', async () => {
      const name = `key-${randomUUID()}`;
      const outcomes = await Promise.all([create(server, { name }), create(server, { name })].map(outcomeOf));
      expect(outcomes.map(({ code }) => code).sort()).to.deep.equal(['BadRequest', 'done']);
      expect(outcomes.map(({ field }) => field)).to.include('config.name');
    });

    it('are deleted, also twice, and then for every server', async () => {
      const other = under.hsm.open();
      const reference = await create(server);
      await sign(other, reference);
      await server.backends.remove(reference);
      await server.backends.remove(reference);
      for (const one of [server, other])
        expect(await outcomeOf(sign(one, reference))).to.include({ code: 'BadRequest', field: 'id' });
      const { _publicKey: _, ...wire } = server.backends.write(reference);
      expect(await outcomeOf(server.backends.read(wire))).to.include({ code: 'BadRequest', field: 'id' });
    });

    it('of a type that the token lacks: 400 naming keyType', async () => {
      under.hsm.fault('few');
      const wanted = { keyType: 'Ed25519' as const, config: under.hsm.config };
      const outcome = await outcomeOf(server.backends.create('pkcs11', wanted));
      expect(outcome).to.include({ code: 'BadRequest', field: 'keyType' });
    });

    it('of more calls than may wait for a token the last are refused, and the others answered', async () => {
      const reference = await create(server);
      const outcomes = await Promise.all(Array.from({ length: 600 }, () => outcomeOf(sign(server, reference))));
      const refused = outcomes.filter(({ code }) => code !== 'done');
      expect(refused.length).to.be.within(1, 600 - 256);
      for (const { code, detail } of refused) {
        expect(code).to.equal('UpstreamFailed');
        expect(detail).to.include('too many calls wait for the token');
      }
      expect((await outcomeOf(sign(server, reference))).code).to.equal('done');
    });

    it('sign many at once with one login', async () => {
      const one = under.hsm.open();
      const reference = await create(one);
      under.hsm.logins();
      const again = under.hsm.open();
      const made = await Promise.all(Array.from({ length: 40 }, () => sign(again, reference)));
      expect(new Set(made.map((signature) => Buffer.from(signature).toString('hex'))).size).to.equal(40);
      expect(under.hsm.logins()).to.equal(1);
    });
  });

  describe('credentials', () => {
    it('another access key and an unknown token have one answer, before any call', async () => {
      under.hsm.logins();
      const server = under.hsm.open();
      const given = [{ auth: { accessKey: randomUUID() } }, { token: 'another' }];
      const outcomes = await Promise.all(given.map((members) => outcomeOf(create(server, members))));
      for (const outcome of outcomes) expect(outcome).to.deep.equal(outcomes[0]);
      expect(outcomes[0]).to.include({ code: 'BadRequest', field: 'config.auth' });
      expect(under.hsm.logins()).to.equal(0);
    });

    it('a library, a slot or a PIN of the caller: 400 naming the member', async () => {
      const server = under.hsm.open();
      for (const member of ['library', 'slot', 'label', 'pin', 'tags'])
        expect(await outcomeOf(create(server, { [member]: '/tmp/evil.so' }))).to.include({
          code: 'BadRequest',
          field: `config.${member}`,
        });
    });

    it('a wrong PIN: 502, tried once for all requests, so that the token does not lock, and in no text', async () => {
      under.hsm.logins();
      const pin = 'not-the-pin-of-the-token';
      const server = under.hsm.open({ pin });
      for (const outcome of await Promise.all([1, 2, 3].map(() => outcomeOf(create(server))))) {
        expect(outcome.code).to.equal('UpstreamFailed');
        expect(outcome.detail).to.include('PIN of kms.conf is refused').and.include('CKR_PIN_INCORRECT');
        expect(JSON.stringify(outcome)).to.not.include(pin);
      }
      expect((await outcomeOf(create(server))).code).to.equal('UpstreamFailed');
      expect(under.hsm.logins()).to.equal(1);
    });
  });

  describe('a token that does not answer as it should', () => {
    const absent: [string, object, string][] = [
      ['has no library', { library: '/nowhere/module.so' }, 'the library /nowhere/module.so cannot be loaded'],
      ['is in no slot', { label: 'another' }, 'no slot has a token with the label another'],
    ];
    for (const [what, settings, detail] of absent)
      it(`${what}: 502`, async () => {
        const outcome = await outcomeOf(create(under.hsm.open(settings)));
        expect(outcome.code).to.equal('UpstreamFailed');
        expect(outcome.detail).to.include(detail);
        expect(outcome.message).to.equal('PKCS#11 failed');
      });

    let server: Open;
    let reference: KeyReference;
    before(async () => {
      server = under.hsm.open({}, { pausesMs: [1, 3] });
      reference = await create(server);
    });

    it('loses its sessions: the caller does not notice', async () => {
      await sign(server, reference);
      under.hsm.logins();
      under.hsm.fault('session');
      await sign(server, reference);
      expect(under.hsm.logins()).to.equal(1);
    });

    for (const fault of ['gone', 'crash', 'busy'] as const)
      it(`is ${fault}: 502, and it signs again once it is back`, async () => {
        await sign(server, reference);
        under.hsm.fault(fault);
        expect((await outcomeOf(sign(server, reference))).code).to.equal('UpstreamFailed');
        under.hsm.fault();
        let outcome = await outcomeOf(sign(server, reference));
        while (outcome.detail.includes('a moment ago')) outcome = await outcomeOf(sign(server, reference));
        expect(outcome.code).to.equal('done');
      });

    it('hangs: 504 in time, other work goes on, and it signs again once it is back', async () => {
      const hasty = under.hsm.open({}, { timeoutSeconds: 1 });
      await until(async () => (await outcomeOf(sign(hasty, reference))).code === 'done');
      under.hsm.fault('hang');
      const signing = outcomeOf(sign(hasty, reference));
      // Seen by this process, which its call does not stop.
      await until(() => under.hsm.hangs());
      expect((await signing).code).to.equal('UpstreamTimeout');
      under.hsm.fault();
      expect((await outcomeOf(sign(server, reference))).code).to.equal('done');
    });
  });
});

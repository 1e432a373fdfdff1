import { verify } from 'node:crypto';
import { expect } from 'chai';
import type { KeyBackends } from '../../domain/keys/key-backends.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { signingContract } from '../contract/signing.contract.ts';
import { ociBackends, useFakeOci } from '../support/kms/oci.ts';

const DATA = Buffer.from('what is signed');

describe('Oracle OCI Vault', () => {
  const under = useFakeOci();
  let backends: KeyBackends;
  const create = (over: Record<string, unknown> = {}): Promise<KeyReference> =>
    backends.create('kmsc', { keyType: 'secp256r1', config: under.config(over) });
  const operations = (): string[] =>
    under.fake.management.calls.map(({ method, path }) => `${method} ${path.replace(/ocid1[^/]+/g, '…').slice(9)}`);
  const keyOf = ({ id }: KeyReference) => under.fake.vault.keys.find((key) => key.id === id);

  beforeEach(() => {
    backends = ociBackends().backends;
  });
  afterEach(() => backends.close());

  signingContract('kmsc-rest-api (Oracle OCI Vault)', async () => ({
    ...ociBackends(),
    spelling: 'kmsc-rest-api',
    keyTypes: ['secp256r1', 'RSA'],
    config: under.config({ tags: { team: 'identity' } }),
  }));

  it('creates a software key with its name and its tags, waits until it is enabled, and reads its public key', async () => {
    under.fake.vault.readsUntilEnabled = 2;
    const config = under.config({ tags: { team: 'identität', stage: '' } });
    const reference = await backends.create('kmsc', { keyType: 'RSA', config, name: 'Schlüssel' });
    expect(operations()).to.deep.equal([
      'POST /keys',
      'GET /keys/…',
      'GET /keys/…',
      'GET /keys/…',
      'GET /keys/…/keyVersions/…',
    ]);
    expect(keyOf(reference)).to.include({
      displayName: 'Schlüssel',
      protectionMode: 'SOFTWARE',
      compartmentId: under.user.compartmentId,
      lifecycleState: 'ENABLED',
    });
    expect(keyOf(reference)?.keyShape).to.deep.equal({ algorithm: 'RSA', length: 256 });
    expect(keyOf(reference)?.freeformTags).to.deep.equal({ team: 'identität', stage: '' });
    expect(reference.publicJwk).to.include({ kty: 'RSA', e: 'AQAB' });
  });

  it('names a key itself when the caller does not, and shortens a name that is too long', async () => {
    expect(keyOf(await create())?.displayName).to.equal('Credenza');
    const config = under.config();
    const long = await backends.create('kmsc', { keyType: 'secp256r1', config, name: 'n'.repeat(256) });
    expect(keyOf(long)?.displayName).to.equal('n'.repeat(255));
  });

  it('one signature is one call, to the crypto endpoint only', async () => {
    const reference = await create();
    under.fake.reset();
    const signatures = await Promise.all(Array.from({ length: 5 }, () => backends.signer(reference).sign(DATA)));
    expect(under.fake.management.calls).to.have.length(0);
    expect(under.fake.crypto.calls).to.have.length(5);
    for (const signature of signatures) {
      const key = { key: reference.publicJwk as never, format: 'jwk', dsaEncoding: 'ieee-p1363' } as const;
      expect(verify('sha256', DATA, key, signature)).to.equal(true);
    }
    const { message, ...sent } = JSON.parse(String(under.fake.crypto.calls[0]?.body));
    expect(Buffer.from(message, 'base64')).to.have.length(32);
    expect(sent).to.deep.equal({ keyId: reference.id, messageType: 'DIGEST', signingAlgorithm: 'ECDSA_SHA_256' });
  });

  it('fetches a public key that is left out once for concurrent readers, and again for other credentials', async () => {
    const { id, publicJwk } = await create();
    const other = await under.fake.newUser(under.user.tenancyId);
    under.fake.reset();
    const read = (config: unknown) => backends.read({ type: 'oci', id, config });
    const all = await Promise.all(Array.from({ length: 20 }, () => read(under.config())));
    expect(operations()).to.deep.equal(['GET /keys/…', 'GET /keys/…/keyVersions/…']);
    for (const read of all) expect(read.publicJwk).to.deep.equal(publicJwk);
    await read(under.fake.configOf(other));
    expect(operations()).to.have.length(4);
  });

  it('a key of one tenancy is hidden from the users of another', async () => {
    const { id } = await create();
    const stranger = under.fake.configOf(await under.fake.newUser());
    const error = await backends.read({ type: 'oci', id, config: stranger }).catch((error) => error);
    expect(error.code).to.equal('BadRequest');
    expect(error.details[0].path).to.deep.equal(['id']);
    expect(error.message).to.include('it does not exist, or this user has no right to it');
  });

  it('after a rotation at the service the old public key is refused, and the new one is found', async () => {
    const reference = await create();
    await under.fake.vault.rotate(reference.id, Date.now());
    const error = await backends
      .signer(reference)
      .sign(DATA)
      .catch((error) => error);
    expect(error.code).to.equal('BadRequest');
    expect(error.details).to.deep.equal([{ path: ['_publicKey'], message: 'contradicts the key' }]);
    const read = await backends.read({ type: 'oci', id: reference.id, config: under.config() });
    expect(read.publicJwk).not.to.deep.equal(reference.publicJwk);
    expect(await backends.signer(read).sign(DATA)).to.have.length(64);
  });

  it('after a rotation a reader with the old public key in its cache gets the new one at the next call', async () => {
    const { id } = await create();
    const wire = { type: 'oci', id, config: under.config() };
    const before = await backends.read(wire);
    await under.fake.vault.rotate(id, Date.now());
    const error = await backends
      .signer(before)
      .sign(DATA)
      .catch((error) => error);
    expect(error.code).to.equal('BadRequest');
    expect(await backends.signer(await backends.read(wire)).sign(DATA)).to.have.length(64);
  });

  describe('remove', () => {
    it('schedules the deletion for seven days and ten minutes from now', async () => {
      const now = Date.now();
      const { backends: atNoon } = ociBackends({ clock: { now: () => now } });
      const reference = await create();
      await atNoon.remove(reference);
      expect(keyOf(reference)).to.include({
        lifecycleState: 'PENDING_DELETION',
        timeOfDeletion: new Date(now + (7 * 24 * 60 + 10) * 60_000).toISOString(),
      });
    });

    it('is no error for a key that is already being deleted or does not exist', async () => {
      const reference = await create();
      for (const state of ['SCHEDULING_DELETION', 'PENDING_DELETION', 'DELETING', 'DELETED']) {
        under.fake.vault.move(reference.id, state);
        await backends.remove(reference);
      }
      await backends.remove({ ...reference, id: 'ocid1.key.oc1.eu-frankfurt-1.unknown' });
    });

    it('waits for a key that is not enabled yet, which cannot be deleted before', async () => {
      under.fake.vault.readsUntilEnabled = 0;
      const reference = await create();
      under.fake.vault.move(reference.id, 'CREATING');
      await backends.remove(reference);
      expect(keyOf(reference)?.lifecycleState).to.equal('PENDING_DELETION');
    });

    it('says so when the state of the key does not allow it', async () => {
      const reference = await create();
      under.fake.vault.move(reference.id, 'BACKUP_IN_PROGRESS');
      const error = await backends.remove(reference).catch((error) => error);
      expect(error.code).to.equal('BadRequest');
      expect(error.message).to.include('IncorrectState');
    });
  });

  it('reads the key of a vault whose keys are of types that the contract lacks as unusable', async () => {
    const { vault, now } = under.fake;
    const details = { compartmentId: under.user.compartmentId, displayName: 'other' };
    const options = { tenancy: under.user.tenancyId, now: now() };
    for (const keyShape of [
      { algorithm: 'AES', length: 32 },
      { algorithm: 'ECDSA', length: 48, curveId: 'NIST_P384' },
    ]) {
      const { id } = await vault.create({ ...details, keyShape }, options);
      const error = await backends.read({ type: 'oci', id, config: under.config() }).catch((error) => error);
      expect(error.code, keyShape.algorithm).to.equal('BadRequest');
      expect(error.details[0].path).to.deep.equal(['id']);
    }
  });
});

import { expect } from 'chai';
import type { Fault } from '../../demo/fake-clouds/fake-server.ts';
import type { KeyBackends } from '../../domain/keys/key-backends.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import { useFakeAws } from '../support/kms/aws.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIST = '/latest/meta-data/iam/security-credentials/';

describe('AWS KMS with the role of an instance', () => {
  const clock = { time: Date.now(), now: () => clock.time };
  const fake = useFakeAws(() => clock.time);
  let backends: KeyBackends;
  const asked = () => fake.metadataServer.calls.map(({ method, path }) => `${method} ${path}`);
  const ALL = () => ['PUT /latest/api/token', `GET ${LIST}`, `GET ${LIST}${fake.metadata.roleName}`];
  const create = (auth: object = {}): Promise<KeyReference> =>
    backends.create('kmsa-rest-api', {
      keyType: 'secp256r1',
      config: { auth: { ...fake.roleConfig().auth, ...auth } },
    });
  const sign = (reference: KeyReference) => backends.signer(reference).sign(Buffer.from('data'));
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => ({ code: 'done' }),
      (error) => error,
    );
  const tokensSent = () => fake.server.calls.map(({ headers }) => headers['x-amz-security-token']);

  beforeEach(() => {
    fake.metadata.roleName = fake.roleConfig().auth.roleName;
    clock.time = Date.now();
    backends = remoteBackends({ kmsa: fake.settings, clock, timeoutSeconds: 3 }).backends;
  });
  afterEach(() => backends.close());

  it('asks for a token, the name of the role and its credentials, once for concurrent first uses', async () => {
    await Promise.all([1, 2, 3, 4].map(() => create()));
    expect(asked()).to.deep.equal(ALL());
    const [token, list, credentials] = fake.metadataServer.calls;
    expect(Number(token?.headers['x-aws-ec2-metadata-token-ttl-seconds'])).to.be.within(1, 21_600);
    expect(list?.headers['x-aws-ec2-metadata-token']).to.be.a('string');
    expect(credentials?.headers['x-aws-ec2-metadata-token']).to.equal(list?.headers['x-aws-ec2-metadata-token']);
  });

  it('sends the session token with every call', async () => {
    const reference = await create();
    await sign(reference);
    const [first, ...others] = tokensSent();
    expect(first).to.be.a('string').with.length.above(40);
    expect(others).to.deep.equal([first, first]);
  });

  it('renews the credentials five minutes before they expire, and not earlier', async () => {
    const reference = await create();
    clock.time += 6 * HOUR - 5 * MINUTE - 1000;
    await sign(reference);
    expect(asked()).to.have.length(3);
    clock.time += 2000;
    await Promise.all([1, 2, 3, 4].map(() => sign(reference)));
    expect(asked()).to.have.length(6);
    const sent = tokensSent();
    expect(sent.at(-1)).to.not.equal(sent[0]);
  });

  it('uses valid credentials while they cannot be renewed, and none that are expired', async () => {
    const reference = await create();
    fake.metadataServer.always({ kind: 'fail' });
    clock.time += 6 * HOUR - MINUTE;
    await sign(reference);
    clock.time += 2 * MINUTE;
    expect((await failure(sign(reference))).code).to.equal('UpstreamFailed');
  });

  it('asks again after credentials were refused', async () => {
    const reference = await create();
    const [accessKeyId = ''] = [...fake.service.accessKeys.keys()].slice(-1);
    fake.service.accessKeys.delete(accessKeyId);
    expect((await failure(sign(reference))).code).to.equal('BadRequest');
    await sign(reference);
    expect(asked()).to.have.length(6);
  });

  it('refuses another role than that of the machine, naming the field but not the role', async () => {
    fake.metadata.roleName = 'production-database';
    const error = await failure(create());
    expect(error.code).to.equal('BadRequest');
    expect(error.details[0].path).to.deep.equal(['config', 'auth', 'roleName']);
    expect(error.message).to.not.include('production-database');
    expect(fake.server.calls).to.have.length(0);
  });

  it('refuses a role on a machine without one', async () => {
    fake.metadata.roleName = undefined;
    const error = await failure(create());
    expect(error.code).to.equal('BadRequest');
    expect(error.details[0].path).to.deep.equal(['config', 'auth', 'roleName']);
    expect(fake.server.calls).to.have.length(0);
  });

  const faults: [Fault, string][] = [
    [{ kind: 'fail' }, 'UpstreamFailed'],
    [{ kind: 'cut' }, 'UpstreamFailed'],
    [{ kind: 'hang' }, 'UpstreamTimeout'],
  ];
  for (const [fault, code] of faults)
    for (const at of [1, 2, 3])
      it(`names the metadata service when its answer ${at} is missing: ${fault.kind}`, async () => {
        fake.metadataServer.fault(at, fault);
        const error = await failure(create());
        expect(error.code).to.equal(code);
        expect(error.message).to.include('instance metadata service');
        expect(fake.server.calls).to.have.length(0);
        expect((await failure(create())).code).to.equal('done');
      });

  it('refuses credentials that are incomplete or expired', async () => {
    const expired = { AccessKeyId: 'a', SecretAccessKey: 'b', Token: 'c', Expiration: '2020-01-01T00:00:00Z' };
    for (const body of [
      '{}',
      '[]',
      'null',
      '<html>',
      JSON.stringify(expired),
      '{"Code":"AssumeRoleUnauthorizedAccess"}',
    ]) {
      fake.metadataServer.fault(3, { kind: 'nonsense', body });
      expect((await failure(create())).code, body).to.equal('UpstreamFailed');
      fake.metadataServer.reset();
    }
  });

  it('has no part of temporary credentials in an error that quotes them', async () => {
    const reference = await create();
    const session = [...fake.service.accessKeys].at(-1);
    const [accessKeyId = '', { sessionToken = '', secretAccessKey = '' } = {}] = session ?? [];
    const message = `The canonical string is x-amz-security-token:${sessionToken} ${accessKeyId} ${secretAccessKey}`;
    const body = JSON.stringify({ __type: 'InvalidSignatureException', message });
    fake.server.always({ kind: 'refuse', status: 400, body });
    const error = await failure(sign(reference));
    expect(error.code).to.equal('BadRequest');
    expect(error.message).to.include('x-amz-security-token:');
    for (const secret of [sessionToken, accessKeyId, secretAccessKey]) expect(error.message).to.not.include(secret);
  });

  it('is fetched separately for each region, and never used for a reference with access keys', async () => {
    await create();
    await create({ region: 'us-east-1' });
    expect(asked()).to.deep.equal([...ALL(), ...ALL()]);
    fake.server.reset();
    await backends.create('kmsa', { keyType: 'secp256r1', config: fake.config() });
    expect(tokensSent()).to.deep.equal([undefined, undefined]);
  });
});

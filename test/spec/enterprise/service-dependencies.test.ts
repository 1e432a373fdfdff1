import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { SERVICE_TYPES, type ServiceType } from '../../../domain/tenancy/tree/service-types.ts';
import { CLIENT, newAttestation } from '../../actors/client-attester.ts';
import { type EnterpriseFixture, fieldsOf, jwkDid, KMS, startEnterprise } from '../../actors/tenant.ts';
import { newIaca, ok, STORE, startCertificates, startVical } from '../../actors/tenant-certificates.ts';
import { CARDS } from '../../actors/tenant-issuer.ts';
import type { Answer } from '../../support/servers/server.ts';

describe('service dependencies', () => {
  const TYPES = Object.keys(SERVICE_TYPES) as ServiceType[];
  const rowOf = (type: ServiceType): { uses: readonly string[]; needs?: readonly string[] } => SERVICE_TYPES[type];
  const serviceOf = (type: string): string => `acme.t1.used-${type}`;
  /** The key management service and the store of certificates are those with the keys and certificates of these tests. */
  const USED: Record<string, string> = { kms: KMS, 'x509-store': STORE };
  const usedOf = (type: string): string => USED[type] ?? serviceOf(type);

  let world: EnterpriseFixture;
  let vicalPem: string;
  let issuerDid: string;
  before(async () => {
    world = await startEnterprise();
    await startCertificates(world);
    vicalPem = await startVical(world);
    const path = { target: `${KMS}.signer` };
    issuerDid = jwkDid((await world.server.call('getResource', { path, token: world.root })).body.key.jwk);
    for (const type of TYPES) if (!(type in USED)) await ok(create(serviceOf(type), type), 201);
  });
  after(() => world.close());

  /** The members of a configuration without which there is no service. */
  const required = (type: string): object => {
    const members: Record<string, object> = {
      'vical-service': { kid: `${KMS}.vical`, x5Chain: [vicalPem] },
      'client-attester': { signingKeyId: `${KMS}.signer`, clientIds: [CLIENT] },
    };
    return members[type] ?? {};
  };

  /** Creates a service with what it needs, and more. */
  const create = (target: string, type: ServiceType, more: readonly string[] = [], config: object = {}) => {
    const dependencies = [...new Set([...(rowOf(type).needs ?? []).map(usedOf), ...more])];
    return world.post('createService', target, { type, dependencies, ...required(type), ...config });
  };

  let services = 0;
  const freshTarget = (): string => `acme.t1.dependent${++services}`;
  const remove = (target: string) => world.server.call('deleteResource', { path: { target }, token: world.root });

  /** What a service cannot do without a dependency, or why it can do all. */
  type Missing = string | ((target: string) => Promise<Answer>);

  /** Creates a service of a type that depends on services of these types alone. */
  const withOnly =
    (type: ServiceType, types: readonly string[], config: object = {}) =>
    (target: string) =>
      world.post('createService', target, { type, dependencies: types.map(usedOf), ...required(type), ...config });

  /** Calls an operation at such a service. */
  const calling =
    (type: ServiceType, types: readonly string[], [operationId, json]: [string, () => object]) =>
    async (target: string): Promise<Answer> => {
      await ok(withOnly(type, types)(target), 201);
      return world.post(operationId, target, json());
    };

  const createDid = (types: readonly string[]) => async (target: string) => {
    await ok(withOnly('did-service', types)(target), 201);
    const json = { keyId: `${KMS}.signer` };
    return world.server.call('createServiceDid', { path: { target, method: 'jwk' }, json, token: world.root });
  };

  const UNUSED = 'nothing here works with it yet';

  /** For each type and each type that it may use: what is refused while there is no such dependency. */
  const MISSING: Record<string, Missing> = {
    'did-store kms': calling('did-store', [], ['createTenantDid', () => ({ method: 'key', key: `${KMS}.signer` })]),
    'did-service kms': createDid(['did-store']),
    'did-service did-store': createDid(['kms']),
    'did-registry did-store': 'it publishes nothing without one',
    'credential-status kms': calling(
      'credential-status',
      [],
      ['createStatusCredential', () => ({ kid: `${KMS}.signer`, issuerDid, config: { type: 'TokenStatusList' } })],
    ),
    'x509-service kms': calling('x509-service', ['x509-store'], ['createTenantIaca', () => newIaca('missing')]),
    'x509-service x509-store': calling('x509-service', ['kms'], ['createTenantIaca', () => newIaca('missing')]),
    'vical-service kms': withOnly('vical-service', ['x509-store']),
    'vical-service x509-store': calling('vical-service', ['kms'], ['publishVical', () => ({ vicalProvider: 'Acme' })]),
    'issuer2 kms': withOnly('issuer2', [], { ...CARDS, defaultIssuerKey: `${KMS}.signer` }),
    'issuer2 did-store': withOnly('issuer2', ['kms'], {
      ...CARDS,
      profiles: { card: { ...CARDS.profiles.card, issuerDid: `${serviceOf('did-store')}.one` } },
    }),
    'issuer2 credential-status': 'its status lists are its own',
    'issuer2 credential-store': UNUSED,
    'issuer2 x509-store': UNUSED,
    'issuer2 x509-service': UNUSED,
    'issuer2 client-attester': withOnly('issuer2', [], { ...CARDS, securityProfile: 'HAIP' }),
    'client-attester kms': calling(
      'client-attester',
      [],
      ['createClientAttestation', () => newAttestation(world.server, makeHolderKey())],
    ),
    'oidc-bridge kms': withOnly('oidc-bridge', ['verifier2'], { signingKeyIds: [`${KMS}.signer`] }),
    'oidc-bridge verifier2': 'its page answers 409, and a sign-in is no single call: tenant-sign-in.stores.test.ts',
    'verifier2 kms': withOnly('verifier2', [], { signingKey: `${KMS}.signer` }),
    'verifier2 did-store': UNUSED,
    'verifier2 policy-store': withOnly('verifier2', [], { vcPolicies: [`${serviceOf('policy-store')}.one`] }),
    'verifier2 x509-store': 'it has no trust of its own',
    'verifier2 trust-registry': 'it has no trust of its own',
    'verifier2 credential-store': UNUSED,
    'wallet2 kms': withOnly('wallet2', [], { defaultKeyId: `${KMS}.signer` }),
    'wallet2 did-store': withOnly('wallet2', ['kms'], { defaultDidId: `${serviceOf('did-store')}.one` }),
    'wallet2 did-service': UNUSED,
    'wallet2 credential-store': calling(
      'wallet2',
      ['kms'],
      ['receiveTenantCredentials', () => ({ offerUrl: 'openid-credential-offer://?credential_offer=%7B%7D' })],
    ),
    'wallet2 client-attester': calling(
      'wallet2',
      ['kms'],
      [
        'obtainClientAttestation',
        () => ({
          clientAttesterServiceRef: serviceOf('client-attester'),
          instanceKeyReference: `${KMS}.signer`,
        }),
      ],
    ),
    'wallet2 policy-store': 'without one no policy refuses anything',
    'wallet2 trust-registry': 'the authorities of the operator count',
    'wallet2 x509-store': 'the authorities of the operator count',
  };

  describe('createService: what a service lacks', () => {
    it('rows: is tried for each type that another one uses', () => {
      const used = TYPES.flatMap((type) => rowOf(type).uses.map((other) => `${type} ${other}`));
      expect(used).to.have.members(Object.keys(MISSING));
    });

    for (const [pair, missing] of Object.entries(MISSING)) {
      if (typeof missing === 'string') continue;
      const [, other = ''] = pair.split(' ');
      it(`${pair}: is a 409 that names the type, or a 400 that names the member`, async () => {
        const target = freshTarget();
        const answer = await missing(target);
        if (answer.status === 409)
          expect(answer.body.message).to.equal(
            `${target} needs a service of the type ${other}: add it as a dependency`,
          );
        else expect([answer.status, fieldsOf(answer).length], JSON.stringify(answer.body)).to.deep.equal([400, 1]);
        await remove(target);
      });
    }
  });

  describe('addDependency: every type of service on every other', () => {
    for (const type of TYPES)
      it(`${type}: takes those that it uses, and names both types when it refuses one`, async () => {
        const target = freshTarget();
        await ok(create(target, type), 201);
        const known = (rowOf(type).needs ?? []).map(usedOf);
        for (const other of TYPES) {
          const dependency = usedOf(other);
          const message = `a service of the type ${type} does not use one of the type ${other}`;
          const isUsed = rowOf(type).uses.includes(other);
          const added = await world.post('addDependency', target, { dependency });
          const fresh = freshTarget();
          const made = await create(fresh, type, [dependency]);
          const statuses = [added.status, made.status];
          if (known.includes(dependency)) expect(statuses, other).to.deep.equal([409, 201]);
          else expect(statuses, other).to.deep.equal(isUsed ? [200, 201] : [400, 400]);
          if (isUsed) continue;
          expect([added.body.message, made.body.message].every((text) => text.includes(message))).to.equal(true);
          expect(fieldsOf(made)).to.deep.equal([`/body/dependencies/${known.length}`]);
        }
      });
  });

  describe('removeDependency and updateService: every type that another one needs', () => {
    for (const type of TYPES)
      for (const needed of rowOf(type).needs ?? [])
        it(`409: ${type} keeps its last ${needed}`, async () => {
          const target = freshTarget();
          await ok(create(target, type), 201);
          const left = (rowOf(type).needs ?? []).filter((one) => one !== needed).map(usedOf);
          const call = { path: { target }, token: world.root };
          const answers = [
            await world.server.call('removeDependency', { ...call, json: { dependency: usedOf(needed) } }),
            await world.server.call('updateService', {
              ...call,
              json: { type, dependencies: left, ...required(type) },
            }),
          ];
          for (const { status, body } of answers) {
            expect(status, JSON.stringify(body)).to.equal(409);
            expect(body.message).to.contain(needed);
          }
        });
  });
});

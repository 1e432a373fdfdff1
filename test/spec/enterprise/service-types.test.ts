import { expect } from 'chai';
import { SERVICE_TYPES, type ServiceType } from '../../../domain/tenancy/tree/service-types.ts';
import { attest, CLIENT } from '../../actors/client-attester.ts';
import { crossDevice } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, fieldsOf, KMS, startEnterprise } from '../../actors/tenant.ts';
import { newIaca, ok, STORE, startCertificates, startVical } from '../../actors/tenant-certificates.ts';
import { CARDS, offerOf } from '../../actors/tenant-issuer.ts';
import { joined } from '../../support/documents/contract.ts';
import type { Answer, Call } from '../../support/servers/server.ts';

describe('service types', () => {
  type Json = Record<string, unknown>;
  type Names = { enum?: string[]; 'x-other-values'?: object };

  let world: EnterpriseFixture;
  let certificate: string;
  before(async () => {
    world = await startEnterprise();
    await startCertificates(world);
    certificate = await startVical(world);
  });
  after(() => world.close());

  /** What a service of a type does: a call at the service, or at a child of it, with what its configuration needs. */
  interface Work {
    call: [operationId: string, Call] | ((target: string) => Promise<Answer>);
    config?: () => Json;
    /** The types that it uses and is tried without. */
    without?: readonly string[];
  }

  const did = 'did:web:one.example';
  const holding = { credentials: [{ id: 'q', format: 'jwt_vc_json', meta: { type_values: [['Card']] } }] };

  const WORKS: Record<string, Work> = {
    kms: { call: ['generateKey', { json: { keyType: 'secp256r1' } }] },
    'did-store': { call: ['addDid', { json: { did, document: { id: did } } }] },
    'did-service': { call: ['createServiceDid', { path: { method: 'jwk' }, json: { keyId: `${KMS}.signer` } }] },
    did: { call: ['createServiceDid', { path: { method: 'jwk' }, json: { keyId: `${KMS}.iaca` } }] },
    'did-registry': { call: (target) => published(target) },
    'credential-store': {
      call: ['addCredential', { json: { credential: { type: 'x', credentialData: {}, signed: 'x' } } }],
    },
    'credential-status': { call: ['tenantListStatusLists', {}] },
    'policy-store': { call: ['addStoredPolicy', { json: { name: 'One', policy: { policy: 'signature' } } }] },
    'x509-service': { call: ['createTenantIaca', { json: newIaca('iaca-of-type') }] },
    'x509-store': { call: ['listCertificates', {}] },
    issuer2: {
      call: ['tenantCreateCredentialOffer', { json: offerOf() }],
      config: () => CARDS,
      without: ['did-store'],
    },
    verifier2: { call: ['tenantCreateVerificationSession', { json: crossDevice() }] },
    'vical-service': {
      call: ['publishVical', { json: { vicalProvider: 'Acme' } }],
      config: () => ({ kid: `${KMS}.vical`, x5Chain: [certificate] }),
    },
    'client-attester': {
      call: (target) => attest(world, { target }),
      config: () => ({ signingKeyId: `${KMS}.signer`, clientIds: [CLIENT] }),
    },
    'trust-registry': { call: ['addTrustedIssuer', { json: { type: 'url', issuer: 'https://issuer.example.org' } }] },
    'oidc-bridge': { call: ['tenantGetSignInConfiguration', {}] },
    wallet2: { call: ['tenantMatchStoredCredentials', { json: { dcqlQuery: holding } }] },
  };

  /** The names of older APIs, and what is served instead. */
  const REFUSED: Record<string, string> = { issuer: 'issuer2', verifier: 'verifier2', wallet: 'wallet2' };

  /** Services of this tenant that others depend on. */
  const used: Record<string, string> = { kms: KMS, 'x509-store': STORE };
  const typeOf = (name: string): ServiceType => (name === 'did' ? 'did-service' : (name as ServiceType));
  const at = (target: string, { path, ...more }: Call): Call => ({
    path: { target, ...path },
    token: world.root,
    ...more,
  });

  /** The answer of a registry for a DID that its store has of this very path. */
  async function published(target: string): Promise<Answer> {
    const { host } = new URL(world.server.url);
    const id = `did:web:${encodeURIComponent(host)}:v1:${target}:did-registry-service-api:registry:one`;
    await ok(world.post('addDid', used['did-store'] ?? '', { did: id, document: { id } }), 201);
    return world.server.call('getRegistryDid', { path: { target, did: 'one' } });
  }

  /** The target of a service that others of the type depend on. */
  async function usedOf(type: string): Promise<string> {
    const target = used[type] ?? (await created(type));
    used[type] = target;
    return target;
  }

  /** A new service of a type that depends on one of each type that it uses. */
  async function created(name: string): Promise<string> {
    const target = `acme.t1.the-${name}`;
    const { config, without = [] } = WORKS[name] ?? {};
    const types = SERVICE_TYPES[typeOf(name)].uses.filter((one) => !without.includes(one));
    const dependencies: string[] = [];
    for (const one of types) dependencies.push(await usedOf(one));
    const json = { type: name, dependencies, ...config?.() };
    const { type } = await ok(world.post('createService', target, json), 201);
    expect(type).to.equal(typeOf(name));
    return target;
  }

  it('each documented name works or is refused: none is only stored', () => {
    const { schemas } = joined.components as unknown as { schemas: Record<string, Names> };
    const names = [...Object.keys(WORKS), ...Object.keys(REFUSED)];
    const { enum: own = [], 'x-other-values': others = {} } = schemas.ServiceType ?? {};
    expect([...own, ...Object.keys(others)]).to.have.members(names);
  });

  for (const [name, { call }] of Object.entries(WORKS))
    it(`${name} works`, async () => {
      const target = await usedOf(name);
      const answer =
        typeof call === 'function' ? await call(target) : await world.server.call(call[0], at(target, call[1]));
      expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
    });

  for (const [name, instead] of Object.entries(REFUSED))
    it(`${name} is refused with the type that is served instead`, async () => {
      for (const operationId of ['createService', 'createServices']) {
        const isMany = operationId === 'createServices';
        const json = isMany ? { services: { one: { type: name } } } : { type: name };
        const answer = await world.post(operationId, isMany ? 'acme.t1' : 'acme.t1.refused', json);
        const field = isMany ? '/body/services/one/type' : '/body/type';
        expect([answer.status, ...fieldsOf(answer)]).to.deep.equal([400, field]);
        expect(answer.body.message).to.contain(`create one of the type ${instead}`);
      }
    });
});

import { expect } from 'chai';
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { claimsOf } from '../../../demo/actors/jws.ts';
import {
  ATTESTER,
  attest,
  attesterUrl,
  CLIENT,
  createAttester,
  instanceProof,
  newAttestation,
} from '../../actors/client-attester.ts';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  KMS,
  may,
  mayNot,
  oversized,
  publicJwkIn,
  startEnterprise,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

const DAY = 86_400;

describe('a client attester of a tenant', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await createAttester(world);
  });
  after(() => world.close());

  const instance = makeHolderKey();
  const headerOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString());
  const at = (operationId: string, attestationId: string, token = world.root) =>
    world.server.call(operationId, { path: { target: ATTESTER, attestationId }, token });
  const keySet = async (target = ATTESTER) =>
    (await ok(world.server.call('listClientAttesterKeys', { path: { target } }))).keys;

  describe('createClientAttestation', () => {
    it('200: an attestation of the key for a day, signed by the key of the tenant', async () => {
      const { clientAttestationJwt: jwt, expiresAt, attestationId } = await ok(attest(world, { instance }));
      const [key] = await keySet();
      const now = Math.floor(world.server.clock.now() / 1000);
      expect(claimsOf(jwt)).to.deep.equal({
        iss: attesterUrl(world.server),
        sub: CLIENT,
        iat: now,
        exp: now + DAY,
        jti: attestationId,
        cnf: { jwk: instance.jwk },
      });
      expect(expiresAt).to.equal(now + DAY);
      expect(headerOf(jwt)).to.deep.equal({ alg: 'ES256', typ: 'oauth-client-attestation+jwt', kid: key.kid });
      await compactVerify(jwt, await importJWK(key));
    });

    it('200: with the certificates of the key, the anchor left out, for as long as is configured', async () => {
      const target = 'acme.t1.certified';
      const keys = testKeys('P-256', 71);
      await ok(world.post('importTenantKey', `${KMS}.certified`, keys.privateKey.export({ format: 'jwk' })), 201);
      const anchor = makeCertificate({ subject: 'CN=Attester CA', ca: true, keys: testKeys('P-256', 72) });
      const leaf = makeCertificate({ subject: 'CN=Attester', issuer: anchor, keys });
      const x5Chain = [leaf.pem, anchor.pem];
      await createAttester(
        world,
        { signingKeyId: `${KMS}.certified`, x5Chain, attestationValiditySeconds: 600 },
        target,
      );
      const { clientAttestationJwt: jwt, expiresAt } = await ok(attest(world, { target }));
      expect(headerOf(jwt).x5c).to.deep.equal([Buffer.from(leaf.der).toString('base64')]);
      expect(expiresAt - Number(claimsOf(jwt).iat)).to.equal(600);
    });

    it('400: a key, a client or a proof that is not acceptable is named', async () => {
      const { server } = world;
      const good = newAttestation(server, instance);
      const proof = (changes: Parameters<typeof instanceProof>[2]) => ({
        ...good,
        proof: instanceProof(server, instance, changes),
      });
      const iat = Math.floor(server.clock.now() / 1000);
      const { d: _, ...jwk } = testKeys('P-384', 3).publicKey.export({ format: 'jwk' });
      const privateJwk = instance.privateKey.export({ format: 'jwk' });
      const unsigned = good.proof.split('.').slice(0, 2).join('.');
      const cases: Record<string, [object, string]> = {
        'another client': [{ ...good, clientId: 'https://other.example' }, '/body/clientId'],
        'a private key': [{ ...good, instancePublicKeyJwk: privateJwk }, '/body/instancePublicKeyJwk'],
        'a key for another algorithm': [{ ...good, instancePublicKeyJwk: jwk }, '/body/instancePublicKeyJwk'],
        'no key': [{ ...good, instancePublicKeyJwk: {} }, '/body/instancePublicKeyJwk'],
        'no JWT': [{ ...good, proof: 'none' }, '/body/proof'],
        'too long a proof': [{ ...good, proof: 'x'.repeat(8193) }, '/body/proof'],
        'another audience': [proof({ claims: { aud: 'https://issuer.example' } }), '/body/proof'],
        'two audiences': [proof({ claims: { aud: [attesterUrl(server), 'https://b.example'] } }), '/body/proof'],
        'another issuer': [proof({ claims: { iss: 'https://other.example' } }), '/body/proof'],
        'no jti': [proof({ claims: { jti: undefined } }), '/body/proof'],
        'no iat': [proof({ claims: { iat: undefined } }), '/body/proof'],
        'an old proof': [proof({ claims: { iat: iat - 301 } }), '/body/proof'],
        'a proof of the future': [proof({ claims: { iat: iat + 61 } }), '/body/proof'],
        'another type': [proof({ header: { typ: 'oauth-client-attestation-pop+jwt' } }), '/body/proof'],
        'another key': [proof({ key: makeHolderKey() }), '/body/proof'],
        'alg none': [{ ...proof({ header: { alg: 'none' } }), proof: `${unsigned}.` }, '/body/proof'],
        'a symmetric algorithm': [proof({ header: { alg: 'HS256' } }), '/body/proof'],
        'a critical header': [proof({ header: { crit: ['exp'] } }), '/body/proof'],
      };
      for (const [name, [json, field]] of Object.entries(cases)) {
        const answer = await world.post('createClientAttestation', ATTESTER, json);
        expect([answer.status, ...fieldsOf(answer)], name).to.deep.equal([400, field]);
      }
    });

    it('400: a proof that was used; of many at once one succeeds', async () => {
      const json = newAttestation(world.server, makeHolderKey());
      const all = await Promise.all(
        Array.from({ length: 8 }, () => world.post('createClientAttestation', ATTESTER, json)),
      );
      expect(all.map(({ status }) => status).toSorted()).to.deep.equal([200, ...Array(7).fill(400)]);
      const again = await world.post('createClientAttestation', ATTESTER, json);
      expect([again.status, ...fieldsOf(again)]).to.deep.equal([400, '/body/proof']);
    });

    it('409: without the key, which leaves the proof usable', async () => {
      const target = 'acme.t1.keyless';
      const signingKeyId = `${KMS}.passing`;
      await ok(world.post('generateKey', signingKeyId, { keyType: 'secp256r1' }), 201);
      await createAttester(world, { signingKeyId }, target);
      await world.server.call('deleteResource', { path: { target: signingKeyId }, token: world.root });
      const json = newAttestation(world.server, instance, { claims: { aud: attesterUrl(world.server, target) } });
      expect((await world.post('createClientAttestation', target, json)).status).to.equal(409);
      expect(await keySet(target)).to.deep.equal([]);
      await ok(world.post('generateKey', signingKeyId, { keyType: 'Ed25519' }), 201);
      expect((await world.post('createClientAttestation', target, json)).status).to.equal(200);
    });

    it('403: without the permission; 404: at a service of another type', async () => {
      const { token } = await world.member([may('acme'), mayNot(ATTESTER, 'client-attestation-create')]);
      const json = newAttestation(world.server, instance);
      expect((await world.post('createClientAttestation', ATTESTER, json, token)).status).to.equal(403);
      expect((await world.post('createClientAttestation', KMS, json)).status).to.equal(404);
    });

    it('413 and 415: a body that is too large, and a form', async () => {
      const call = { path: { target: ATTESTER }, token: world.root };
      expect((await world.server.call('createClientAttestation', { ...call, ...oversized })).status).to.equal(413);
      expect((await world.server.call('createClientAttestation', { ...call, ...asForm })).status).to.equal(415);
    });
  });

  describe('getClientAttestation', () => {
    it('200: what was attested, without the attestation; 404: at another service; 400: an id that is none', async () => {
      const { attestationId: id, expiresAt } = await ok(attest(world, { instance }));
      const shown = await ok(at('getClientAttestation', id));
      const { createdDateTime } = shown;
      expect(shown).to.deep.equal({
        _id: `${ATTESTER}.${id}`,
        parent: ATTESTER,
        id,
        clientId: CLIENT,
        instanceThumbprint: await calculateJwkThumbprint({ ...instance.jwk }),
        state: 'valid',
        expiresDateTime: new Date(expiresAt * 1000).toISOString(),
        createdDateTime,
        updatedDateTime: createdDateTime,
      });
      await createAttester(world, {}, 'acme.t1.attester2');
      const path = { target: 'acme.t1.attester2', attestationId: id };
      expect((await world.server.call('getClientAttestation', { path, token: world.root })).status).to.equal(404);
      expect((await at('getClientAttestation', 'none')).status).to.equal(400);
    });
  });

  describe('revokeClientAttestation', () => {
    it('200: revoked for good, and the same again', async () => {
      const { attestationId: id } = await ok(attest(world));
      world.server.clock.advance(1000);
      expect(await ok(at('revokeClientAttestation', id))).to.deep.equal({ id, state: 'revoked' });
      const revoked = await ok(at('getClientAttestation', id));
      expect(revoked).to.include({ state: 'revoked', revokedDateTime: revoked.updatedDateTime });
      world.server.clock.advance(1000);
      expect(await ok(at('revokeClientAttestation', id))).to.deep.equal({ id, state: 'revoked' });
      expect(await ok(at('getClientAttestation', id))).to.deep.equal(revoked);
    });

    it('403: with the permission to list only; 404: unknown; 400: an id that is none', async () => {
      const { attestationId: id } = await ok(attest(world));
      const { token } = await world.member([may(ATTESTER, 'client-attestation-list')]);
      expect((await at('getClientAttestation', id, token)).status).to.equal(200);
      expect((await at('revokeClientAttestation', id, token)).status).to.equal(403);
      const other = await world.member([may(ATTESTER, 'client-attestation-revoke')]);
      expect((await at('getClientAttestation', id, other.token)).status).to.equal(403);
      expect((await at('revokeClientAttestation', crypto.randomUUID())).status).to.equal(404);
      expect((await at('revokeClientAttestation', 'none')).status).to.equal(400);
    });
  });

  describe('listClientAttesterKeys', () => {
    it('200: the key that signs, and the earlier ones as long as something that they signed is good', async () => {
      const target = 'acme.t1.rotating';
      const kid = async (name: string) => {
        const { key } = await ok(world.post('generateKey', `${KMS}.${name}`, { keyType: 'secp256r1' }), 201);
        return publicJwkIn(key).x;
      };
      const [first, second] = [await kid('first'), await kid('second')];
      const published = async () => (await keySet(target)).map(({ x }: { x: string }) => x);
      const config = { dependencies: [KMS], clientIds: [CLIENT], signingKeyId: `${KMS}.first` };
      await createAttester(world, { ...config, attestationValiditySeconds: 600 }, target);
      expect(await published()).to.deep.equal([first]);
      await ok(attest(world, { target }));
      const json = { type: 'client-attester', ...config, signingKeyId: `${KMS}.second` };
      await ok(world.server.call('updateService', { path: { target }, json, token: world.root }));
      expect(await published()).to.have.members([first, second]);
      await world.server.call('deleteResource', { path: { target: `${KMS}.first` }, token: world.root });
      expect(await published()).to.have.members([first, second]);
      world.server.clock.advance(5_000_000);
      expect(await published()).to.deep.equal([second]);
    });

    it('400: a target that is none; 404: a service of another type', async () => {
      for (const [target, status] of [
        ['acme..t1', 400],
        [KMS, 404],
      ] as const)
        expect((await world.server.call('listClientAttesterKeys', { path: { target } })).status).to.equal(status);
    });
  });

  it('what it attested ends with the service: one at the same target later has none of it', async () => {
    const target = 'acme.t1.removed';
    await createAttester(world, {}, target);
    const { attestationId } = await ok(attest(world, { target }));
    await ok(world.server.call('deleteResource', { path: { target }, token: world.root }), 204);
    await createAttester(world, {}, target);
    const path = { target, attestationId };
    expect((await world.server.call('getClientAttestation', { path, token: world.root })).status).to.equal(404);
  });

  describe('its configuration', () => {
    const CASES: Record<string, [object, string]> = {
      'no key': [{ signingKeyId: undefined }, 'signingKeyId'],
      'a key that does not exist': [{ signingKeyId: `${KMS}.absent` }, 'signingKeyId'],
      'a key for another algorithm': [{ signingKeyId: `${KMS}.rsa` }, 'signingKeyId'],
      'more than a day': [{ attestationValiditySeconds: DAY + 1 }, 'attestationValiditySeconds'],
      'less than a minute': [{ attestationValiditySeconds: 59 }, 'attestationValiditySeconds'],
      'an empty client': [{ clientIds: [''] }, 'clientIds/0'],
      'a certificate of another key': [
        { x5Chain: [makeCertificate({ subject: 'CN=Other', keys: testKeys('P-256', 73) }).pem] },
        'x5Chain/0',
      ],
      'a member that is not known': [{ attestationSeconds: 1 }, 'attestationSeconds'],
    };
    before(() => world.post('generateKey', `${KMS}.rsa`, { keyType: 'RSA' }));
    for (const [name, [changes, member]] of Object.entries(CASES))
      it(`400: ${name}`, async () => {
        const own = { dependencies: [KMS], signingKeyId: `${KMS}.attests`, clientIds: [CLIENT] };
        const answer = await world.post('createService', 'acme.t1.refused', {
          type: 'client-attester',
          ...own,
          ...changes,
        });
        expect([answer.status, ...fieldsOf(answer)]).to.deep.equal([400, `/body/${member}`]);
      });

    it('is accepted before its key management service, which is added below its API', async () => {
      const target = 'acme.t1.later';
      await createAttester(world, { dependencies: [] }, target);
      expect((await attest(world, { target })).status).to.equal(409);
      const path = { target, api: 'client-attester-api' };
      await ok(world.server.call('addServiceDependency', { path, text: KMS, token: world.root }));
      await ok(attest(world, { target }));
    });
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { underOwnNames } from '../../../adapters/http/edge/written-names.ts';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { type EnterpriseFixture, fieldsOf, KMS, VERIFIER, withoutRequestId } from '../../actors/tenant.ts';
import { CERTIFIER, newIaca, newSigner, ok, STORE, startCertificates } from '../../actors/tenant-certificates.ts';
import { ISSUER, startIssuer } from '../../actors/tenant-issuer.ts';
import { contract } from '../../support/documents/contract.ts';
import { bodySchemaOf, type OtherName, otherNames, type Place } from '../../support/documents/other-names.ts';

function put(value: unknown, [part, ...place]: Place, members: JsonObject): unknown {
  if (part === undefined) return { ...Object(value), ...members };
  if (part === 0) return [put(Object(value)[0], place, members)];
  return { ...Object(value), [part]: put(Object(value)[part], place, members) };
}

/** A body with both names of a member. */
const twice = ({ place, name, other, demands }: OtherName): unknown =>
  [...demands, { place, members: { [name]: 1, [other]: 1 } }].reduce<unknown>(
    (body, demand) => put(body, demand.place, demand.members),
    {},
  );

describe('other names of operations and members', () => {
  let world: EnterpriseFixture;
  let operations: readonly Operation[];
  before(async () => {
    ({ operations } = await contract);
    world = await startIssuer();
    await startCertificates(world);
  });
  after(() => world.close());

  const bearer = () => ({ authorization: `Bearer ${world.root}` });
  const NAMES: Record<string, string> = { target: ISSUER, profileId: 'card' };
  const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name) => NAMES[name] ?? 'unknown');

  it('each other path answers as the path of the operation does, and no other method', async () => {
    const rows = operations.flatMap(({ method, path, aliases }) => aliases.map((alias) => ({ method, path, alias })));
    expect(rows.length).to.be.greaterThan(15);
    for (const { method, path, alias } of rows) {
      const one = await world.server.fetch(filled(path), { method });
      const other = await world.server.fetch(filled(alias.path), { method });
      expect(withoutRequestId(other), alias.path).to.deep.equal(withoutRequestId(one));
      const refused = await world.server.fetch(filled(alias.path), { method: 'PATCH' });
      expect([refused.status, refused.headers.get('allow')], alias.path).to.match(new RegExp(`^405,.*${method}`));
      expect((await world.server.fetch(filled(alias.path), { method: 'OPTIONS' })).status, alias.path).to.equal(204);
    }
  });

  it('a session at its own target is a member of the answer', async () => {
    const created = await ok(
      world.server.fetch(`/v2/${VERIFIER}/verifier-service-api/verification-session/create`, {
        method: 'POST',
        headers: { ...bearer(), 'content-type': 'application/json' },
        body: JSON.stringify({
          flow_type: 'cross_device',
          core_flow: { dcql_query: { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct_values: ['a'] } }] } },
        }),
      }),
    );
    const { sessionId } = created;
    const path = { target: VERIFIER, sessionId };
    const session = await ok(world.server.call('tenantGetVerificationSession', { path, token: world.root }));
    const info = `/v2/${VERIFIER}.${sessionId}/verifier-service-api/verification-session/info`;
    expect(await ok(world.server.fetch(info, { headers: bearer() }))).to.deep.equal({ session });
  });

  it('400: both names of one member name the second', async () => {
    const rows = operations.flatMap((operation) => otherNames(operation).map((row) => ({ operation, row })));
    expect(rows.length).to.be.greaterThan(12);
    for (const { operation, row } of rows) {
      const path = { target: 'acme.t1.any', profileId: 'any', method: 'web' };
      const { operationId } = operation;
      const answer = await world.server.call(operationId, { path, json: twice(row), token: world.root });
      const field = `/body/${[...row.place, row.other].join('/')}`;
      expect([answer.status, ...fieldsOf(answer)], `${operationId} ${field}`).to.deep.equal([400, field]);
      expect(answer.body.message).to.include(`is another name of ${row.name}`);
    }
  });

  it('400: what is wrong is named as the caller wrote it', async () => {
    const described = (keyIdPath: unknown, more: object = {}) => ({
      type: 'kms-hosted-key-descriptor',
      keyIdPath,
      ...more,
    });
    const { certificateId, certificateData } = newIaca('named');
    const fields = async (iacaKeyDesc: unknown, more: object = {}, target = CERTIFIER) =>
      fieldsOf(await world.post('createTenantIaca', target, { certificateData, iacaKeyDesc, ...more }));
    expect(await fields(described('a..b'))).to.deep.equal(['/body/iacaKeyDesc/keyIdPath']);
    expect(await fields(described(`${KMS}.absent`))).to.deep.equal(['/body/iacaKeyDesc/keyIdPath']);
    expect(await fields(described(`${KMS}.iaca`, { more: 1 }))).to.deep.equal(['/body/iacaKeyDesc/more']);
    expect(await fields(described(`${KMS}.iaca`, { type: 'other' }))).to.deep.equal(['/body/iacaKeyDesc/type']);
    expect(await fields({ type: 'kms-hosted-key-descriptor' })).to.deep.equal(['/body/iacaKeyDesc/keyIdPath']);
    const named = { storedCertificateId: certificateId };
    expect(await fields(described(`${KMS}.iaca`), named, `${CERTIFIER}.other`)).to.deep.equal([
      '/body/storedCertificateId',
    ]);
    const both = { ...newSigner('both').iaca, certificatePem: 'x' };
    expect(
      fieldsOf(await world.post('createTenantSigner', CERTIFIER, newSigner('both', { iaca: both }))),
    ).to.deep.equal(['/body/iaca']);
    const vical = { type: 'vical-service', dependencies: [KMS, STORE], signingKeyId: `${KMS}.iaca` };
    const wanted = { ...vical, signerCertificateId: `${STORE}.absent` };
    expect(fieldsOf(await world.post('createService', 'acme.t1.vical2', wanted))).to.deep.equal([
      '/body/signerCertificateId',
    ]);
    const stated = { ...wanted, _id: 'acme.t1.vical3' };
    expect(fieldsOf(await world.post('createService', 'acme.t1.vical2', stated))).to.deep.equal(['/body/_id']);
  });

  it('400: a profile that the path names is not in the body', async () => {
    const path = `/v2/${ISSUER}.card/issuer-service-api/credentials/offers`;
    const offer = (json: object) =>
      world.server.fetch(path, {
        method: 'POST',
        headers: { ...bearer(), 'content-type': 'application/json' },
        body: JSON.stringify({ authMethod: 'PRE_AUTHORIZED', ...json }),
      });
    await ok(offer({}), 201);
    expect(fieldsOf(await offer({ profileId: 'card' }))).to.deep.equal(['/body/profileId']);
  });

  it('a body under any mix of names and forms reads as one under the names of the operation', async () => {
    const signer = operations.find(({ operationId }) => operationId === 'createTenantSigner');
    const schema = signer && bodySchemaOf(signer);
    const described = (keyIdPath: string) => ({ type: 'kms-hosted-key-descriptor', keyIdPath });
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), ([key, id, iaca, inner, pem]) => {
        const own = { kid: 'a.b', certificateId: 'c', iaca: { kid: 'a.d', certificatePem: 'PEM' } };
        const authority = {
          ...(inner ? { iacaKeyDesc: described('a.d') } : { kid: 'a.d' }),
          ...(pem ? { iacaPemEncodedCertificate: 'PEM' } : { certificatePem: 'PEM' }),
        };
        const written = {
          ...(key ? { dsKeyDescriptor: described('a.b') } : { kid: 'a.b' }),
          ...(id ? { storedCertificateId: 'c' } : { certificateId: 'c' }),
          ...(iaca ? { iacaSigner: authority } : { iaca: authority }),
        };
        expect(underOwnNames(schema, written, {}).body).to.deep.equal(own);
      }),
    );
  });
});

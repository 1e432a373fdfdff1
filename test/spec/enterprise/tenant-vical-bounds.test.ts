import { expect } from 'chai';
import { type EnterpriseFixture, startEnterprise } from '../../actors/tenant.ts';
import { MDL, ok, STORE, startCertificates, startVical, VICAL } from '../../actors/tenant-certificates.ts';
import { DAY, makeCertificate, testKeys } from '../../support/trust/certificates.ts';
import { testTrustLists } from '../../support/trust/trust-lists.ts';

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_CERTIFICATES = 1000;

/** The subject key identifier: an octet string of 20 bytes. */
const keyIdentifier = { oid: '2.5.29.14', value: Uint8Array.of(4, 20, ...Array(20).fill(7)) };

/** A certificate of an authority, in PEM, with an extension of this size that is not critical. */
const authority = (number: number, bytes: number): string =>
  makeCertificate({
    subject: `C=AT,CN=Authority ${number}`,
    ca: true,
    keys: testKeys('P-256', 400),
    notAfter: new Date(Date.now() + DAY),
    extensions: [keyIdentifier, { oid: '1.3.6.1.4.1.99999.1', value: new Uint8Array(bytes) }],
  }).pem;

describe('publishVical: bounds', () => {
  let world: EnterpriseFixture;
  let signerPem: string;
  let names = 0;
  beforeEach(async () => {
    world = await startEnterprise();
    await startCertificates(world);
    signerPem = await startVical(world);
  });
  afterEach(() => world.close());

  /** Adds a certificate to the store; returns its name. */
  async function add(bytes: number): Promise<string> {
    names += 1;
    const json = {
      type: 'vical-entry',
      certificatePem: authority(names, bytes),
      complementaryMetadata: { docType: [MDL] },
    };
    const { _id } = await ok(world.post('addCertificate', `${STORE}.bound${names}`, json), 201);
    return _id;
  }
  const publish = () => world.post('publishVical', VICAL, { vicalProvider: 'Acme' });
  async function published(target: string): Promise<Uint8Array> {
    const answer = await fetch(`${world.server.url}/v1/${target}/vical-service-api/vical`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  it('201 up to 2 MiB, a list that our verifier reads; 409 beyond, and nothing is published', async () => {
    const large = 15_000;
    const first = await ok(publish(), 201);
    const empty = (await published(first.versionIdPath)).length;
    const one = await add(large);
    const second = (await published((await ok(publish(), 201)).versionIdPath)).length;
    const fitting = Math.floor((MOST_BYTES - empty) / (second - empty));
    for (let count = 1; count < fitting; count += 1) await add(large);
    const { versionIdPath, entryCount } = await ok(publish(), 201);
    expect(entryCount).to.equal(1 + fitting);
    const source = await published(versionIdPath);
    expect(source.length).to.be.within(MOST_BYTES - (second - empty), MOST_BYTES);
    const { anchors } = await testTrustLists().read({ kind: 'vical', source, signers: [signerPem] });
    expect(anchors).to.have.length(entryCount);
    await add(large);
    const refused = await publish();
    expect([refused.status, refused.body.message]).to.deep.equal([
      409,
      `The VICAL would have more than ${MOST_BYTES} bytes: divide the store`,
    ]);
    await ok(world.server.call('deleteResource', { path: { target: one }, token: world.root }), 204);
    await ok(publish(), 201);
  });

  it('201 with 1,000 certificates in the store; 409 with more', async () => {
    const present = (await ok(world.server.call('listCertificates', { path: { target: STORE }, token: world.root })))
      .length;
    for (let count = present; count < MOST_CERTIFICATES; count += 1) await add(1);
    const { versionIdPath } = await ok(publish(), 201);
    const source = await published(versionIdPath);
    const { anchors } = await testTrustLists().read({ kind: 'vical', source, signers: [signerPem] });
    expect(anchors.length).to.equal(MOST_CERTIFICATES - present + 1);
    await add(1);
    expect((await publish()).status).to.equal(409);
  });
});

import { createHash } from 'node:crypto';
import { KeyUsageFlags } from '@peculiar/asn1-x509';
import { expect } from 'chai';
import { exportJWK, SignJWT } from 'jose';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { parseJws } from '../../../domain/jose/jws.ts';
import { signatureKeys } from '../../../domain/jose/key-set.ts';
import type { TrustAnchor } from '../../../domain/trust/trust-anchors.ts';
import type { RegisteredClient } from '../../../domain/wallet/presentation/client-ids.ts';
import {
  acceptUnsigned,
  usablePrefixes,
  verifyRequest,
} from '../../../domain/wallet/presentation/request-signature.ts';
import type { AttestationIssuer } from '../../../domain/wallet/presentation/verifier-attestation.ts';
import { offline } from '../../support/credentials/sd-jwts.ts';
import {
  altNamesExtension,
  DAY,
  makeCertificate,
  type TestCertificate,
  type TestKeys,
  testKeys,
} from '../../support/trust/certificates.ts';
import { noChains } from '../../support/trust/federation.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';

const NOW = Date.now();
const signatures = new NodeSignatures(new PrometheusMetrics());
const parts = {
  resolver: offline.dids,
  signatures,
  certificates: new NodeCertificates(),
  verifierAnchors: [] as TrustAnchor[],
  trustChains: noChains,
  attesters: [] as AttestationIssuer[],
  clients: [] as RegisteredClient[],
  registrations: { of: async () => undefined },
  now: NOW,
};

const certificate = (spec = {}): TestCertificate =>
  makeCertificate({
    subject: 'CN=Verifier+O=Shops',
    issuerName: 'CN=Access Authority',
    keys: testKeys('P-256', 7),
    extensions: [altNamesExtension([{ dNSName: 'verifier.example' }, { dNSName: '*.wild.example' }])],
    ...spec,
  });

const hashOf = ({ der }: TestCertificate): string => createHash('sha256').update(der).digest('base64url');

async function verify(
  claims: JsonObject,
  given: { leaf?: TestCertificate; header?: JsonObject; keys?: TestKeys; roots?: TestCertificate[] } = {},
) {
  const { leaf = certificate(), header = {}, roots = [] } = given;
  const { keys = leaf.keys } = given;
  const x5c = [Buffer.from(leaf.der).toString('base64')];
  const token = await new SignJWT({ response_uri: 'https://verifier.example/response', ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c, ...header })
    .sign(keys.privateKey);
  const verifierAnchors = roots.map(({ der }) => ({ certificate: parts.certificates.parse(der) }));
  return verifyRequest(parseJws(token), { ...parts, verifierAnchors }).catch((error: unknown) => String(error));
}

describe('signatures of requests', () => {
  const byName = { client_id: 'x509_san_dns:verifier.example' };

  it('the certificate names the host, or is the one of the hash; its issuer is a fact for the user', async () => {
    const signer = { kind: 'certificate', issuer: 'access authority', isTrusted: false };
    expect(await verify(byName)).to.include({ ...signer, name: 'verifier.example' });
    const drafts = { client_id: 'verifier.example', client_id_scheme: 'x509_san_dns' };
    expect(await verify(drafts)).to.include({ ...signer, name: 'verifier.example' });
    const byHash = { client_id: `x509_hash:${hashOf(certificate())}`, response_uri: 'https://other.example/r' };
    const leaf = certificate();
    const found = await verify({ ...byHash, client_id: `x509_hash:${hashOf(leaf)}` }, { leaf });
    expect(found).to.include({ ...signer, name: 'shops, verifier' });
  });

  it('refuses a certificate of another name or hash, and a response to another host', async () => {
    for (const id of ['other.example', 'sub.verifier.example', 'a.wild.example', ''])
      expect(await verify({ client_id: `x509_san_dns:${id}` }), id).to.match(/does not name its client_id/);
    const other = certificate({ keys: testKeys('P-256', 8) });
    expect(await verify({ client_id: `x509_hash:${hashOf(other)}` })).to.match(/is not that of its client_id/);
    for (const response_uri of ['https://evil.example/r', 'https://verifier.example.evil.example/', undefined])
      expect(await verify({ ...byName, response_uri })).to.match(/not of the host/);
  });

  it('refuses a signature of another key, a certificate that is not valid now, and a header without certificates', async () => {
    expect(await verify(byName, { keys: testKeys('P-256', 8) })).to.match(
      /signature of the request object is not valid/,
    );
    const past = certificate({ notBefore: new Date(NOW - 2 * DAY), notAfter: new Date(NOW - DAY) });
    expect(await verify(byName, { leaf: past })).to.match(/not valid now/);
    const [first] = [Buffer.from(certificate().der).toString('base64')];
    for (const x5c of [undefined, [], 'x', [7], ['='], Array(9).fill(first)])
      expect(await verify(byName, { header: { x5c } }), String(x5c).slice(0, 20)).to.match(/x5c|base64/);
  });

  it('with authorities of verifiers, a chain that ends at none of them is refused', async () => {
    const root = iaca(0, { pathLength: undefined });
    const middle = iaca(1, { issuer: root });
    const leaf = certificate({ issuer: middle, issuerName: undefined, keyUsage: KeyUsageFlags.digitalSignature });
    const x5c = [leaf, middle].map(({ der }) => Buffer.from(der).toString('base64'));
    const byHash = { client_id: `x509_hash:${hashOf(leaf)}` };
    for (const client of [byName, byHash]) {
      const trusted = await verify(client, { leaf, header: { x5c }, roots: [iaca(2), root] });
      expect(trusted).to.include({ kind: 'certificate', issuer: 'zz, example, authority 1', isTrusted: true });
      for (const given of [{ header: { x5c }, roots: [iaca(2)] }, { roots: [root] }])
        expect(await verify(client, { leaf, ...given })).to.match(/is not trusted/);
    }
    expect(await verify(byName, { roots: [root] })).to.match(/is not trusted/);
    const hex = ({ der }: TestCertificate): string => createHash('sha256').update(der).digest('hex');
    const base64 = ({ der }: TestCertificate): string => Buffer.from(der).toString('base64');
    const given = { leaf, header: { x5c: [leaf, middle].map(base64) }, roots: [root] };
    expect(await verify(byHash, given)).to.deep.include({ roots: [leaf, middle, root].map(hex) });
    // A certificate beside the path proves nothing, also where the leaf itself is listed.
    const beside = [leaf, middle, iaca(3)].map(base64);
    expect(await verify(byHash, { ...given, header: { x5c: beside } })).to.match(/is not trusted/);
    const pinned = await verify(byHash, { ...given, header: { x5c: beside }, roots: [leaf] });
    expect(pinned).to.deep.include({ roots: [hex(leaf)] });
  });

  it('a client_id of a kind that cannot be verified is refused, one that says nothing of a signature is not', async () => {
    expect(await verify({ client_id: 'verifier_attestation:x' })).to.match(/has no verifier attestation/);
    for (const [entity, why] of [
      ['x', 'no entity identifier'],
      ['https://verifier.example', 'no trust anchor'],
    ])
      expect(await verify({ client_id: `openid_federation:${entity}` })).to.include(why);
    for (const request of [
      { client_id: 'x', client_id_scheme: 'entity_id' },
      { client_id: 'invalid_scheme:x' },
      { client_id: 'X509_hash:x' },
      { client_id: 'pre-registered:x' },
    ])
      expect(await verify(request)).to.match(/does not know a client_id of the kind/);
    for (const client_id of ['https://verifier.example/response', 'known', undefined])
      expect(await verify({ client_id })).to.equal(undefined);
    const address = 'redirect_uri:https://verifier.example/response';
    expect(await verify({ client_id: address })).to.match(/cannot be signed/);
    expect(acceptUnsigned({ client_id: address }, parts)).to.equal(undefined);
  });

  it('a request without a signature is refused where the prefix demands one', () => {
    for (const prefix of usablePrefixes({ ...parts, attesters: [{ issuer: 'a', keys: [] }] }))
      if (prefix !== 'redirect_uri')
        expect(() => acceptUnsigned({ client_id: `${prefix}:x` }, parts), prefix).to.throw('must be signed');
  });

  describe('with an attestation of a trusted issuer', () => {
    const issuer = testKeys('P-256', 20);
    const keys = testKeys('P-256', 21);
    const client_id = 'verifier_attestation:shop';
    const soon = Math.floor(NOW / 1000) + 60;

    async function attested(
      changed: JsonObject = {},
      { typ = 'verifier-attestation+jwt', by = issuer, claims = {} } = {},
    ) {
      const cnf = { jwk: await exportJWK(keys.publicKey) };
      const payload = { iss: 'https://attester.example', sub: 'shop', exp: soon, cnf, ...changed };
      const jwt = await new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ }).sign(by.privateKey);
      const token = await new SignJWT({ client_id, response_uri: 'https://shop.example/r', ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', jwt })
        .sign(keys.privateKey);
      const published = signatureKeys({ keys: [await exportJWK(issuer.publicKey)] }) ?? [];
      const attesters = [{ issuer: 'https://attester.example', keys: published }];
      return verifyRequest(parseJws(token), { ...parts, attesters }).catch((error: unknown) => String(error));
    }

    it('the key of the attestation signs, and the response goes where the attestation says', async () => {
      const signer = { kind: 'attestation', name: 'shop', issuer: 'https://attester.example' };
      for (const changed of [
        {},
        { response_uris: ['https://shop.example/r'] },
        { redirect_uris: ['https://shop.example/r', 'https://shop.example/s'] },
      ])
        expect(await attested(changed)).to.deep.equal(signer);
    });

    it('refuses an attestation of another type, issuer, key, client or address, and one that is over', async () => {
      const other = testKeys('P-256', 22);
      const cases: [JsonObject, Parameters<typeof attested>[1], RegExp][] = [
        [{}, { typ: 'JWT' }, /not of the type/],
        [{ iss: 'https://other.example' }, {}, /does not trust/],
        [{}, { by: other }, /not signed with a key of its issuer/],
        [{ exp: soon - 120 }, {}, /exp that is not acceptable/],
        [{ exp: undefined }, {}, /exp that is not acceptable/],
        [{ sub: 'other' }, {}, /another client_id/],
        [{ cnf: undefined }, {}, /no cnf.jwk/],
        [{ cnf: { jwk: await exportJWK(other.publicKey) } }, {}, /signature of the request object is not valid/],
        [{ response_uris: ['https://shop.example/other'] }, {}, /none of those/],
        [{ redirect_uris: [] }, {}, /none of those/],
      ];
      for (const [changed, given, why] of cases) expect(await attested(changed, given), String(why)).to.match(why);
    });
  });

  it('a registered client answers to its keys and addresses, and others without a prefix are refused beside it', async () => {
    const keys = testKeys('P-256', 20);
    const published = signatureKeys({ keys: [await exportJWK(keys.publicKey)] }) ?? [];
    const bank = { clientId: 'bank', name: 'The bank', responseUris: ['https://bank.example/r'], keys: published };
    const shop = {
      clientId: 'https://shop.example',
      name: 'The shop',
      responseUris: ['https://shop.example/r'],
      keys: [],
    };
    const known = { ...parts, clients: [bank, shop] };
    const asked = async (client_id: string, response_uri: string, by = keys) => {
      const token = await new SignJWT({ client_id, response_uri })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(by.privateKey);
      return verifyRequest(parseJws(token), known).catch((error: unknown) => String(error));
    };
    const unsigned = (client_id: string, response_uri: string) => () =>
      acceptUnsigned({ client_id, response_uri }, known);
    expect(await asked('bank', 'https://bank.example/r')).to.deep.equal({ kind: 'registered', name: 'The bank' });
    expect(unsigned(shop.clientId, 'https://shop.example/r')()).to.deep.equal({ kind: 'registered', name: 'The shop' });
    expect(await asked('bank', 'https://evil.example/r')).to.match(/none of those/);
    expect(await asked('bank', 'https://bank.example/r', testKeys('P-256', 21))).to.match(
      /not signed with a registered key/,
    );
    expect(await asked(shop.clientId, 'https://shop.example/r')).to.match(/not signed with a registered key/);
    expect(unsigned('bank', 'https://bank.example/r')).to.throw('must be signed');
    expect(unsigned(shop.clientId, 'https://evil.example/r')).to.throw('none of those');
    expect(unsigned('stranger', 'https://bank.example/r')).to.throw('not registered');
    expect(usablePrefixes(known)).to.include('pre-registered').and.not.include('openid_federation');
  });
});

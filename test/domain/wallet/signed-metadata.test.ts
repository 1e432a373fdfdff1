import { expect } from 'chai';
import { base64url, exportJWK, type JWTPayload, SignJWT } from 'jose';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { utf8 } from '../../../domain/foundation/bytes.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { signatureKeys } from '../../../domain/jose/key-set.ts';
import { IssuerDirectory } from '../../../domain/wallet/issuance/issuer-directory.ts';
import { SignedMetadata } from '../../../domain/wallet/issuers/signed-metadata.ts';
import type { OutboundRequest } from '../../../ports/outbound.ts';
import { DAY, makeCertificate, type TestCertificate, testKeys } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';

const ISSUER = 'https://issuer.example';
const NOW = Date.now();
const METADATA = {
  credential_issuer: ISSUER,
  credential_endpoint: `${ISSUER}/credential`,
  credential_configurations_supported: { Degree: { format: 'jwt_vc_json' } },
};
const keys = testKeys('P-256', 90);
const authority = iaca(90);
const certificates = new NodeCertificates();
const leafOf = (spec = {}): TestCertificate =>
  makeCertificate({ subject: 'CN=Registry+O=City', keys, issuer: authority, ...spec });

interface Signing {
  claims?: JWTPayload;
  header?: JsonObject;
  x5c?: TestCertificate[];
  by?: typeof keys;
}

/** Signed metadata as another implementation makes them. */
const signed = ({ claims = {}, header = {}, x5c, by = keys }: Signing = {}): Promise<string> =>
  new SignJWT({ ...METADATA, sub: ISSUER, iat: Math.floor(NOW / 1000), ...claims })
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'openidvci-issuer-metadata+jwt',
      ...(x5c ? { x5c: x5c.map(({ der }) => Buffer.from(der).toString('base64')) } : { kid: 'own' }),
      ...header,
    })
    .sign(by.privateKey);

interface World {
  /** What the issuer has, by the media type that a caller accepts first. */
  token?: string;
  json?: JsonObject;
  /** Whether it publishes its keys. */
  publishes?: boolean;
  anchors?: TestCertificate[];
  demand?: 'verified' | 'required';
}

/** What a wallet reads of an issuer, with the `Accept` of each request for it; or the refusal. */
async function read({ token, json = METADATA, publishes = true, anchors = [], demand = 'verified' }: World) {
  const accepted: unknown[] = [];
  const send = async ({ headers }: OutboundRequest) => {
    accepted.push(headers?.accept);
    const isSigned = token !== undefined && headers?.accept?.startsWith('application/jwt') === true;
    const type = isSigned ? 'application/jwt; charset=utf-8' : 'application/json';
    return { status: 200, headers: { 'content-type': type }, body: utf8(isSigned ? token : JSON.stringify(json)) };
  };
  const jwk = await exportJWK(keys.publicKey);
  const published = signatureKeys({ keys: [{ ...jwk, kid: 'own' }] }) ?? [];
  const absent = () => Promise.reject(new DomainError('UpstreamFailed', 'There is nothing'));
  const signatures = new SignedMetadata({
    certificates,
    signatures: new NodeSignatures(new PrometheusMetrics()),
    clock: { now: () => NOW },
    issuers: { keys: publishes ? async () => published : absent },
    anchors: anchors.map(({ der }) => ({ certificate: certificates.parse(der) })),
    demand,
    registrations: { of: async () => undefined },
  });
  const directory = new IssuerDirectory({ check: () => {}, send }, signatures);
  try {
    return { ...(await directory.read(ISSUER)), accepted };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const EITHER = 'application/jwt, application/json;q=0.9';
const REFUSED = 'UpstreamFailed: The signed metadata of the issuer';

describe('signed metadata of issuers', () => {
  it('is asked for in the one request, and costs an issuer that does not sign no other', async () => {
    expect(await read({})).to.deep.equal({ metadata: METADATA, proof: {}, accepted: [EITHER] });
  });

  it('is what the issuer publishes, without the claims of the token', async () => {
    const token = await signed({ claims: { iss: 'a', exp: NOW / 1000 + 60, nbf: NOW / 1000 } });
    expect(await read({ token, json: {} })).to.deep.equal({ metadata: METADATA, proof: {}, accepted: [EITHER] });
  });

  it('names who signed it where the certificate is below an authority of the wallet', async () => {
    const token = await signed({ x5c: [leafOf()] });
    const signedBy = { name: 'city, registry', issuer: 'zz, example, authority 90' };
    expect(await read({ token, anchors: [authority] })).to.deep.include({ proof: { signedBy }, metadata: METADATA });
    const withRoot = await signed({ x5c: [leafOf(), authority] });
    expect(await read({ token: withRoot, anchors: [iaca(91), authority] })).to.deep.include({ proof: { signedBy } });
    // Without authorities a certificate is a name that any party can make.
    expect(await read({ token })).to.deep.equal({ metadata: METADATA, proof: {}, accepted: [EITHER] });
  });

  it('is refused when anything in it is wrong, and nothing unsigned is taken in its place', async () => {
    const leaf = leafOf();
    const other = testKeys('P-256', 91);
    const seconds = NOW / 1000;
    const none = `${base64url.encode('{"alg":"none","typ":"openidvci-issuer-metadata+jwt"}')}.${base64url.encode(
      JSON.stringify({ ...METADATA, sub: ISSUER, iat: seconds }),
    )}.`;
    const mac = await new SignJWT({ ...METADATA, sub: ISSUER, iat: Math.floor(seconds) })
      .setProtectedHeader({ alg: 'HS256', typ: 'openidvci-issuer-metadata+jwt', kid: 'own' })
      .sign(new Uint8Array(32));
    const cases: [string, string, RegExp][] = [
      ['another key than the published one', await signed({ by: other }), /has a signature that is not valid/],
      ['another key than that of x5c', await signed({ x5c: [leaf], by: other }), /has a signature that is not valid/],
      ['no signature', none, /has no digital signature by its alg/],
      ['a MAC', mac, /has no digital signature by its alg/],
      ['another type', await signed({ header: { typ: 'JWT' } }), /is not of the type openidvci-issuer-metadata\+jwt/],
      ['another sub', await signed({ claims: { sub: `${ISSUER}/b` } }), /is that of another issuer/],
      ['no sub', await signed({ claims: { sub: undefined } }), /is that of another issuer/],
      ['no iat', await signed({ claims: { iat: undefined } }), /has an iat that is not acceptable \(missing\)/],
      ['an iat an hour ahead', await signed({ claims: { iat: seconds + 3600 } }), /has an iat .*\(future\)/],
      ['an end that passed', await signed({ claims: { exp: seconds - 61 } }), /has an exp .*\(past\)/],
      ['an x5c without certificates', await signed({ header: { x5c: ['AA'] } }), /x5c\[0\] is not a certificate/],
      ['an expired certificate', await signed({ x5c: [leafOf({ notAfter: new Date(NOW - DAY) })] }), /not valid now/],
    ];
    for (const [what, token, why] of cases)
      expect(await read({ token }), what)
        .to.match(why)
        .and.match(/^Upstream/);
    const untrusted = await signed({ x5c: [leaf] });
    expect(await read({ token: untrusted, anchors: [iaca(91)] })).to.match(/with a certificate that is not trusted: /);
    expect(await read({ token: await signed({ claims: { credential_issuer: 'https://b.example' } }) })).to.equal(
      'BadRequest: The metadata is that of another credential_issuer',
    );
    const broken = (await signed()).replace(/\.[^.]*\./, '.e30.');
    expect(await read({ token: broken })).to.equal('BadRequest: The metadata is that of another credential_issuer');
  });

  it('is left for the unsigned form where its key cannot be found, unless it is demanded', async () => {
    const token = await signed();
    const unsigned = { metadata: METADATA, proof: {}, accepted: [EITHER, 'application/json'] };
    expect(await read({ token, publishes: false })).to.deep.equal(unsigned);
    expect(await read({ token: await signed({ header: { kid: 'new' } }) })).to.deep.equal(unsigned);
    expect(await read({ token, publishes: false, demand: 'required' })).to.match(
      /^UpstreamFailed: This wallet demands/,
    );
  });

  it('can be demanded: with a certificate where the wallet has authorities', async () => {
    const demand = 'required';
    expect(await read({ demand })).to.match(/^UpstreamFailed: This wallet demands signed metadata/);
    expect(await read({ demand, token: await signed() })).to.deep.include({ metadata: METADATA });
    const anchors = [authority];
    expect(await read({ demand, token: await signed(), anchors })).to.equal(
      `${REFUSED} is not signed with a certificate`,
    );
    expect(await read({ demand, token: await signed({ x5c: [leafOf()] }), anchors })).to.have.nested.property(
      'proof.signedBy',
    );
  });

  describe('of draft 13, as the member signed_metadata', () => {
    const endpoint = 'https://issuer.example/other';
    const embedded = async (signing: Signing, world: World = {}) => {
      const signed_metadata = await signed({ header: { typ: 'JWT' }, ...signing });
      return read({ ...world, json: { ...METADATA, credential_endpoint: endpoint, display: [], signed_metadata } });
    };

    it('takes precedence over the member beside it', async () => {
      const metadata = { ...METADATA, display: [] };
      expect(await embedded({})).to.deep.equal({ metadata, proof: {}, accepted: [EITHER] });
      expect(await embedded({ x5c: [leafOf()] }, { anchors: [authority] })).to.have.nested.property('proof.signedBy');
    });

    it('is refused as signed metadata of 1.0 is, and left out where its key cannot be found', async () => {
      expect(await embedded({ by: testKeys('P-256', 91) })).to.equal(`${REFUSED} has a signature that is not valid`);
      expect(await embedded({ claims: { sub: 'https://b.example' } })).to.equal(`${REFUSED} is that of another issuer`);
      const named = { claims: { credential_issuer: 'https://b.example' } };
      expect(await embedded(named)).to.equal(`${REFUSED} is that of another issuer`);
      const metadata = { ...METADATA, credential_endpoint: endpoint, display: [] };
      expect(await embedded({}, { publishes: false })).to.deep.equal({ metadata, proof: {}, accepted: [EITHER] });
      expect(await embedded({}, { publishes: false, demand: 'required' })).to.match(/^UpstreamFailed: This wallet/);
      expect(await read({ json: { ...METADATA, signed_metadata: 'a.b' } })).to.match(/is not a compact JWS$/);
    });
  });
});

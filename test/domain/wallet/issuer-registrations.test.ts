import { expect } from 'chai';
import fc from 'fast-check';
import { type JWTPayload, SignJWT } from 'jose';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import type { CredentialStatus, ListedStatus } from '../../../domain/credentials/credential-status.ts';
import { DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { RegistrationCertificates } from '../../../domain/trust/registration-certificates.ts';
import {
  IssuerRegistrations,
  unregisteredConfigurations,
} from '../../../domain/wallet/issuers/issuer-registrations.ts';
import { makeCertificate, type TestCertificate, testKeys } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';

const NOW = Date.now();
const SECONDS = Math.floor(NOW / 1000);
const certificates = new NodeCertificates();
const authority = iaca(95);
const registrar = makeCertificate({ subject: 'CN=Registrar', keys: testKeys('P-256', 95), issuer: authority });
const signer = makeCertificate({ subject: 'CN=Registry+O=City+2.5.4.97=NTRZZ-Q1', keys: testKeys('P-256', 96) });
const PROVIDER = 'https://uri.etsi.org/19475/Entitlement/PUB_EAA_Provider';
const STATUS = { status_list: { idx: 3, uri: 'https://registrar.example/list' } };
const CONFIGURATIONS = {
  card: { format: 'dc+sd-jwt', vct: 'urn:card' },
  badge: { format: 'dc+sd-jwt', vct: 'urn:badge' },
  licence: { format: 'mso_mdoc', doctype: 'org.licence' },
  degree: { format: 'jwt_vc_json', credential_definition: { type: ['Degree'] } },
};

interface Signing {
  claims?: JWTPayload;
  header?: JsonObject;
  by?: TestCertificate;
}

/** A registration certificate as another implementation makes them. */
const registration = ({ claims = {}, header = {}, by = registrar }: Signing = {}): Promise<string> =>
  new SignJWT({
    name: 'City registry',
    sub: 'NTRZZ-Q1',
    iat: SECONDS,
    exp: SECONDS + 3600,
    status: STATUS,
    entitlements: [PROVIDER],
    provides_attestations: [
      { format: 'dc+sd-jwt', meta: { vct_values: ['urn:other', 'urn:card'] } },
      { format: 'mso_mdoc', meta: { doctype_value: 'org.licence' } },
    ],
    ...claims,
  })
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'rc-wrp+jwt',
      x5c: [Buffer.from(by.der).toString('base64')],
      ...header,
    })
    .sign(by.keys.privateKey);

interface World {
  info?: unknown;
  registrars?: TestCertificate[];
  /** What the list of the registrar says. */
  status?: CredentialStatus[] | 'unreachable';
  by?: TestCertificate;
}

/** What a wallet reads of the registration of an issuer; or the refusal. */
async function read({ info, registrars = [authority], status = [], by = signer }: World) {
  const asked: unknown[] = [];
  const lookUp = async ({ status: listed }: ListedStatus) => {
    asked.push(listed);
    if (status === 'unreachable') throw new DomainError('StatusRetrieval', 'There is no answer');
    return status;
  };
  const verified = new RegistrationCertificates({
    certificates,
    signatures: new NodeSignatures(new PrometheusMetrics()),
    clock: { now: () => NOW },
    statuses: { lookUp },
    registrars: registrars.map(({ der }) => ({ certificate: certificates.parse(der) })),
  });
  const registrations = new IssuerRegistrations({ registrations: verified });
  const metadata = { issuer_info: info, credential_configurations_supported: CONFIGURATIONS };
  try {
    const found = await registrations.of(metadata, certificates.parse(by.der));
    if (found) expect(asked).to.deep.equal([[{ kind: 'status_list', value: STATUS.status_list }]]);
    return found;
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const listed = (data: unknown) => [
  { format: 'registrar_dataset', data: {} },
  { format: 'registration_cert', data },
];

describe('registration certificates of issuers', () => {
  it('say who the issuer is and what it may issue, as text or in base64url', async () => {
    const expected = { name: 'City registry', identifier: 'NTRZZ-Q1', unregistered: ['badge', 'degree'] };
    const text = await registration();
    for (const data of [text, Buffer.from(text).toString('base64url')])
      expect(await read({ info: listed(data) })).to.deep.equal(expected);
    const other = await registration({
      claims: { entitlements: ['https://uri.etsi.org/19475/Entitlement/Service_Provider'] },
    });
    const none = { ...expected, unregistered: Object.keys(CONFIGURATIONS) };
    expect(await read({ info: listed(other) }), 'no provider').to.deep.equal(none);
  });

  it('are not looked at without registrars, and need not be there', async () => {
    expect(await read({ info: listed('broken'), registrars: [] })).to.equal(undefined);
    for (const info of [undefined, [], 'a', [{ format: 'registrar_dataset', data: {} }]])
      expect(await read({ info })).to.equal(undefined);
  });

  it('are refused when anything in them is wrong', async () => {
    const good = await registration();
    const alone = makeCertificate({ subject: 'CN=Registrar', keys: testKeys('P-256', 97) });
    const revoked = { type: 'TokenStatusList', purpose: 'revocation', value: 1, size: 1, isSet: true };
    const cases: [string, World, RegExp][] = [
      ['no text', { info: listed(7) }, /is not a compact JWS$/],
      ['two of them', { info: [...listed(good), ...listed(good)] }, /is not the only one$/],
      [
        'another type',
        { info: listed(await registration({ header: { typ: 'JWT' } })) },
        /not of the type rc-wrp\+jwt$/,
      ],
      ['no certificates', { info: listed(await registration({ header: { x5c: undefined } })) }, /x5c must be a list/],
      ['another key', { info: listed(`${good.slice(0, -8)}AAAAAAAA`) }, /has a signature that is not valid$/],
      ['a registrar of no authority', { info: listed(await registration({ by: alone })) }, /not that of a registrar: /],
      ['no iat', { info: listed(await registration({ claims: { iat: undefined } })) }, /an iat .*\(missing\)$/],
      ['an end that passed', { info: listed(await registration({ claims: { exp: SECONDS - 61 } })) }, /\(past\)$/],
      ['no status', { info: listed(await registration({ claims: { status: undefined } })) }, /has no status$/],
      ['a revocation', { info: listed(good), status: [revoked] }, /is not valid any more: revocation$/],
      [
        'no answer',
        { info: listed(good), status: 'unreachable' },
        /has a status that is not known: There is no answer/,
      ],
      ['another holder', { info: listed(good), by: registrar }, /is that of another party than the one that signed/],
      ['no sub', { info: listed(await registration({ claims: { sub: undefined } })) }, /is that of another party/],
    ];
    for (const [what, world, why] of cases)
      expect(await read(world), what)
        .to.match(why)
        .and.match(/^Upstream/);
    expect(await read({ info: listed(good), status: [{ ...revoked, isSet: false }] })).to.be.an('object');
  });

  it('property: what is registered is every pair of a format and a type that an attestation names, and no other', () => {
    const types = ['a', 'b', 'c'];
    const configuration = fc.oneof(
      fc.record({ format: fc.constantFrom('dc+sd-jwt', 'vc+sd-jwt'), vct: fc.constantFrom(...types) }),
      fc.record({ format: fc.constant('mso_mdoc'), doctype: fc.constantFrom(...types) }),
    );
    const attestation = fc.oneof(
      fc.record({
        format: fc.constantFrom('dc+sd-jwt', 'vc+sd-jwt', 'mso_mdoc'),
        meta: fc.record({ vct_values: fc.subarray(types) }),
      }),
      fc.record({
        format: fc.constantFrom('mso_mdoc', 'dc+sd-jwt'),
        meta: fc.record({ doctype_value: fc.constantFrom(...types) }),
      }),
    );
    fc.assert(
      fc.property(fc.array(configuration), fc.array(attestation), (configurations, provides) => {
        const pairs = new Set(
          provides.flatMap(({ format, meta }) =>
            'vct_values' in meta
              ? meta.vct_values.map((type) => `${format} vct ${type}`)
              : [`${format} doctype ${meta.doctype_value}`],
          ),
        );
        const nameOf = (one: (typeof configurations)[number]) =>
          'vct' in one ? `${one.format} vct ${one.vct}` : `${one.format} doctype ${one.doctype}`;
        const all = Object.fromEntries(configurations.map((one, index) => [`id${index}`, one]));
        const expected = configurations.flatMap((one, index) => (pairs.has(nameOf(one)) ? [] : [`id${index}`]));
        const metadata = { credential_configurations_supported: all };
        expect(unregisteredConfigurations(metadata, provides)).to.deep.equal(expected);
      }),
    );
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { RegistrationCertificates } from '../../../domain/trust/registration-certificates.ts';
import { DAY, makeCertificate, testKeys } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { REGISTERED_AS, registrar, registrars, signedRegistration } from '../../support/trust/registrations.ts';

const certificates = new NodeCertificates();
const STATUS = { status_list: { idx: 1, uri: 'https://registrar.example/list' } };
const subject = certificates.parse(
  makeCertificate({ subject: `CN=Shop+2.5.4.97=${REGISTERED_AS}`, keys: testKeys('P-256', 71) }).der,
).subject;
const registrations = new RegistrationCertificates({
  certificates,
  signatures: new NodeSignatures(new PrometheusMetrics()),
  clock: { now: () => Date.now() },
  statuses: { lookUp: async () => [] },
  registrars: [{ certificate: certificates.parse(registrars.der) }],
});

/** The name of what is registered, or the code and the message of the refusal. */
async function read(data: unknown): Promise<string> {
  try {
    const infos = [{ format: 'registration_cert', data }];
    return String((await registrations.of('verifier', { infos, subject }))?.claims.name);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

/** In an hour, in seconds since the epoch. */
const later = () => Math.floor(Date.now() / 1000) + 3600;

const signed = (claims = {}, options: Parameters<typeof signedRegistration>[1] = {}) =>
  signedRegistration({ status: STATUS, exp: later(), ...claims }, options);

const BROKEN = /^BadRequest: (The registration certificate|The header member x5c|The protected header|The payload)/;

describe('registration certificates', () => {
  it('property: one character of another value, more or less in any place, and it is refused as a request that is wrong', async () => {
    const good = await signed();
    expect(await read(good)).to.equal('Shop');
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: good.length - 1 }),
        fc.constantFrom('A', 'b', '9', '_', '-', '.', '', 'AA', '=', ' '),
        async (place, text) => {
          const changed = `${good.slice(0, place)}${text}${good.slice(place + 1)}`;
          if (changed === good) return;
          const found = await read(changed);
          expect(found, `${place}: ${text}`).to.match(/^BadRequest: The /);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are refused for each member that is wrong', async () => {
    const alone = makeCertificate({ subject: 'CN=Registrar', keys: testKeys('P-256', 97) });
    const foreign = makeCertificate({ subject: 'CN=R', keys: testKeys('P-256', 95), issuer: iaca(96) });
    const over = makeCertificate({
      subject: 'CN=R',
      keys: testKeys('P-256', 95),
      issuer: registrars,
      notBefore: new Date(Date.now() - 2 * DAY),
      notAfter: new Date(Date.now() - DAY),
    });
    const chained = { x5c: [Buffer.from(registrar.der).toString('base64')] };
    const [header = '', payload = '', signature = ''] = (await signed()).split('.');
    const cases: [string, unknown, RegExp][] = [
      ['a number', 7, /not a compact JWS$/],
      ['nothing', undefined, /not a compact JWS$/],
      ['two parts', `${header}.${payload}`, /not a compact JWS$/],
      ['no signature', `${header}.${payload}.`, /signature|compact JWS/],
      ['the signature of another', `${header}.${payload}.${signature.split('').reverse().join('')}`, /signature|JWS/],
      [
        'a payload of another',
        `${header}.${(await signed({ name: 'Other' })).split('.')[1]}.${signature}`,
        /signature/,
      ],
      ['another type', await signed({}, { header: { typ: 'JWT' } }), /not of the type rc-wrp\+jwt$/],
      ['that of CWTs', await signed({}, { header: { typ: 'rc-wrp+cwt' } }), /not of the type rc-wrp\+jwt$/],
      ['no type', await signed({}, { header: { typ: undefined } }), /not of the type/],
      ['no certificates', await signed({}, { header: { x5c: [] } }), /x5c must be a list/],
      ['a text in their place', await signed({}, { header: { x5c: 'a' } }), /x5c must be a list/],
      ['no certificate', await signed({}, { header: { x5c: ['YQ=='] } }), /x5c\[0\] is not a certificate/],
      ['the key of another', await signed({}, { by: alone, header: chained }), /signature that is not valid$/],
      ['no authority', await signed({}, { by: alone }), /not that of a registrar: /],
      ['another authority', await signed({}, { by: foreign }), /not that of a registrar: /],
      ['the authority itself', await signed({}, { by: registrars }), /not that of a registrar: /],
      ['a registrar whose certificate is over', await signed({}, { by: over }), /not that of a registrar: /],
      ['no iat', await signed({ iat: undefined }), /an iat .*\(missing\)$/],
      ['a text as iat', await signed({ iat: 'now' as never }), /an iat .*\(malformed\)$/],
      ['an iat ahead', await signed({ iat: later() }), /an iat .*\(future\)$/],
      ['an nbf ahead', await signed({ nbf: later() }), /an nbf .*\(future\)$/],
      ['an end', await signed({ exp: later() - 2 * 3600 }), /an exp .*\(past\)$/],
      ['no status', await signed({ status: undefined }), /has no status$/],
      ['a text as status', await signed({ status: 'good' }), /has no status$/],
      ['no sub', await signed({ sub: undefined }), /of another party/],
      ['another sub', await signed({ sub: 'NTRZZ-Q2' }), /of another party/],
      ['a sub with more', await signed({ sub: `${REGISTERED_AS}0` }), /of another party/],
      ['an object as sub', await signed({ sub: { id: REGISTERED_AS } as never }), /of another party/],
      ['another actor', await signed({ act: { sub: 'NTRZZ-Q2' } }), /of another party/],
      ['an actor without a name', await signed({ act: {} }), /of another party/],
      ['another intermediary', await signed({ intermediary: { sub: 'NTRZZ-Q2' } }), /of another party/],
    ];
    for (const [what, data, why] of cases)
      expect(await read(data), what)
        .to.match(BROKEN)
        .and.match(why);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { digest } from '../../../domain/foundation/bytes.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import type { OutboundRequest } from '../../../ports/outbound.ts';
import { parsedCredential, refusedField, tryPolicy, vcSubject, vpSubject } from '../../support/credentials/policies.ts';

const ofTypes = (...types: string[]) => vpSubject(types.map((type) => parsedCredential({ type })));

describe('policy vp_required_credentials', () => {
  const run = (types: string[], required: unknown[]) =>
    tryPolicy('vp_required_credentials', { args: { required }, subject: ofTypes(...types) });

  it('passes when each requirement has a presented type, exactly written', async () => {
    const required = [{ credential_type: 'A' }, { any_of: ['B', 'C'] }, { any_of: [] }];
    const line = await run(['C', 'A'], required);
    expect(line).to.deep.include({ is_success: true, result: { presented_types: ['C', 'A'] } });
    expect((await run(['c', 'A'], required)).code).to.equal('credentials-missing');
  });

  it('fails with every requirement that is missing', async () => {
    const line = await run(['X'], [{ credential_type: 'T' }, { any_of: ['A', 'B'] }]);
    const error = 'Missing required credential: T; Missing required credential: A OR B';
    expect(line).to.deep.include({ is_success: false, code: 'credentials-missing', error });
  });

  it('counts the credentials of the whole response', async () => {
    const credentials = [parsedCredential({ type: 'A' }), parsedCredential({ type: 'B' })];
    const args = { required: [{ credential_type: 'A' }, { credential_type: 'B' }] };
    const line = await tryPolicy('vp_required_credentials', { args, subject: ofTypes('A'), credentials });
    expect(line.is_success).to.equal(true);
  });

  it('refuses an argument that it cannot read, by its member', async () => {
    const bad: [unknown, RegExp][] = [
      [undefined, /args: is required/],
      [{ required: [] }, /args\.required/],
      [{ required: ['A'] }, /args\.required\[0]/],
      [{ required: [{}] }, /args\.required\[0]/],
      [{ required: [{ credential_type: ' ' }] }, /args\.required\[0]\.credential_type/],
      [{ required: [{ any_of: ['A', ''] }] }, /args\.required\[0]\.any_of\[1]/],
      [{ required: [{ credential_type: 'A', any_of: ['A'] }] }, /args\.required\[0]/],
      [{ required: [{ type: 'A' }] }, /args\.required\[0]\.type/],
      [{ required: Array(65).fill({ credential_type: 'A' }) }, /args\.required/],
    ];
    for (const [args, message] of bad)
      expect(await refusedField('vp_required_credentials', { args, subject: ofTypes() })).to.match(message);
  });

  it('presenting more never breaks it', async () => {
    const types = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { maxLength: 4 });
    const requirement = fc.oneof(
      fc.record({ credential_type: fc.constantFrom('A', 'B', 'C') }),
      fc.record({ any_of: fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 2 }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        types,
        types,
        fc.array(requirement, { minLength: 1, maxLength: 3 }),
        async (some, more, required) => {
          const [less, all] = [await run(some, required), await run([...more, ...some], required)];
          if (less.is_success) expect(all.is_success).to.equal(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('policy regex', () => {
  const document = { credentialSubject: { name: 'Ada\nLovelace', degree: 'BachelorDegree', age: 36, none: null } };
  const run = (path: string, regex: string, more: object = {}) =>
    tryPolicy('regex', { args: { path, regex, ...more }, subject: vcSubject({ document }) });

  it('passes with the value and what the groups matched', async () => {
    const line = await run('$.credentialSubject.degree', '(Bachelor|Master)(Degree)(x)?');
    const result = { value: 'BachelorDegree', groups: ['BachelorDegree', 'Bachelor', 'Degree', ''] };
    expect(line).to.deep.include({ is_success: true, code: 'passed', result });
  });

  it('fails unless the whole value matches', async () => {
    for (const regex of ['Bachelor', 'Degree', 'achelorDegre', 'bachelordegree'])
      expect((await run('$.credentialSubject.degree', regex)).code, regex).to.equal('pattern-mismatch');
    const lazy = await run('$.credentialSubject.degree', '(.*?)(e.*)');
    expect(lazy.result).to.have.nested.property('groups[1]', 'Bach');
    expect((await run('$.credentialSubject.age', '3[0-9]')).is_success).to.equal(true);
  });

  it('options: case and lines', async () => {
    const at = '$.credentialSubject.name';
    expect((await run(at, '(?:ADA|LOVELACE|\\n)+')).is_success).to.equal(false);
    expect((await run(at, '(?:ADA|LOVELACE|\\n)+', { regex_options: ['IGNORE_CASE'] })).is_success).to.equal(true);
    expect((await run(at, 'Ada$\\nLovelace')).is_success).to.equal(false);
    expect((await run(at, 'Ada$\\nLovelace', { regex_options: ['MULTILINE'] })).is_success).to.equal(true);
  });

  it('a value that is missing or null fails, unless that is allowed', async () => {
    for (const path of ['$.missing', '$.credentialSubject.none']) {
      expect((await run(path, '.*')).code).to.equal('missing-claim');
      expect(await run(path, '.*', { allowNull: true })).to.deep.include({ is_success: true, result: { value: null } });
    }
  });

  it('cannot be run on a value that is too long for the pattern', async () => {
    const long = vcSubject({ document: { text: 'a'.repeat(500_000) } });
    const args = { path: '$.text', regex: '(?:a|b|c|d|e|f)*' };
    const line = await tryPolicy('regex', { args, subject: long });
    expect([line.is_success, line.code]).to.deep.equal([false, 'undetermined']);
  });

  it('refuses an argument that it cannot read, by its member; also as the newer generation writes it', async () => {
    const good = { path: '$.a', regex: 'a' };
    const bad: [object, string][] = [
      [{ ...good, path: undefined }, 'path'],
      [{ ...good, path: '$[' }, 'path'],
      [{ ...good, regex: '(' }, 'regex'],
      [{ ...good, regex: '(a)\\1' }, 'regex'],
      [{ ...good, regex: '(?=a)a' }, 'regex'],
      [{ ...good, regex: '(?:a{1000}){1000}' }, 'regex'],
      [{ ...good, regex_options: ['COMMENTS'] }, 'regex_options'],
      [{ ...good, allowNull: 'yes' }, 'allowNull'],
      [{ ...good, more: 1 }, 'more'],
    ];
    for (const [args, member] of bad) {
      expect(await refusedField('regex', { args }), member).to.include(`[0].args.${member}: `);
      expect(await refusedField('regex', { inline: { ...args } }), member).to.include(`[0].${member}: `);
    }
  });

  it('agrees with the expressions of the language on whole texts', async () => {
    const pattern = fc.constantFrom('a*b', '(a|b)+', '[^a]{1,3}', 'a.b?', '(?:ab|b)*a?', '\\d+-\\w*');
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '\n'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pattern, text, async (regex, value) => {
        const subject = vcSubject({ document: { value } });
        const line = await tryPolicy('regex', { args: { path: '$.value', regex }, subject });
        const expected = new RegExp(`^(?:${regex})$`, 'u').exec(value);
        expect(line.is_success).to.equal(expected !== null);
      }),
      { numRuns: 100 },
    );
  });
});

describe('policy vct-integrity', () => {
  const VCT = 'https://types.example/id';
  const METADATA = new TextEncoder().encode('{"vct":"https://types.example/id"}');
  const base64 = (algorithm: 'sha256' | 'sha384' | 'sha512') =>
    `${algorithm}-${Buffer.from(digest(algorithm, METADATA)).toString('base64')}`;
  const base64url = `sha256-${Buffer.from(digest('sha256', METADATA)).toString('base64url')}`;

  async function run(claims: object, { args, status = 200 }: { args?: object; status?: number } = {}) {
    const calls: OutboundRequest[] = [];
    const outbound = {
      check: () => {},
      send: async (request: OutboundRequest) => {
        calls.push(request);
        return { status, headers: {}, body: METADATA };
      },
    };
    const subject = vcSubject({ format: 'dc+sd-jwt', claims: { ...claims } });
    const line = await tryPolicy('vct-integrity', { args, subject, context: { outbound } });
    return { line, calls };
  }

  it('passes when the type metadata has a stated digest, in either alphabet and any algorithm', async () => {
    const wrong = 'sha256-AAAA';
    for (const stated of [
      base64url,
      base64('sha256'),
      base64('sha384'),
      base64('sha512'),
      `${wrong} ${base64('sha512')}`,
    ]) {
      const { line, calls } = await run({ vct: VCT, 'vct#integrity': stated });
      expect([line.is_success, line.code], stated).to.deep.equal([true, 'passed']);
      expect(line.result).to.include({ vct_integrity_value_verified: true, vct: VCT });
      expect(calls.map(({ url, expects }) => [url, expects])).to.deep.equal([[VCT, 'credential-type']]);
    }
  });

  it('fails with the reason of the reference', async () => {
    const cases: [object, string, string][] = [
      [{ vct: VCT }, 'integrity-missing', 'MISSING'],
      [{ vct: VCT, 'vct#integrity': 7 }, 'integrity-malformed', 'MALFORMED'],
      [{ vct: VCT, 'vct#integrity': 'md5-AAAA' }, 'integrity-malformed', 'MALFORMED'],
      [{ vct: VCT, 'vct#integrity': `sha256-${'A'.repeat(3000)}` }, 'integrity-malformed', 'MALFORMED'],
      [{ vct: 'urn:x', 'vct#integrity': base64url }, 'undetermined', 'MISSING_VCT'],
      [{ vct: VCT, 'vct#integrity': 'sha256-AAAA' }, 'integrity-mismatch', 'VALUE_MISMATCH'],
      [{ vct: VCT, 'vct#integrity': `${base64('sha256')} sha512-AAAA` }, 'integrity-mismatch', 'VALUE_MISMATCH'],
    ];
    for (const [claims, code, reason] of cases) {
      const { line } = await run(claims);
      expect([line.code, line.is_success]).to.deep.equal([code, false]);
      expect(line.error).to.deep.include({ type: 'VctIntegrityException', reason });
    }
  });

  it('cannot be run when the type metadata is not answered', async () => {
    const { line } = await run({ vct: VCT, 'vct#integrity': base64url }, { status: 404 });
    expect([line.code, line.is_success]).to.deep.equal(['unreachable', false]);
  });

  it('only demands that a digest is stated, when it is asked to', async () => {
    const args = { skipValueVerification: true };
    const { line, calls } = await run({ vct: VCT, 'vct#integrity': 'sha256-AAAA' }, { args });
    expect([line.is_success, calls.length]).to.deep.equal([true, 0]);
    expect((await run({ vct: VCT }, { args })).line.is_success).to.equal(false);
  });

  it('nothing is fetched for a credential whose signature is not valid', async () => {
    const subject = vcSubject({
      claims: { vct: VCT },
      verifyIssuer: async () => ({ valid: false, refusal: 'signature' }),
    });
    expect((await tryPolicy('vct-integrity', { subject })).code).to.equal('not-run');
  });
});

describe('policies on signatures', () => {
  const invalid = async () => ({ valid: false, refusal: 'signature' }) as const;
  const sdJwt = (members: object = {}) =>
    parsedCredential({
      format: 'dc+sd-jwt',
      claims: { vct: 'urn:x' },
      holder: { did: 'did:example:holder' },
      ...members,
    });

  it('signature: only the listed algorithms, by the encoding of the credential', async () => {
    const jws = (...allowedJwsAlgorithms: string[]) => ({ allowedJwsAlgorithms });
    const cose = (...allowedCoseAlgorithms: number[]) => ({ allowedCoseAlgorithms });
    const run = async (args: object, format = 'jwt_vc_json') =>
      (await tryPolicy('signature', { args, subject: vcSubject({ format, alg: 'ES256' }) })).code;
    expect(await run(jws('ES256', 'EdDSA'))).to.equal('passed');
    expect(await run(jws('EdDSA'))).to.equal('algorithm-not-allowed');
    expect(await run(cose(-8))).to.equal('passed');
    expect(await run(jws('EdDSA'), 'mso_mdoc')).to.equal('passed');
    expect(await run(cose(-7), 'mso_mdoc')).to.equal('passed');
    expect(await run(cose(-8), 'mso_mdoc')).to.equal('algorithm-not-allowed');
    for (const args of [jws(), { allowedJwsAlgorithms: 'ES256' }, { allowedCoseAlgorithms: ['ES256'] }, { other: [] }])
      expect(await refusedField('signature', { args })).to.match(/args\.(allowed|other)/);
  });

  it('signature_sd-jwt-vc: issuer, type, dates and holder', async () => {
    const at = (key: string, ms: number) => ({ key, ms, toleranceMs: 0 });
    const run = (members: object = {}) => tryPolicy('signature_sd-jwt-vc', { subject: vpSubject([sdJwt(members)]) });
    expect((await run()).is_success).to.equal(true);
    const cases: [object, string][] = [
      [{ verifyIssuer: invalid }, 'signature-invalid'],
      [{ claims: { vct: '' } }, 'missing-claim'],
      [{ validity: { starts: [], ends: [at('exp', -1)] } }, 'expired'],
      [{ validity: { starts: [at('nbf', 1)], ends: [] } }, 'not-yet-valid'],
      [{ format: 'jwt_vc_json' }, 'undetermined'],
    ];
    for (const [members, code] of cases) {
      const line = await run(members);
      expect([line.code, line.is_success]).to.deep.equal([code, false]);
      if (code !== 'undetermined') expect(line.error).to.match(/^SD-JWT verification failed: /);
    }
    const unsigned = { ...vpSubject([sdJwt()]), checkSignature: invalid };
    expect((await tryPolicy('signature_sd-jwt-vc', { subject: unsigned })).code).to.equal('signature-invalid');
    expect((await tryPolicy('signature_sd-jwt-vc', { subject: vpSubject([]) })).is_success).to.equal(false);
    expect((await tryPolicy('signature_sd-jwt-vc', { subject: vcSubject(sdJwt()) })).is_success).to.equal(true);
  });

  it('holder-binding: by DID where the presentation names the holder, else by the key of each credential', async () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
    const byKey = (credentials: object[], checkSignature?: typeof invalid) => {
      const subject = vpSubject(credentials.map(sdJwt), { holder: undefined, holderFrom: 'credentials' });
      return tryPolicy('holder-binding', { subject: { ...subject, ...(checkSignature && { checkSignature }) } });
    };
    expect(await byKey([{ holder: { jwk } }])).to.deep.include({ is_success: true, result: { keys: [jwk] } });
    expect((await byKey([{ holder: { jwk } }, { holder: undefined }])).code).to.equal('holder-mismatch');
    expect((await byKey([])).code).to.equal('holder-mismatch');
    expect((await byKey([{ holder: { jwk } }], invalid)).code).to.equal('signature-invalid');
    const byDid = (did: string | undefined, holder: string | undefined) =>
      tryPolicy('holder-binding', {
        subject: vpSubject([parsedCredential({ holder: did === undefined ? undefined : { did } })], {
          holder,
          holderFrom: 'presentation',
        }),
      });
    expect((await byDid('did:example:h', 'did:example:h#1')).result).to.equal('did:example:h');
    expect((await byDid('did:example:other', 'did:example:h')).code).to.equal('holder-mismatch');
    expect((await byDid(undefined, 'did:example:h')).code).to.equal('holder-mismatch');
    expect((await byDid('did:example:h', undefined)).code).to.equal('undetermined');
  });

  it('allowed-issuer: an issuer of any kind', async () => {
    const issuers = [
      { kind: 'did', id: 'did:example:a' },
      { kind: 'url', id: 'https://issuer.example' },
      { kind: 'certificates', id: 'CN=Issuer', chain: [] },
    ] as const;
    for (const issuer of issuers) {
      const run = (args: unknown) => tryPolicy('allowed-issuer', { args, subject: vcSubject({ issuer }) });
      expect((await run(issuer.id)).result).to.equal(issuer.id);
      expect((await run(['did:example:x', issuer.id])).is_success).to.equal(true);
      expect((await run(`${issuer.id}x`)).error).to.include({ type: 'NotAllowedIssuerException', issuer: issuer.id });
    }
    const inline = { allowed_issuer: 'did:example:issuer' };
    expect((await tryPolicy('allowed-issuer', { inline })).is_success).to.equal(true);
    for (const args of [[], '', 7, ['a', 7]])
      expect(await refusedField('allowed-issuer', { args })).to.include('[0].args: ');
  });

  it('expiration and not-before: a date can be demanded', async () => {
    for (const policy of ['expiration', 'expired', 'not-before']) {
      expect((await tryPolicy(policy)).code).to.equal('nothing-to-check');
      expect((await tryPolicy(policy, { inline: { requireField: true } })).code).to.equal('missing-claim');
      expect((await tryPolicy(policy, { args: { requireField: false } })).is_success).to.equal(true);
      expect(await refusedField(policy, { inline: { requireField: 1 } })).to.include('[0].requireField: ');
    }
  });

  it('an error that is none of ours is no text of the result', async () => {
    const verifyIssuer = () => Promise.reject(new TypeError('secret'));
    const line = await tryPolicy('signature', { subject: vcSubject({ verifyIssuer }) });
    expect([line.code, JSON.stringify(line).includes('secret')]).to.deep.equal(['internal-error', false]);
    expect(isDomainError(line.error)).to.equal(false);
  });
});

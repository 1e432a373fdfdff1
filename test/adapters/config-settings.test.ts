import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { ALWAYS_SERVED } from '../../adapters/config/choices.ts';
import { ConfigurationError, type ConfigurationProblem } from '../../adapters/config/errors.ts';
import type { ReadSettings } from '../../adapters/config/read-settings.ts';
import { FileSchemas, FOLDER } from '../../adapters/config/schemas.ts';
import { loadSettings } from '../../composition/platform/settings.ts';
import { makeDemoCertificates } from '../../demo/actors/certificates.ts';

describe('readSettings', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-config-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function read(
    files: Record<string, string | Uint8Array>,
    environment: Record<string, string> = {},
  ): Promise<ReadSettings> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return loadSettings({ CONFIG_DIR: folder, ...environment });
  }

  async function problems(...asked: Parameters<typeof read>): Promise<readonly ConfigurationProblem[]> {
    try {
      await read(...asked);
    } catch (error) {
      if (error instanceof ConfigurationError) return error.problems;
      throw error;
    }
    throw new Error('the configuration was accepted');
  }

  it('gives an absent file what an empty one has', () => {
    const schemas = new FileSchemas();
    const names = readdirSync(FOLDER).map((file) => file.replace('.schema.json', ''));
    expect(names).to.have.length.greaterThan(20);
    for (const name of names) expect({ value: schemas.defaults(name) }, name).to.deep.equal(schemas.check(name, {}));
  });

  it('has defaults for every setting', async () => {
    const settings = await loadSettings({});
    expect(settings).to.deep.include({
      host: '127.0.0.1',
      port: 7001,
      publicUrl: 'http://127.0.0.1:7001',
      configDir: join(process.cwd(), 'config'),
      dataDir: join(process.cwd(), 'data'),
      logLevel: 'info',
      services: {
        services: ['wallet', 'wallet2', 'issuer', 'verifier', 'status', 'enterprise', 'portal', 'signin'],
        corsOrigins: [],
        trustedProxies: [],
        workers: 1,
        maxConnections: 4000,
      },
      features: { enabled: ['external-signature-endpoints', 'rejectionreason'], disabled: [], trustedCa: false },
      trustedCa: { certificates: [] },
      trustedIssuers: { certificates: [], acceptUnanchored: false, vicals: [], trustLists: [], federations: [] },
      trustedVerifiers: { certificates: [], federations: [], attestationIssuers: [], clients: [] },
      auth: {
        tokenLifetimeSeconds: 86400,
        x5c: { replay: 'compatible', autoRegister: true, minRsaBits: 2048 },
        password: { scryptLogN: 15 },
        secondFactor: { required: 'none' },
        lockout: { threshold: 10, windowSeconds: 900, lockSeconds: 900 },
      },
      registrationDefaults: {
        defaultKeyConfig: { backend: 'jwk', keyType: 'secp256r1' },
        defaultDidConfig: { method: 'jwk' },
      },
      keyGenerationDefaults: {},
      signIn: { clients: {}, profiles: {}, lifetimes: { signIn: 300, code: 60, idToken: 3600, accessToken: 600 } },
      issuer2Profiles: {},
      authenticationService: { server: undefined },
      outbound: { allow: [], callbacks: { signingSecrets: [] } },
      store: {
        type: 'sqlite',
        nodes: [],
        user: '',
        password: '',
        tls: false,
        keyPrefix: 'credenza:',
        database: 'credenza',
        schema: 'credenza',
        connections: 10,
      },
      status: {
        minimumListBits: 131072,
        statusSigningUsages: [],
        issuedLists: { entries: 131072, lifetimeSeconds: 86_400, ttlSeconds: 900 },
      },
      files: [],
      warnings: [],
    });
    expect(settings.masterKeys).to.equal(undefined);
    expect(settings.issuerMetadata.supportedCredentialTypes.UniversityDegree).to.deep.equal([
      'VerifiableCredential',
      'UniversityDegree',
    ]);
  });

  it('returns a new object each time', async () => {
    const [one, other] = [await loadSettings({}), await loadSettings({})];
    one.services.services.push('wallet');
    one.auth.x5c.replay = 'once';
    expect(other.services.services).to.have.length(8);
    expect(other.auth.x5c.replay).to.equal('compatible');
  });

  describe('environment', () => {
    const OPEN = { 'services.conf': 'management = open' };

    it('reads every variable and takes the slash off PUBLIC_URL', async () => {
      const masterKey = 'ab'.repeat(32);
      const environment = {
        HOST: '0.0.0.0',
        PORT: '8080',
        PUBLIC_URL: 'https://vc.example.org:8443/',
        DATA_DIR: '/var/lib/x',
        LOG_LEVEL: 'DEBUG',
        MASTER_KEY: masterKey,
      };
      expect(await read(OPEN, environment)).to.deep.include({
        host: '0.0.0.0',
        port: 8080,
        publicUrl: 'https://vc.example.org:8443',
        dataDir: '/var/lib/x',
        logLevel: 'debug',
        masterKeys: [masterKey],
        warnings: [],
      });
    });

    const urls: [Record<string, string>, string][] = [
      [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000'],
      [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:7001'],
      [{ PORT: '0' }, 'http://127.0.0.1:0'],
      [{ PORT: '80' }, 'http://127.0.0.1'],
      [{ PORT: '', HOST: ' ' }, 'http://127.0.0.1:7001'],
    ];
    for (const [environment, url] of urls)
      it(`makes ${url} of ${JSON.stringify(environment)}`, async () => {
        expect((await read(OPEN, environment)).publicUrl).to.equal(url);
      });

    it('keeps the path of PUBLIC_URL, without a slash at its end', async () => {
      for (const end of ['', '/'])
        expect((await read(OPEN, { PUBLIC_URL: `https://vc.example.org/cards/eu${end}` })).publicUrl).to.equal(
          'https://vc.example.org/cards/eu',
        );
    });

    it('warns when it listens on every interface without a public URL', async () => {
      expect((await read(OPEN, { HOST: '::' })).warnings).to.have.length(1);
    });

    it('names every invalid variable, never its value', async () => {
      const wrong = {
        HOST: 'bad host hunter2',
        PORT: '70000',
        PUBLIC_URL: 'https://user:hunter2@example.org',
        LOG_LEVEL: 'hunter2',
        MASTER_KEY: 'hunter2',
      };
      const found = await problems({}, wrong);
      expect(found.map(({ file, field }) => `${file} ${field}`)).to.deep.equal(
        ['HOST', 'PORT', 'PUBLIC_URL', 'LOG_LEVEL', 'MASTER_KEY'].map((name) => `environment ${name}`),
      );
      expect(JSON.stringify(found)).to.not.include('hunter2');
    });

    for (const url of [
      'ftp://example.org',
      'example.org',
      'https://example.org/?a',
      'https://example.org/#',
      'https://example.org/a//b',
      'https://example.org/.well-known',
      'https://example.org/a%2Fb',
      `https://example.org${'/a'.repeat(9)}`,
    ])
      it(`refuses PUBLIC_URL ${url}`, async () => {
        expect(await problems({}, { PUBLIC_URL: url })).to.have.length(1);
      });

    it('property: MASTER_KEY is accepted exactly when it spells 32 bytes in hex or base64', async () => {
      const bytes = fc.uint8Array({ minLength: 28, maxLength: 36 });
      const spelled = fc.tuple(bytes, fc.constantFrom<BufferEncoding>('hex', 'base64', 'base64url'));
      await fc.assert(
        fc.asyncProperty(spelled, async ([key, encoding]) => {
          const text = Buffer.from(key).toString(encoding);
          const accepted = await read({}, { MASTER_KEY: text }).then(
            ({ masterKeys }) => masterKeys?.[0] === text,
            () => false,
          );
          expect(accepted).to.equal(key.length === 32);
        }),
        { numRuns: 60 },
      );
    });

    it('warns of a CONFIG_DIR that does not exist and refuses one that is not a folder', async () => {
      expect((await loadSettings({ CONFIG_DIR: join(folder, 'none') })).warnings[0]).to.include('CONFIG_DIR');
      await writeFile(join(folder, 'file'), '');
      const found = await loadSettings({ CONFIG_DIR: join(folder, 'file') }).catch((error) => error.problems);
      expect(found).to.deep.equal([{ file: 'environment', field: 'CONFIG_DIR', message: 'cannot be read (ENOTDIR)' }]);
    });
  });

  it('reports every problem of every file at once, each with file and field', async () => {
    const found = await problems({
      '_features.conf': 'enabledFeatures = [ trusted-ca, trustedca ]',
      'auth.conf': 'tokenLifetimeSeconds = 1\nx5c { replay = never, autoregister = true }',
      'services.conf': 'services = []\ncorsOrigins = [ "https://a.example", "https://b.example/" ]',
      'outbound.conf': 'allow = [ ok.example, "http://x" ]',
      'store.conf': 'type = ',
      'key-generation-defaults.conf': 'keyGenerationDefaults { jwk {}, safe { secret = hunter2 } }',
      'credential-issuer-metadata.conf': 'supportedCredentialTypes { A = [], B { scope = x } }',
    });
    const fields = found.map(({ file, field }) => `${file} ${field}`);
    expect(fields).to.have.members([
      '_features.conf enabledFeatures[1]',
      'auth.conf tokenLifetimeSeconds',
      'auth.conf x5c.replay',
      'auth.conf x5c.autoregister',
      'services.conf services',
      'services.conf corsOrigins[1]',
      'outbound.conf allow[1]',
      'store.conf ',
      'key-generation-defaults.conf keyGenerationDefaults.safe',
      'credential-issuer-metadata.conf supportedCredentialTypes.A',
      'credential-issuer-metadata.conf supportedCredentialTypes.B.format',
    ]);
    expect(found.find(({ field }) => field === 'x5c.autoregister')?.message).to.include('autoRegister');
    expect(found.find(({ file }) => file === '_features.conf')?.message).to.include('trusted-ca');
  });

  it('lists all of them in the message of the error', async () => {
    const error = await read({ 'auth.conf': 'x5c.replay = never' }).catch((caught) => caught);
    expect(error.message).to.equal(
      'The configuration cannot be used:\n  auth.conf: x5c.replay: must be one of compatible, once, challenge',
    );
  });

  it('names the line of a syntax error', async () => {
    expect(await problems({ 'auth.conf': 'x5c {\n  replay = "once\n}' })).to.deep.equal([
      { file: 'auth.conf', field: '', message: 'line 2: a string is not closed' },
    ]);
  });

  it('refuses files that are too large or not UTF-8', async () => {
    const found = await problems({
      'auth.conf': `# ${'x'.repeat(1024 * 1024)}`,
      'store.conf': Uint8Array.of(0xff, 0xfe),
    });
    expect(found.map(({ file, message }) => [file, message])).to.deep.equal([
      ['auth.conf', 'is larger than 1 MiB'],
      ['store.conf', 'cannot be read (it is not UTF-8 text)'],
    ]);
  });

  it('takes numbers and booleans from the environment, and an optional variable only when it is set', async () => {
    const text = `tokenLifetimeSeconds = 600\ntokenLifetimeSeconds = \${?LIFE}\nx5c.autoRegister = \${AUTO}`;
    expect((await read({ 'auth.conf': text }, { AUTO: 'false' })).auth).to.deep.include({ tokenLifetimeSeconds: 600 });
    const set = await read({}, { AUTO: 'true', LIFE: '900' });
    expect(set.auth.tokenLifetimeSeconds).to.equal(900);
    expect(set.auth.x5c.autoRegister).to.equal(true);
    expect(await problems({}, { AUTO: 'no', LIFE: '1e3' })).to.have.length(2);
  });

  it('treats null as absent', async () => {
    expect((await read({ 'store.conf': '{"type": null}' })).store.type).to.equal('sqlite');
  });

  it('reads persistence.conf as store.conf, but not both', async () => {
    expect((await read({ 'persistence.conf': 'type = memory' })).store.type).to.equal('memory');
    expect(await problems({ 'store.conf': '' })).to.deep.equal([
      { file: 'persistence.conf', field: '', message: 'is the same file as store.conf; keep one of them' },
    ]);
  });

  it('accepts every name of the stores', async () => {
    const node = 'nodes = [ { host = "10.0.0.1", port = 6379 } ]';
    for (const [name, type] of [
      ['kvstore', 'kvstore'],
      ['redis', 'kvstore'],
      ['kvstore-cluster', 'kvstore-cluster'],
      ['redis-cluster', 'kvstore-cluster'],
      ['postgresql', 'postgresql'],
      ['postgres', 'postgresql'],
    ])
      expect((await read({ 'store.conf': `type = ${name}\nuser = u\n${node}` })).store).to.deep.include({
        type,
        nodes: [{ host: '10.0.0.1', port: 6379 }],
      });
    const { store } = await read(
      { 'store.conf': `type = kvstore\nnodes = [ { host = h, port = \${P} } ]\nuser = u\npassword = \${SECRET}` },
      { P: '6380', SECRET: 'a b' },
    );
    expect(store).to.deep.include({ nodes: [{ host: 'h', port: 6380 }], user: 'u', password: 'a b' });
  });

  it('requires exactly one node for kvstore, at least one for a cluster, a user for PostgreSQL, and names the defect of a node', async () => {
    const node = { host: 'h', port: 6379 };
    const wrong: [object, string][] = [
      [{ type: 'kvstore' }, 'nodes'],
      [{ type: 'redis', nodes: [] }, 'nodes'],
      [{ type: 'kvstore', nodes: [node, node] }, 'nodes'],
      [{ type: 'kvstore-cluster', nodes: [] }, 'nodes'],
      [{ type: 'kvstore', nodes: [{ host: 'h' }] }, 'nodes[0].port'],
      [{ type: 'kvstore', nodes: [{ ...node, port: 65536 }] }, 'nodes[0].port'],
      [{ type: 'kvstore', nodes: [{ ...node, port: 0 }] }, 'nodes[0].port'],
      [{ type: 'kvstore', nodes: [{ ...node, host: '' }] }, 'nodes[0].host'],
      [{ type: 'kvstore', nodes: [{ ...node, user: 'u' }] }, 'nodes[0].user'],
      [{ type: 'kvstore', nodes: [node], keyPrefix: 'a{b}' }, 'keyPrefix'],
      [{ type: 'postgresql', user: 'u' }, 'nodes'],
      [{ type: 'postgresql', nodes: [node] }, 'user'],
      [{ type: 'postgres', nodes: [node], user: '' }, 'user'],
      [{ type: 'postgres', nodes: [node], user: 'u', schema: 'a"b' }, 'schema'],
      [{ type: 'postgres', nodes: [node], user: 'u', connections: 0 }, 'connections'],
      [{ type: 'mongodb' }, 'type'],
    ];
    for (const [content, field] of wrong)
      expect(
        (await problems({ 'store.conf': JSON.stringify(content) })).map((problem) => problem.field),
        JSON.stringify(content),
      ).to.deep.equal([field]);
  });

  it('warns of a file that is not read, and lists the files that were', async () => {
    const { warnings, files } = await read({ 'trustedca.conf': 'x', 'auth.conf': '', 'notes.txt': '' });
    expect(files).to.deep.equal([join(folder, 'auth.conf')]);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('trustedca.conf').and.include('trusted-ca.conf');
  });

  it('warns that wallet API 2 has no accounts, where it is served so', async () => {
    const none = { 'wallet-service.conf': 'wallet2Accounts = none' };
    const [line, ...more] = (await read(none)).warnings;
    expect(line).to.include('wallet2Accounts').and.include('owns all wallets');
    expect(more).to.deep.equal([]);
    expect((await read({ ...none, 'services.conf': 'services = [ issuer ]' })).warnings).to.deep.equal([]);
  });

  it('accepts the names of the reference for what is always served, with one line, and does not switch it off', async () => {
    const names = [...ALWAYS_SERVED];
    const { warnings, features } = await read({
      '_features.conf': `enabledFeatures = [ ${names.join(', ')} ]`,
    });
    expect(features.enabled).to.have.members(['external-signature-endpoints', 'rejectionreason']);
    expect(warnings).to.have.length(1);
    for (const name of names) expect(warnings[0]).to.include(name);
    const off = await problems({ '_features.conf': 'disabledFeatures = [ openapi, rejectionreason ]' });
    expect(off.map(({ field }) => field)).to.deep.equal(['disabledFeatures[0]']);
  });

  it('reads an issuer as the reference implementation configures it; what is not read or must change is one line each', async () => {
    const metadata = {
      issuerDisplay: [{ name: 'Issuer', locale: 'en-US', logo: { uri: '/static/mark.png', alt_text: 'A mark' } }],
      credentialConfigurations: {
        UniversityDegree_jwt_vc_json: {
          format: 'jwt_vc_json',
          scope: 'UniversityDegree_jwt_vc_json',
          credential_signing_alg_values_supported: ['ES256'],
          cryptographic_binding_methods_supported: ['jwk', 'did:key', 'did:ebsi'],
          proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256', 'EdDSA'] } },
          credential_definition: { type: ['VerifiableCredential', 'UniversityDegree'] },
          credential_metadata: {
            display: [{ name: 'Degree', locale: 'en', background_image: { uri: '/static/degree.png' } }],
            claims: [{ path: ['credentialSubject', 'givenName'], display: [{ name: 'Given name', locale: 'en' }] }],
          },
        },
      },
    };
    const profiles = `
      defaultIssuerKey = { type = "jwk", jwk = { kty = "EC", crv = "P-256", d = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"
        x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0" } }
      profiles = { universityDegree = {
        name = "University Degree"
        credentialConfigurationId = "UniversityDegree_jwt_vc_json"
        issuerKey = \${defaultIssuerKey}
        credentialData = { type = [ "VerifiableCredential", "UniversityDegree" ], credentialSubject = {} }
        mapping = { id = "<uuid>", credentialSubject = { id = "<subjectDid>" }, issuanceDate = "<timestamp>" }
        idTokenClaimsMapping = { "sub" = "$.credentialSubject.id", "given_name" = "$.credentialSubject.givenName" }
      }, mdl = {
        name = "Driving licence"
        credentialConfigurationId = "org.iso.18013.5.1.mDL"
        credentialData = { "org.iso.18013.5.1" = { birth_date = "1990-01-31" } }
        mDocNameSpacesDataMappingConfig = { "org.iso.18013.5.1" = { entriesConfigMap = {
          birth_date = { type = "string", conversionType = "stringToFullDate" } } } }
        authorizedTransactionDataTypes = [ "payment" ]
      } }`;
    const files = {
      'credential-issuer-metadata.conf': JSON.stringify(metadata),
      'issuer-service.conf': 'baseUrl = "http://localhost:7002"',
      'web.conf': 'webPort = 7002',
    };
    const [problem, ...others] = await problems({ ...files, 'issuer2-profiles.conf': profiles });
    expect([problem?.file, others]).to.deep.equal(['issuer2-profiles.conf', []]);
    expect(problem?.message).to.match(/^line \d+: .*defaultIssuerKey.*leave the line out where it is the default$/);
    const { warnings, issuerMetadata, issuer2Profiles } = await read({
      ...files,
      'issuer2-profiles.conf': profiles.replace(/issuerKey = \$.*/, ''),
    });
    expect(Object.keys(issuerMetadata.supportedCredentialTypes)).to.deep.equal(['UniversityDegree_jwt_vc_json']);
    expect(issuer2Profiles.profiles?.universityDegree?.idTokenClaimsMapping).to.have.property('given_name');
    expect(issuer2Profiles.profiles?.mdl?.authorizedTransactionDataTypes).to.deep.equal(['payment']);
    expect(issuer2Profiles.profiles?.mdl?.mDocNameSpacesDataMappingConfig).to.have.property('org.iso.18013.5.1');
    expect(warnings.map((line) => line.split(' ')[0])).to.deep.equal(['issuer-service.conf', 'web.conf']);
  });

  it('reads how clients authenticate as the reference implementation writes it, but for keys of its key services', async () => {
    const file = (method: string) => ({
      'credential-issuer-metadata.conf': `clientAuthenticationConfig { supportedMethods = [ { type = "preauth-anonymous" }, {
        type = "client-attestation", config { clockSkewSeconds = 60, verificationMethod { ${method} } } } ] }`,
    });
    const { issuerMetadata } = await read(file('type = "static-jwk", jwk { kty = EC }'));
    expect(issuerMetadata.clientAuthenticationConfig?.supportedMethods[1]).to.deep.equal({
      type: 'client-attestation',
      config: { clockSkewSeconds: 60, verificationMethod: { type: 'static-jwk', jwk: { kty: 'EC' } } },
    });
    const [problem] = await problems(file('type = "key-reference", reference = "key1"'));
    expect(problem?.field).to.match(/^clientAuthenticationConfig\.supportedMethods\[1\]\.config\.verificationMethod/);
  });

  describe('trusted-ca', () => {
    const on = { '_features.conf': 'enabledFeatures = [ trusted-ca ]' };

    it('requires a certificate when the feature is enabled', async () => {
      expect((await problems(on))[0]).to.include({ file: 'trusted-ca.conf', field: 'certificates' });
    });

    it('disabled overrides enabled', async () => {
      const { features } = await read({
        '_features.conf': 'enabledFeatures=[trusted-ca]\ndisabledFeatures=[trusted-ca]',
      });
      expect(features).to.deep.equal({
        enabled: ['external-signature-endpoints', 'rejectionreason'],
        disabled: ['trusted-ca'],
        trustedCa: false,
      });
    });

    it('refuses values that are not certificates, not authorities, or expired', async () => {
      const { caPem: good, chain } = await makeDemoCertificates();
      const { caPem: old } = await makeDemoCertificates(Date.now() - 7 * 86_400_000);
      const { caPem: future } = await makeDemoCertificates(Date.now() + 7 * 86_400_000);
      const leaf = `-----BEGIN CERTIFICATE-----\n${chain[0]}\n-----END CERTIFICATE-----`;
      const garbage = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
      const certificates = [good, old, future, leaf, garbage];
      const found = await problems({ ...on, 'trusted-ca.conf': JSON.stringify({ certificates }) });
      expect(found.map(({ field, message }) => `${field} ${message}`)).to.deep.equal([
        'certificates[1] has expired',
        'certificates[2] is not valid yet',
        'certificates[3] is not a certificate authority',
        'certificates[4] is not an X.509 certificate',
      ]);
      const shape = await problems({ ...on, 'trusted-ca.conf': JSON.stringify({ certificates: [good + good, 'x'] }) });
      expect(shape.map(({ field }) => field)).to.deep.equal(['certificates[0]', 'certificates[1]']);
    });
  });

  it('refuses authorities of issuers and of verifiers that cannot be trusted, with any features', async () => {
    const { caPem: old } = await makeDemoCertificates(Date.now() - 7 * 86_400_000);
    const fields = {
      'trusted-issuers.conf': 'certificates',
      'trusted-verifiers.conf': 'certificates',
      'wallet-service.conf': 'issuerAuthorities',
    };
    const written = Object.entries(fields).map(([file, field]) => [file, JSON.stringify({ [field]: [old] })]);
    const expected = Object.entries(fields).map(([file, field]) => ({ file, field: `${field}[0]` }));
    expect(await problems(Object.fromEntries(written))).to.deep.equal(
      expected.map((place) => ({ ...place, message: 'has expired' })),
    );
  });

  it('refuses trust anchors of federations that are no entities or have keys that cannot be read', async () => {
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }] };
    const files = ['trusted-issuers.conf', 'trusted-verifiers.conf'];
    const fieldsOf = async (entityId: string) => {
      const federations = [{ entityId, jwks }];
      const found = await problems(Object.fromEntries(files.map((file) => [file, JSON.stringify({ federations })])));
      return found.map(({ file, field }) => [file, field]);
    };
    const keys = 'federations[0].jwks.keys[0]';
    expect(await fieldsOf('https://anchor.example')).to.deep.equal(files.map((file) => [file, keys]));
    const issuers = JSON.stringify({
      attestationIssuers: [{ issuer: 'a', jwks }],
      clients: [{ clientId: 'a', name: 'A', responseUris: ['https://a.example/r'], jwks }],
    });
    const found = await problems({ 'trusted-verifiers.conf': issuers });
    const parties = ['attestationIssuers', 'clients'].map((list) => `${list}[0].jwks.keys[0]`);
    const own = found.filter(({ file }) => file === 'trusted-verifiers.conf');
    expect(own.map(({ field }) => field)).to.deep.equal(parties);
    const names = await fieldsOf('https://anchor.example?a');
    expect(names).to.deep.include.members(files.map((file) => [file, 'federations[0].entityId']));
  });
});

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import ts from 'typescript';
import type { FormatFacts } from '../domain/credentials/formats/facts.ts';
import { FORMATS } from '../domain/credentials/formats/table.ts';
import { partsOf, SUITES } from '../scripts/suites.mjs';
import { pathsIn } from './docs/paths.ts';
import { measure, quantile } from './support/runs/sizes.ts';

const run = promisify(execFile);
/** Two folders that import each other, without a circle of files. */
const CIRCLE = 'domain/limits/planted/';
const FLOORS = ['ports', 'domain', 'adapters', 'composition', 'demo', 'client', 'portal'];
/** What packages that depend on this one import. */
const PUBLISHED = ['client/client.ts'];

/** The files below composition that parse JSON without `parseJson`, and whose JSON it is. */
const OWN_JSON = {
  'domain/foundation/strict-json.ts': 'that of `parseJson`, which counts its values first',
  'domain/foundation/bodies.ts': 'records of the store',
  'adapters/http/messages/document.ts': 'a file of the build',
  'adapters/http/handlers/portal.ts': 'a file of the build',
  'domain/migration/migration.ts': 'records of the store',
  'domain/migration/old-forms.ts': 'records of the store',
  'domain/migration/resealing.ts': 'records of the store',
  'domain/migration/restoration.ts': 'records of the store',
  'domain/issuer/sessions/issuance-events.ts': 'an event that a session keeps',
  'domain/oauth/access-tokens.ts': 'a token that this server sealed',
  'adapters/kms/remote/remote-keys.ts': 'the key of a cache',
  'adapters/kms/oci/oci-calls.ts': 'a request that this server sends',
  'adapters/config/built-in-credentials.ts': 'a file of the package',
  'adapters/config/schemas.ts': 'a file of the package',
};

interface Cruise {
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
}

async function cruise(places: readonly string[], options: readonly string[] = []): Promise<Cruise> {
  const cli = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
  const { stdout } = await run(process.execPath, [cli, '--output-type', 'json', ...options, ...places], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error) => error as { stdout: string });
  return JSON.parse(stdout) as Cruise;
}

describe('the house', () => {
  it('has no import that runs up a floor, sideways between adapters, or round in a circle', async () => {
    const { summary } = await cruise(FLOORS);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).to.deep.equal([]);
    expect(summary.totalCruised).to.be.greaterThan(60);
  });

  it('would notice: planted bad imports are caught', async () => {
    const planted: Record<string, string> = {
      'domain/planted/impure.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
      'domain/planted/upwards.ts':
        "import { LocalKeys } from '../../adapters/kms/local/local-keys.ts';\nexport const a = LocalKeys;\n",
      'domain/planted/waiting.ts':
        "import { inTime } from '../../adapters/system/deadline.ts';\nexport const a = inTime;\n",
      'domain/planted/package.ts': "import Koa from 'koa';\nexport const a = Koa;\n",
      'domain/tenancy/planted/wallet.ts':
        "import { parseDeepLink } from '../../wallet/deep-link.ts';\nexport const a = parseDeepLink;\n",
      'domain/verifier/planted/issuer.ts':
        "import { IssuerMetadata } from '../../issuer/metadata.ts';\nexport const a = IssuerMetadata;\n",
      'domain/tenancy/services/planted/wallet.ts':
        "import { parseDeepLink } from '../../../wallet/deep-link.ts';\nexport const a = parseDeepLink;\n",
      'domain/holdings/planted/upwards.ts':
        "import { LISTS } from '../../tenancy/lists.ts';\nexport const a = LISTS;\n",
      'ports/planted/running.ts': "import { asList } from '../../domain/json.ts';\nexport const a = asList;\n",
      'adapters/planted/stranger.ts': "import { JwtVc } from '../formats/jwt-vc/jwt-vc.ts';\nexport const a = JwtVc;\n",
      'adapters/planted/clock.ts':
        "import { systemClock } from '../system/system.ts';\nexport const a = systemClock;\n",
      'adapters/kms/aws/planted/vendor.ts':
        "import { placeOf } from '../../azure/vault-keys.ts';\nexport const a = placeOf;\n",
      'adapters/kms/remote/planted/vendor.ts':
        "import { placeOf } from '../../azure/vault-keys.ts';\nexport const a = placeOf;\n",
      'adapters/planted/container.ts': "import { Container } from 'inversify';\nexport const a = Container;\n",
      'composition/planted/scenario.ts':
        "import { runDemo } from '../../demo/scenario.ts';\nexport const a = runDemo;\n",
      'domain/issuer/planted-shape.ts':
        "import { created } from './sessions/issuance-session.ts';\nexport const a = created;\n",
      'domain/presentation/planted/facade.ts': "import { compile } from '../query.ts';\nexport const a = compile;\n",
      'domain/issuer/openid4vci/planted/service.ts':
        "import { created } from '../../sessions/issuance-session.ts';\nexport const a = created;\n",
      'domain/verifier/openid4vp/planted/session.ts':
        "import { waiting } from '../../verification/session.ts';\nexport const a = waiting;\n",
      'domain/verifier/planted-shape.ts':
        "import { waiting } from './verification/session.ts';\nexport const a = waiting;\n",
      'domain/issuer/endpoints/planted/version.ts':
        "import { createOffer } from '../../openid4vci/draft13.ts';\nexport const a = createOffer;\n",
      'domain/jose/planted/keys.ts': "import { a } from '../../keys/new-key.ts';\nexport const b = a;\n",
      'client/planted/domain.ts':
        "import { isObject } from '../../domain/foundation/json.ts';\nexport const a = isObject;\n",
      'client/planted/package.ts': "import Koa from 'koa';\nexport const a = Koa;\n",
      'portal/planted/domain.tsx':
        "import { isObject } from '../../domain/foundation/json.ts';\nexport const a = isObject;\n",
      'portal/planted/package.tsx': "import Koa from 'koa';\nexport const a = Koa;\n",
      'portal/planted/qr.tsx': "import encodeQR from 'qr';\nexport const a = encodeQR;\n",
      'portal/areas/start/planted/area.tsx':
        "import { CredentialCard } from '../../wallet/card.tsx';\nexport const a = CredentialCard;\n",
      'portal/button/planted/client.ts':
        "import { createClient } from '../../../client/client.ts';\nexport const a = createClient;\n",
      'portal/parts/planted/shell.tsx': "import { api } from '../../shell/api.ts';\nexport const a = api;\n",
      'adapters/planted/portal.ts': "import { texts } from '../../portal/texts/texts.ts';\nexport const a = texts;\n",
      'adapters/planted/client.ts':
        "import { createClient } from '../../client/client.ts';\nexport const a = createClient;\n",
      'adapters/planted/wiring.ts':
        "import { token } from '../../composition/platform/wire.ts';\nexport const a = token;\n",
    };
    const circle: Record<string, string> = {
      [`${CIRCLE}one/here.ts`]: "import { b } from '../two/there.ts';\nexport const a = b;\n",
      [`${CIRCLE}two/back.ts`]: "import { a } from '../one/here.ts';\nexport const c = a;\n",
      [`${CIRCLE}two/there.ts`]: 'export const b = 1;\n',
    };
    const files = { ...planted, ...circle };
    const folders = Object.keys(files).flatMap((file) => /^.*\/planted(?=\/)/.exec(file) ?? []);
    try {
      for (const file of Object.keys(files)) mkdirSync(dirname(file), { recursive: true });
      for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
      // The planted files alone: what they import is not followed.
      const { summary } = await cruise(Object.keys(files), ['--do-not-follow', '^(?!.*planted)']);
      const found = summary.violations.flatMap(({ from, to }) => [from, `${from}/ → ${to}/`]);
      for (const file of Object.keys(planted)) expect(found).to.include(file);
      expect(found).to.include(`${CIRCLE}one/ → ${CIRCLE}two/`);
    } finally {
      for (const place of [...folders, ...Object.keys(files)]) rmSync(place, { recursive: true, force: true });
    }
  });

  it('keeps files and functions small', () => {
    const files = FLOORS.flatMap((floor) => globFiles(floor)).map(measure);
    const lines = files.map((file) => file.lines);
    const functions = files.flatMap(({ file, functions: all }) => all.map((one) => ({ file, ...one })));
    const sizes = functions.map((one) => one.lines);
    const report = (numbers: number[]) => [quantile(numbers, 0.5), quantile(numbers, 0.9), Math.max(...numbers)];
    console.log(
      `      files ${files.length}, lines median/p90/max ${report(lines).join('/')}; functions ${sizes.length}, ${report(sizes).join('/')}`,
    );
    expect(files.filter((file) => file.lines > 350).map(({ file }) => file)).to.deep.equal([]);
    expect(functions.filter((one) => one.lines > 50).map(({ file, name }) => `${file} ${name}`)).to.deep.equal([]);
    expect(quantile(lines, 0.5)).to.be.at.most(80);
    expect(quantile(lines, 0.9)).to.be.at.most(220);
    expect(quantile(sizes, 0.5)).to.be.at.most(10);
    expect(quantile(sizes, 0.9)).to.be.at.most(30);
  });

  it('has at most 25 files in each folder: more are not seen at a glance', () => {
    const crowded = (files: readonly string[]): string[] => {
      const folders = files.map((file) => dirname(file));
      const sizeOf = (folder: string): number => folders.filter((other) => other === folder).length;
      return [...new Set(folders)].filter((folder) => sizeOf(folder) > 25);
    };
    expect(crowded(FLOORS.flatMap(globFiles))).to.deep.equal([]);
    const planted = Array.from({ length: 26 }, (_, index) => `domain/planted/room-${index}.ts`);
    expect(crowded([...planted.slice(1), 'domain/planted/room/more.ts'])).to.deep.equal([]);
    expect(crowded(planted)).to.deep.equal(['domain/planted']);
  });

  it('a constructor that only keeps what it is given declares it as a property, with its type where it has one user', () => {
    const files = FLOORS.flatMap(globFiles);
    // What is secret stays out of sight of everything that shows an object; a default is for callers alone.
    const left = [
      'domain/foundation/lru-cache.ts',
      'adapters/decorators/sealing/sealed-store.ts',
      'adapters/kms/aws/aws-connection.ts',
      'adapters/kms/azure/client-credentials.ts',
      'adapters/kms/oci/oci-calls.ts',
      'demo/fake-clouds/fake-keys.ts',
    ];
    const kept = files.filter((file) => keepsParameter(readFileSync(file, 'utf8')));
    expect(kept.sort()).to.deep.equal(left.sort());
    expect(keepsParameter('class A { #clock; constructor(clock: Clock) { this.#clock = clock; } }')).to.equal(true);
    const all = [...files, ...globFiles('test'), ...globFiles('bench')]
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const single = [...all.matchAll(/constructor\([^)]*?\b(\w+Parts)\b/g)].filter(
      ([, name]) => [...all.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length === 2,
    );
    expect(single.map(([, name]) => name)).to.deep.equal([]);
  });

  it('every test file runs in exactly one process on SQLite, and what is named for all stores is of the requests', () => {
    const runs = SUITES.flatMap(({ name, store, last = [], ...suite }) =>
      [...partsOf({ name, store, ...suite }).map(({ files: own }) => own), last].map((own) => ({ name, store, own })),
    );
    const tests = globFiles('test').filter((file) => file.endsWith('.test.ts'));
    const namesOf = (file: string, isOne: (store: string) => boolean) =>
      runs.filter(({ store, own }) => isOne(store) && own.includes(file.slice('test/'.length))).map(({ name }) => name);
    expect(tests.length).to.be.greaterThan(100);
    expect(tests.filter((file) => namesOf(file, (store) => store === 'sqlite').length !== 1)).to.deep.equal([]);
    const forAllStores = tests.filter((file) => file.endsWith('.stores.test.ts'));
    expect(forAllStores.length).to.be.greaterThan(50);
    const halves = new Set<string>();
    for (const file of tests) {
      const others = namesOf(file, (store) => store !== 'sqlite' && store !== 'postgresql');
      expect(others, file).to.have.length(forAllStores.includes(file) ? 1 : 0);
      for (const name of others) halves.add(name);
    }
    expect([...halves].toSorted()).to.deep.equal(['cluster', 'redis']);
    const onPostgres = tests.filter((file) => namesOf(file, (store) => store === 'postgresql').length > 0);
    expect(onPostgres).to.have.length(5);
    expect(forAllStores).to.include.members(onPostgres);
  });

  it('the tests of the domain stand in the folder of their room', () => {
    const rooms = globFiles('test/domain').map((file) => file.split('/')[2] ?? '');
    expect(rooms.length).to.be.greaterThan(100);
    expect(rooms.filter((room) => !existsSync(join('domain', room)))).to.deep.equal([]);
  });

  it('what a file exports, another file imports', () => {
    const idle = idleExports([...FLOORS, 'bench', 'test'].flatMap(globFiles));
    const isOurs = (name: string) => FLOORS.some((floor) => name.startsWith(`${floor}/`));
    const isPublished = (name: string) => PUBLISHED.some((file) => name.startsWith(`${file} `));
    expect(idle.filter((name) => isOurs(name) && !isPublished(name))).to.deep.equal([]);
    const planted = `${CIRCLE}a.ts`;
    mkdirSync(CIRCLE, { recursive: true });
    try {
      writeFileSync(planted, 'export const A = 1;\nexport interface B {}\nexport async function c() {}\n');
      expect(idleExports([planted])).to.deep.equal(['A', 'B', 'c'].map((name) => `${planted} ${name}`));
    } finally {
      rmSync(CIRCLE, { recursive: true });
    }
  });

  it('hooks are of a describe: others run for all files of a suite, and what they start lives as long', () => {
    const outside = /^(?:(?:before|after)(?:Each)?\(|(?:(?:const|let) .*= )?use[A-Z]\w*\()/m;
    const tests = globFiles('test').filter((file) => file.endsWith('.test.ts'));
    expect(tests.filter((file) => outside.test(readFileSync(file, 'utf8')))).to.deep.equal([]);
    for (const text of ['beforeEach(() => {', 'const server = useServer();']) expect(text).to.match(outside);
  });

  it('libraries that few processes need, or only later, are imported at the first use, never at the start', () => {
    const libraries =
      /^(?:import|export) (?!type\b)[^;]*?from '(?:@aws-sdk\/|@azure\/|oci-|@opentelemetry\/|@owf\/|@sd-jwt\/|ioredis|pg'|undici|jose')/m;
    const eager = FLOORS.flatMap(globFiles).filter((file) => libraries.test(readFileSync(file, 'utf8')));
    expect(eager).to.deep.equal([]);
    expect("import { KMS } from '@aws-sdk/client-kms';").to.match(libraries);
  });

  it('JSON from outside has a bound of values: only what the server wrote itself is parsed without parseJson', () => {
    const unbounded = ['ports', 'domain', 'adapters']
      .flatMap(globFiles)
      .filter((file) => /\bJSON\s*\.parse\b|\.json\(\)/.test(readFileSync(file, 'utf8')));
    expect(unbounded.toSorted()).to.deep.equal(Object.keys(OWN_JSON).toSorted());
  });

  it('the domain names no part of an HTTP message: a path starts at the value that a function was given', () => {
    const isNamed = (text: string) => /(?:^|\s)\/?(?:body|header|query|path)\//.test(text);
    const named = globFiles('domain').flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      if (!/(?:body|header|query|path)\//.test(text)) return [];
      return textsOf(text).flatMap((one) => (isNamed(one) ? [`${file}: ${one}`] : []));
    });
    expect(named).to.deep.equal([]);
    const placed = globFiles('domain').filter((file) =>
      /(?:at|invalidField)\(\s*\[\s*'(?:body|header|query)'|path: \['(?:body|header|query|path)'/.test(
        readFileSync(file, 'utf8'),
      ),
    );
    expect(placed).to.deep.equal([]);
  });

  it('the domain asks the row of a version, and never compares one: a version that is added has every answer', () => {
    const versions = [...unionOf(VERSIONS_FILE, 'Version'), 'iso-dc-api'];
    expect(versions).to.include.members(['draft11', 'draft13', 'v1']);
    const planted = [
      "if (issuer.version === 'v1') a();",
      'const { version } = issuer; const is = wanted !== version;',
      "const is = 'draft13' == named;",
      "switch (named) { case 'v1': a(); }",
      "const is = ['v1'].includes(named);",
      "const is = kind.startsWith('draft');",
    ];
    for (const text of planted) expect(comparisonsIn(text, versions), text).to.have.length(1);
    expect(comparisonsIn("const place = { version: 'v1' }; if (count === 3) a();", versions)).to.deep.equal([]);
    const found = globFiles('domain').flatMap((file) =>
      comparisonsIn(readFileSync(file, 'utf8'), versions).map((text) => `${file}: ${text}`),
    );
    expect(found.filter((text) => !OTHER_VERSIONS.some((other) => text.startsWith(other)))).to.deep.equal([]);
  });

  it('a version that is added to the union does not compile without a row in the table of versions', () => {
    const more = "export type Version = 'v9' | ";
    expect(typeErrors([VERSIONS_FILE], {})).to.deep.equal([]);
    const text = readFileSync(VERSIONS_FILE, 'utf8').replace('export type Version = ', more);
    expect(text).to.include(more);
    const [error = '', ...others] = typeErrors([VERSIONS_FILE], { [VERSIONS_FILE]: text });
    expect(error).to.match(/Property 'v9' is missing in type/);
    expect(others).to.deep.equal([]);
    const silent = readFileSync(VERSIONS_FILE, 'utf8').replace("    unknownScopes: 'refused',\n", '');
    expect(typeErrors([VERSIONS_FILE], { [VERSIONS_FILE]: silent })).to.have.length(1);
  });

  it('a protocol between wallets and verifiers that is added does not compile without a row in their table', () => {
    const [shapes, table] = ['domain/verifier/protocol.ts', 'domain/verifier/verification/protocols.ts'];
    expect(typeErrors([table], {})).to.deep.equal([]);
    const text = readFileSync(shapes, 'utf8').replace('interface Requests {', 'interface Requests {\n  v9: V1Request;');
    const errors = typeErrors([table], { [shapes]: text });
    expect(errors.filter((error) => /Property 'v9' is missing in type/.test(error))).to.have.length(1);
    const silent = readFileSync(table, 'utf8').replace('    isWithheld: () => false,\n', '');
    expect(typeErrors([table], { [table]: silent })).to.have.length(1);
  });

  it('a port stands between the domain and adapters: an interface of one of them is in its room', () => {
    const imports = (floor: string) =>
      globFiles(floor)
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
    const [adapters, ports, above] = [
      imports('adapters'),
      imports('ports'),
      imports('domain') + imports('composition'),
    ];
    const isPort = (name: string) =>
      (adapters.includes(`/ports/${name}'`) || ports.includes(`'./${name}'`)) && above.includes(`/ports/${name}'`);
    const names = globFiles('ports').map((file) => relative('ports', file));
    expect(names.filter((name) => !isPort(name))).to.deep.equal([]);
    expect(isPort('of-the-domain-only.ts')).to.equal(false);
  });

  it('the domain names formats in their rows only; elsewhere it asks the row', () => {
    const rows: FormatFacts[] = Object.values(FORMATS);
    const names = rows.flatMap(({ name, aliases = [], presentation }) => [
      ...[name, ...aliases],
      ...(presentation?.names ?? []),
    ]);
    expect(names).to.include.members(['jwt_vc_json', 'jwt_vc', 'jwt_vp', 'vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc']);
    const planted = [
      "if (format === 'mso_mdoc') a();",
      'const row = FORMATS.mso_mdoc;',
      "const row = FORMATS['dc+sd-jwt'];",
      'const readers = { jwt_vc_json: read };',
      'const id = `a_jwt_vc_json`;',
      'const { jwt_vp } = listed;',
    ];
    for (const text of planted) expect(namesIn(text, names), text).to.have.length(1);
    expect(
      namesIn("import { a } from './sd-jwt.ts'; // mso_mdoc\nconst is = purpose === 'mdoc';", names),
    ).to.deep.equal([]);
    const found = globFiles('domain')
      .filter((file) => !file.startsWith(FORMATS_FOLDER))
      .flatMap((file) => namesIn(readFileSync(file, 'utf8'), names).map((text) => `${file}: ${text}`));
    expect(found).to.deep.equal([]);
  });

  it('a format that is added to the union does not compile without a row, nor a row without one of its facts', () => {
    const table = `${FORMATS_FOLDER}table.ts`;
    expect(typeErrors([table], {})).to.deep.equal([]);
    const more = "type BuiltInFormat = 'new' | ";
    const text = readFileSync(table, 'utf8').replace('type BuiltInFormat = ', more);
    const [error = '', ...others] = typeErrors([table], { [table]: text });
    expect(error).to.match(/Property 'new' is missing in type|Property ''new'' is missing/);
    expect(others).to.deep.equal([]);
    const row = `${FORMATS_FOLDER}mdoc.ts`;
    const facts = ['typeMember', 'signatures', 'chainPurpose', 'statusLists', 'isTypeDescriptorId', 'omitsAnchor'];
    for (const fact of facts) {
      const silent = readFileSync(row, 'utf8').replace(new RegExp(`^  ${fact}: .*\n`, 'm'), '');
      expect(typeErrors([row], { [row]: silent }).join(), fact).to.include(`'${fact}' is missing`);
    }
  });

  it('docs/architecture.md maps every room', () => {
    const rows = readFileSync('docs/architecture.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const named = pathsIn(rows.join('\n'));
    const rooms = ['domain', 'adapters'].flatMap((floor) =>
      readdirSync(floor, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? `${floor}/${entry.name}/` : [],
      ),
    );
    const unnamed = rooms.filter((room) => globFiles(room).length > 0 && !named.includes(room));
    expect(unnamed).to.deep.equal([]);
  });

  it('mocha loads each shared module of the tests once: an import of an .mjs file or an await at the top loads a second copy', () => {
    const shared = ['test/support', 'test/actors'].flatMap((folder) => globFiles(folder));
    const collected = ['test/spec/coverage.test.ts', 'test/spec/examples.test.ts'];
    const isLoadedTwice = (file: string) =>
      /^(?:import|\}) [^\n]*from '[^']+\.mjs'|^(?:[^ \n/*][^\n]*)?\bawait /m.test(
        readFileSync(file, 'utf8').replaceAll(/async [^\n]*/g, ''),
      );
    expect([...shared, ...collected].filter(isLoadedTwice)).to.deep.equal([]);
  });
});

const FORMATS_FOLDER = 'domain/credentials/formats/';

const VERSIONS_FILE = 'domain/issuer/versions.ts';

/** Comparisons of other versions than those of protocols: of a certificate, of a service's configuration, of stored data. */
const OTHER_VERSIONS = [
  'domain/migration/data-version.ts:',
  'domain/tenancy/services/certificates/vical-service.ts:',
  'domain/x509/certificate-rules.ts:',
];

/** Where a source has one of the names: in a text, a template, or as the name of a member or variable. */
function namesIn(text: string, names: readonly string[]): string[] {
  if (!names.some((name) => text.includes(name))) return [];
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const isNamed = ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    if (isNamed && names.some((name) => node.text.includes(name))) found.push(node.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The literals of a union of a source file. */
function unionOf(file: string, name: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((one) => {
    if (ts.isTypeAliasDeclaration(one) && one.name.text === name && ts.isUnionTypeNode(one.type))
      return one.type.types.map((type) => type.getText(source).slice(1, -1));
    return [];
  });
}

/** Where a source compares a version: with `===`, `switch`, a list, or by how its name begins. */
function comparisonsIn(text: string, versions: readonly string[]): string[] {
  if (![...versions, 'version', 'draft'].some((part) => text.includes(part))) return [];
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const isVersion = (node: ts.Node): boolean =>
    (ts.isStringLiteralLike(node) && (versions.includes(node.text) || /^draft\d*$/.test(node.text))) ||
    (ts.isIdentifier(node) && node.text === 'version') ||
    (ts.isPropertyAccessExpression(node) && node.name.text === 'version');
  const isCompared = (node: ts.Node): boolean => {
    if (ts.isBinaryExpression(node))
      return /^[!=]==?$/.test(node.operatorToken.getText()) && (isVersion(node.left) || isVersion(node.right));
    if (ts.isCaseClause(node)) return isVersion(node.expression);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const { expression: list, name } = node.expression;
    if (name.text === 'startsWith') return node.arguments.some(isVersion);
    return name.text === 'includes' && ts.isArrayLiteralExpression(list) && list.elements.some(isVersion);
  };
  const visit = (node: ts.Node): void => {
    if (isCompared(node)) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Sources as they are on the disk, by their names. */
const parsed = new Map<string, ts.SourceFile>();

/** The type errors of some files, of which some have other texts than on the disk. */
function typeErrors(files: readonly string[], texts: Readonly<Record<string, string>>): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [...files] }, ts.sys, '.');
  const host = ts.createCompilerHost(options);
  const { readFile, getSourceFile } = host;
  host.readFile = (file) => texts[relative('.', file)] ?? readFile(file);
  host.getSourceFile = (file, ...rest) => {
    const text = texts[relative('.', file)];
    if (text !== undefined) return ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const source = parsed.get(file) ?? getSourceFile(file, ...rest);
    if (source) parsed.set(file, source);
    return source;
  };
  const program = ts.createProgram([...files], { ...options, noEmit: true, skipLibCheck: true }, host);
  return files.flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}

/** What files declare with `export` and none of them imports; a file that is imported as a whole has nothing of that kind. */
function idleExports(files: string[]): string[] {
  const imported = new Set<string>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const placed = (path = ''): string => join(dirname(file), path);
    for (const [, names = '', path] of text.matchAll(
      /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*)[^;']*from '(\.[^']+)'/g,
    ))
      for (const [, name] of names.matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+|\*)/g))
        imported.add(`${placed(path)} ${name}`);
    for (const [, path] of text.matchAll(/import\(\s*'(\.[^']+)'/g)) imported.add(`${placed(path)} *`);
  }
  const DECLARED = /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
  return files
    .filter((file) => !imported.has(`${file} *`))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(DECLARED)].map(([, name]) => `${file} ${name}`))
    .filter((name) => !imported.has(name));
}

/** Whether a constructor assigns a parameter as it is to a private field. */
function keepsParameter(source: string): boolean {
  if (!/constructor\([\s\S]* = \w+;/.test(source)) return false;
  let keeps = false;
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node)) {
      const names = node.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : ''));
      const lines = node.body?.statements.map((statement) => statement.getText()) ?? [];
      keeps ||= names.some(
        (name) => name !== '' && lines.some((line) => line.endsWith(` = ${name};`) && line.startsWith('this.#')),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('constructor.ts', source, ts.ScriptTarget.Latest, true));
  return keeps;
}

/** The texts of a source: string literals and the parts of template literals. */
function textsOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest));
  return found;
}

function globFiles(floor: string): string[] {
  return (readdirSync(floor, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(floor, name));
}

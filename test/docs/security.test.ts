import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { CACHE_BYTES } from '../../domain/foundation/cache-bounds.ts';
import { DOCUMENTS } from '../../ports/documents.ts';
import { sourceFiles } from '../../scripts/check-expressions.mjs';
import { withOperations } from '../../scripts/write-operations.mjs';
import { contract, joined } from '../support/documents/contract.ts';

const text = readFileSync('docs/security.md', 'utf8');

/** The rows of the table below a heading: the name in the first column and the size in the second. */
function rowsBelow(heading: string): [string, string][] {
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)` \| (\d+ [KM]iB) \|/gm)].map(([, name = '', size = '']) => [name, size]);
}

const sizeOf = (bytes: number): string => (bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`);
const sizes = (table: Record<string, number>): [string, string][] =>
  Object.entries(table).map(([name, bytes]) => [name, sizeOf(bytes)]);

/** Maps that outlive a call and their bounds; caches are a `BoundedCache`. */
const LASTING_MAPS: Record<string, string> = {
  'domain/events/event-watches.ts #watches':
    'open event streams (adapters/http/edge/open-ended.ts), each log MAX_HISTORY_CHARACTERS',
  'domain/foundation/lru-cache.ts #shares': 'its own bytes',
  'domain/foundation/timed-cache.ts #loading': 'calls under way',
  'domain/keys/cose-algorithms.ts NUMBERS': 'written out',
  'domain/jose/key-types.ts DIGESTS': 'written out',
  'domain/keys/server-keys.ts #known': 'names of server keys',
  'domain/migration/resealing.ts #counts': 'collections of one run',
  'domain/keys/server-keys.ts #loading': 'names of server keys',
  'demo/fake-clouds/aws-service.ts accessKeys': 'filled by its caller',
  'demo/fake-clouds/aws-service.ts keys': 'a fake',
  'demo/fake-clouds/fake-keys.ts LARGE_KEYS': 'two sizes',
  'demo/fake-clouds/fake-server.ts #faults': 'planned by its caller',
  'demo/fake-clouds/oci-vault.ts #keys': 'created by its caller',
  'demo/fake-clouds/oci.ts #compartments': 'registered by its caller',
  'demo/fake-clouds/oci.ts #users': 'registered by its caller',
  'demo/fake-clouds/vault-tokens.ts #tokens': 'those of the logins of one run',
  'demo/fake-clouds/vault-transit.ts keys': 'created by its callers',
  'domain/accounts/registrations.ts #underWay': 'requests under way',
  'domain/credentials/sd-jwt.ts places': 'one for each token that is parsed; its disclosures are bounded',
  'domain/foundation/call-batches.ts #next': 'calls under way',
  'domain/foundation/call-batches.ts #last': 'calls under way',
  'domain/presentation/exchange/definition.ts MDL_REQUEST': 'written out',
  'domain/tenancy/tree/resource-content.ts SHOWN_SETTINGS': 'written out',
  'adapters/config/hocon-brackets.ts OPENING': 'written out',
  'adapters/config/hocon-guard.ts RULES': 'written out',
  'adapters/decorators/sealing/sealed-store.ts #collections': 'collections',
  'adapters/http/messages/body-room.ts #sources': 'addresses with a body that is being read',
  'adapters/http/edge/path-aliases.ts #entries': 'operations',
  'adapters/http/edge/validation.ts #compiled': 'operations',
  'adapters/http/edge/validation.ts #withOtherNames': 'operations',
  'adapters/crypto/work-queue.ts #waiting': 'its limit of waiting entries',
  'adapters/http/messages/connections.ts #open': 'maxConnections of services.conf',
  'adapters/http/handlers/docs-page.ts #documents': 'audiences',
  'adapters/http/handlers/docs-page.ts #assets': 'files of the package',
  'adapters/json/schema-survey.ts #costs': 'subschemas of one schema',
  'adapters/json/schema-patterns.ts #patterns': 'instructions of one schema',
  'adapters/memory/memory-store.ts #collections': 'collections',
  'adapters/memory/counters.ts #sections': 'sections of rate-limit.conf',
  'adapters/memory/last-writes.ts #parents': 'parents with records, and those of one day',
  'adapters/postgres/joint-writes.ts #waiting': 'parents that are written to at one time',
  'adapters/redis/node-checks.ts #numbers': 'nodes of the cluster',
  'adapters/memory/expiring-map.ts #entries': 'its capacity',
  'adapters/sqlite/sqlite-collection.ts #statements': 'statements of the adapter',
  'adapters/sqlite/sqlite-copy.ts #statements': 'statements of the adapter',
  'adapters/sqlite/expired-rows.ts #statements': 'two for each table',
  'domain/wallet/delivery/renewed-access.ts #running': 'requests under way, each with a deadline',
  'domain/verifier/policies/opa-rules.ts #last': 'MAX_PENDING evaluations under way',
  'domain/verifier/policies/credential-status.ts KINDS': 'written out',
  'domain/verifier/policies/run.ts #required': 'policies that one run depends on',
  'domain/verifier/policies/table.ts POLICIES': 'written out',
  'domain/verifier/verification/stored-session.ts STATUSES': 'written out',
};

/** Fields of classes and variables of modules that are initialised with a map. */
function lastingMaps(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const note = (name: string, value: ts.Expression | undefined): void => {
    if (value && ts.isNewExpression(value) && value.expression.getText() === 'Map') found.push(`${file} ${name}`);
  };
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations) note(one.name.getText(), one.initializer);
    if (ts.isClassDeclaration(statement))
      for (const member of statement.members)
        if (ts.isPropertyDeclaration(member)) note(member.name.getText(), member.initializer);
  }
  return found;
}

/** The paths without a login that others than backends need; every other one creates records or returns presented data. */
const FOR_EVERYONE = [
  /^\/(wallet-api|auth|stores|draft11|draft13|openid4vci|\.well-known|callback|authorize|jwks|status-lists)(\/|$)/,
  /^\/openid4vc\/(pd|request|verify)\/\{state\}$/,
  /^(\/v1\/\{target\}\/verifier2-service-api)?\/verification-session\/\{requestId\}\//,
  /^\/v1\/\{target\}\/verifier2-service-api\/\.well-known\//,
  /^\/v1\/(credentials|superadmin)\//,
  /^(\/sign-in|\/v1\/\{target\}\/oidc-bridge-api)\//,
  /^\/v2\/\{target\}\/issuer-service-api\/openid4vci\//,
  /^\/v1\/\{target\}\/(status-lists|vical-service-api|client-attester-api)\//,
  /^\/v1\/\{target\}\/(x509-service-api\/crls|did-registry-service-api\/registry)\//,
  /^\/\{didPath\}\/did\.json$/,
  /^\/(openid4vc\/policies|openid4vc\/policy-list|transaction-data-profiles)$/,
  /^\/(portal\/(\{asset\}|verify-button\.js)|portal\.json)?$/,
  /^\/(docs|favicon\.ico|api\.json|livez|readyz)(\/|$)/,
];

describe('docs/security.md', () => {
  it('rows: lists the management operations as the documents do; `npm run docs` writes it', () => {
    expect(withOperations('security.md', text, joined)).to.equal(text);
    expect(text).to.include('| `POST /raw/jwt/sign` |').and.include('| `POST /onboard/iso-mdl/iacas` |');
  });

  it('rows: the management operations are the ones without a login that only a backend needs', async () => {
    const open = (await contract).operations.filter(({ authentication }) => authentication === 'none');
    const forBackends = open.filter(({ path }) => !FOR_EVERYONE.some((pattern) => pattern.test(path)));
    const marked = (await contract).operations.filter(({ isManagement }) => isManagement);
    const named = (operations: typeof open) => operations.map(({ method, path }) => `${method} ${path}`).sort();
    expect(named(marked)).to.deep.equal(named(forBackends));
  });

  it('rows: names every kind of document with its size', () => {
    expect(rowsBelow('Documents from outside')).to.deep.equal(
      sizes(Object.fromEntries(Object.entries(DOCUMENTS).map(([kind, { maxBytes }]) => [kind, maxBytes]))),
    );
  });

  it('rows: names every cache with its bytes', () => {
    expect(rowsBelow('Caches')).to.deep.equal(sizes(CACHE_BYTES));
  });

  it('rows: lists every map that outlives a call with its bound', () => {
    const found = sourceFiles()
      .filter((file) => file.endsWith('.ts'))
      .flatMap(lastingMaps);
    expect(found.sort()).to.deep.equal(Object.keys(LASTING_MAPS).sort());
  });

  it('rows: all caches together leave half of a heap of 512 MiB', () => {
    const total = Object.values(CACHE_BYTES).reduce((sum, bytes) => sum + bytes, 0);
    expect(total).to.be.at.most(256 * 1024 * 1024);
  });
});

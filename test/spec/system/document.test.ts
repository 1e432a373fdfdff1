import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { loadContract } from '../../../adapters/http/messages/document.ts';
import { joinDocuments, readDocuments } from '../../../scripts/join-documents.mjs';
import { contract, joined } from '../../support/documents/contract.ts';

type Tree = Record<string, unknown>;

interface Place {
  pointer: string;
  node: Tree;
  /** Whether the enclosing schema refuses members that none of its parts names. */
  isCovered: boolean;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Members with values or conditions rather than descriptions of values. */
const NO_SCHEMAS = new Set(['example', 'examples', 'default', 'const', 'enum', 'if', 'then', 'else', 'not']);

/** Every object of the document except values; members of `properties` are any names. */
function* walk(
  node: Tree,
  { pointer, isCovered }: Omit<Place, 'node'> = { pointer: '', isCovered: false },
): Generator<Place> {
  yield { pointer, node, isCovered };
  for (const [key, value] of Object.entries(node)) {
    if (!isTree(value) || NO_SCHEMAS.has(key) || key.startsWith('x-')) continue;
    const here = `${pointer}/${key}`;
    if (key === 'properties')
      for (const [name, property] of Object.entries(value))
        yield* walk(property as Tree, { pointer: `${here}/${name}`, isCovered: false });
    else yield* walk(value, { pointer: here, isCovered: coveredBelow(node, key, isCovered) });
  }
}

/** The parts of an `allOf` are closed by `unevaluatedProperties` beside it. */
const coveredBelow = (node: Tree, key: string, isCovered: boolean): boolean =>
  key === 'allOf' ? node.unevaluatedProperties === false : Array.isArray(node) && isCovered;

describe('the document', () => {
  it('describes requests by valid schemas, which a server does not check again', async () => {
    const ajv = new Ajv2020();
    for (const { operationId, parameters, requestBody } of (await contract).operations)
      for (const { schema } of [...parameters, ...Object.values(requestBody?.content ?? {})] as { schema?: Tree }[])
        expect(ajv.validateSchema(schema ?? {}), `${operationId}: ${ajv.errorsText()}`).to.equal(true);
  });

  let published: Tree;
  let places: Place[];
  before(async () => {
    ({ published } = await contract);
    places = [...walk(published)];
  });

  const at = (reference: string): Tree =>
    reference
      .slice(2)
      .split('/')
      .reduce<Tree>((node, key) => node[key] as Tree, published);
  const describes = (node: unknown): boolean =>
    isTree(node) &&
    (typeof node.description === 'string' || (typeof node.$ref === 'string' && describes(at(node.$ref))));
  /** The operations of paths, and those of callbacks. */
  const operations = () => places.filter(({ pointer }) => /\/(get|post|put|patch|delete)$/.test(pointer));

  it('introduces the API: services, logins, errors, limits, lists, links and conventions', () => {
    const { description } = published.info as { description: string };
    for (const heading of ['Services', 'Logging in', 'Errors', 'Limits', 'Lists', 'Callbacks', 'Conventions'])
      expect(description).to.match(new RegExp(`^## ${heading}$`, 'm'));
    for (const { name } of published.tags as { name: string }[]) expect(description).to.include(`**${name}**`);
  });

  it('rows: groups every operation under one described tag, the service itself last', () => {
    const tags = published.tags as { name: string; description: string }[];
    expect(tags.filter(({ description }) => !description)).to.deep.equal([]);
    const names = tags.map(({ name }) => name);
    expect(names.at(-1)).to.equal('system');
    const used = operations()
      .filter(({ pointer }) => pointer.startsWith('/paths/'))
      .map(({ node }) => node.tags as string[]);
    expect(used.filter(([tag = '', ...more]) => !names.includes(tag) || more.length > 0)).to.deep.equal([]);
    expect(Object.keys(published.paths as Tree).at(-1)).to.match(/^\/(docs|livez|readyz|metrics|api\.json)/);
  });

  it('rows: has no group of over eighty operations, and those of tenants in groups of their own', () => {
    const sizes = new Map<string, number>();
    for (const { pointer, node } of operations()) {
      const [tag = ''] = pointer.startsWith('/paths/') ? (node.tags as string[]) : [];
      sizes.set(tag, (sizes.get(tag) ?? 0) + 1);
      const isOfTenant = /^\/paths\/(~1\.well-known~1[^~]*)?~1v[12]~1\{target\}/.test(pointer);
      if (isOfTenant) expect(tag, pointer).to.match(/^(enterprise|tenant|audit)/);
    }
    expect(Math.max(...sizes.values())).to.be.at.most(80);
    expect([...sizes.keys()]).to.include.members(['tenant-issuers', 'tenant-verifiers', 'tenant-stores']);
  });

  it('rows: describes every operation in a summary and a description', () => {
    expect(operations().length).to.be.greaterThan(50);
    const bare = operations().filter(
      ({ node }) => !node.summary || !node.description || node.summary === node.description,
    );
    expect(bare.map(({ pointer }) => pointer)).to.deep.equal([]);
  });

  it('rows: describes every parameter', () => {
    const parameters = places.filter(
      ({ node }) => typeof node.in === 'string' && typeof node.name === 'string' && node.schema,
    );
    expect(parameters.length).to.be.greaterThan(30);
    expect(parameters.filter(({ node }) => !describes(node)).map(({ pointer }) => pointer)).to.deep.equal([]);
  });

  it('rows: describes every property', () => {
    const bare = places.flatMap(({ pointer, node }) =>
      Object.entries(isTree(node.properties) ? node.properties : {})
        .filter(([, property]) => !describes(property))
        .map(([name]) => `${pointer}/${name}`),
    );
    expect(bare).to.deep.equal([]);
  });

  it('rows: closes every object, or describes its other members with "Open:"', () => {
    const open = places.filter(
      ({ node: { type, properties, additionalProperties, unevaluatedProperties, description }, isCovered }) =>
        ([type].flat().includes('object') || isTree(properties)) &&
        !isCovered &&
        additionalProperties !== false &&
        unevaluatedProperties !== false &&
        !(isTree(additionalProperties) && Object.keys(additionalProperties).length > 0) &&
        !/\bOpen: \S/.test(String(description)),
    );
    expect(open.map(({ pointer }) => pointer)).to.deep.equal([]);
  });

  it('has only the operations, components and tags of the enabled services and features', async () => {
    const load = (documents: string[], features: string[]) =>
      loadContract({ joined, documents, features, publicUrl: 'http://127.0.0.1' });
    const { published: part } = await load(['status', 'system'], []);
    expect(Object.keys(part.paths as Tree))
      .to.include('/v1/revocations/check')
      .and.to.include('/livez');
    expect(Object.keys(part.paths as Tree).filter((path) => /wallet|openid4vc/.test(path))).to.deep.equal([]);
    expect((part.tags as { name: string }[]).map(({ name }) => name)).to.deep.equal(['status', 'system']);
    const { schemas, callbacks } = part.components as Record<string, Tree>;
    expect(schemas).to.include.keys('Problem', 'RevocationStatus').and.not.include.keys('WalletKey');
    expect(callbacks).to.equal(undefined);
    const ids = async (features: string[]) =>
      (await load(['accounts'], features)).operations.map(({ operationId }) => operationId);
    expect(await ids([]))
      .to.include('loginAccount')
      .and.not.include('loginWithCertificate');
    expect(await ids(['trusted-ca'])).to.include('loginWithCertificate');
  });

  it('is resolved, operation by operation, without a reference left', async () => {
    const { operations } = await contract;
    const left = operations.filter(({ resolved }) => JSON.stringify(resolved).includes('"$ref"'));
    expect(left.map(({ operationId }) => operationId)).to.deep.equal([]);
  });

  it('is read, operation by operation, at the first use of each', () => {
    const read: string[] = [];
    const texts = new Proxy(joined['x-resolved'], {
      get: (all, name: string) => {
        read.push(name);
        return all[name];
      },
    });
    const load = loadContract({
      joined: { ...joined, 'x-resolved': texts },
      documents: ['status'],
      features: [],
      publicUrl: '',
    });
    expect(read).to.deep.equal([]);
    const [first] = load.operations;
    expect([first?.responses, first?.parameters]).to.not.include(undefined);
    expect(read).to.deep.equal([first?.operationId]);
  });

  it('is refused when two documents define the same component', () => {
    const documents = readDocuments();
    expect(() =>
      joinDocuments({ ...documents, more: { paths: {}, components: { schemas: { WalletKey: {} } } } }),
    ).to.throw('Two documents define components/schemas/WalletKey');
  });
});

import { expect } from 'chai';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { signatureKeys } from '../../../domain/jose/key-set.ts';
import { parseStatement } from '../../../domain/trust/federation/entity-statement.ts';
import { validateChain } from '../../../domain/trust/federation/trust-chain.ts';
import {
  configurationOf,
  federationJwk,
  signedBy,
  statementOf,
  type TestEntity,
} from '../../support/trust/federation.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements have any member
type Json = Record<string, any>;

const NOW = Date.now();
const signatures = new NodeSignatures(new PrometheusMetrics());
const TYPE = 'openid_credential_verifier';
const entity = (name: string, key: number, more: Partial<TestEntity> = {}): TestEntity => ({
  id: `https://${name}.example`,
  key,
  ...more,
});
const keysOf = ({ key }: TestEntity) => ({ keys: [federationJwk(key)] });

/** Anchor, intermediate and leaf; changes replace members of their statements. */
function federation(changes: { leaf?: Json; direct?: Json; above?: Json; anchor?: Json } = {}) {
  const anchor = entity('anchor', 0, { configuration: changes.anchor, statement: changes.above });
  const middle = entity('middle', 1, { superiors: [anchor], statement: changes.direct });
  const metadata = { [TYPE]: { client_name: 'Shop', jwks: { keys: [] } } };
  const leaf = entity('leaf.shops', 2, { superiors: [middle], metadata, configuration: changes.leaf });
  const statements = [
    configurationOf(leaf, NOW),
    statementOf(middle, { id: leaf.id, jwks: keysOf(leaf) }, NOW),
    statementOf(anchor, { id: middle.id, jwks: keysOf(middle) }, NOW),
    configurationOf(anchor, NOW),
  ];
  return { anchor, middle, leaf, statements };
}

const anchors = [{ entityId: 'https://anchor.example', keys: signatureKeys(keysOf(entity('anchor', 0))) ?? [] }];

async function outcome(statements: string[], type = TYPE): Promise<unknown> {
  try {
    const chain = await validateChain(
      statements.map((text) => parseStatement(text, NOW)),
      { anchors, signatures },
    );
    return chain.metadata(type);
  } catch (error) {
    return String(error);
  }
}

describe('trust chains', () => {
  it('a chain with or without the configuration of its anchor proves the metadata of the entity', async () => {
    const { statements } = federation();
    for (const chain of [statements, statements.slice(0, -1)]) {
      expect(await outcome(chain)).to.deep.equal({ client_name: 'Shop', jwks: { keys: [] } });
      const parsed = chain.map((text) => parseStatement(text, NOW));
      const { entity: name, anchor, expiresAt } = await validateChain(parsed, { anchors, signatures });
      expect([name, anchor]).to.deep.equal(['https://leaf.shops.example', 'https://anchor.example']);
      expect(expiresAt).to.equal(Math.floor(NOW / 1000) * 1000 + 3_600_000);
    }
  });

  it('what ends first ends the chain', async () => {
    const exp = Math.floor(NOW / 1000) + 60;
    const parsed = federation({ above: { exp } }).statements.map((text) => parseStatement(text, NOW));
    expect((await validateChain(parsed, { anchors, signatures })).expiresAt).to.equal(exp * 1000);
  });

  const soon = Math.floor(NOW / 1000);
  const refusals: [string, Parameters<typeof federation>[0], RegExp][] = [
    ['a statement that has ended', { direct: { exp: soon - 120 } }, /the exp of a statement/],
    ['a statement of the future', { above: { iat: soon + 120 } }, /the iat of a statement/],
    ['a statement without exp', { leaf: { exp: undefined } }, /the exp of a statement/],
    ['an iss that is no entity', { leaf: { iss: 'http://leaf.example' } }, /no entity identifier/],
    ['a sub with a query', { direct: { sub: 'https://leaf.shops.example?a' } }, /no entity identifier/],
    ['claims that must be understood', { above: { crit: ['x'] } }, /is not understood/],
    ['operators that must be understood', { above: { metadata_policy_crit: ['regexp'] } }, /is not understood/],
    ['no keys', { leaf: { jwks: undefined } }, /has no jwks/],
    ['more keys than can be read', { leaf: { jwks: { keys: Array(33).fill({}) } } }, /has no jwks/],
    ['another key of the entity', { direct: { jwks: { keys: [federationJwk(9)] } } }, /is not signed with its key/],
    [
      'another key of the intermediate',
      { above: { jwks: { keys: [federationJwk(9)] } } },
      /is not signed with its key/,
    ],
    ['a key of the anchor that is not known', { anchor: { jwks: { keys: [federationJwk(9)] } } }, /is not signed/],
    ['a statement about another entity', { direct: { sub: 'https://other.example' } }, /do not follow each other/],
    ['a superior that the entity does not name', { leaf: { authority_hints: ['https://x.example'] } }, /does not name/],
    ['too many superiors', { leaf: { authority_hints: Array(9).fill('https://x.example') } }, /at most 8/],
    ['superiors in a statement', { direct: { authority_hints: ['https://x.example'] } }, /only a configuration/],
    ['a policy in a configuration', { leaf: { metadata_policy: {} } }, /may not have metadata_policy/],
    ['constraints in a configuration', { leaf: { constraints: {} } }, /may not have constraints/],
    ['constraints of another form', { direct: { constraints: [] } }, /must be an object/],
    ['metadata of another form', { leaf: { metadata: { [TYPE]: 7 } } }, /must be an object of objects/],
    ['an entity of another type', { leaf: { metadata: { other: {} } } }, /is no openid_credential_verifier/],
    ['a type that is not allowed', { above: { constraints: { allowed_entity_types: ['other'] } } }, /is no openid_cre/],
    ['a path that is too long', { above: { constraints: { max_path_length: 0 } } }, /longer than .*anchor.* allows/],
    ['a path length of another form', { direct: { constraints: { max_path_length: 'x' } } }, /is longer than/],
    [
      'a host that is not permitted',
      { above: { constraints: { naming_constraints: { permitted: ['.shops.example'] } } } },
      /not allowed/,
    ],
    [
      'a host that is excluded',
      { above: { constraints: { naming_constraints: { excluded: ['leaf.shops.example'] } } } },
      /not allowed/,
    ],
    ['names of another form', { direct: { constraints: { naming_constraints: 7 } } }, /not allowed/],
    [
      'a policy that is not satisfied',
      { above: { metadata_policy: { [TYPE]: { client_name: { one_of: ['Bank'] } } } } },
      /client_name does not satisfy/,
    ],
  ];
  for (const [name, changes, message] of refusals)
    it(`refuses ${name}`, async () => {
      expect(await outcome(federation(changes).statements)).to.match(message);
    });

  it('accepts constraints that are met', async () => {
    const naming_constraints = { permitted: ['.shops.example'], excluded: ['shops.example', '.other.example'] };
    const constraints = { max_path_length: 0, allowed_entity_types: [TYPE], naming_constraints };
    const above = {
      constraints: { max_path_length: 1, naming_constraints: { permitted: ['middle.example', '.shops.example'] } },
    };
    expect(await outcome(federation({ direct: { constraints }, above }).statements)).to.be.an('object');
  });

  it('the direct superior replaces metadata, and policies are applied from the anchor downwards', async () => {
    const direct = {
      metadata: { [TYPE]: { client_name: 'Shop Ltd' }, other: {} },
      metadata_policy: { [TYPE]: { contacts: { add: ['b'] }, logo_uri: { value: null } } },
    };
    const above = {
      metadata: { [TYPE]: { client_name: 'ignored' } },
      metadata_policy: { [TYPE]: { contacts: { add: ['a'] }, unknown: { regexp: 'x' } }, other: {} },
    };
    const found = await outcome(federation({ direct, above }).statements);
    expect(found).to.deep.equal({ client_name: 'Shop Ltd', jwks: { keys: [] }, contacts: ['a', 'b'] });
  });

  it('refuses chains of another shape', async () => {
    const { statements, anchor, middle, leaf } = federation();
    const [first = '', second = '', third = '', last = ''] = statements;
    const other = entity('other', 5);
    const shapes: [string[], RegExp][] = [
      [[], /2 to 8 statements/],
      [[first], /2 to 8 statements/],
      [[...Array(8).fill(second), last], /2 to 8 statements/],
      [[first, second], /no trust anchor/],
      [[first, second, third, configurationOf(other, NOW)], /no trust anchor/],
      [[first, second, last], /does not lead to its trust anchor/],
      [[first, last], /do not follow each other/],
      [[first, third, second, last], /do not follow each other/],
      [[second, third, last], /do not follow each other/],
      [[first, statementOf(middle, { id: leaf.id, jwks: keysOf(middle) }, NOW), third], /is not signed with its key/],
      [
        [first, second, statementOf({ ...anchor, key: 9 }, { id: middle.id, jwks: keysOf(middle) }, NOW)],
        /is not signed/,
      ],
    ];
    for (const [chain, message] of shapes) expect(await outcome(chain)).to.match(message);
    const circle = statementOf(anchor, { id: leaf.id, jwks: keysOf(leaf) }, NOW);
    const back = statementOf(leaf, { id: middle.id, jwks: keysOf(middle) }, NOW);
    expect(await outcome([first, second, back, circle])).to.match(/do not follow each other/);
  });

  it('refuses statements of another type, or without the name of their key', async () => {
    const { statements, leaf } = federation();
    const payload = JSON.parse(Buffer.from(statements[0]?.split('.')[1] ?? '', 'base64url').toString());
    const [, ...above] = statements;
    expect(await outcome([signedBy(leaf.key, payload, { typ: 'JWT' }), ...above])).to.match(/not of the type/);
    expect(await outcome([signedBy(leaf.key, payload, { kid: undefined }), ...above])).to.match(/is not signed/);
    expect(await outcome([signedBy(leaf.key, { ...payload, more: 'x'.repeat(65_536) }), ...above])).to.match(/65536/);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { Rfc9535Paths } from '../../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { compileCheck, type WrittenCheck } from '../../../domain/holdings/policies/checks.ts';
import {
  compileRules,
  type Direction,
  type Judgement,
  judge,
  type NamedPolicy,
} from '../../../domain/holdings/policies/holder-policies.ts';
import type { ParsedCredential } from '../../../ports/credential-formats.ts';
import { parsedCredential, testFormats } from '../../support/credentials/formats.ts';

const ports = { paths: new Rfc9535Paths(), schemas: new CallerSchemas(), formats: testFormats };

const KINDS = ['a', 'b', 'c'];
const ofKind = (kind: string): ParsedCredential => parsedCredential({ issuer: { kind: 'url', id: kind } });
const about = (kind: string): WrittenCheck => ({ type: 'basic', issuer: kind });

const policies = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-z]{6}$/),
    priority: fc.integer({ min: -3, max: 3 }),
    direction: fc.constantFrom('RECEIVE', 'PRESENT', null, undefined),
    apply: fc.option(fc.constantFrom(...KINDS).map(about), { nil: undefined }),
    check: fc.option(fc.constantFrom(...KINDS).map(about), { nil: undefined }),
    action: fc.constantFrom('ALLOW', 'BLOCK'),
  }),
  { selector: ({ name }) => name, maxLength: 6 },
) as fc.Arbitrary<NamedPolicy[]>;
const kinds = fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 4 });
const direction = fc.constantFrom<Direction>('RECEIVE', 'PRESENT');

const judged = async (list: NamedPolicy[], way: Direction, held: string[]): Promise<Judgement> =>
  judge(await compileRules(list, way, ports), held.map(ofKind));

/** A property of policies, a direction and the kinds of the credentials. */
const holds = (property: (list: NamedPolicy[], way: Direction, held: string[]) => Promise<void>) =>
  fc.assert(fc.asyncProperty(policies, direction, kinds, property));

describe('judge', () => {
  it('each credential is decided by the first policy for the direction that is about it', () =>
    holds(async (list, way, held) => {
      const { decisions } = await judged(list, way, held);
      const isAbout = (check: WrittenCheck | undefined, kind: string) => check === undefined || check.issuer === kind;
      for (const [index, kind] of held.entries()) {
        const deciding = list.filter(
          (one) => (one.direction ?? way) === way && isAbout(one.apply, kind) && isAbout(one.check, kind),
        );
        const least = Math.min(...deciding.map(({ priority }) => priority));
        const first = deciding.filter(({ priority }) => priority === least).sort((a, b) => (a.name < b.name ? -1 : 1));
        expect(decisions[index]).to.deep.equal(first[0] && { action: first[0].action, policy: first[0].name });
      }
    }));

  it('neither the order of the credentials nor that of the policies changes the outcome', () =>
    holds(async (list, way, held) => {
      const { refusal } = await judged(list, way, held);
      expect((await judged([...list].reverse(), way, [...held].reverse())).refusal).to.deep.equal(refusal);
    }));

  it('a credential that is added never lets a refused exchange pass', () =>
    holds(async (list, way, held) => {
      const { refusal } = await judged(list, way, held);
      fc.pre(refusal !== undefined);
      for (const kind of KINDS) expect((await judged(list, way, [...held, kind])).refusal).to.not.equal(undefined);
    }));

  it('an exchange passes exactly when each of its credentials alone does', () =>
    holds(async (list, way, held) => {
      const { refusal } = await judged(list, way, held);
      const alone = await Promise.all(held.map(async (kind) => (await judged(list, way, [kind])).refusal));
      expect(refusal === undefined).to.equal(alone.every((one) => one === undefined));
    }));

  it('a policy that blocks everything before all others refuses every exchange of its direction, and names itself', () =>
    holds(async (list, way, held) => {
      const first: NamedPolicy = { name: 'first', priority: -9, direction: way, action: 'BLOCK' };
      const { refusal } = await judged([...list, first], way, held);
      expect(refusal).to.deep.equal({ policy: 'first' });
    }));

  it('a policy of the other direction changes nothing', () =>
    holds(async (list, way, held) => {
      const other: NamedPolicy = {
        name: 'other',
        priority: -9,
        direction: way === 'RECEIVE' ? 'PRESENT' : 'RECEIVE',
        action: 'BLOCK',
      };
      expect(await judged([...list, other], way, held)).to.deep.equal(await judged(list, way, held));
    }));

  it('a policy that decides goes on deciding when its number is made smaller', () =>
    holds(async (list, way, held) => {
      const { decisions } = await judged(list, way, held);
      const name = decisions.find((decision) => decision)?.policy;
      const raised = list.map((one) => (one.name === name ? { ...one, priority: -9 } : one));
      const after = await judged(raised, way, held);
      for (const [index, decision] of decisions.entries())
        if (decision?.policy === name) expect(after.decisions[index]).to.deep.equal(decision);
    }));

  it('what no policy decides passes, unless a policy of the direction allows something or no person agreed', async () => {
    const blocking: NamedPolicy = { name: 'b', priority: 1, check: about('b'), action: 'BLOCK' };
    const allowing: NamedPolicy = { name: 'a', priority: 1, direction: 'PRESENT', check: about('a'), action: 'ALLOW' };
    expect((await judged([], 'PRESENT', ['c'])).refusal).to.equal(undefined);
    expect((await judged([blocking], 'PRESENT', ['c'])).refusal).to.equal(undefined);
    expect((await judged([blocking, allowing], 'RECEIVE', ['c'])).refusal).to.equal(undefined);
    expect((await judged([blocking, allowing], 'PRESENT', ['a', 'c'])).refusal).to.deep.equal({});
    expect((await judged([blocking, allowing], 'PRESENT', ['a'])).refusal).to.equal(undefined);
    const unattended = judge(await compileRules([blocking], 'PRESENT', ports), [ofKind('c')], { isUnattended: true });
    expect(unattended.refusal).to.deep.equal({});
  });
});

describe('compileCheck', () => {
  const degree = parsedCredential({
    format: 'dc+sd-jwt',
    type: 'urn:degree',
    issuer: { kind: 'did', id: 'did:web:university.example' },
    subject: 'did:key:z6Mk',
    claims: { vct: 'urn:degree', degree: { type: 'BSc', marks: [1, 2] }, 'a.b': 1 },
    document: { vct: 'urn:degree', degree: { type: 'BSc', marks: [1, 2] }, 'a.b': 1 },
  });
  const matches = async (check: WrittenCheck): Promise<boolean> => (await compileCheck(check, ports))(degree);

  const dcql = (member: object): Partial<WrittenCheck> => ({
    dcql_query: { credentials: [{ id: 'q', format: 'dc+sd-jwt', ...member }] },
  });

  const TABLE: [string, WrittenCheck, boolean][] = [
    ['everything', { type: 'all' }, true],
    ['a format', { type: 'basic', format: 'dc+sd-jwt' }, true],
    ['another format', { type: 'basic', format: 'mso_mdoc' }, false],
    ['an issuer', { type: 'basic', issuer: 'did:web:university.example' }, true],
    ['a subject', { type: 'basic', subject: 'did:key:z6Mk' }, true],
    [
      'two conditions of which one fails',
      { type: 'basic', format: 'dc+sd-jwt', issuer: 'did:web:other.example' },
      false,
    ],
    ['a claim by its names', { type: 'basic', claims_present: ['degree.type'] }, true],
    ['a claim by a path', { type: 'basic', claims_present: ['$.degree.marks[1]', "$['a.b']"] }, true],
    ['a claim that is missing', { type: 'basic', claims_present: ['degree.type', 'degree.name'] }, false],
    ['a value', { type: 'basic', claims_values: { 'degree.type': 'BSc', 'degree.marks': [1, 2] } }, true],
    ['one of several values', { type: 'basic', claims_values: { '$.degree.marks[*]': 2 } }, true],
    ['another value', { type: 'basic', claims_values: { 'degree.type': 'MSc' } }, false],
    [
      'a query',
      { type: 'dcql', ...dcql({ meta: { vct_values: ['urn:degree'] }, claims: [{ path: ['degree'] }] }) },
      true,
    ],
    ['a query for another type', { type: 'dcql', ...dcql({ meta: { vct_values: ['urn:id'] } }) }, false],
    ['a schema', { type: 'schema', schema: { required: ['degree'] } }, true],
    ['schemas of which one fails', { type: 'schema', schemas: [{ required: ['degree'] }, { required: ['x'] }] }, false],
  ];
  for (const [name, check, isMet] of TABLE)
    it(`${name}: ${isMet ? 'is met' : 'is not met'}`, async () => expect(await matches(check)).to.equal(isMet));

  const REFUSED: [string, WrittenCheck, RegExp][] = [
    ['a member of another type', { type: 'all', issuer: 'x' }, /^issuer: is not for checks of the type all/],
    ['a check without a condition', { type: 'basic' }, /states no condition/],
    ['a format that is none', { type: 'basic', format: 'pdf' }, /^format: /],
    ['a path that is none', { type: 'basic', claims_present: ['$..['] }, /claims_present/],
    ['a query of several', { type: 'dcql', dcql_query: { credentials: [] } }, /^dcql_query/],
    [
      'a combination of credentials',
      {
        type: 'dcql',
        dcql_query: {
          credentials: [{ id: 'q', format: 'dc+sd-jwt', meta: {} }],
          credential_sets: [{ options: [['q']] }],
        },
      },
      /^dcql_query\.credential_sets: is not for single credentials/,
    ],
    ['both a schema and schemas', { type: 'schema', schema: {}, schemas: [{}] }, /^schema: exactly one/],
    ['neither of them', { type: 'schema' }, /^schema: exactly one/],
    ['a schema that is none', { type: 'schema', schema: { type: 'nothing' } }, /^schema: /],
  ];
  for (const [name, check, message] of REFUSED)
    it(`refuses ${name}`, async () => {
      const error = await compileCheck(check, ports).then(
        () => undefined,
        (caught: Error) => caught,
      );
      expect(error?.message).to.match(message);
    });
});

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { POLICY_CODES } from '../../domain/verifier/policies/codes.ts';
import { describePolicies } from '../../domain/verifier/policies/table.ts';
import { useServer } from '../support/servers/server.ts';
import { blocksOf, codeOf, rowsOf, sectionOf } from './tables.ts';

const PAGE = 'docs/verification.md';

describe('docs/verification.md: policies', () => {
  const server = useServer();
  const codesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const policies = async () => sectionOf(await readFile(PAGE, 'utf8'), 'Policies');

  it('has a row for each policy, with what the server says of it', async () => {
    const rows = rowsOf(await policies()).filter((cells) => cells.length === 6);
    const written = rows.map(([names, lists, stage, argument]) => [codesIn(names), lists, stage, argument]);
    const described = describePolicies().map(({ name, aliases, scopes, stage, argument }) => {
      const use = argument ? (argument.isRequired ? 'required' : 'optional') : 'none';
      return [[name, ...aliases], scopes.join(', '), stage, use];
    });
    expect(written).to.deep.equal(described);
    for (const [names, , , , , codes] of rows)
      for (const code of codesIn(codes)) expect(Object.keys(POLICY_CODES), names).to.include(code);
  });

  it('has every code with its meaning', async () => {
    const rows = rowsOf(await policies()).filter((cells) => cells.length === 2);
    expect(Object.fromEntries(rows.map(([code, meaning]) => [codeOf(code), meaning]))).to.deep.equal(POLICY_CODES);
  });

  it('the examples are accepted', async () => {
    const [request = '', newer = ''] = blocksOf(await policies(), 'json').map((text) => text.replace('…', 'secret'));
    const start = async (json: unknown) => (await server.call('startVerification', { json })).status;
    expect(await start(JSON.parse(request))).to.equal(200);
    expect(await start({ ...JSON.parse(request), vc_policies: JSON.parse(newer) })).to.equal(200);
  });
});

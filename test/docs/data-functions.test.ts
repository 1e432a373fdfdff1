import { expect } from 'chai';
import { DATA_FUNCTION_NAMES, type DataContext } from '../../domain/credentials/data-functions.ts';
import { applyMapping, checkMapping } from '../../domain/credentials/mapping.ts';
import { codeOf, readRows } from './tables.ts';

describe('docs/data-functions.md', () => {
  const rows = readRows('docs/data-functions.md');
  const values: Record<string, unknown> = {
    subjectDid: 'did:key:z6MkHolder',
    issuerDid: 'did:web:issuer.example.org',
    issuerId: 'did:web:issuer.example.org',
    display: [{ name: 'Degree', locale: 'en', background_color: '#123456' }],
  };
  const context: DataContext = {
    now: Date.parse('2026-01-31T12:30:15.250Z'),
    uuid: () => '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    lookup: (name) => values[name],
    fetchText: async () => '{"score":7}',
  };

  it('has a row for each function and no other rows', () => {
    expect(rows.map(([name]) => codeOf(name))).to.deep.equal(DATA_FUNCTION_NAMES);
  });

  it('shows an example of every function with its result', async () => {
    const examples = rows.map(([, , example]) => codeOf(example));
    rows.forEach(([name], at) => {
      expect(examples[at]).to.match(new RegExp(`^<${codeOf(name)}[:>]`));
    });
    const mapping = Object.fromEntries(examples.map((example, at) => [`m${at}`, example]));
    checkMapping({ mapping, data: {} });
    const { document } = await applyMapping({ data: {}, mapping, context });
    rows.forEach(([name, , , result], at) => {
      expect(JSON.stringify(document[`m${at}`]), name).to.equal(codeOf(result));
    });
  });
});

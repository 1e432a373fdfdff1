import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { contract } from '../support/documents/contract.ts';
import { INDEX, operationIndex, testedOperations } from '../support/documents/operation-index.ts';
import { allNotes } from '../support/runs/notes.ts';

/** What an operation below a target answers as the one does that it has its handler from is tested there. */
const isOfMount = (status: string): boolean => Number(status) < 400 || ['401', '403', '404'].includes(status);

describe('the contract as a whole', () => {
  it('every documented (operation, status) was seen in this run', async () => {
    const { operations } = await contract;
    const documented = operations.flatMap(({ operationId, responses, mounted }) =>
      Object.keys(responses)
        .filter((status) => status !== 'default' && (mounted === undefined || isOfMount(status)))
        .map((status) => `${operationId} ${status}`),
    );
    const seen = allNotes('answers');
    expect(documented).to.have.length.greaterThan(100);
    expect(documented.filter((pair) => !seen.has(pair))).to.deep.equal([]);
  });

  it('rows: every operation has a unique name', async () => {
    const { operations } = await contract;
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('rows: every operation has a test file, and the index names it', async () => {
    const tested = await testedOperations();
    expect([...tested].filter(([, files]) => files.length === 0).map(([operationId]) => operationId)).to.deep.equal([]);
    expect(readFileSync(INDEX, 'utf8')).to.equal(operationIndex(tested));
  });
});

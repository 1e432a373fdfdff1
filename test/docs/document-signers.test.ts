import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SIGNER_PROFILES } from '../../domain/x509/signer-profiles.ts';
import { useServer } from '../support/servers/server.ts';
import { codeOf, readRows } from './tables.ts';

const PAGE = 'docs/document-signers.md';

describe(PAGE, () => {
  const server = useServer();

  it('the examples are requests that the server accepts, in the order of the page', async () => {
    const examples = [...readFileSync(PAGE, 'utf8').matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    const operations = ['onboardIaca', 'onboardDocumentSigner', 'onboardDocumentSigner'];
    expect(examples).to.have.length(operations.length);
    for (const [index, text] of examples.entries()) {
      const { status, body } = await server.call(operations[index] ?? '', { json: JSON.parse(text) });
      expect(status, JSON.stringify(body)).to.equal(200);
    }
  });

  it('the table of purposes is that of the code', () => {
    const rows = readRows(PAGE).filter((cells) => cells.length === 6);
    const stated = rows.map(([purpose = '', days = '', usage = '', names = '']) => [
      codeOf(purpose),
      Number.parseInt(days, 10),
      /^[\d.]+/.exec(usage)?.[0],
      /^\w+/.exec(names)?.[0],
    ]);
    expect(stated).to.deep.equal(
      Object.entries(SIGNER_PROFILES).map(
        ([
          purpose,
          {
            maxDays,
            extendedKeyUsage: [usage],
            altNames,
          },
        ]) => [purpose, maxDays, usage, altNames],
      ),
    );
  });
});

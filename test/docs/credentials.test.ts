import { readFile } from 'node:fs/promises';
import * as library from '@owf/mdoc';
import { expect } from 'chai';
import { ElementValues, NAMESPACES } from '../../adapters/formats/mdoc/element-values.ts';
import { onboard } from '../../demo/actors/issuer.ts';
import { makeOffer } from '../actors/issuance.ts';
import { ASKED, claim, licence } from '../actors/issuance-formats.ts';
import { testMdocs } from '../support/credentials/formats.ts';
import { useServer } from '../support/servers/server.ts';
import { blocksOf, readRows, sectionOf } from './tables.ts';

const PAGE = 'docs/credentials.md';

describe(PAGE, () => {
  const server = useServer();
  const names = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

  it('the table of element values is that of the code', () => {
    const tables = readRows(PAGE).filter(([namespace = '', format]) => {
      const isFormat = format === '`mso_mdoc`';
      return !isFormat && names(namespace).some((name) => name in NAMESPACES);
    });
    expect(tables.flatMap(([namespace]) => names(namespace))).to.deep.equal(Object.keys(NAMESPACES));
    for (const [namespace, bytes, dates] of tables) {
      const values = new ElementValues(library, names(namespace)[0] ?? '');
      for (const name of names(bytes)) {
        for (const text of ['_-0', '/+0=', 'data:image/png;base64,/+0='])
          expect(values.of({ name }, text, []), name).to.deep.equal(Buffer.from([0xff, 0xed]));
        for (const text of ['', '=', 'data:text/plain,x'])
          expect(() => values.of({ name }, text, []), name).to.throw('bytes');
      }
      for (const name of names(dates)) {
        expect(values.of({ name }, '1980-01-31', []), name).to.be.instanceOf(library.DateOnly);
        expect(values.of({ name }, '1980-01-31T00:00:00Z', []), name).to.be.instanceOf(Date);
        expect(() => values.of({ name }, '31.1.1980', []), name).to.throw('must be a date');
      }
      expect(values.of({ name: 'other' }, '1980-01-31', [])).to.equal('1980-01-31');
    }
  });

  it('the example is issued, with the bytes of the portrait', async () => {
    const [example = ''] = blocksOf(sectionOf(await readFile(PAGE, 'utf8'), 'Values of an mdoc'), 'json');
    const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    const json = licence(issuer, { mdocData: JSON.parse(example), trustedRootCAs: ['of no effect'] });
    const offer = await makeOffer(server, json, { operationId: 'issueMdoc' });
    const { body } = await claim(server, offer, ASKED.licence());
    const { claims } = await testMdocs.parse(body.credential);
    expect(claims['org.iso.18013.5.1']).to.deep.equal({
      family_name: 'Lovelace',
      birth_date: '1815-12-10',
      portrait: '_9j_4AAQSkZJRg',
      driving_privileges: [{ vehicle_category_code: 'B', issue_date: '2026-01-31' }],
    });
  });
});

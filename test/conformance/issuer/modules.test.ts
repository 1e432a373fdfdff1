import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PLAN } from './modules.ts';

const FOLDER = 'test/conformance/issuer';
const MODULE = /'((?:fapi2-security-profile|oid4vci-1_0)[\w-]+)'/g;

/** The files in which each module is tested. */
function filesByModule(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts') && name !== 'modules.test.ts'))
    for (const [, name = ''] of readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(MODULE))
      found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

describe('The HAIP plan of the conformance suite', () => {
  const files = filesByModule();

  for (const [part, names] of Object.entries(PLAN))
    it(`${part}: each of its ${names.length} modules has exactly one test`, () => {
      const wrong = names.filter((name) => files.get(name)?.length !== 1);
      expect(wrong).to.deep.equal([]);
      console.log(names.map((name) => `      ${name} | ${files.get(name)}`).join('\n'));
    });

  it('no test is of a module that the plan does not have, and none is skipped', () => {
    const known: string[] = Object.values(PLAN).flat();
    expect([...files.keys()].filter((name) => !known.includes(name))).to.deep.equal([]);
    for (const file of readdirSync(FOLDER))
      expect(readFileSync(`${FOLDER}/${file}`, 'utf8')).to.not.match(/\b(?:it|describe)\.skip\(|this\.skip\(/);
  });
});

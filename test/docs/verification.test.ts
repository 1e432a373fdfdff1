import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { PROFILES } from '../../domain/verifier/openid4vp/draft20-profiles.ts';
import { useServer } from '../support/servers/server.ts';
import { expectDocumented } from './commands.ts';
import { readRows, sectionOf } from './tables.ts';

const PAGE = 'docs/verification.md';

describe(PAGE, () => {
  const server = useServer();

  it('its commands print what it says', async () => {
    const page = await readFile(PAGE, 'utf8');
    await expectDocumented(sectionOf(page, 'Requests') + sectionOf(page, 'What was presented'), server);
  });

  it('names every profile', () => {
    const named = readRows(PAGE).flatMap(([first = '']) =>
      Object.keys(PROFILES).filter((name) => first === `\`${name}\``),
    );
    expect(named).to.deep.equal(Object.keys(PROFILES));
  });
});

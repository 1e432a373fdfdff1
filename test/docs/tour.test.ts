import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseHocon } from '../../adapters/config/hocon.ts';
import { startServer } from '../support/servers/server.ts';
import { expectDocumented } from './commands.ts';
import { blocksOf, sectionOf } from './tables.ts';

const tour = readFileSync('docs/tour.md', 'utf8');

/** The first commands of the README's tour, which the sections continue; their output is that of its own test. */
const [start = ''] = blocksOf(sectionOf(readFileSync('README.md', 'utf8'), 'A five-minute tour'), 'sh');

const continued = (section: string): string => `\`\`\`sh\n{ ${start} } > /dev/null\n\`\`\`\n${section}`;

describe('docs/tour.md', () => {
  it('the commands of the drafts continue the tour and print the documented output', async () => {
    const server = await startServer();
    try {
      await expectDocumented(continued(sectionOf(tour, 'A degree over the drafts')), server);
    } finally {
      await server.close();
    }
  });

  it('the commands of a tenant continue the tour and print the documented output', async () => {
    const { tokens } = await parseHocon(readFileSync('docs/config/superadmin-registration.conf', 'utf8'), {});
    const server = await startServer({ settings: { superadminRegistration: { tokens: tokens as object } } });
    const section = sectionOf(tour, 'A tenant, from nothing to a verified credential');
    expect(section.match(/\bcall v\d|\bcurl -s \$/g)).to.have.length(10);
    try {
      await expectDocumented(continued(section), server);
    } finally {
      await server.close();
    }
  });
});

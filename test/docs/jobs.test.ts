import { readFileSync } from 'node:fs';
import { parseHocon } from '../../adapters/config/hocon.ts';
import { useServer } from '../support/servers/server.ts';
import { expectDocumented } from './commands.ts';

/** The pages of jobs whose script is their own; the others of docs/README.md are tested with their subject. */
const JOBS = ['issue-a-pid', 'check-an-mdl', 'revoke', 'onboard-a-customer'];

describe('The pages of jobs', () => {
  const server = useServer(async () => {
    const { tokens } = await parseHocon(readFileSync('docs/config/superadmin-registration.conf', 'utf8'), {});
    return { settings: { superadminRegistration: { tokens: tokens as object } } };
  });

  for (const job of JOBS)
    it(`docs/${job}.md: the script runs as a whole and prints the documented output`, () =>
      expectDocumented(readFileSync(`docs/${job}.md`, 'utf8'), server));
});

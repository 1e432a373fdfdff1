import { expect } from 'chai';
import { checkForms, storedForms } from '../support/releases/stored-forms.ts';
import { KEPT, PLANTED } from '../support/secrets/secret-fields.ts';
import { PLACES } from '../support/secrets/secret-places.ts';
import { secretsOfAdministrators } from './secrets/administrators.ts';
import { secretsOfIssuance } from './secrets/issuance.ts';
import { PlantedServer } from './secrets/planted-server.ts';
import { secretsOfTenants } from './secrets/tenants.ts';
import { secretsOfVerification } from './secrets/verification.ts';
import { secretsOfWallets } from './secrets/wallets.ts';

/** Members that depend on when something is delivered or renewed, or that other tests than this one write. */
const SOMETIMES = /(?:^|\.)leases?(?:\[\])?\.|hasFailed$|attempts$/;

for (const [name, openPlace] of Object.entries(PLACES))
  describe(`Secrets with ${name}`, () => {
    const on = new PlantedServer(openPlace);
    secretsOfWallets(on);
    secretsOfAdministrators(on);
    secretsOfIssuance(on);
    secretsOfVerification(on);
    secretsOfTenants(on);

    it('are nowhere in the store, logs, metrics, callbacks and answers, but where they are documented to be', async () => {
      const { sweep } = on;
      await on.call('getMetrics', 200);
      await on.call('getReadiness', 200);
      await on.noteAll();
      for (const source of ['log', 'callback', 'store', 'getMetrics'])
        expect(sweep.count(source), source).to.be.greaterThan(0);
      expect(sweep.sightings()).to.deep.equal([]);
      expect(sweep.unshown()).to.deep.equal([]);
      const expected = new Set(Object.values(PLANTED).flat());
      if (name !== 'Redis') expected.delete('Redis password');
      expect([...expected].filter((secret) => !sweep.names.includes(secret))).to.deep.equal([]);
    });

    it('no more than any other text of a message is in a span: its names and facts are from closed sets', async () => {
      expect(await on.openTexts()).to.deep.equal([]);
    });

    it('stand in records of the forms that the table has, with all members of those', () => {
      const forms = on.forms.forms();
      checkForms(forms);
      const rows = Object.entries(storedForms()).filter(([collection]) => collection in forms);
      const gone = rows.flatMap(([collection, versions]) => {
        const members = Object.keys(versions.at(-1)?.members ?? {});
        const missing = members.filter((path) => !forms[collection]?.[path] && !SOMETIMES.test(path));
        return missing.map((path) => `${collection} ${path}`);
      });
      expect(gone, 'Members that are not written any more').to.deep.equal([]);
    });

    it('are kept as digests, if at all, but for those that are needed again', async () => {
      expect(on.sweep.namesIn(await on.records())).to.deep.equal(Object.keys(KEPT).sort());
    });
  });

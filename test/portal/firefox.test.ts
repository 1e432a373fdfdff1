import { may, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { createIssuer } from '../actors/tenant-issuer.ts';
import { useFirefox } from '../support/portal/firefox.ts';
import { enter, useOffice } from '../support/portal/office.ts';
import { showCard, takeCard } from '../support/portal/walk.ts';

const CHECK = `${VERIFIER}.names`;

describe('the portal in Firefox', () => {
  const world = useOffice();
  const open = useFirefox(world);

  it('the tour ends on "Verified": an offer, the wallet, a request and its result', async () => {
    const visitor = await open();
    await takeCard(visitor, 'ada@example.org');
    await showCard(visitor);
    await visitor.finds('checks passed');
  });

  it('a clerk logs in, makes a type, offers a card of it and opens the counter', async () => {
    await ok(createIssuer(world, { supportedCredentialTypes: {}, profiles: {} }), 201);
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: ['https://types.example.org/card'] } };
    const setup = { flow_type: 'cross_device', core_flow: { dcql_query: { credentials: [query] } } };
    await ok(world.post('createSavedCheck', CHECK, { name: 'Names', setup }), 201);
    const visitor = await open('/#/office/acme.t1/new-type');
    await visitor.reads('Log in to the office');
    await enter(visitor, await world.clerk([may('acme.t1')]));
    await visitor.reads('Make a type');
    await visitor.type('Name (English)', 'Resident card');
    await visitor.type('What it is called (English)', 'Family name');
    await visitor.click('Make this type');
    await visitor.finds('Resident card is ready');
    await visitor.opens(`${world.url}/#/office/acme.t1/issue`);
    await visitor.reads('Issue a card');
    await visitor.click('Resident card');
    await visitor.type('Family name', 'Lovelace');
    await visitor.click('Offer this card');
    await visitor.sees('QR code');
    await visitor.opens(`${world.url}/#/office/acme.t1/counter/${CHECK}`);
    await visitor.reads('Names');
    await visitor.sees('QR code for your wallet');
  });
});

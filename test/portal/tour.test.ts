import { expect } from 'chai';
import { usePages } from '../support/portal/browser.ts';
import { showCard, takeCard, Visitor } from '../support/portal/walk.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { useServer } from '../support/servers/server.ts';

describe('the tour', () => {
  const server = useServer();
  const open = usePages(server);

  it('S2: ends on "Verified" within 60 s and 15 actions, with nothing typed but name, e-mail address and password', async () => {
    const visitor = new Visitor(await open());
    const ms = await undisturbedMs(async () => {
      await takeCard(visitor, 'ada@example.org');
      await showCard(visitor);
    });
    expect(visitor.actions).to.be.at.most(15);
    expect(ms).to.be.below(60_000);
  });
});

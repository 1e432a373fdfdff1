import { expect } from 'chai';
import { crossDevice } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { CopiedRecords } from '../../support/stores/copied-records.ts';

/** The most saved checks of a verifier. */
const MOST = 1000;

describe('bounds of saved checks', () => {
  const copies = new CopiedRecords();
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise({}, { wrapStore: copies.wrapStore });
  });
  after(() => world.close());

  const save = async (name: string): Promise<number> =>
    (await world.post('createSavedCheck', `${VERIFIER}.${name}`, { name, setup: crossDevice() })).status;
  const pageFrom = (offset: number) =>
    world.server.call('listSavedChecks', {
      path: { target: VERIFIER },
      query: { offset: String(offset), limit: '10' },
      token: world.root,
    });

  it('409 for one more than 1,000, also of several at once; one that is replaced or takes the place of another is none more', async () => {
    expect(await save('c0')).to.equal(201);
    const names = Array.from({ length: MOST - 2 }, (_, at) => `c${at + 1}`);
    await copies.add('enterprise-checks', `${VERIFIER}.c0`, names);
    const raced = await Promise.all(['r1', 'r2', 'r3'].map(save));
    expect(raced.every((status) => [201, 409].includes(status))).to.equal(true);
    expect((await pageFrom(MOST)).body).to.deep.equal([]);
    await save('last');
    expect([(await pageFrom(MOST - 1)).body.length, await save('more')]).to.deep.equal([1, 409]);
    const { status, body } = await world.post('createSavedCheck', VERIFIER, { name: 'more', setup: crossDevice() });
    expect([status, body.message]).to.deep.equal([409, 'verifier1 has 1000 already: remove one first']);
    const one = { path: { target: `${VERIFIER}.c0` }, token: world.root };
    const replaced = await world.post('replaceSavedCheck', `${VERIFIER}.c0`, { name: 'y', setup: crossDevice() });
    expect(replaced.status).to.equal(200);
    expect((await world.server.call('deleteSavedCheck', one)).status).to.equal(204);
    expect(await save('more')).to.equal(201);
  });
});

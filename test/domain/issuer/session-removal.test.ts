import { expect } from 'chai';
import { issuerServices } from '../../../composition/services/issuer.ts';
import { IssuanceContents } from '../../../domain/issuer/sessions/issuance-contents.ts';
import { degreeContent, issuerInProcess } from '../../support/servers/issuer-services.ts';

describe('the removal of the sessions of an issuer', () => {
  it('leaves none of them and none of their data, and those of every other issuer', async () => {
    const world = await issuerInProcess();
    const { offers, sessions, removal } = issuerServices(world.platform);
    const contents = new IssuanceContents(world.platform);
    const one = { ...world.issuer, id: 'one', target: 'acme.t1.issuer1#1', version: 'v1' as const };
    const other = { ...one, id: 'other', target: 'acme.t1.issuer1#2' };
    const create = async (issuer: typeof one, id?: string) =>
      (await offers.create(issuer, { id, content: [degreeContent(world, 1), degreeContent(world, 2)] })).session;
    const removed = await Promise.all([...Array(60).keys()].map((n) => create(one, n === 0 ? 'own' : undefined)));
    const kept = await create(other, 'own');
    await removal.removeAll(one);
    const page = { order: 'id', offset: 0, limit: 100 } as const;
    expect(await sessions.list(one, page)).to.deep.equal([]);
    for (const { id, contentsId = id } of removed)
      for (const content of [0, 1]) expect(await contents.get({ contentsId, content })).to.equal(undefined);
    expect(await sessions.list(other, page)).to.have.length(1);
    expect(await contents.get({ contentsId: kept.contentsId ?? '', content: 1 })).to.include({
      configurationId: 'UniversityDegree_jwt_vc_json',
    });
  });
});

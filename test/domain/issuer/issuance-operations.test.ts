import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { bearer } from '../../support/credentials/oauth.ts';
import {
  codeOf,
  degreeContent,
  degreeRequest,
  type IssuerInProcess,
  issuerInProcess,
} from '../../support/servers/issuer-services.ts';
import { CountingStore } from '../../support/stores/counting-store.ts';

const offer = async (world: IssuerInProcess): Promise<string> =>
  (await world.services.offers.create(world.issuer, { content: degreeContent(world) })).id;

/** A new holder gets the credential of an offer. */
async function accept(world: IssuerInProcess, id: string): Promise<void> {
  const { services, issuer } = world;
  const request = { code: await codeOf(world, id), configurationIds: [], event: {} };
  const { accessToken, nonce = '' } = await services.tokenEndpoint.redeem(issuer, request);
  const access = await services.credentialEndpoint.access(issuer, bearer(accessToken));
  const { outcome } = await services.credentialEndpoint.issue(access, degreeRequest(world, makeHolderKey(), nonce));
  expect(outcome.kind).to.equal('delivered');
}

describe('an issuance of one credential', () => {
  it('takes 7 operations of the store once its issuer is known, all of its session', async () => {
    let counting: CountingStore | undefined;
    const world = await issuerInProcess((store) => (counting = new CountingStore(store)));
    const issue = async () => accept(world, await offer(world));
    await issue();
    const before = counting?.done.length;
    await issue();
    expect(counting?.done.slice(before)).to.deep.equal([
      'issuance-sessions insert',
      'issuance-sessions get',
      'issuance-sessions get',
      'issuance-sessions replace',
      'issuance-sessions get',
      'issuance-sessions replace',
      'issuance-sessions replace',
    ]);
  });
});

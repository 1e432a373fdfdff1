import { expect } from 'chai';
import { DEGREE_MAPPING, degree, degreeData, type Issuer, offerLink, onboard } from '../../../demo/actors/issuer.ts';
import { DEGREE_REQUEST, sessionOf, startVerification, stateOf } from '../../../demo/actors/verifier.ts';
import { MAX_CONTENT_VALUES } from '../../../domain/credentials/content-size.ts';
import { countBelow } from '../../../domain/foundation/json.ts';
import { startCallback } from '../../actors/http-peer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

/** As many values as the bound leaves beside the rest of a degree, the name and the list apart. */
const most = MAX_CONTENT_VALUES - countBelow(degreeData({ list: [] })) - countBelow(DEGREE_MAPPING);

const FORMATS = ['jwt_vc_json', 'vc+sd-jwt'];

describe('the largest credential', () => {
  const server = useServer();
  let issuer: Issuer;
  let holder: WalletUser;
  before(async () => {
    [issuer, holder] = await Promise.all([onboard(server), newWalletUser(server)]);
  });

  const request = (list: unknown[], format: string): Record<string, unknown> =>
    degree(issuer, {
      credentialConfigurationId: `UniversityDegree_${format}`,
      credentialData: degreeData({ list }),
      ...(format === 'vc+sd-jwt' && { selectiveDisclosure: { fields: { credentialSubject: { sd: true } } } }),
    });

  const typeOf = (format: string) =>
    format === 'vc+sd-jwt' ? { vct: `${server.url}/draft13/UniversityDegree` } : { type: 'UniversityDegree' };

  for (const format of FORMATS)
    it(`${format}: is offered, received by the wallet, presented and verified`, async () => {
      // Verifiers count the text of a presentation, too.
      const offer = await offerLink(server, request(Array(most).fill('a'.repeat(20)), format));
      await holder.accept(offer);
      const asked = { ...DEGREE_REQUEST, request_credentials: [{ ...typeOf(format), format }] };
      const link = await startVerification(server, asked);
      await holder.answer(link);
      expect(await sessionOf(server, stateOf(link))).to.include({ verificationResult: true });
    });

  it('one value more: 400 when it is offered or signed, naming the member', async () => {
    const json = request(Array(most + 1).fill(0), 'jwt_vc_json');
    // The members are counted in this order.
    const offered = await server.call('issueJwtCredential', { json });
    expect([offered.status, offered.body.details[0].path]).to.deep.equal([400, '/body/mapping']);
    const {
      credentialConfigurationId: _,
      mapping: __,
      ...alone
    } = request(Array(MAX_CONTENT_VALUES).fill(0), 'jwt_vc_json');
    const signed = await server.call('signJwtCredential', { json: { ...alone, subjectDid: holder.did } });
    expect([signed.status, signed.body.details[0].path]).to.deep.equal([400, '/body/credentialData']);
  });

  it('values that a webhook of the mapping adds count when the credential is made', async () => {
    const data = await startCallback();
    const { credentialConfigurationId: _, ...alone } = request([], 'jwt_vc_json');
    const mapping = { list: `<webhook-json:${data.url}/>` };
    const signed = async (items: number) => {
      data.answer.body = JSON.stringify(Array(items).fill(0));
      return (await server.call('signJwtCredential', { json: { ...alone, mapping, subjectDid: holder.did } })).status;
    };
    const room = MAX_CONTENT_VALUES - countBelow(degreeData({ list: [] })) - countBelow({ list: [] });
    expect([await signed(room), await signed(room + 1)]).to.deep.equal([200, 400]);
    await data.goAway();
  });
});

import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { Credentials } from '../../domain/holdings/credentials.ts';
import { type CredentialRecord, WALLET_CREDENTIALS } from '../../domain/holdings/records.ts';
import { issueCredential, jwkParty } from '../actors/party.ts';
import { testFormats } from '../support/formats.ts';
import { silentActivity } from '../support/silent-activity.ts';

describe('the credentials of a wallet', () => {
  it('one that was stored before its contradiction was rejected stays in the list, unparsed', async () => {
    const store = new MemoryStore(systemClock);
    const credentials = new Credentials({ store, formats: testFormats, clock: systemClock, activity: silentActivity });
    const [issuer, holder] = [await jwkParty(), await jwkParty()];
    const documents = [
      await issueCredential(issuer, holder),
      await issueCredential(issuer, holder, { vc: { issuer: holder.did } }),
    ];
    const records = store.collection<CredentialRecord>(WALLET_CREDENTIALS);
    for (const [index, document] of documents.entries())
      await records.insert({
        id: `${index}`,
        parent: 'wallet',
        value: { format: 'jwt_vc_json', document, holder: holder.did, pending: false },
      });
    const [honest, twofold] = await credentials.usable('wallet');
    expect(honest?.parsed?.document).to.deep.equal(decodeJwt(documents[0] ?? '').vc);
    expect([twofold?.document, twofold?.parsed]).to.deep.equal([documents[1], undefined]);
    expect((await credentials.get('wallet', '1')).parsed).to.equal(undefined);
  });
});

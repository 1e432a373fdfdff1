import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemTurns } from '../../../adapters/system/system.ts';
import type { Activity } from '../../../domain/holdings/activity.ts';
import { Credentials } from '../../../domain/holdings/credentials.ts';
import { type CredentialRecord, WALLET_CREDENTIALS } from '../../../domain/holdings/records.ts';
import { HeldCredentialStatus } from '../../../domain/wallet/credential-status.ts';
import { issueCredential, jwkParty } from '../../actors/party.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';

describe('the credentials of a wallet', () => {
  it('one that was stored before its contradiction was rejected stays in the list, unparsed', async () => {
    const store = new MemoryStore(systemClock);
    const credentials = new Credentials({
      store,
      formats: testFormats,
      clock: systemClock,
      turns: systemTurns,
      activity: silentActivity,
    });
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

  it('the event log has each decision once, with the id, type and issuer of the credential and none of its claims', async () => {
    const store = new MemoryStore(systemClock);
    const seen: Activity[] = [];
    const activity = { record: async (_: string, one: Activity) => void seen.push(one) };
    const credentials = new Credentials({
      store,
      formats: testFormats,
      clock: systemClock,
      turns: systemTurns,
      activity,
    });
    const [issuer, holder] = [await jwkParty(), await jwkParty()];
    const add = async (jti: string): Promise<void> => {
      const document = await issueCredential(issuer, holder, { subject: { name: 'Ada' }, claims: { jti } });
      await credentials.addAll('wallet', [{ format: 'jwt_vc_json', document, holder: holder.did, pending: true }]);
    };
    for (const id of ['urn:a', 'urn:b']) await add(id);
    await credentials.accept('wallet', 'urn:a');
    await credentials.accept('wallet', 'urn:a');
    await credentials.reject('wallet', 'urn:b', 'Not mine');
    await credentials.remove('wallet', 'urn:a', true);
    for (const refused of ['accept', 'reject', 'restore'] as const)
      await credentials[refused]('wallet', 'urn:a').catch(() => undefined);
    const data = { format: 'jwt_vc_json', credentialType: 'UniversityDegreeCredential', issuer: issuer.did };
    expect(seen).to.deep.equal([
      { event: 'Credential', action: 'Accept', credentialId: 'urn:a', data },
      { event: 'Credential', action: 'Reject', credentialId: 'urn:b', data, note: 'Not mine' },
      { event: 'Credential', action: 'Delete', credentialId: 'urn:a', data },
    ]);
  });

  it('one that cannot be parsed has no status', async () => {
    const credentials = new Credentials({
      store: new MemoryStore(systemClock),
      formats: testFormats,
      clock: systemClock,
      turns: systemTurns,
      activity: silentActivity,
    });
    const record = { format: 'unknown', document: 'x', holder: 'did:key:z', pending: false };
    const [stored] = await credentials.addAll('wallet', [record]);
    const lookUp = async () => [];
    const status = new HeldCredentialStatus({ credentials, statuses: { lookUp } }).of('wallet', stored?.id ?? '');
    expect(await status.catch(({ code }) => code)).to.equal('BadRequest');
  });
});

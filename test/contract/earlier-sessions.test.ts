import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '../../adapters/system/system.ts';
import { openStore } from '../../composition/platform/stores.ts';
import { GRANT, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { secretId } from '../../domain/oauth/secrets.ts';
import type { Collection, Store } from '../../ports/store.ts';
import { EventListener } from '../actors/event-listener.ts';
import { DEGREE, FinalIssuance } from '../actors/openid4vci.ts';
import { until } from '../support/runs/waiting.ts';
import { silentLog } from '../support/servers/silent-log.ts';

const ISSUER = 'openid4vci';
const OFFER = 'a'.repeat(43);
const CODE = 'b'.repeat(43);
const TOKEN = 'c'.repeat(43);

/** What 0.9.0 stored of a session: its names, its token and its history had records of their own. */
describe('A session that 0.9.0 stored', () => {
  let issuance: FinalIssuance;
  let store: Store;
  let id: string;
  let sequence: number;

  before(async () => {
    issuance = await FinalIssuance.start();
    const opened = (await openStore(issuance.server.settings))({ clock: systemClock, log: silentLog });
    await opened.claim();
    ({ store } = opened);
  });
  after(async () => {
    await store.close();
    await issuance.close();
  });
  beforeEach(async () => {
    const json = { profileId: DEGREE, authMethod: 'PRE_AUTHORIZED' };
    const { body } = await issuance.server.call('createCredentialOffer', { json });
    id = body.offerId;
    const sessions = collection('issuance-sessions', true);
    const stored = await sessions.get({ parent: '/openid4vci', id });
    if (!stored) throw new Error('There is no session');
    const { history, ...value } = stored.value as { history: { events: object[] }; grant: object; managed: object };
    const earlier = {
      ...value,
      grant: { ...value.grant, code: CODE },
      managed: { ...value.managed, reference: OFFER },
    };
    const { expiresAt } = await sessions.replace({ parent: '/openid4vci', id, value: earlier }, stored.revision);
    const put = (name: string, key: string, record: object) =>
      collection(name, name === 'issuance-event-logs').insert({ id: key, value: record, expiresAt });
    await Promise.all(
      (['offer-references', 'authorization-codes', 'access-tokens'] as const).map((name, index) =>
        put(name, secretId(ISSUER, [OFFER, CODE, TOKEN][index] ?? ''), { sessionId: id }).catch(() => undefined),
      ),
    );
    await put('issuance-event-logs', id, { ...history, isHistory: true });
    sequence = history.events.length;
  });
  afterEach(async () => {
    for (const [name, secret] of [
      ['offer-references', OFFER],
      ['authorization-codes', CODE],
      ['access-tokens', TOKEN],
    ] as const)
      await collection(name, false).remove({ id: secretId(ISSUER, secret) });
  });

  const collection = (name: string, sealed: boolean): Collection<object> =>
    store.collection({ name, listed: name === 'issuance-sessions', sealed, afterRestore: 'void' });

  it('goes on: its offer, its code, which is good once, and its history with its numbers', async () => {
    const { server } = issuance;
    const { status, body } = await server.fetch(`/openid4vci/credential-offer?id=${OFFER}`);
    expect([status, body.grants[GRANT]['pre-authorized_code']]).to.deep.equal([200, CODE]);
    const redeemed = await issuance.redeem(CODE);
    expect(redeemed.status).to.equal(200);
    expect((await issuance.redeem(CODE)).body.error).to.equal('invalid_grant');
    expect((await issuance.claimFor(redeemed.body.access_token, [makeHolderKey()])).status).to.equal(200);
    const listener = await EventListener.open(server, id);
    await until(() => listener.ids.length === sequence + 4);
    expect(listener.ids).to.deep.equal([1, 2, 3, 4, 5]);
    expect(listener.events.map(({ event }) => event)).to.deep.equal([
      'credential_offer_created',
      'credential_offer_retrieved',
      'token_request_pre_authorized_code_succeeded',
      'credential_request_w3c_vc_succeeded',
      'issuance_status_changed',
    ]);
    listener.leave();
  });

  it('gives its credential for an access token of then', async () => {
    expect((await issuance.claimFor(TOKEN, [makeHolderKey()])).status).to.equal(200);
    expect((await issuance.claimFor(randomUUID(), [makeHolderKey()])).status).to.equal(401);
  });
});

import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { progressOf } from '../../../domain/issuer/sessions/issuance-session.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { bearer } from '../../support/credentials/oauth.ts';
import { codeOf, degreeContent, degreeRequest, issuerInProcess } from '../../support/servers/issuer-services.ts';
import { issuanceSessions } from '../../support/stores/issuance-sessions.ts';

const ITEMS = 2000;

/** Notes the size of the largest session that is written. */
class WatchedStore {
  largest = 0;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const collection = this.#store.collection(spec);
    if (spec.name !== 'issuance-sessions') return collection;
    return Object.assign(Object.create(collection) as Collection<T>, {
      get: collection.get.bind(collection),
      insert: this.#noting(collection.insert.bind(collection)),
      replace: this.#noting(collection.replace.bind(collection)),
    });
  }

  ping = () => this.#store.ping();
  checkWritable = () => this.#store.checkWritable();
  close = () => this.#store.close();

  #noting =
    <T extends { value: unknown }, A extends unknown[], R>(write: (record: T, ...rest: A) => R) =>
    (record: T, ...rest: A): R => {
      this.largest = Math.max(this.largest, JSON.stringify(record.value).length);
      return write(record, ...rest);
    };
}

describe('an offer of 2,000 credentials', () => {
  it('is issued to the last one, each once; its session stays small and says how far it is', async () => {
    let watched: WatchedStore | undefined;
    const on = await issuerInProcess((store) => {
      watched = new WatchedStore(store);
      return watched;
    });
    const { services, issuer, platform } = on;
    const sessions = issuanceSessions(platform);
    const content = Array.from({ length: ITEMS }, (_, level) => degreeContent(on, level));
    const { id } = await services.offers.create(issuer, { content, ttlSeconds: 3600 });
    const code = await codeOf(on, id);
    const token = await services.tokenEndpoint.redeem(issuer, { code, configurationIds: [], event: {} });
    const accessToken = bearer(token.accessToken);
    const holder = makeHolderKey();
    const levels = new Set<unknown>();
    for (let nonce = token.nonce; nonce !== undefined; ) {
      const access = await services.credentialEndpoint.access(issuer, accessToken);
      const { outcome, next } = await services.credentialEndpoint.issue(access, degreeRequest(on, holder, nonce));
      const [jwt = ''] = outcome.kind === 'delivered' ? outcome.credentials : [];
      levels.add(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).vc.credentialSubject.level);
      nonce = next?.nonce;
      if (levels.size === ITEMS / 2) {
        const half = await sessions.get(issuer, id);
        const counted = { offered: ITEMS, issued: 1000, deferred: 0, failed: 0, credentials: 1000 };
        expect(half && progressOf(half.value)).to.deep.equal(counted);
      }
    }
    expect(levels.size).to.equal(ITEMS);
    const end = await sessions.get(issuer, id);
    expect(end?.value.state).to.equal('SUCCESSFUL');
    expect(watched?.largest).to.be.within(500, 32 * 1024);
    expect(end?.updatedAt).to.be.at.least(end?.createdAt ?? Number.NaN);
  });
});

import { once } from 'node:events';
import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import { degree, makeOffer, onboard } from '../actors/issuance.ts';
import { credentialRequest, makeHolderKey, proofOf, redeem, requestCredential } from '../actors/wallet.ts';
import { startServer } from './server.ts';

/** Where the process of an issuer dies by SIGKILL. */
export interface IssuerPlan {
  dataDir: string;
  callbackUrl: string;
  /** The write of an event log, counted from 1, at which it dies. */
  write: number;
  when: 'before' | 'after';
}

/** What a wallet has at the issuer that will die. */
export interface IssuerHandover {
  /** The public URL. */
  url: string;
  code: string;
  /** Absent while the code is not redeemed. */
  access?: { token: string; request: object };
}

/** A store whose process dies at one write of an event log. */
class DeadlyStore implements Store {
  readonly #store: Store;
  readonly #plan: IssuerPlan;
  #writes = 0;

  constructor(store: Store, plan: IssuerPlan) {
    this.#store = store;
    this.#plan = plan;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const collection = this.#store.collection(spec);
    if (spec.name !== 'issuance-event-logs') return collection;
    return Object.assign(Object.create(collection) as Collection<T>, {
      get: collection.get.bind(collection),
      insert: (...args: Parameters<Collection<T>['insert']>) => this.#write(() => collection.insert(...args)),
      replace: (...args: Parameters<Collection<T>['replace']>) => this.#write(() => collection.replace(...args)),
    });
  }

  ping(): Promise<void> {
    return this.#store.ping();
  }

  checkWritable(): Promise<void> {
    return this.#store.checkWritable();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #write<R>(write: () => Promise<R>): Promise<R> {
    this.#writes += 1;
    const isLast = this.#writes === this.#plan.write;
    if (isLast && this.#plan.when === 'before') process.kill(process.pid, 'SIGKILL');
    const written = await write();
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return written;
  }
}

process.once('disconnect', () => process.exit());
process.once('message', async (plan: IssuerPlan) => {
  const { dataDir, callbackUrl } = plan;
  const server = await startServer({ store: 'sqlite', dataDir, wrapStore: (store) => new DeadlyStore(store, plan) });
  const issuer = await onboard(server);
  const headers = { statusCallbackUri: `${callbackUrl}/events/$id` };
  const { code } = await makeOffer(server, degree(issuer), { headers });
  const handOver = async (handover: IssuerHandover): Promise<void> => {
    process.send?.(handover);
    await once(process, 'message');
  };
  if (plan.write < 4) await handOver({ url: server.url, code });
  const { body } = await redeem(server, code);
  const request = credentialRequest(proofOf(server, makeHolderKey(), { nonce: body.c_nonce }));
  await handOver({ url: server.url, code, access: { token: body.access_token, request } });
  await requestCredential(server, body.access_token, request);
});

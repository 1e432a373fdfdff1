import { expect } from 'chai';
import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock } from '../../../adapters/system/system.ts';
import { Dids } from '../../../domain/holdings/dids.ts';
import { Keys } from '../../../domain/holdings/keys.ts';
import { ownStores, WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import { localDids } from '../../support/keys/local-dids.ts';
import { localKeys } from '../../support/keys/local-keys.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';

describe('the DID that a wallet was created with', () => {
  it('signs when it is named, is preferred, or the wallet has no other; it is in no list', async () => {
    const store = new MemoryStore(systemClock);
    const stores = new WalletStores({ store, clock: systemClock });
    const { backends } = localKeys();
    const activity = silentActivity;
    const keys = new Keys({ store, stores, keys: backends, pems: nodePemKeys, configs: {}, activity });
    const defaultKey = { backend: 'jwk', keyType: 'Ed25519' } as const;
    const dids = new Dids({ store, stores, keys, ...localDids(store), defaultKey, activity });
    const staticKey = await backends.create('jwk', { keyType: 'secp256r1', turn: { source: 'test' } });
    const staticDid = { did: 'did:web:holder.example.org', kid: 'did:web:holder.example.org#key' };
    await stores.define('w', { stores: ownStores('w'), staticKey, staticDid });
    const signs = async (choice?: object, preferred: string[] = []): Promise<string> => {
      const { did, signer } = await dids.signingDid('w', choice, preferred);
      if (did === staticDid.did) expect(signer.publicJwk).to.deep.equal(staticKey.publicJwk);
      return did;
    };
    expect(await dids.list('w')).to.deep.equal([]);
    expect(await signs()).to.equal(staticDid.did);
    const created = await dids.create('w', { method: 'key' });
    expect(await signs()).to.equal(created);
    expect(await signs({ did: staticDid.did })).to.equal(staticDid.did);
    expect(await signs({}, [staticDid.did])).to.equal(staticDid.did);
  });
});

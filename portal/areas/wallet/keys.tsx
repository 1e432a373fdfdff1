import { Moment } from '../../parts/moment.tsx';
import { Summary } from '../../parts/summary.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { texts } from '../../texts/texts.ts';
import { WalletFrame } from './frame.tsx';
import { inWallet, readDids } from './session.ts';

const readKeys = () =>
  inWallet((wallet) => ask(api.GET('/wallet-api/wallet/{wallet}/keys', { params: { path: { wallet } } })));

/** What a call that succeeds returns. */
type Listed<Call extends () => Promise<Outcome<unknown>>> = Extract<Awaited<ReturnType<Call>>, { ok: true }>['data'];

/** What the wallet signs with, to look at. */
export const KeysPage = () => {
  const t = texts().wallet;
  const [dids, keys] = [useLoad(readDids), useLoad(readKeys)];
  return (
    <WalletFrame title={t.keys}>
      <p>{t.keysText}</p>
      <Loaded of={dids}>
        {(foundDids) => (
          <Loaded of={keys}>
            {(foundKeys) => (
              <>
                <h2>{t.didList}</h2>
                <Dids dids={foundDids} />
                <h2>{t.keyList}</h2>
                <Keys keys={foundKeys} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </WalletFrame>
  );
};

const Dids = ({ dids }: { dids: Listed<typeof readDids> }) => {
  const t = texts().wallet;
  return (
    <ul class="plain">
      {dids.map(({ did, keyId, createdOn, default: isDefault }) => (
        <li key={did} class="panel">
          <Summary
            rows={[
              [t.did, <code key="did">{did}</code>],
              [t.keyOf, <code key="key">{keyId}</code>],
              [t.addedOn, <Moment key="added" at={createdOn} />],
              ...(isDefault ? [[t.usedFirst, t.yes] as const] : []),
            ]}
          />
        </li>
      ))}
    </ul>
  );
};

const Keys = ({ keys }: { keys: Listed<typeof readKeys> }) => {
  const t = texts().wallet;
  return (
    <ul class="plain">
      {keys.map(({ keyId: { id }, algorithm, cryptoProvider }) => (
        <li key={id} class="panel">
          <Summary
            rows={[
              [t.id, <code key="id">{id}</code>],
              [t.keyType, <code key="type">{algorithm}</code>],
              [t.place, <code key="place">{cryptoProvider}</code>],
            ]}
          />
        </li>
      ))}
    </ul>
  );
};

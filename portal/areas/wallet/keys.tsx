import { Moment } from '../../parts/moment.tsx';
import { Summary } from '../../parts/summary.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { texts } from '../../texts/texts.ts';
import { WalletFrame } from './frame.tsx';
import { inWallet, readDids } from './session.ts';

const readKeys = () =>
  inWallet((wallet) => ask(api.GET('/wallet-api/wallet/{wallet}/keys', { params: { path: { wallet } } })));

/** What the wallet signs with, to look at. */
export const KeysPage = () => {
  const t = texts().wallet;
  return (
    <WalletFrame title={t.keys}>
      <p>{t.keysText}</p>
      <h2>{t.didList}</h2>
      <Dids />
      <h2>{t.keyList}</h2>
      <Keys />
    </WalletFrame>
  );
};

const Dids = () => {
  const t = texts().wallet;
  const loading = useLoad(readDids);
  return (
    <Loaded of={loading}>
      {(dids) => (
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
      )}
    </Loaded>
  );
};

const Keys = () => {
  const t = texts().wallet;
  const loading = useLoad(readKeys);
  return (
    <Loaded of={loading}>
      {(keys) => (
        <ul class="plain">
          {keys.map(({ keyId: { id }, algorithm, cryptoProvider }) => (
            <li key={id} class="panel">
              <Summary
                rows={[
                  [t.id, <code key="id">{id}</code>],
                  [t.keyType, algorithm],
                  [t.place, cryptoProvider],
                ]}
              />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
};

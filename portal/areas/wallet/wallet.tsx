import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { offerExample, open } from '../../shell/examples.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { to } from '../../shell/place.ts';
import { hasTour } from '../../shell/settings.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { CredentialCard, issuerOf, nameOf } from './card.tsx';
import { WalletFrame } from './frame.tsx';
import { inWallet } from './session.ts';

type Credential = Schemas['WalletCredential'];

/** How many cards are shown at once; more are shown when they are asked for. */
const SHOWN = 24;

/** The credentials of the wallet, the newest first. */
export const WalletPage = () => {
  const loading = useLoad(() =>
    inWallet((wallet) =>
      ask(
        api.GET('/wallet-api/wallet/{wallet}/credentials', {
          params: { path: { wallet }, query: { descending: true } },
        }),
      ),
    ),
  );
  return (
    <WalletFrame title={texts().wallet.title}>
      <Loaded of={loading}>
        {(credentials) => (credentials.length === 0 ? <Empty /> : <Cards credentials={credentials} />)}
      </Loaded>
    </WalletFrame>
  );
};

const Empty = () => {
  const t = texts().wallet;
  const offering = useAction(offerExample, open);
  return (
    <Notice kind="information">
      <p>{hasTour() ? t.empty : t.emptyAlone}</p>
      {offering.failure ? <FailureNotice failure={offering.failure} again={offering.run} /> : null}
      <div class="actions">
        {hasTour() ? <ActionButton action={offering} text={t.takeOne} /> : null}
        <a class="button" href={to('/wallet/add')}>
          {t.addOne}
        </a>
      </div>
    </Notice>
  );
};

const Cards = ({ credentials }: { credentials: readonly Credential[] }) => {
  const t = texts().wallet;
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(SHOWN);
  const wanted = text.trim().toLowerCase();
  const found = credentials.filter((one) => `${nameOf(one)} ${issuerOf(one)}`.toLowerCase().includes(wanted));
  return (
    <>
      {credentials.length > 1 ? <Field id="find" label={t.find} value={text} onValue={setText} isOptional /> : null}
      <p role="status" class="quiet">
        {found.length === 0 ? t.nothingFound(text) : t.found(found.length)}
      </p>
      {found.length === 0 ? (
        <button type="button" onClick={() => setText('')}>
          {t.clear}
        </button>
      ) : null}
      <ul class="cards">
        {found.slice(0, limit).map((credential) => (
          <li key={credential.id}>
            <CredentialCard credential={credential} />
          </li>
        ))}
      </ul>
      {found.length > limit ? (
        <button type="button" onClick={() => setLimit(limit + SHOWN)}>
          {t.more}
        </button>
      ) : null}
    </>
  );
};

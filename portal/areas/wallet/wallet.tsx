import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { offerExample, open } from '../../shell/examples.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { to } from '../../shell/place.ts';
import { hasTour } from '../../shell/settings.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { CredentialCard, issuerOf, nameOf } from './card.tsx';
import { WalletFrame } from './frame.tsx';
import { inWallet } from './session.ts';
import type { Asked } from './state.ts';

type Credential = Schemas['WalletCredential'];

/** How many cards are shown at once, and how many are read at once to search in them. */
const [SHOWN, SEARCHED] = [24, 200];

/** Some of the credentials of a wallet, the newest first, and whether there are more. */
interface Page {
  credentials: readonly Credential[];
  hasMore: boolean;
}

/** Reads the page that follows a credential: one more than it has says whether there is another page. */
async function readPage(wallet: string, size: number, last?: Credential): Promise<Outcome<Page>> {
  const query = { descending: true, limit: size + 1, after: last?.addedOn };
  const read = await ask(api.GET('/wallet-api/wallet/{wallet}/credentials', { params: { path: { wallet }, query } }));
  if (!read.ok) return read;
  return { ok: true, data: { credentials: read.data.slice(0, size), hasMore: read.data.length > size } };
}

/** The credentials of the wallet, the newest first. */
export const WalletPage = () => {
  const loading = useLoad(() => inWallet((wallet) => readPage(wallet, SHOWN)));
  return (
    <WalletFrame title={texts().wallet.title}>
      <Loaded of={loading}>{(page) => (page.credentials.length === 0 ? <Empty /> : <Cards {...page} />)}</Loaded>
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

const Cards = (first: Page) => {
  const t = texts().wallet;
  const [{ credentials, hasMore }, setPage] = useState(first);
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(SHOWN);
  const [asked] = useState<Asked>(() => new Map());
  const wanted = text.trim().toLowerCase();
  const found = credentials.filter((one) => `${nameOf(one)} ${issuerOf(one)}`.toLowerCase().includes(wanted));
  const last = credentials.at(-1);
  const reading = useAction(
    () => readPage(last?.wallet ?? '', wanted === '' ? SHOWN : SEARCHED, last),
    (next) => setPage({ ...next, credentials: [...credentials, ...next.credentials] }),
  );
  const isShort = hasMore && found.length < limit;
  // Goes on until the screen is full: a search may find little on a page.
  useEffect(() => {
    if (isShort && !reading.failure) reading.run();
  }, [isShort, credentials]);
  return (
    <>
      {credentials.length > 1 ? <Field id="find" label={t.find} value={text} onValue={setText} isOptional /> : null}
      <p role="status" class="quiet">
        {hasMore ? t.foundMore(found.length) : found.length === 0 ? t.nothingFound(text) : t.found(found.length)}
      </p>
      {found.length === 0 && !hasMore ? (
        <button type="button" onClick={() => setText('')}>
          {t.clear}
        </button>
      ) : null}
      <ul class="cards">
        {found.slice(0, limit).map((credential) => (
          <li key={credential.id}>
            <CredentialCard credential={credential} asked={asked} />
          </li>
        ))}
      </ul>
      {reading.failure ? <FailureNotice failure={reading.failure} again={reading.run} /> : null}
      {hasMore || found.length > limit ? (
        <button type="button" onClick={() => setLimit(limit + SHOWN)}>
          {t.more}
        </button>
      ) : null}
    </>
  );
};

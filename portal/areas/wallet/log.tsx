import type { Schemas } from '../../../client/client.ts';
import { shortName, shortType } from '../../parts/cards/claims.ts';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { place, to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { pageOf } from './card.tsx';
import { WalletFrame } from './frame.tsx';
import { inWallet } from './session.ts';

type Event = Schemas['WalletEvent'];

const SHOWN = 20;

/** What was received and shared, with whom and when, the newest first; a page is named by its address. */
export const LogPage = () => {
  const t = texts().wallet;
  const { after, credential } = place.value.query;
  const filter = ['event=Credential', ...(credential === undefined ? [] : [`credentialId=${credential}`])];
  const query = { filter, limit: SHOWN, sortOrder: 'desc', ...(after !== undefined && { startingAfter: after }) };
  const loading = useLoad(
    () =>
      inWallet((wallet) =>
        ask(api.GET('/wallet-api/wallet/{wallet}/eventlog', { params: { path: { wallet }, query } })),
      ),
    JSON.stringify(query),
  );
  return (
    <WalletFrame title={t.log}>
      <Loaded of={loading}>
        {({ items, nextStartingAfter }) => (
          <>
            {items.length === 0 ? <p>{after === undefined ? t.logEmpty : t.logNoMore}</p> : <Events events={items} />}
            <div class="actions">
              {after === undefined ? null : (
                <a class="button" href={to('/wallet/log', { credential })}>
                  {t.newest}
                </a>
              )}
              {nextStartingAfter === undefined ? null : (
                <a class="button" href={to('/wallet/log', { credential, after: nextStartingAfter })}>
                  {t.older}
                </a>
              )}
            </div>
          </>
        )}
      </Loaded>
    </WalletFrame>
  );
};

const Events = ({ events }: { events: readonly Event[] }) => {
  const t = texts().wallet;
  return (
    <Table caption={t.log} heads={[t.when, t.what, t.credential, t.withWhom]}>
      {events.map((event) => (
        <tr key={event.id}>
          <td>
            <Moment at={event.timestamp} />
          </td>
          <td>{t.actions[event.action] ?? event.action}</td>
          <td>
            <Subject event={event} />
          </td>
          <td translate={false}>{counterpart(event)}</td>
        </tr>
      ))}
    </Table>
  );
};

const Subject = ({ event: { credentialId, data } }: { event: Event }) => {
  const name = typeof data.credentialType === 'string' ? shortType(data.credentialType) : '';
  if (credentialId === undefined) return <span translate={false}>{name}</span>;
  return (
    <a href={pageOf({ id: credentialId })} translate={false}>
      {name}
    </a>
  );
};

/** The host of the issuer or the verifier; nothing for what the wallet did alone. */
function counterpart({ originator, data }: Event): string {
  if (typeof data.responseHost === 'string') return data.responseHost;
  if (originator === 'wallet') return '';
  return URL.canParse(originator) && new URL(originator).host !== '' ? new URL(originator).host : shortName(originator);
}

import { Notice } from '../../parts/notice.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { offerExample, open } from '../../shell/examples.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { go, to } from '../../shell/place.ts';
import { hasTour } from '../../shell/settings.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { CredentialCard } from './card.tsx';
import { inWallet } from './session.ts';

/** The credentials of the wallet. */
export const WalletPage = () => {
  const t = texts().wallet;
  const loading = useLoad(() =>
    inWallet((wallet) => ask(api.GET('/wallet-api/wallet/{wallet}/credentials', { params: { path: { wallet } } }))),
  );
  return (
    <Page title={t.title}>
      <Loaded of={loading}>
        {(credentials) => (
          <>
            {credentials.length === 0 ? <Empty /> : null}
            <ul class="cards">
              {credentials.map((credential) => (
                <li key={credential.id}>
                  <CredentialCard credential={credential} />
                </li>
              ))}
            </ul>
            <LogOut />
          </>
        )}
      </Loaded>
    </Page>
  );
};

const Empty = () => {
  const t = texts().wallet;
  const offering = useAction(offerExample, open);
  return (
    <Notice kind="information">
      <p>{t.empty}</p>
      {offering.failure ? <FailureNotice failure={offering.failure} again={offering.run} /> : null}
      {hasTour() ? <ActionButton action={offering} text={t.takeOne} /> : null}
    </Notice>
  );
};

const LogOut = () => {
  const ending = useAction(
    () => ask(api.POST('/wallet-api/auth/logout')),
    () => go(to('/wallet/login')),
  );
  return (
    <div class="actions">
      {ending.failure ? <FailureNotice failure={ending.failure} again={ending.run} /> : null}
      <ActionButton action={ending} text={texts().wallet.logOut} />
    </div>
  );
};

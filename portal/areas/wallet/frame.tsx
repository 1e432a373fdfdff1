import type { ComponentChildren } from 'preact';
import { Navigation } from '../../parts/navigation.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask, wasLoggedIn } from '../../shell/api.ts';
import { Page } from '../../shell/page.tsx';
import { go, place, to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';

const PLACES = { cards: '/wallet', add: '/wallet/add', log: '/wallet/log', keys: '/wallet/keys' } as const;

/** A page inside the wallet, with the way to the others and out of it. */
export const WalletFrame = ({ title, children }: { title: string; children: ComponentChildren }) => {
  const { menu, logOut } = texts().wallet;
  const ending = useAction(
    () => ask(api.POST('/wallet-api/auth/logout')),
    () => {
      wasLoggedIn.wallet.value = false;
      go(to('/wallet/login'));
    },
  );
  const ways = (['cards', 'add', 'log', 'keys'] as const).map((name) => ({
    href: to(PLACES[name]),
    text: menu[name],
    isHere: place.value.path === PLACES[name],
  }));
  return (
    <>
      <div class="within">
        <Navigation label={menu.label} ways={ways} />
        <ActionButton action={ending} text={logOut} />
      </div>
      {ending.failure ? <FailureNotice failure={ending.failure} again={ending.run} /> : null}
      <Page title={title}>{children}</Page>
    </>
  );
};

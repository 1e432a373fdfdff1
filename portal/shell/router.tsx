import type { ComponentChildren, VNode } from 'preact';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { go, place } from './place.ts';
import { NewVersion, NoPage } from './states.tsx';

/** A page of an area, whose script is loaded when the page is first opened. */
const page = <K extends string>(load: () => Promise<Record<K, () => VNode>>, name: K) =>
  lazy<() => VNode>(() =>
    load().then(
      (area) => area[name],
      () => NewVersion,
    ),
  );

const login = () => import('../areas/wallet/login.tsx');

const Start = page(() => import('../areas/start/start.tsx'), 'StartPage');
const IssueSession = page(() => import('../areas/issue/session.tsx'), 'IssueSessionPage');
const VerifySession = page(() => import('../areas/verify/session.tsx'), 'VerifySessionPage');
const Wallet = page(() => import('../areas/wallet/wallet.tsx'), 'WalletPage');
const Login = page(login, 'LoginPage');
const Register = page(login, 'RegisterPage');
const Receive = page(() => import('../areas/wallet/receive.tsx'), 'ReceivePage');
const Present = page(() => import('../areas/wallet/present.tsx'), 'PresentPage');

/** The page of the current place. */
export const Pages = () => (
  <FragmentLocation>
    <Router>
      <Route path="/" component={Start} />
      <Route path="/issue/session/:id" component={IssueSession} />
      <Route path="/verify/session/:id" component={VerifySession} />
      <Route path="/wallet" component={Wallet} />
      <Route path="/wallet/login" component={Login} />
      <Route path="/wallet/register" component={Register} />
      <Route path="/wallet/receive" component={Receive} />
      <Route path="/wallet/present" component={Present} />
      <Route default component={NoPage} />
    </Router>
  </FragmentLocation>
);

/** Gives preact-iso the fragment where it reads the path of the document. */
const FragmentLocation = ({ children }: { children: ComponentChildren }) => {
  const { url, path, query } = place.value;
  const value = {
    url,
    path,
    query,
    wasPush: true,
    route: (target: string, replace?: boolean) => go(`#${target}`, { replace }),
    back: () => history.back(),
    forward: () => history.forward(),
  };
  return <LocationProvider.ctx.Provider value={value}>{children}</LocationProvider.ctx.Provider>;
};

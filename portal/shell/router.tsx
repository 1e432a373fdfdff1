import type { ComponentChildren, VNode } from 'preact';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { need, type SectionName } from '../texts/texts.ts';
import { go, place } from './place.ts';
import { hasOffice, hasTour } from './settings.ts';
import { NewVersion, NoPage } from './states.tsx';

/** A page of an area, whose script and texts are loaded when the page is first opened. */
const page = <K extends string>(load: () => Promise<Record<K, () => VNode>>, name: K, sections: SectionName[]) =>
  lazy<() => VNode>(() =>
    Promise.all([load(), ...sections.map(need)]).then(
      ([area]) => area[name],
      () => NewVersion,
    ),
  );

/** The texts of the pages of types. */
const TYPES: SectionName[] = ['office', 'types', 'forms'];

/** The texts of the pages of saved checks. */
const CHECKS: SectionName[] = ['office', 'checks', 'queries', 'sessions', 'forms'];
/** The texts of the pages that offer the cards of the open issuer. */
const OPEN: SectionName[] = ['issuing', 'forms', 'queries'];

/** The texts of the pages that offer cards. */
const ISSUING: SectionName[] = ['office', ...OPEN];

/** The texts of the pages of what was issued. */
const ISSUED: SectionName[] = ['office', 'issued', 'queries'];

/** The texts of the pages of who administers a unit. */
const ADMIN: SectionName[] = ['office', 'admin'];

/** The texts of the pages of people. */
const PEOPLE: SectionName[] = ['office', 'people'];

const login = () => import('../areas/wallet/login.tsx');

const Start = page(() => import('../areas/start/start.tsx'), 'StartPage', []);
const IssueSession = page(() => import('../areas/issue/session.tsx'), 'IssueSessionPage', ['sessions']);
const profiles = () => import('../areas/issue/profiles.tsx');
const Profiles = page(profiles, 'ProfilesPage', OPEN);
const Profile = page(profiles, 'ProfilePage', OPEN);
const VerifySession = page(() => import('../areas/verify/session.tsx'), 'VerifySessionPage', ['sessions']);
const Builder = page(() => import('../areas/verify/builder.tsx'), 'BuilderPage', ['queries', 'sessions', 'forms']);
const Wallet = page(() => import('../areas/wallet/wallet.tsx'), 'WalletPage', ['wallet']);
const Login = page(login, 'LoginPage', ['wallet']);
const Register = page(login, 'RegisterPage', ['wallet']);
const OfficeLogin = page(() => import('../areas/account/login.tsx'), 'OfficeLoginPage', ['account']);
const tokens = () => import('../areas/account/tokens.tsx');
const FirstAccount = page(tokens, 'FirstAccountPage', ['account']);
const Invitation = page(tokens, 'InvitationPage', ['account']);
const NewPassword = page(tokens, 'NewPasswordPage', ['account']);
const Choose = page(() => import('../areas/office/choose.tsx'), 'ChoosePage', ['office', 'account']);
const Organization = page(() => import('../areas/office/organization.tsx'), 'OrganizationPage', ['office', 'account']);
const SetUp = page(() => import('../areas/office/set-up.tsx'), 'SetUpPage', ['office', 'account']);
const types = () => import('../areas/types/types.tsx');
const Types = page(types, 'TypesPage', TYPES);
const TypePage = page(types, 'TypePage', TYPES);
const NewType = page(() => import('../areas/types/editor.tsx'), 'NewTypePage', TYPES);
const checks = () => import('../areas/checks/checks.tsx');
const Checks = page(checks, 'ChecksPage', CHECKS);
const CheckPage = page(checks, 'CheckPage', CHECKS);
const checkEditor = () => import('../areas/checks/editor.tsx');
const NewCheck = page(checkEditor, 'NewCheckPage', CHECKS);
const ChangeCheck = page(checkEditor, 'ChangeCheckPage', CHECKS);
const Counter = page(() => import('../areas/checks/counter.tsx'), 'CounterPage', CHECKS);
const OfficeIssue = page(() => import('../areas/issue/one.tsx'), 'IssuePage', ISSUING);
const OfficeOffer = page(() => import('../areas/issue/office-session.tsx'), 'OfficeSessionPage', [
  ...ISSUING,
  'sessions',
]);
const issued = () => import('../areas/issued/issued.tsx');
const Issued = page(issued, 'IssuedPage', ISSUED);
const IssuedOne = page(() => import('../areas/issued/one.tsx'), 'IssuedOnePage', ISSUED);
const keys = () => import('../areas/keys/keys.tsx');
const OfficeKeys = page(keys, 'KeysPage', ADMIN);
const OfficeKey = page(keys, 'KeyPage', ADMIN);
const NewKey = page(() => import('../areas/keys/new-key.tsx'), 'NewKeyPage', ADMIN);
const People = page(() => import('../areas/people/people.tsx'), 'PeoplePage', PEOPLE);
const RolePage = page(() => import('../areas/people/role.tsx'), 'RolePage', PEOPLE);
const NewRole = page(() => import('../areas/people/role-form.tsx'), 'NewRolePage', PEOPLE);
const Invite = page(() => import('../areas/people/invite.tsx'), 'InvitePage', [...PEOPLE, 'sessions']);
const ApiKeys = page(() => import('../areas/people/api-keys.tsx'), 'ApiKeysPage', PEOPLE);
const audit = () => import('../areas/audit/audit.tsx');
const Audit = page(audit, 'AuditPage', ADMIN);
const InstallationAudit = page(audit, 'InstallationAuditPage', ADMIN);
const Health = page(() => import('../areas/health/health.tsx'), 'HealthPage', ADMIN);
const Trust = page(() => import('../areas/trust/trust.tsx'), 'TrustPage', ADMIN);
const Domains = page(() => import('../areas/domains/domains.tsx'), 'DomainsPage', ADMIN);
const Home = page(() => import('../areas/office/home.tsx'), 'HomePage', ['office', 'account']);
const Credential = page(() => import('../areas/wallet/credential.tsx'), 'CredentialPage', ['wallet']);
const Add = page(() => import('../areas/wallet/add.tsx'), 'AddPage', ['wallet']);
const Log = page(() => import('../areas/wallet/log.tsx'), 'LogPage', ['wallet']);
const Keys = page(() => import('../areas/wallet/keys.tsx'), 'KeysPage', ['wallet']);
const Receive = page(() => import('../areas/wallet/receive.tsx'), 'ReceivePage', ['wallet']);
const Present = page(() => import('../areas/wallet/present.tsx'), 'PresentPage', ['wallet']);

/** The page at each path. */
const PAGES: Record<string, () => VNode> = {
  '/issue': Profiles,
  '/issue/:profile': Profile,
  '/issue/session/:id': IssueSession,
  '/verify': Builder,
  '/verify/session/:id': VerifySession,
  '/wallet': Wallet,
  '/wallet/login': Login,
  '/wallet/register': Register,
  '/wallet/credentials/:id': Credential,
  '/wallet/add': Add,
  '/wallet/log': Log,
  '/wallet/keys': Keys,
  '/wallet/receive': Receive,
  '/wallet/present': Present,
  '/office': Choose,
  '/account/login': OfficeLogin,
  '/account/first': FirstAccount,
  '/account/invitation': Invitation,
  '/account/password': NewPassword,
  '/account/new-organization': Organization,
  '/office/:target': Home,
  '/office/:target/set-up': SetUp,
  '/office/:target/types': Types,
  '/office/:target/types/:id': TypePage,
  '/office/:target/new-type': NewType,
  '/office/:target/issue': OfficeIssue,
  '/office/:target/issue/:id': OfficeOffer,
  '/office/:target/issued': Issued,
  '/office/:target/issued/:id': IssuedOne,
  '/office/:target/checks': Checks,
  '/office/:target/checks/:id': CheckPage,
  '/office/:target/checks/:id/change': ChangeCheck,
  '/office/:target/new-check': NewCheck,
  '/office/:target/counter/:check': Counter,
  '/office/:target/keys': OfficeKeys,
  '/office/:target/keys/:id': OfficeKey,
  '/office/:target/new-key': NewKey,
  '/office/:target/people': People,
  '/office/:target/people/:id': RolePage,
  '/office/:target/new-role': NewRole,
  '/office/:target/invite': Invite,
  '/office/:target/api-keys': ApiKeys,
  '/office/:target/trust': Trust,
  '/office/:target/domains': Domains,
  '/office/:target/audit': Audit,
  '/account/audit': InstallationAudit,
  '/account/health': Health,
};

/** The page of the current place. */
export const Pages = () => (
  <FragmentLocation>
    <Router>
      <Route path="/" component={hasOffice() && !hasTour() ? Choose : Start} />
      {Object.entries(PAGES).map(([path, component]) => (
        <Route key={path} path={path} component={component} />
      ))}
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

import type { ComponentChildren, VNode } from 'preact';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { pages as start } from '../areas/start/pages.ts';
import { need, type SectionName } from '../texts/texts.ts';
import { go, place } from './place.ts';
import { hasOffice, hasTour } from './settings.ts';
import { NewVersion, NoPage } from './states.tsx';

/** A page of an area, whose script and texts are loaded when the page is first opened. */
const page = <K extends string>(
  load: () => Promise<{ pages: Record<K, () => VNode> }>,
  name: K,
  sections: SectionName[],
) =>
  lazy<() => VNode>(() =>
    Promise.all([load(), ...sections.map(need)]).then(
      ([{ pages }]) => pages[name],
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

/** The texts of the pages of status lists. */
const STATUS: SectionName[] = ['office', 'status'];

/** The texts of the pages of who administers a unit. */
const ADMIN: SectionName[] = ['office', 'admin'];

/** The texts of the pages of people. */
const PEOPLE: SectionName[] = ['office', 'people'];

/** The areas; each is loaded as a whole, but the start comes with the first script. */
const manyArea = () => import('../areas/issue/pages-many.ts');
const issueArea = () => import('../areas/issue/pages.ts');
const verifyArea = () => import('../areas/verify/pages.ts');
const walletArea = () => import('../areas/wallet/pages.ts');
const accountArea = () => import('../areas/account/pages.ts');
const officeArea = () => import('../areas/office/pages.ts');
const typesArea = () => import('../areas/types/pages.ts');
const checksArea = () => import('../areas/checks/pages.ts');
const issuedArea = () => import('../areas/issued/pages.ts');
const statusArea = () => import('../areas/status/pages.ts');
const keysArea = () => import('../areas/keys/pages.ts');
const peopleArea = () => import('../areas/people/pages.ts');
const auditArea = () => import('../areas/audit/pages.ts');
const healthArea = () => import('../areas/health/pages.ts');
const trustArea = () => import('../areas/trust/pages.ts');
const domainsArea = () => import('../areas/domains/pages.ts');

const IssueSession = page(issueArea, 'IssueSessionPage', ['sessions']);
const Profiles = page(issueArea, 'ProfilesPage', OPEN);
const Profile = page(issueArea, 'ProfilePage', OPEN);
const VerifySession = page(verifyArea, 'VerifySessionPage', ['sessions']);
const Builder = page(verifyArea, 'BuilderPage', ['queries', 'sessions', 'forms']);
const Wallet = page(walletArea, 'WalletPage', ['wallet']);
const Login = page(walletArea, 'LoginPage', ['wallet']);
const Register = page(walletArea, 'RegisterPage', ['wallet']);
const OfficeLogin = page(accountArea, 'OfficeLoginPage', ['account']);
const FirstAccount = page(accountArea, 'FirstAccountPage', ['account']);
const Invitation = page(accountArea, 'InvitationPage', ['account']);
const NewPassword = page(accountArea, 'NewPasswordPage', ['account']);
const Choose = page(officeArea, 'ChoosePage', ['office', 'account']);
const Organization = page(officeArea, 'OrganizationPage', ['office', 'account']);
const Contents = page(officeArea, 'ContentsPage', ['office']);
const SetUp = page(officeArea, 'SetUpPage', ['office', 'account']);
const Types = page(typesArea, 'TypesPage', TYPES);
const TypePage = page(typesArea, 'TypePage', TYPES);
const ChangeType = page(typesArea, 'ChangeTypePage', TYPES);
const NewType = page(typesArea, 'NewTypePage', TYPES);
const Checks = page(checksArea, 'ChecksPage', CHECKS);
const CheckPage = page(checksArea, 'CheckPage', CHECKS);
const NewCheck = page(checksArea, 'NewCheckPage', CHECKS);
const ChangeCheck = page(checksArea, 'ChangeCheckPage', CHECKS);
const Counter = page(checksArea, 'CounterPage', CHECKS);
const OfficeIssue = page(issueArea, 'IssuePage', ISSUING);
const IssueMany = page(manyArea, 'ManyPage', ISSUING);
const OfficeOffer = page(issueArea, 'OfficeSessionPage', [...ISSUING, 'sessions']);
const Issued = page(issuedArea, 'IssuedPage', ISSUED);
const IssuedOne = page(issuedArea, 'IssuedOnePage', ISSUED);
const Status = page(statusArea, 'StatusPage', STATUS);
const StatusList = page(statusArea, 'StatusListPage', STATUS);
const StatusEntry = page(statusArea, 'StatusEntryPage', STATUS);
const OpenStatus = page(statusArea, 'OpenStatusPage', STATUS);
const OpenStatusList = page(statusArea, 'OpenStatusListPage', STATUS);
const OpenStatusEntry = page(statusArea, 'OpenStatusEntryPage', STATUS);
const OfficeKeys = page(keysArea, 'KeysPage', ADMIN);
const OfficeKey = page(keysArea, 'KeyPage', ADMIN);
const NewKey = page(keysArea, 'NewKeyPage', ADMIN);
const People = page(peopleArea, 'PeoplePage', PEOPLE);
const RolePage = page(peopleArea, 'RolePage', PEOPLE);
const NewRole = page(peopleArea, 'NewRolePage', PEOPLE);
const Invite = page(peopleArea, 'InvitePage', [...PEOPLE, 'sessions']);
const ApiKeys = page(peopleArea, 'ApiKeysPage', PEOPLE);
const Audit = page(auditArea, 'AuditPage', ADMIN);
const InstallationAudit = page(auditArea, 'InstallationAuditPage', ADMIN);
const Health = page(healthArea, 'HealthPage', ADMIN);
const Trust = page(trustArea, 'TrustPage', ADMIN);
const Domains = page(domainsArea, 'DomainsPage', ADMIN);
const Home = page(officeArea, 'HomePage', ['office', 'account']);
const Credential = page(walletArea, 'CredentialPage', ['wallet']);
const Add = page(walletArea, 'AddPage', ['wallet']);
const Log = page(walletArea, 'LogPage', ['wallet']);
const Keys = page(walletArea, 'KeysPage', ['wallet']);
const Receive = page(walletArea, 'ReceivePage', ['wallet']);
const Present = page(walletArea, 'PresentPage', ['wallet']);

/** The page at each path. */
const PAGES: Record<string, () => VNode> = {
  '/issue': Profiles,
  '/issue/:profile': Profile,
  '/issue/session/:id': IssueSession,
  '/verify': Builder,
  '/verify/session/:id': VerifySession,
  '/status': OpenStatus,
  '/status/:list': OpenStatusList,
  '/status/:list/:index': OpenStatusEntry,
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
  '/office/:target/contents': Contents,
  '/office/:target/types': Types,
  '/office/:target/types/:id': TypePage,
  '/office/:target/types/:id/change': ChangeType,
  '/office/:target/new-type': NewType,
  '/office/:target/issue': OfficeIssue,
  '/office/:target/issue/:id': OfficeOffer,
  '/office/:target/issue-many': IssueMany,
  '/office/:target/issued': Issued,
  '/office/:target/issued/:id': IssuedOne,
  '/office/:target/status': Status,
  '/office/:target/status/:list': StatusList,
  '/office/:target/status/:list/:index': StatusEntry,
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
      <Route path="/" component={hasOffice() && !hasTour() ? Choose : start.StartPage} />
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

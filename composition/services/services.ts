import type { ContainerModuleLoadOptions } from 'inversify';
import type { ServiceName, Settings } from '../../adapters/config/settings.ts';
import type { Admission } from '../../adapters/http/edge/admission.ts';
import type { CallRecorder } from '../../adapters/http/edge/audit-steps.ts';
import type { LoginRealms } from '../../adapters/http/edge/authentication.ts';
import type { TenantHosts } from '../../adapters/http/edge/tenant-hosts.ts';
import { type AccountServices, accountHandlers } from '../../adapters/http/handlers/accounts.ts';
import { credentialTypeHandlers } from '../../adapters/http/handlers/credential-types.ts';
import { authorizationHandlers } from '../../adapters/http/handlers/draft-authorization.ts';
import { draft11Handlers } from '../../adapters/http/handlers/draft11.ts';
import { issuerHandlers } from '../../adapters/http/handlers/issuer.ts';
import { issuer2Handlers } from '../../adapters/http/handlers/issuer2.ts';
import { openid4vciHandlers } from '../../adapters/http/handlers/openid4vci.ts';
import { signInHandlers } from '../../adapters/http/handlers/sign-in.ts';
import { type StatusServices, statusHandlers } from '../../adapters/http/handlers/status.ts';
import { statusAdministrationHandlers } from '../../adapters/http/handlers/status-administration.ts';
import { statusListHandlers } from '../../adapters/http/handlers/status-lists.ts';
import { systemHandlers } from '../../adapters/http/handlers/system.ts';
import { administrationHandlers } from '../../adapters/http/handlers/tenancy/administration.ts';
import { auditHandlers } from '../../adapters/http/handlers/tenancy/audit.ts';
import { enterpriseHandlers } from '../../adapters/http/handlers/tenancy/enterprise.ts';
import { tenantAttesterHandlers } from '../../adapters/http/handlers/tenancy/tenant-attester.ts';
import { tenantCertificateHandlers } from '../../adapters/http/handlers/tenancy/tenant-certificates.ts';
import { tenantDidHandlers } from '../../adapters/http/handlers/tenancy/tenant-did.ts';
import { tenantIssuerHandlers } from '../../adapters/http/handlers/tenancy/tenant-issuer.ts';
import { tenantSignInHandlers } from '../../adapters/http/handlers/tenancy/tenant-sign-in.ts';
import { tenantStatusHandlers } from '../../adapters/http/handlers/tenancy/tenant-status.ts';
import { tenantStoreHandlers } from '../../adapters/http/handlers/tenancy/tenant-stores.ts';
import { tenantVerifierHandlers } from '../../adapters/http/handlers/tenancy/tenant-verifier.ts';
import { tenantWalletHandlers } from '../../adapters/http/handlers/tenancy/tenant-wallet.ts';
import { transactionDataHandlers } from '../../adapters/http/handlers/transaction-data.ts';
import { verifierHandlers } from '../../adapters/http/handlers/verifier.ts';
import { verifier2Handlers } from '../../adapters/http/handlers/verifier2.ts';
import { vicalHandlers } from '../../adapters/http/handlers/vical.ts';
import type { WalletServices } from '../../adapters/http/handlers/wallet/services.ts';
import { walletHandlers } from '../../adapters/http/handlers/wallet/wallet.ts';
import { wallet2Handlers } from '../../adapters/http/handlers/wallet2/wallet2.ts';
import type { Connections } from '../../adapters/http/messages/connections.ts';
import type { Contract } from '../../adapters/http/messages/document.ts';
import { type AnyHandler, given } from '../../adapters/http/messages/operations.ts';
import { type Platform, PlatformT } from '../platform/platform.ts';
import { provide, type Token, token } from '../platform/wire.ts';
import { PACKAGE_ROOT } from '../root.ts';
import { accountServices } from './accounts.ts';
import { type IssuerArea, issuerServices } from './issuer.ts';
import { portalServices } from './portal.ts';
import { type SignInArea, signInServices } from './sign-in.ts';
import { statusServices } from './status.ts';
import { type Tenancy, tenancyServices } from './tenancy.ts';
import { type VerifierArea, verifierServices } from './verifier.ts';
import { walletServices, walletSetup } from './wallet.ts';
import { type Wallet2Area, wallet2Services } from './wallet2.ts';

const AccountsT = token<AccountServices>('accounts');
const WalletT = token<WalletServices>('wallet');
const Wallet2T = token<Wallet2Area>('wallet2');
const VerifierT = token<VerifierArea>('verifier');
const IssuerT = token<IssuerArea>('issuer');
const StatusT = token<StatusServices>('status');
const TenancyT = token<Tenancy>('tenancy');
const SignInT = token<SignInArea>('sign-in');

/** Returns what is bound to a token. */
export type Resolve = <T>(token: Token<T>) => T;

/** Handlers as the router takes them. */
export type HandlerTable = Record<string, AnyHandler>;

/** One service: its documents, what it binds, and its handlers. */
export interface Service {
  documents: string[];
  wiring: (options: ContainerModuleLoadOptions) => void;
  handlers: (resolve: Resolve) => HandlerTable;
  /** Reads what it follows of other settings; returns what takes it over. @throws Error naming the field that is wrong */
  follow?: (resolve: Resolve, next: Settings) => () => void;
}

/** Joins handlers, whose types were checked against their documents, into one table of one type. */
const table = (...handlers: object[]): HandlerTable => Object.assign({}, ...handlers) as HandlerTable;

/** The status lists that are signed here, of the open issuer and of those of tenants. */
const publishedLists = ({ issuedLists, settings: { status } }: Platform) =>
  statusListHandlers({ publication: issuedLists.publication, ttlSeconds: status.issuedLists.ttlSeconds });

/** The kinds of transaction data of those services that run. */
const transactionData = ({ settings: { services, verifier, wallet } }: Platform) =>
  transactionDataHandlers([
    ...(services.services.includes('verifier') ? verifier.transactionDataProfiles : []),
    ...(services.services.includes('wallet2') ? wallet.transactionDataProfiles : []),
  ]);

/** The services by the names of `services.conf`; another one is another row. */
export const SERVICES: Record<ServiceName, Service> = {
  wallet: {
    documents: ['accounts', 'wallet-keys', 'wallet-credentials', 'wallet-exchange', 'wallet-activity'],
    wiring: (o) => {
      provide(o, AccountsT, (platform) => accountServices(platform, walletSetup(platform)), PlatformT);
      provide(o, WalletT, walletServices, PlatformT);
    },
    handlers: (resolve) => table(accountHandlers(resolve(AccountsT)), walletHandlers(resolve(WalletT))),
  },
  wallet2: {
    documents: ['wallet2', 'wallet2-exchange', 'transaction-data'],
    wiring: (o) => provide(o, Wallet2T, wallet2Services, PlatformT, AccountsT, WalletT),
    handlers: (resolve) => table(wallet2Handlers(resolve(Wallet2T)), transactionData(resolve(PlatformT))),
  },
  issuer: {
    documents: [
      'issuer',
      'draft-authorization',
      'draft11',
      'openid4vci',
      'issuer2',
      'status-lists',
      'status-administration',
      'credential-types',
    ],
    wiring: (o) => provide(o, IssuerT, issuerServices, PlatformT),
    handlers: (resolve) => {
      const { issuedLists, settings } = resolve(PlatformT);
      const { pagination: pages, publicUrl } = settings;
      const services = resolve(IssuerT);
      const { issuers } = services;
      const own = {
        get issuer() {
          return issuers.v1;
        },
      };
      const lists = {
        ...publishedLists(resolve(PlatformT)),
        ...statusAdministrationHandlers({ ...services, ...issuedLists, issuer: issuers.v1, pages, publicUrl }),
      };
      const types = given(credentialTypeHandlers(), { issuers: [issuers.draft11, issuers.draft13, issuers.v1] });
      return table(
        issuerHandlers(services),
        authorizationHandlers(services),
        draft11Handlers(services),
        given(openid4vciHandlers(services), own),
        given(issuer2Handlers(services), own),
        lists,
        types,
      );
    },
    follow: (resolve, next) => resolve(IssuerT).issuers.follow(next),
  },
  verifier: {
    documents: ['verifier', 'verifier2', 'vical', 'transaction-data'],
    wiring: (o) => provide(o, VerifierT, verifierServices, PlatformT),
    handlers: (resolve) => {
      const area = resolve(VerifierT);
      const vicals = vicalHandlers(area.vicalCheck);
      const transactions = transactionData(resolve(PlatformT));
      return table(
        verifierHandlers(area),
        given(verifier2Handlers(area), { verifier: area.verifier }),
        vicals,
        transactions,
      );
    },
  },
  status: {
    documents: ['status'],
    wiring: (o) => provide(o, StatusT, statusServices, PlatformT),
    handlers: (resolve) => table(statusHandlers(resolve(StatusT))),
  },
  enterprise: {
    documents: [
      'enterprise',
      'tenant-stores',
      'tenant-issuer',
      'tenant-verifier',
      'tenant-status',
      'tenant-certificates',
      'tenant-attester',
      'tenant-did',
      'tenant-wallet',
      'tenant-sign-in',
      'administration',
      'audit',
      'status-lists',
    ],
    wiring: (o) =>
      provide(
        o,
        TenancyT,
        (platform, issuance, verification, signIn) => tenancyServices(platform, { issuance, verification, signIn }),
        PlatformT,
        IssuerT,
        VerifierT,
        SignInT,
      ),
    handlers: (resolve) => {
      const tenancy = resolve(TenancyT);
      return table(
        enterpriseHandlers(tenancy),
        tenantStoreHandlers(tenancy),
        tenantVerifierHandlers(tenancy),
        tenantStatusHandlers(tenancy),
        tenantCertificateHandlers(tenancy),
        tenantAttesterHandlers(tenancy),
        tenantDidHandlers(tenancy),
        tenantWalletHandlers(tenancy),
        tenantSignInHandlers(tenancy),
        administrationHandlers(tenancy),
        tenantIssuerHandlers(tenancy),
        publishedLists(resolve(PlatformT)),
        auditHandlers(tenancy.audit),
      );
    },
  },
  signin: {
    documents: ['sign-in'],
    wiring: (o) => provide(o, SignInT, signInServices, PlatformT, VerifierT),
    handlers: (resolve) => {
      const area = resolve(SignInT);
      return table(given(signInHandlers(area), { server: area.server }));
    },
  },
  portal: {
    documents: ['portal'],
    wiring: () => undefined,
    handlers: (resolve) => table(portalServices(resolve(PlatformT))),
  },
};

/** The documents that a process with these services serves. */
export const servedDocuments = (services: readonly ServiceName[]): string[] => [
  ...services.flatMap((name) => SERVICES[name].documents),
  ...SYSTEM.documents,
];

/** The pages that the tags of the document link. */
const PAGES = new URL('docs/', PACKAGE_ROOT);

/** Whether users of wallets have accounts: both APIs of the wallet have the same. */
const hasAccounts = (services: readonly ServiceName[]): boolean =>
  services.includes('wallet') || services.includes('wallet2');

/** What every process serves, with any choice of services. */
export const SYSTEM = {
  documents: ['system'],
  handlers: (resolve: Resolve, contract: Contract, connections: Connections): HandlerTable => {
    const { readiness: store, metrics } = resolve(PlatformT);
    const isStopping = () => connections.isStopping;
    return table(systemHandlers({ store, isStopping, expose: () => metrics.expose(), contract, pages: PAGES }));
  },
  follow: (resolve: Resolve, next: Settings): (() => void) => resolve(PlatformT).followTrustedIssuers(next),
  /** The logins of the wallet and of the enterprise services are separate; a service that does not run has none. */
  sessions: (resolve: Resolve, services: ServiceName[]): LoginRealms => {
    const realms = {
      wallet: hasAccounts(services) ? resolve(AccountsT).sessions : undefined,
      enterprise: services.includes('enterprise') ? resolve(TenancyT).logins : undefined,
    };
    return { authenticate: async (token, realm) => realms[realm]?.authenticate(token) };
  },
  /** Who may call what: the wallets of accounts, and the permissions of tenants. */
  admission: (resolve: Resolve, services: ServiceName[]): Admission => ({
    wallets: hasAccounts(services) ? resolve(AccountsT).accounts : undefined,
    operatorWallets: services.includes('wallet2') ? resolve(Wallet2T).operatorWallets : undefined,
    access: services.includes('enterprise') ? resolve(TenancyT).access : undefined,
  }),
  /** What records calls; only those of the enterprise services are. */
  recorder: (resolve: Resolve, services: ServiceName[]): CallRecorder | undefined =>
    services.includes('enterprise') ? resolve(TenancyT).recorder : undefined,
  /** The domains of tenants; none where the enterprise services do not run. */
  hosts: (resolve: Resolve, services: ServiceName[]): TenantHosts | undefined =>
    services.includes('enterprise') ? resolve(TenancyT).hostAliases : undefined,
};

import type { ContainerModuleLoadOptions } from 'inversify';
import type { ServiceName } from '../adapters/config/settings.ts';
import { Readiness } from '../adapters/decorators/resilience/readiness.ts';
import { accountHandlers } from '../adapters/http/accounts.ts';
import type { LoginRealms } from '../adapters/http/authentication.ts';
import type { Connections } from '../adapters/http/connections.ts';
import type { Contract } from '../adapters/http/document.ts';
import { enterpriseHandlers } from '../adapters/http/enterprise.ts';
import { issuerHandlers } from '../adapters/http/issuer.ts';
import type { AnyHandler } from '../adapters/http/operations.ts';
import { statusHandlers } from '../adapters/http/status.ts';
import { systemHandlers } from '../adapters/http/system.ts';
import { verifierHandlers } from '../adapters/http/verifier.ts';
import { walletHandlers } from '../adapters/http/wallet.ts';
import { AccountServicesT, accountsModule, LoginSessionsT } from './accounts.ts';
import { EnterpriseServicesT, EnterpriseSessionsT, enterpriseModule } from './enterprise.ts';
import { PrometheusT } from './foundation.ts';
import { IssuerServicesT, issuerModule } from './issuer.ts';
import { RevocationCheckT, statusModule } from './status.ts';
import { ClockT, LogT, StoreT } from './tokens.ts';
import { VerificationSessionsT, verifierModule } from './verifier.ts';
import { WalletServicesT, walletModule } from './wallet.ts';
import type { Token } from './wire.ts';

/** Gets a thing out of the container. */
export type Resolve = <T>(token: Token<T>) => T;

/** Handlers as the router takes them. */
export type HandlerTable = Record<string, AnyHandler>;

/** One service: its documents, its wiring and its handlers. */
export interface Service {
  documents: string[];
  modules: ((options: ContainerModuleLoadOptions) => void)[];
  handlers: (resolve: Resolve) => HandlerTable;
}

/** The types of a service's handlers are checked against its document; the router needs them alike. */
const table = (...handlers: object[]): HandlerTable => Object.assign({}, ...handlers) as HandlerTable;

/** The services by the names of `services.conf`. One row is all it takes to know another. */
export const SERVICES: Record<ServiceName, Service> = {
  wallet: {
    documents: ['accounts', 'wallet'],
    modules: [accountsModule, walletModule],
    handlers: (resolve) => table(accountHandlers(resolve(AccountServicesT)), walletHandlers(resolve(WalletServicesT))),
  },
  issuer: {
    documents: ['issuer'],
    modules: [issuerModule],
    handlers: (resolve) => table(issuerHandlers(resolve(IssuerServicesT))),
  },
  verifier: {
    documents: ['verifier'],
    modules: [verifierModule],
    handlers: (resolve) => table(verifierHandlers(resolve(VerificationSessionsT))),
  },
  status: {
    documents: ['status'],
    modules: [statusModule],
    handlers: (resolve) => table(statusHandlers(resolve(RevocationCheckT))),
  },
  enterprise: {
    documents: ['enterprise'],
    modules: [enterpriseModule],
    handlers: (resolve) => table(enterpriseHandlers(resolve(EnterpriseServicesT))),
  },
};

/** What every process serves, whichever services it runs. */
export const SYSTEM = {
  documents: ['system'],
  handlers: (resolve: Resolve, { published }: Contract, connections: Connections): HandlerTable => {
    const metrics = resolve(PrometheusT);
    const store = new Readiness({ store: resolve(StoreT), clock: resolve(ClockT), log: resolve(LogT) });
    const isStopping = () => connections.isStopping;
    return table(systemHandlers({ store, isStopping, expose: () => metrics.expose(), published }));
  },
  /** The wallet and the enterprise services have logins, each its own; without them nobody is logged in. */
  sessions: (resolve: Resolve, services: ServiceName[]): LoginRealms => {
    const realms = {
      wallet: services.includes('wallet') ? resolve(LoginSessionsT) : undefined,
      enterprise: services.includes('enterprise') ? resolve(EnterpriseSessionsT) : undefined,
    };
    return { authenticate: async (token, realm) => realms[realm]?.authenticate(token) };
  },
};

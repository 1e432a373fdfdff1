import type { ContainerModuleLoadOptions } from 'inversify';
import type { ServiceName, Settings } from '../adapters/config/settings.ts';
import type { LoginSessions } from '../adapters/http/authentication.ts';
import type { Contract } from '../adapters/http/document.ts';
import type { AnyHandler } from '../adapters/http/operations.ts';
import { systemHandlers } from '../adapters/http/system.ts';
import { PrometheusT } from './foundation.ts';
import { StoreT } from './tokens.ts';
import type { Token } from './wire.ts';

/** Gets a thing out of the container. */
export type Resolve = <T>(token: Token<T>) => T;

/** Handlers as the router takes them. */
export type HandlerTable = Record<string, AnyHandler>;

/** One service: its documents, its wiring and its handlers. */
export interface Area {
  documents: string[];
  module: (options: ContainerModuleLoadOptions) => void;
  handlers: (resolve: Resolve) => HandlerTable;
}

/** The types of a service's handlers are checked against its document; the router needs them alike. */
const table = (handlers: object): HandlerTable => handlers as HandlerTable;

/** The services by the names of `services.conf`. One row is all it takes to know another. */
export const AREAS: Record<ServiceName, Area> = {};

/** What every process serves, whichever services it runs. */
export const SYSTEM = {
  documents: ['system'],
  handlers: (resolve: Resolve, { published }: Contract): HandlerTable => {
    const metrics = resolve(PrometheusT);
    return table(systemHandlers({ store: resolve(StoreT), expose: () => metrics.expose(), published }));
  },
  sessions: (resolve: Resolve, settings: Settings): LoginSessions => ({ recognise: async () => undefined }),
};

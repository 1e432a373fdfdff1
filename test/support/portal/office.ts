import type { Grant } from '../../../domain/tenancy/access/permissions.ts';
import { type EnterpriseFixture, PASSWORD, startEnterprise } from '../../actors/tenant.ts';
import type { ServerOptions, TestServer } from '../servers/server.ts';
import type { PortalPage } from './browser.ts';
import { Visitor, type Walker } from './walk.ts';

/** A server with the organization `acme` and its tenant `acme.t1`, for the tests of the enclosing `describe`. */
export interface OfficeWorld extends EnterpriseFixture {
  url: string;
  /** An account with these permissions; returns its address. */
  clerk(permissions: Grant[]): Promise<string>;
}

export function useOffice(
  given: ServerOptions['settings'] | (() => Promise<ServerOptions['settings']>) = {},
  options: Pick<ServerOptions, 'wrapStore'> = {},
): OfficeWorld {
  const world = {} as OfficeWorld;
  before(async () => {
    const settings = typeof given === 'function' ? await given() : given;
    Object.assign(world, await startEnterprise(settings, options));
    world.url = settings?.publicUrl ?? world.server.url;
    world.clerk = async (permissions) => addressOf(world.server, (await world.member(permissions)).token);
  });
  after(() => world.close?.());
  return world;
}

const addressOf = async (server: TestServer, token: string): Promise<string> =>
  (await server.call('getOwnAccount', { token })).body.profile.email;

/** Types a login into the page that asks for one. */
export async function enter(visitor: Walker, email: string, password = PASSWORD): Promise<void> {
  await visitor.type('E-mail address', email);
  await visitor.type('Password', password);
  await visitor.click('Log in');
}

/** A visitor who opened a page of the office without a login, and logs in. */
export async function atWork(page: PortalPage, email: string, sees?: Visitor['sees']): Promise<Visitor> {
  const visitor = new Visitor(page, sees);
  await visitor.reads('Log in to the office');
  forgetRefusals(page);
  await enter(visitor, email);
  return visitor;
}

/** The browser's own lines for answers that lead to the login. */
export const forgetRefusals = (page: PortalPage): void => void page.forgive(/ 401 /);

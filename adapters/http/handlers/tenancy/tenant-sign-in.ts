import type { SignInBridges } from '../../../../domain/tenancy/services/sign-in-bridges.ts';
import { type SignInServices, signInHandlers } from '../sign-in.ts';
import { mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-sign-in` need. */
export interface TenantSignInServices {
  /** The services of the provider of this server, which serve any provider. */
  signIn: SignInServices;
  bridges: SignInBridges;
}

/** The OpenID Providers of tenants. */
export const tenantSignInHandlers = ({ signIn, bridges }: TenantSignInServices) =>
  mountedHandlers(signInHandlers(signIn), async ({ path: { target } }) => ({ server: await bridges.at(target) }));

import { isLoopback } from '../../adapters/config/management.ts';
import { portalHandlers } from '../../adapters/http/handlers/portal.ts';
import type { Platform } from '../platform/platform.ts';
import { PACKAGE_ROOT, VERSION } from '../root.ts';

/** What the build wrote of the portal. */
const FILES = new URL('dist/portal/', PACKAGE_ROOT);

/** The handlers of the portal, which calls the other services over their operations. */
export function portalServices({ settings }: Platform): ReturnType<typeof portalHandlers> {
  const { publicUrl, admin, services, features, portal } = settings;
  return portalHandlers({
    files: FILES,
    settings: {
      version: VERSION,
      publicUrl,
      isLoopback: isLoopback(new URL(publicUrl).hostname),
      services: services.services,
      features: features.enabled,
      // Pages that call operations of management do not find them at another port.
      management: admin ? 'token' : (services.management ?? 'open'),
      ...portal,
    },
  });
}

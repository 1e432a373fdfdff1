import { isIPv4 } from 'node:net';
import type { ConfigurationProblem } from './errors.ts';
import type { Settings } from './settings.ts';

type ManagementSettings = Pick<Settings, 'host' | 'publicUrl' | 'admin' | 'services'>;

/** What a token may be, as the schema of services.conf says of managementToken. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{32,1024}$/;

/** Whether other machines reach the operations of management, by the address that these listen on or by the public URL. */
export const isReachable = ({ host, publicUrl, admin }: Omit<ManagementSettings, 'services'>): boolean =>
  admin ? !isLoopback(admin.host) : !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname);

/**
 * What services.conf says with the token of the environment, which stands in place of both of its members, and the problems of the
 * environment with those of that.
 */
export function withAdminToken(
  services: Settings['services'],
  { adminToken, problems: others }: { adminToken?: string; problems: readonly ConfigurationProblem[] },
): { services: Settings['services']; problems: ConfigurationProblem[] } {
  if (adminToken === undefined) return { services, problems: [...others] };
  const problem = (message: string) => ({ file: 'environment', field: 'ADMIN_TOKEN', message });
  const problems = [
    ...others,
    ...(TOKEN.test(adminToken) ? [] : [problem('must be 32 to 1024 letters, digits and ._~+/=-')]),
    ...(services.managementToken === undefined
      ? []
      : [problem('must not be set beside managementToken of services.conf')]),
    ...(services.management === 'open' ? [problem('must not be set with management = open in services.conf')] : []),
  ];
  return { services: { ...services, management: 'token', managementToken: adminToken }, problems };
}

/** What is wrong with who may manage: open without a word to more than this machine, or a token without a use. */
export function managementProblems({ host, admin, services }: ManagementSettings): ConfigurationProblem[] {
  const { management, managementToken } = services;
  const problem = (field: string, message: string) => [{ file: 'services.conf', field, message }];
  if (management === 'token' && managementToken === undefined)
    return problem('managementToken', 'is required with management = token');
  if (management !== 'token' && managementToken !== undefined)
    return problem('management', 'must be token, so that managementToken is demanded');
  if (management !== undefined || isLoopback(admin?.host ?? host)) return [];
  return problem(
    'management',
    `must be said, since ${admin ? 'ADMIN_HOST' : 'HOST'} is not a loopback address: token, with a managementToken that management calls ` +
      'must carry, or open, where a gateway keeps them from others (docs/security.md)',
  );
}

/** Whether a host is this machine only (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export const isLoopback = (host: string): boolean =>
  (isIPv4(host) && host.startsWith('127.')) ||
  host === '::1' ||
  host === '[::1]' ||
  /^(.+\.)?localhost\.?$/i.test(host);

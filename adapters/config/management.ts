import { isIPv4 } from 'node:net';
import type { ConfigurationProblem } from './errors.ts';
import type { Settings } from './settings.ts';

type ManagementSettings = Pick<Settings, 'host' | 'publicUrl' | 'services'>;

/** Whether other machines reach the server, by the address it listens on or by the host of its public URL. */
export const isReachable = ({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): boolean =>
  !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname);

/** What is wrong with who may manage: open without a word to more than this machine, or a token without a use. */
export function managementProblems({ host, services }: ManagementSettings): ConfigurationProblem[] {
  const { management, managementToken } = services;
  const problem = (field: string, message: string) => [{ file: 'services.conf', field, message }];
  if (management === 'token' && managementToken === undefined)
    return problem('managementToken', 'is required with management = token');
  if (management !== 'token' && managementToken !== undefined)
    return problem('management', 'must be token, so that managementToken is demanded');
  if (management !== undefined || isLoopback(host)) return [];
  return problem(
    'management',
    'must be said, since HOST is not a loopback address: token, with a managementToken that management calls ' +
      'must carry, or open, where a gateway keeps them from others (docs/security.md)',
  );
}

/** Whether a host is this machine only (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export const isLoopback = (host: string): boolean =>
  (isIPv4(host) && host.startsWith('127.')) ||
  host === '::1' ||
  host === '[::1]' ||
  /^(.+\.)?localhost\.?$/i.test(host);

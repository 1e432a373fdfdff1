import { signal } from '@preact/signals';
import type { Schemas } from '../../client/client.ts';

type Settings = Schemas['PortalSettings'];

const known = signal<Settings | undefined>(undefined);

/** What runs here. @throws Error before it was read, which the first page waits for */
export function settings(): Settings {
  if (!known.value) throw new Error('The settings are not read yet');
  return known.value;
}

export const keepSettings = (read: Settings): void => {
  known.value = read;
};

/** Whether what the tour needs runs here and is open. */
export const hasTour = (): boolean => {
  const { areas, services, management } = settings();
  return (
    areas.includes('tour') &&
    management === 'open' &&
    ['issuer', 'wallet', 'verifier'].every((name) => services.includes(name))
  );
};

export const hasWallet = (): boolean => settings().areas.includes('wallet') && settings().services.includes('wallet');

export const hasOffice = (): boolean =>
  settings().areas.includes('office') && settings().services.includes('enterprise');

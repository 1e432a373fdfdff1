import type { Colors } from './colors.ts';

/** A new key of the server. */
export interface RotationFacts {
  name: 'login' | 'encryption';
  kid: string;
  /** When the keys before it are not good any more, in milliseconds since the epoch; absent when there was none. */
  until?: number;
}

/** What the keys before the new one are still good for. */
const STILL_GOOD = {
  login: 'Sessions remain valid: the key before it verifies until',
  encryption: 'Requests to the key before it are decrypted until',
};

/** Renders what a rotation did. */
export function renderRotation({ name, kid, until }: RotationFacts, colors: Colors): string {
  const title = colors('good', `The ${name} key is now ${kid}.`);
  if (until === undefined) return `${title} There was none before.\n`;
  return `${title} Instances use it within 30 seconds.\n${STILL_GOOD[name]} ${new Date(until).toISOString()}.\n`;
}

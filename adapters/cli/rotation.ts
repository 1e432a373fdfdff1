import type { RotatedKeyName } from '../../domain/keys/server-keys.ts';
import type { Colors } from './colors.ts';

/** A new key of the server. */
interface RotationFacts {
  name: RotatedKeyName;
  kid: string;
  /** When the keys before it are not good any more, in milliseconds since the epoch; absent when there was none. */
  until?: number;
}

/** What keys are called, and what those before the new one are still good for. */
const TEXTS: Readonly<Record<RotatedKeyName, { title: string; stillGood: string }>> = {
  login: { title: 'login key', stillGood: 'Sessions remain valid: the key before it verifies until' },
  encryption: { title: 'encryption key', stillGood: 'Requests to the key before it are decrypted until' },
  'sign-in': { title: 'sign-in key for ES256', stillGood: 'The key before it is published until' },
  'sign-in-rsa': { title: 'sign-in key for RS256', stillGood: 'The key before it is published until' },
};

/** Renders what a rotation did. */
export function renderRotation({ name, kid, until }: RotationFacts, colors: Colors): string {
  const { title: called, stillGood } = TEXTS[name];
  const title = colors('good', `The ${called} is now ${kid}.`);
  if (until === undefined) return `${title} There was none before.\n`;
  return `${title} Instances use it within 30 seconds.\n${stillGood} ${new Date(until).toISOString()}.\n`;
}

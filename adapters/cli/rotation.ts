import type { Colors } from './colors.ts';

/** A new login key. */
export interface RotationFacts {
  kid: string;
  /** When the keys before it stop verifying, in milliseconds since the epoch; absent when there was none. */
  until?: number;
}

/** Renders what a rotation of the login key did. */
export function renderRotation({ kid, until }: RotationFacts, colors: Colors): string {
  const title = colors('good', `The login key is now ${kid}.`);
  if (until === undefined) return `${title} There was none before.\n`;
  return `${title} Instances use it within 30 seconds.\nSessions remain valid: the key before it verifies until ${new Date(until).toISOString()}.\n`;
}

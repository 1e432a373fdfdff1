/** Ends a process of a version of Node that is too old, with a sentence: what it would say otherwise names neither version. */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const least = engines.node.replace('>=', '');
const [major, minor] = least.split('.').map(Number);
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`credenza: needs Node ${least} or newer, and this is Node ${process.versions.node}`);
  process.exit(1);
}

#!/usr/bin/env node
/** The command `credenza`. A checkout that was never built is built first; a package comes built. */
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
if (!existsSync(main)) await import('../scripts/build.mjs');
// Workers are started as this process was, by what it runs.
process.argv[1] = fileURLToPath(main);
await import(main.href);

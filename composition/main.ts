#!/usr/bin/env node
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { runCommand } from '../adapters/cli/run-command.ts';
import { demo } from '../demo/command.ts';
import { check, migrateStores, resealStore, rotateEncryptionKey, rotateLoginKey } from './commands.ts';
import { PACKAGE_ROOT } from './root.ts';
import { serve } from './serve.ts';

const { version } = JSON.parse(await readFile(new URL('package.json', PACKAGE_ROOT), 'utf8')) as { version: string };

process.exitCode = await runCommand(process.argv.slice(2), {
  version,
  serve: () => serve(version),
  demo,
  check,
  migrate: migrateStores,
  reseal: resealStore,
  rotateLoginKey,
  rotateEncryptionKey,
});

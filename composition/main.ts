#!/usr/bin/env node
import 'reflect-metadata';
import { runCommand } from '../adapters/cli/run-command.ts';
import { VERSION as version } from './root.ts';

// Each command loads only what it needs: loading everything takes longer than most of them run.
const commands = () => import('./commands/commands.ts');

process.exitCode = await runCommand(process.argv.slice(2), {
  version,
  serve: async (options) => (await import('./commands/serve.ts')).serve(version, options),
  demo: async (options) => (await import('../demo/command.ts')).demo(options),
  check: async (options) => (await commands()).check(options),
  reload: async (options) => (await commands()).reload(options),
  migrate: async (options) => (await commands()).migrateStores(options),
  reseal: async () => (await commands()).resealStore(),
  backup: async (options) => (await commands()).backupStore(options),
  verify: async (options) => (await commands()).verifyBackup(options),
  restore: async (options) => (await commands()).restoreBackup(options),
  restored: async () => (await commands()).restoredStore(),
  rotateLoginKey: async () => (await commands()).rotateLoginKey(),
  rotateEncryptionKey: async () => (await commands()).rotateEncryptionKey(),
  rotateSignInKeys: async () => (await commands()).rotateSignInKeys(),
});

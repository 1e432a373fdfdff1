import { type ChildProcess, fork } from 'node:child_process';
import type { StoreUnderTest } from '../../contract/collection.contract.ts';
import type { SharedStore } from '../stores/shared-store.ts';
import { type WriterPlan, write } from './list-writer.ts';
import { testScript } from './script.ts';

const WRITERS = 3;
let running: ChildProcess[] | undefined;

/** Writers in separate processes, shared by all tests. */
function writers(): ChildProcess[] {
  if (running) return running;
  const { file, execArgv } = testScript('test/support/processes/list-writer.ts');
  const started = Array.from({ length: WRITERS }, () => fork(file, { execArgv }));
  process.once('exit', () => {
    for (const child of started) child.kill('SIGKILL');
  });
  running = started;
  return started;
}

const elsewhere = (child: ChildProcess | undefined, shared: SharedStore, plan: WriterPlan): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (outcome: unknown): void => {
      child?.off('exit', settle).off('message', settle);
      if (outcome === 'done') resolve();
      else reject(new Error(`The writer answered ${outcome}`));
    };
    child?.once('exit', settle).once('message', settle);
    child?.send({ shared, plan });
  });

/** Runs one plan per writer concurrently, in separate processes where the store can be shared. */
export async function writeAtOnce({ store, shared, clock }: StoreUnderTest, plans: WriterPlan[]): Promise<void> {
  const start = clock.time;
  const here = (plan: WriterPlan): Promise<void> =>
    write(store, plan, (skew) => {
      clock.time = start + skew;
    });
  const isShared = Boolean(shared.file ?? shared.redis ?? shared.postgres);
  await Promise.all(plans.map((plan, n) => (isShared ? elsewhere(writers()[n], shared, plan) : here(plan))));
}

/** The number of plans that `writeAtOnce` takes. */
export const WRITER_COUNT = WRITERS;

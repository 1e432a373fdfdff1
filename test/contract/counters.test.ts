import { runs } from '../support/runs/property-runs.ts';
import { COUNTERS } from '../support/stores/counters.ts';
import { countersContract } from './counters.contract.ts';

/** The clock of Redis runs on while tests move it by whole seconds; a test takes less than one. */
for (const [name, open] of Object.entries(COUNTERS))
  countersContract(
    name,
    open,
    name === 'memory' ? { granularityMs: 1, numRuns: runs(150) } : { granularityMs: 1000, numRuns: runs(12) },
  );

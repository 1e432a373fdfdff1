/**
 * How often a property that calls a server or a store is tried: `PROPERTY_RUNS=10` before the command tries ten times as
 * many values. Those of pure functions cost little and say their number themselves.
 */
export const runs = (count: number): number => Math.ceil(count * Number(process.env.PROPERTY_RUNS ?? 1));

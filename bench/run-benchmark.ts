import { BENCHMARKS } from './benchmarks.ts';

const load = BENCHMARKS[process.argv[2] ?? ''];
if (!load) throw new Error(`There is no benchmark ${process.argv[2]}`);
const measure = await load();
process.send?.(await measure(), () => process.exit(0));

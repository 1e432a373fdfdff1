import { ROWS } from './rows.ts';

const load = ROWS[process.argv[2] ?? ''];
if (!load) throw new Error(`There is no benchmark ${process.argv[2]}`);
const row = await load();
process.send?.(await row(), () => process.exit(0));

import { CheckPage, ChecksPage } from './checks.tsx';
import { CounterPage } from './counter.tsx';
import { ChangeCheckPage, NewCheckPage } from './editor.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { CheckPage, ChecksPage, CounterPage, ChangeCheckPage, NewCheckPage };

import { ManyPage } from './many.tsx';

/** The page that reads tables, which few clerks need. */
export const pages = { ManyPage };

import { StartPage } from './start.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { StartPage };

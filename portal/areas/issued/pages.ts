import { IssuedPage } from './issued.tsx';
import { IssuedOnePage } from './one.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { IssuedPage, IssuedOnePage };

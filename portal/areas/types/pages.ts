import { NewTypePage } from './editor.tsx';
import { TypePage, TypesPage } from './types.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { NewTypePage, TypePage, TypesPage };

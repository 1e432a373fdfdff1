import { ChangeTypePage } from './change.tsx';
import { NewTypePage } from './editor.tsx';
import { TypePage, TypesPage } from './types.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { ChangeTypePage, NewTypePage, TypePage, TypesPage };

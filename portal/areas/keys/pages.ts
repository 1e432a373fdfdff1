import { KeyPage, KeysPage } from './keys.tsx';
import { NewKeyPage } from './new-key.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { KeyPage, KeysPage, NewKeyPage };

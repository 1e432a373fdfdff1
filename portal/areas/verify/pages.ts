import { BuilderPage } from './builder.tsx';
import { VerifySessionPage } from './session.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { BuilderPage, VerifySessionPage };

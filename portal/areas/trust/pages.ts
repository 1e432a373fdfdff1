import { TrustPage } from './trust.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { TrustPage };

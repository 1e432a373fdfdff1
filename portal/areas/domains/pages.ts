import { DomainsPage } from './domains.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { DomainsPage };

import { HealthPage } from './health.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { HealthPage };

import { AuditPage, InstallationAuditPage } from './audit.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { AuditPage, InstallationAuditPage };

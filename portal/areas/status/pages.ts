import { OpenStatusEntryPage, StatusEntryPage } from './entry.tsx';
import { OpenStatusListPage, StatusListPage } from './list.tsx';
import { OpenStatusPage, StatusPage } from './status.tsx';

/** The pages of this area, which are loaded together. */
export const pages = {
  StatusPage,
  StatusListPage,
  StatusEntryPage,
  OpenStatusPage,
  OpenStatusListPage,
  OpenStatusEntryPage,
};

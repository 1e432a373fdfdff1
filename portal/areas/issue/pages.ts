import { OfficeSessionPage } from './office-session.tsx';
import { IssuePage } from './one.tsx';
import { ProfilePage, ProfilesPage } from './profiles.tsx';
import { IssueSessionPage } from './session.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { OfficeSessionPage, IssuePage, ProfilePage, ProfilesPage, IssueSessionPage };

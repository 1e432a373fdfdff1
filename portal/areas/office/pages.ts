import { ChoosePage } from './choose.tsx';
import { ContentsPage } from './contents.tsx';
import { HomePage } from './home.tsx';
import { OrganizationPage } from './organization.tsx';
import { SetUpPage } from './set-up.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { ChoosePage, ContentsPage, HomePage, OrganizationPage, SetUpPage };

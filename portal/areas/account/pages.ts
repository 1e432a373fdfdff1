import { OfficeLoginPage } from './login.tsx';
import { FirstAccountPage, InvitationPage, NewPasswordPage } from './tokens.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { OfficeLoginPage, FirstAccountPage, InvitationPage, NewPasswordPage };

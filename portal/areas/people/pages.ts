import { ApiKeysPage } from './api-keys.tsx';
import { InvitePage } from './invite.tsx';
import { PeoplePage } from './people.tsx';
import { RolePage } from './role.tsx';
import { NewRolePage } from './role-form.tsx';

/** The pages of this area, which are loaded together. */
export const pages = { ApiKeysPage, InvitePage, PeoplePage, RolePage, NewRolePage };

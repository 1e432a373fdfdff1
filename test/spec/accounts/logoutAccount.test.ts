import { describeLogout } from './logout.ts';

describe('logoutAccount', () => describeLogout('logoutAccount'));

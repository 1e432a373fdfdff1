import { expect } from 'chai';
import { startServer } from '../../support/servers/server.ts';
import { describeLogout } from './logout.ts';

describe('logoutWithCertificate', () => {
  describeLogout('logoutWithCertificate');

  it('404: does not exist while the feature is off', async () => {
    const without = await startServer({ settings: { features: { enabled: [], trustedCa: false } } });
    expect((await without.call('logoutWithCertificate')).status).to.equal(404);
    await without.close();
  });
});

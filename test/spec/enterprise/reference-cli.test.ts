import { expect } from 'chai';
import { ENTERPRISE_SETTINGS, login, SUPERADMIN, TOKEN } from '../../actors/tenant.ts';
import {
  ADMIN,
  clear,
  issue,
  type Noted,
  type RecordedCall,
  SIGNATURE,
  STATUS,
  setStatus,
  setup,
  system,
  trustSources,
  VICAL_SIGNER,
  verify,
  vicalPolicy,
  vicalUrl,
} from '../../support/reference/cli-calls.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import { freePort } from '../../support/stores/redis.ts';

for (const inPath of [false, true])
  describe(`the command line of the reference, with names of certificates in the ${inPath ? 'path' : 'body'}`, () => {
    let server: TestServer;
    let token: string;
    const noted = {} as Noted;
    before(async () => {
      const port = await freePort();
      // The operator of a trial: policies read what this server publishes itself, its VICAL is believed, and no anchor is needed.
      const outbound = { allow: ['127.0.0.0/8', 'localhost', `127.0.0.1:${port}`] };
      const vicals = [{ url: vicalUrl(`http://127.0.0.1:${port}`), signers: [VICAL_SIGNER] }];
      const trustedIssuers = { vicals, acceptUnanchored: true };
      server = await startServer({ settings: { ...ENTERPRISE_SETTINGS, port, outbound, trustedIssuers } });
    });
    after(() => server.close());

    const answerTo = ({ method, path, json, text }: RecordedCall) =>
      server.fetch(path, {
        method,
        headers: {
          'content-type': text === undefined ? 'application/json' : 'text/plain',
          authorization: `Bearer ${token}`,
        },
        body: text ?? (json === undefined ? undefined : JSON.stringify(json)),
      });

    async function send({ name, reads, ...call }: RecordedCall) {
      const { status, body } = await answerTo({ name, ...call });
      expect(status, `${name}: ${JSON.stringify(body)}`).to.be.within(200, 204);
      if (reads) expect(reads(body, noted), `${name} reads ${JSON.stringify(body)}`).to.be.ok;
    }

    const sendAll = async (calls: (() => RecordedCall)[]) => {
      for (const call of calls) await send(call());
    };

    it('sets up the system and the tenant', async () => {
      const created = await server.fetch('/v1/superadmin/create-by-token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: TOKEN }),
      });
      expect(created.status).to.equal(200);
      token = await login(server, SUPERADMIN);
      await sendAll(system(noted));
      token = await login(server, ADMIN.email);
      await sendAll(setup(noted, { inPath }));
    });

    it('issues, receives, presents and verifies, with the VICAL', async () => {
      await sendAll(issue(noted, { withStatus: false }));
      await sendAll(verify(noted, { policies: [SIGNATURE, vicalPolicy(server.url)], expected: 'SUCCESSFUL' }));
    });

    it('loads a source of trust, and lists it', () => sendAll(trustSources(noted)));

    it('revokes: what was good is no longer', async () => {
      await send(clear());
      await sendAll(issue(noted, { withStatus: true }));
      const policies = [SIGNATURE, STATUS];
      await sendAll(verify(noted, { policies, expected: 'SUCCESSFUL' }));
      await send(setStatus(noted, '0x1'));
      server.clock.advance(3_600_000);
      token = await login(server, ADMIN.email);
      await sendAll(verify(noted, { policies, expected: 'FAILED' }));
      // It would make the credential valid again, and read the session as SUCCESSFUL: revocation is final here.
      expect((await answerTo(setStatus(noted, '0x0'))).status).to.equal(409);
    });
  });

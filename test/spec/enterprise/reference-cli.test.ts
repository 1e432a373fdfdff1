import { expect } from 'chai';
import { ENTERPRISE_SETTINGS, login, SUPERADMIN, TOKEN } from '../../actors/tenant.ts';
import type { Noted, RecordedCall } from '../../support/reference/cli-call.ts';
import {
  clear,
  issue,
  resolveChains,
  SIGNATURE,
  STATUS,
  setStatus,
  TRUST_LIST,
  TRUST_LIST_OF_SERVICE,
  trustSources,
  verify,
  vicalPolicy,
  vicalUrl,
} from '../../support/reference/cli-journeys.ts';
import { ADMIN, setup, system, VICAL_SIGNER } from '../../support/reference/cli-setup.ts';
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
      await sendAll(issue(noted, 'none'));
      await sendAll(verify(noted, { policies: [SIGNATURE, vicalPolicy(server.url)], expected: 'SUCCESSFUL' }));
    });

    it('loads a source of trust, lists it, and verifies with the registry of the verifier', async () => {
      const policies = [SIGNATURE, vicalPolicy(server.url), TRUST_LIST];
      await send(clear());
      await sendAll(issue(noted, 'none'));
      // A registry without a source lists no issuer.
      await sendAll(verify(noted, { policies, expected: 'FAILED' }));
      await sendAll(trustSources(noted));
      await sendAll(verify(noted, { policies, expected: 'SUCCESSFUL' }));
    });

    it('after release 1.0: resolves chains without their root, and verifies such a credential', async () => {
      await sendAll(resolveChains(noted, VICAL_SIGNER));
      await send(clear());
      await sendAll(issue(noted, 'leaf'));
      await sendAll(verify(noted, { policies: [SIGNATURE, TRUST_LIST_OF_SERVICE], expected: 'SUCCESSFUL' }));
    });

    it('revokes: what was good is no longer', async () => {
      await send(clear());
      await sendAll(issue(noted, 'status'));
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

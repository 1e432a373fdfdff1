import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CompactEncrypt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { systemRandom } from '../../adapters/system/system.ts';
import { WalletUser } from '../../demo/actors/wallet-user.ts';
import { perform } from '../../demo/services.ts';
import { isSealed, SEAL, sealContext, unsealed } from '../../domain/migration/seal-record.ts';
import type { RawRecord } from '../../ports/store-copy.ts';
import { inTurn } from '../support/runs/tier.ts';
import {
  Installation,
  logIn,
  newOffer,
  presentTo,
  startTraffic,
  type Visitor,
  visit,
} from '../support/servers/installation.ts';
import type { TestStore } from '../support/servers/server.ts';

const BULK = 2500;
const [OLD, NEW] = [1, 2].map(() => randomBytes(32).toString('hex')) as [string, string];
const secretsOf = (...keys: string[]): AesSecrets =>
  new AesSecrets(
    keys.map((key) => Buffer.from(key, 'hex')),
    systemRandom,
  );
const [oldId = '', newId = ''] = secretsOf(OLD, NEW).keyIds;

/** The commands of docs/rotation.md by their name. */
const commands = new Map(
  [...readFileSync('docs/rotation.md', 'utf8').matchAll(/^(?:MASTER_KEYS=\S+ )?npx credenza (\S+)$/gm)].map(
    ([, name = '']) => [name, [name]],
  ),
);
const commandOf = (name: string): string[] => commands.get(name) ?? expect.fail(`docs/rotation.md has no ${name}`);

/** Sealed records that no request uses. */
const bulk = (): RawRecord[] =>
  Array.from({ length: BULK }, (_, index) => {
    const listed = index % 2 === 0;
    const key = { collection: listed ? 'bulk-listed' : 'bulk', listed, parent: `p${index % 3}`, id: `r${index}` };
    const body = secretsOf(OLD).seal(JSON.stringify({ index }), sealContext(key));
    const at = Date.now() - index;
    const expiry = index % 7 === 0 ? { expiresAt: Date.now() + 3_600_000 } : {};
    return { ...key, body, revision: 1 + (index % 4), createdAt: at, updatedAt: at + 1, ...expiry };
  });

/** The ids of the keys that seal these records. */
function keysOf(records: RawRecord[]): Set<string> {
  const sealed = records.filter(({ body }) => isSealed(body));
  return new Set(
    sealed.map(({ body }) =>
      Buffer.from(body as Uint8Array)
        .toString('base64url')
        .slice(0, 8),
    ),
  );
}

const isBulk = ({ collection }: RawRecord): boolean => collection.startsWith('bulk');
const frame = ({ body: _, ...rest }: RawRecord): string => JSON.stringify(rest);

// A cluster does what a single Redis does, and more (resealing.test.ts, migration.test.ts); the other keys are one record each.
// One of the two each day.
for (const store of inTurn(['sqlite', 'redis-cluster'] satisfies TestStore[], 0))
  describe(`Rotation of keys under traffic on ${store}`, () => {
    let place: Installation;
    let ada: Visitor;
    let offer: string;
    before(async () => {
      place = await Installation.open(store, [OLD]);
      ada = await visit(place.at);
      offer = await newOffer(place.at());
    });
    after(() => place.close());

    /** Kills the command at work: a faster one is run again on the same records. */
    async function resealAndKill(records: RawRecord[]): Promise<void> {
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const raw = place.raw();
        await raw.put(records);
        await raw.close();
        const killed = place.command(commandOf('reseal'), [NEW, OLD]);
        await once(killed.child.stderr as NodeJS.ReadableStream, 'data');
        killed.child.kill('SIGKILL');
        await killed.ended;
        const left = keysOf(await place.records());
        if (left.has(oldId) && left.has(newId)) return;
      }
      expect.fail('The command was never killed at work');
    }

    it('the master key: each step of the documentation with requests to both instances', async () => {
      const steps = [
        [OLD, NEW],
        [NEW, OLD],
      ];
      for (const ring of steps)
        for (const index of [1, 0] as const) {
          await place.restart(index, ring);
          await visit(place.at);
          await presentTo(place.at, ada.token);
        }
      const records = bulk();
      const traffic = startTraffic(2, () => visit(place.at));
      await resealAndKill(records);
      const again = place.command(commandOf('reseal'), [NEW, OLD]);
      expect(await again.ended, `${again.output.out}${again.output.err}`).to.equal(0);
      expect(await traffic.stop()).to.be.at.least(2);
      expect(again.output.out)
        .to.include('Everything is sealed under the current master key')
        .and.include('identities');
      expect(again.output.err).to.match(/pass 1: \d+ records, \d+ resealed/);

      const after = await place.records();
      expect([...keysOf(after)]).to.deep.equal([newId]);
      expect(after.find(({ collection }) => collection === SEAL.collection)?.body).to.not.include(oldId);
      expect(after.filter(isBulk).map(frame).sort()).to.deep.equal(records.map(frame).sort());
      const secrets = secretsOf(NEW);
      for (const record of after.filter(isBulk)) expect(unsealed(record, secrets)).to.match(/^\{"index":\d+\}$/);
    });

    it('with the new key alone everything is served: sessions, offers, accounts, credentials; with the old one nothing', async () => {
      for (const index of [1, 0] as const) await place.restart(index, [NEW]);
      await presentTo(place.at, ada.token);
      await (await WalletUser.open(place.at(), ada.token)).accept(offer);
      await presentTo(place.at, await logIn(place.at(), ada.account));
      await perform(place.at(), 'registerAccount', { json: ada.account, expect: 409 });
      await visit(place.at);
      const refused = place.command(['serve'], [OLD]);
      expect(await refused.ended).to.equal(1);
      expect(refused.output.err).to.include(`sealed with another master key: this store needs ${newId}`);
      const done = place.command(commandOf('reseal'), [NEW]);
      expect(await done.ended, done.output.err).to.equal(0);
    });

    it('the login key: two rotations at once end no session, and no request is refused', async () => {
      const tokens = [ada.token];
      const use = async (): Promise<void> => {
        const [first = '', last = ''] = [tokens[0], tokens.at(-1)];
        for (const token of [first, last]) await perform(place.at(), 'getUserInfo', { token });
        tokens.push(await logIn(place.at(), ada.account));
      };
      const traffic = startTraffic(3, use);
      const rotations = [1, 2].map(() => place.command(commandOf('rotate-login-key'), [NEW]));
      for (const { ended, output } of rotations) {
        expect(await ended, output.err).to.equal(0);
        expect(output.out).to.match(/The login key is now \S{43}\..*\nSessions remain valid: .* until \d{4}-/);
      }
      // Only one instance has the time to notice; the other one meets its tokens.
      place.servers[0].clock.advance(30_000);
      const seen = tokens.length;
      while (tokens.length < seen + 8) await use();
      expect(await traffic.stop()).to.be.at.least(3);
      const kids = new Set(tokens.map((token) => decodeProtectedHeader(token).kid));
      expect(kids.size).to.equal(2);
      for (const token of tokens) await perform(place.at(), 'getUserInfo', { token });
    });

    it('the encryption key: requests to the one before it are decrypted, and instances publish the new one', async () => {
      const key = async (): Promise<JWK> => {
        const path = '/.well-known/openid-credential-issuer/openid4vci';
        const answer = await fetch(`${place.servers[0].url}${path}`);
        const metadata = (await answer.json()) as { credential_request_encryption: { jwks: { keys: [JWK] } } };
        return metadata.credential_request_encryption.jwks.keys[0];
      };
      const before = await key();
      const { ended, output } = place.command(commandOf('rotate-encryption-key'), [NEW]);
      expect(await ended, output.err).to.equal(0);
      expect(output.out).to.match(
        /The encryption key is now \S{43}\..*\nRequests to the key before it .* until \d{4}-/,
      );
      place.servers[0].clock.advance(30_000);
      const after = await key();
      expect(after.kid).to.not.equal(before.kid);
      for (const jwk of [before, after]) {
        const jwe = await new CompactEncrypt(Buffer.from('{"transaction_id":"unknown"}'))
          .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: jwk.kid })
          .encrypt(await importJWK(jwk, 'ECDH-ES'));
        const headers = { 'content-type': 'application/jwt', authorization: 'Bearer unknown' };
        const path = '/openid4vci/deferred_credential';
        // The request was read, and then its token refused.
        const answer = await fetch(`${place.servers[0].url}${path}`, { method: 'POST', headers, body: jwe });
        expect(answer.status).to.equal(401);
      }
    });

    it('the keys of sign-ins: new ones sign, and those before are published on', async () => {
      const published = async (): Promise<(string | undefined)[]> => {
        const { keys } = (await (await fetch(`${place.servers[0].url}/sign-in/jwks`)).json()) as { keys: JWK[] };
        return keys.map(({ kid }) => kid);
      };
      const before = await published();
      expect(before).to.have.length(2);
      const { ended, output } = place.command(commandOf('rotate-sign-in-keys'), [NEW]);
      expect(await ended, output.err).to.equal(0);
      const current = [...output.out.matchAll(/is now (\S{43})\..*\nThe key before it is published until \d{4}-/g)];
      place.servers[0].clock.advance(30_000);
      const kids = current.map(([, kid]) => kid);
      expect(kids).to.have.length(2);
      expect(await published()).to.have.members([...before, ...kids]);
    });
  });

describe('docs/rotation.md', () => {
  it('has no command that these tests do not run', () => {
    expect([...commands.keys()].sort()).to.deep.equal([
      'reseal',
      'rotate-encryption-key',
      'rotate-login-key',
      'rotate-sign-in-keys',
    ]);
  });
});

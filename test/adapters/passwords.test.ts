import { expect } from 'chai';
import fc from 'fast-check';
import { ScryptPasswords } from '../../adapters/crypto/passwords.ts';

const from = (password: string) => ({ password, source: '192.0.2.1' });
const CHEAP = { logN: 8, blockSize: 8, parallelism: 1 };

describe('ScryptPasswords', () => {
  const passwords = new ScryptPasswords(CHEAP);

  it('accepts a password against its own hash and no other password', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (right, other) => {
        const hash = await passwords.hash(from(right));
        expect(await passwords.matches(from(right), hash)).to.equal(true);
        expect(await passwords.matches(from(other), hash)).to.equal(right === other);
      }),
      { numRuns: 25 },
    ));

  it('stores its parameters, so a hash of another cost is still verified', async () => {
    const hash = await new ScryptPasswords({ logN: 9, blockSize: 4, parallelism: 2 }).hash(from('correct horse'));
    expect(hash).to.match(/^\$scrypt\$ln=9,r=4,p=2\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await passwords.matches(from('correct horse'), hash)).to.equal(true);
    expect(await passwords.matches(from('correct horsf'), hash)).to.equal(false);
  });

  it('gives two hashes of one password different salts', async () => {
    expect(await passwords.hash(from('same'))).not.to.equal(await passwords.hash(from('same')));
  });

  it('accepts no password when there is no hash', async () => {
    expect(await passwords.matches(from(''), undefined)).to.equal(false);
    expect(await passwords.matches(from('anything'), undefined)).to.equal(false);
  });

  it('an absent hash takes as long as a wrong password', async () => {
    const costly = new ScryptPasswords({ logN: 14, blockSize: 8, parallelism: 1 });
    const hash = await costly.hash(from('right'));
    const spent = async (stored: string | undefined): Promise<number> => {
      const before = process.cpuUsage();
      await costly.matches(from('wrong'), stored);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const [known, absent]: [number[], number[]] = [[], []];
    // Taken by turns, so that what else runs stretches both; the least is what the work itself takes.
    for (let n = 0; n < 7; n += 1) {
      known.push(await spent(hash));
      absent.push(await spent(undefined));
    }
    expect(Math.min(...absent) / Math.min(...known)).to.be.within(0.4, 2.5);
  });

  it('reports a damaged hash as damaged, not as a wrong password', async () => {
    for (const damaged of ['', 'plain text', '$scrypt$ln=8,r=8,p=1$AAAA$AAAA', '$scrypt$ln=999,r=8,p=1$AAAA$AAAA']) {
      const error: unknown = await passwords.matches(from('x'), damaged).catch((caught: unknown) => caught);
      expect(error)
        .to.be.instanceOf(Error)
        .with.property('message', 'A stored password hash is not of the scrypt form');
    }
  });

  it('serves fifty concurrent calls, also after failures', async () => {
    const impossible = new ScryptPasswords({ logN: 0, blockSize: 8, parallelism: 1 });
    const failures = await Promise.allSettled(Array.from({ length: 10 }, () => impossible.hash(from('x'))));
    expect(failures.every(({ status }) => status === 'rejected')).to.equal(true);
    const hashes = await Promise.all(Array.from({ length: 50 }, () => passwords.hash(from('x'))));
    expect(new Set(hashes).size).to.equal(50);
  });
});

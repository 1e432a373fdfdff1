import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { PasswordAttempt, Passwords } from '../../ports/secrets.ts';
import { POOL_WORK, type WorkLimits, WorkQueue } from './work-queue.ts';

/** Parameters of scrypt: memory is 128 · 2^`logN` · `blockSize` bytes (RFC 7914 §2). */
interface ScryptCost {
  logN: number;
  blockSize: number;
  parallelism: number;
}

const USUAL_COST: ScryptCost = { logN: 15, blockSize: 8, parallelism: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface ParsedHash {
  cost: ScryptCost;
  salt: Buffer;
  hash: Buffer;
}

/** scrypt (RFC 7914) in the text form `$scrypt$ln=…,r=…,p=…$salt$hash`, off the event loop. */
export class ScryptPasswords implements Passwords {
  readonly #cost: ScryptCost;
  readonly #queue: WorkQueue;

  constructor(cost: Partial<ScryptCost> = {}, limits: Partial<WorkLimits> = {}) {
    this.#cost = { ...USUAL_COST, ...cost };
    this.#queue = new WorkQueue({ ...POOL_WORK.passwords, ...limits });
  }

  async hash(attempt: PasswordAttempt): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.#derive(attempt, salt, this.#cost);
    const { logN, blockSize, parallelism } = this.#cost;
    return `$scrypt$ln=${logN},r=${blockSize},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
  }

  async matches(attempt: PasswordAttempt, hash: string | undefined): Promise<boolean> {
    const { cost, salt, hash: expected } = hash === undefined ? this.#absent() : parseHash(hash);
    const actual = await this.#derive(attempt, salt, cost);
    return timingSafeEqual(actual, expected) && hash !== undefined;
  }

  #absent(): ParsedHash {
    return { cost: this.#cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
  }

  #derive({ password, ...turn }: PasswordAttempt, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
    return this.#queue.run(turn, () => derive(password, salt, cost));
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '');

function parseHash(text: string): ParsedHash {
  const [, logN = '', blockSize = '', parallelism = '', salt = '', hash = ''] = FORM.exec(text) ?? [];
  const parsed = Buffer.from(hash, 'base64');
  if (parsed.length !== HASH_BYTES) throw new Error('A stored password hash is not of the scrypt form');
  const cost = { logN: Number(logN), blockSize: Number(blockSize), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: parsed };
}

function derive(password: string, salt: Buffer, { logN, blockSize, parallelism }: ScryptCost): Promise<Buffer> {
  const N = 2 ** logN;
  // Node requires more memory than the 128·N·r bytes of the algorithm.
  const options = { N, r: blockSize, p: parallelism, maxmem: 256 * N * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

import { sign, verify } from 'node:crypto';
import { importPublicBare, makeParty } from './holders.ts';

/** How often each operation is done. */
export interface FloorSpec {
  signs: number;
  verifies: number;
  imports: number;
}

const INPUT = Buffer.alloc(800, 'x');
const ALGORITHM = 'sha256';

/** The cryptography of a piece of work with nothing around it, ES256. */
export function floor({ signs, verifies, imports }: FloorSpec): () => void {
  const { privateKey, publicJwk } = makeParty();
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const publicKey = { key: importPublicBare(publicJwk), dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign(ALGORITHM, INPUT, key);
  return () => {
    for (let done = 0; done < signs; done += 1) sign(ALGORITHM, INPUT, key);
    for (let done = 0; done < verifies; done += 1) verify(ALGORITHM, INPUT, publicKey, signature);
    for (let done = 0; done < imports; done += 1) importPublicBare(publicJwk);
  };
}

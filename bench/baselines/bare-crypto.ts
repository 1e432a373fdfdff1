import { diffieHellman, generateKeyPairSync, sign, verify } from 'node:crypto';
import { importPublicBare, makeParty } from '../support/parties.ts';

/** How often each operation is done. */
export interface CryptoCounts {
  signs: number;
  verifies: number;
  imports: number;
  /** Key pairs that are made. */
  pairs?: number;
  /** ECDH key agreements. */
  agreements?: number;
}

const INPUT = Buffer.alloc(800, 'x');
const ALGORITHM = 'sha256';

/** The cryptography of some work and nothing else, ES256. */
export function bareCrypto({ signs, verifies, imports, pairs = 0, agreements = 0 }: CryptoCounts): () => void {
  const { privateKey, publicJwk } = makeParty();
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const publicKey = { key: importPublicBare(publicJwk), dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign(ALGORITHM, INPUT, key);
  return () => {
    for (let done = 0; done < signs; done += 1) sign(ALGORITHM, INPUT, key);
    for (let done = 0; done < verifies; done += 1) verify(ALGORITHM, INPUT, publicKey, signature);
    for (let done = 0; done < imports; done += 1) importPublicBare(publicJwk);
    for (let done = 0; done < pairs; done += 1) generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (let done = 0; done < agreements; done += 1) diffieHellman({ privateKey, publicKey: publicKey.key });
  };
}

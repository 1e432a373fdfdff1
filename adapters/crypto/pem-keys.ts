import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import { badRequest } from '../../domain/foundation/errors.ts';
import type { PemKeys } from '../../ports/pem-keys.ts';

const LABEL = /^-----BEGIN ([A-Z0-9 ]+)-----\s*$/gm;
const PRIVATE = new Set(['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY']);

/** Converts keys with node's cryptography. */
export const nodePemKeys: PemKeys = {
  parse: (pem) => {
    const labels = [...pem.matchAll(LABEL)].map(([, label = '']) => label).filter((label) => label !== 'EC PARAMETERS');
    if (labels.includes('ENCRYPTED PRIVATE KEY') || /^Proc-Type:.*ENCRYPTED/m.test(pem))
      throw badRequest('The PEM is encrypted: decrypt the key first');
    const [label = '', ...others] = labels;
    if (others.length > 0 || !PRIVATE.has(label))
      throw badRequest('The PEM must contain one private key and nothing else');
    try {
      return { ...createPrivateKey({ key: pem, format: 'pem' }).export({ format: 'jwk' }) };
    } catch (cause) {
      throw badRequest('The PEM is not a private key of a supported type', cause);
    }
  },
  create: (jwk) => {
    const input = { key: jwk as JsonWebKey, format: 'jwk' } as const;
    return 'd' in jwk
      ? createPrivateKey(input).export({ type: 'pkcs8', format: 'pem' }).toString()
      : createPublicKey(input).export({ type: 'spki', format: 'pem' }).toString();
  },
};

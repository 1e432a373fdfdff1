import type { HolderRefusal } from '../../../ports/credential-formats.ts';
import { failed, type Policy, passed } from './policy.ts';

const REFUSALS: Record<HolderRefusal, string> = {
  'no-signer': 'The signer is not named by a DID',
  'other-did': 'The kid is of another DID than the signer',
  signature: 'The signature is not valid',
  digest: 'A digest in the signature is not that of what was presented',
  type: 'What is signed is of another type',
  'issued-at': 'The presentation was not signed now',
  unsigned: 'The holder signed nothing',
};

/** The `signature` policy: a key of the issuer signed the credential, or one of the holder the presentation. */
export const signature: Policy = {
  description: 'Checks the signature with a key of the issuer, or of the holder for a presentation',
  scopes: ['vp', 'vc'],
  run: async ({ claims, checkSignature }) => {
    const check = await checkSignature();
    return check.valid ? passed(claims) : failed(REFUSALS[check.refusal]);
  },
};

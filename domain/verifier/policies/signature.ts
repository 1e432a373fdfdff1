import type { HolderRefusal } from '../../../ports/credential-formats.ts';
import type { PolicyCode } from './codes.ts';
import { failed, type PolicyOutcome, passed, policy, type Subject } from './policy.ts';

const REFUSALS: Record<HolderRefusal | 'untrusted', [PolicyCode, string]> = {
  'no-signer': ['signer-unknown', 'The signer is not named by a DID'],
  'other-did': ['signer-unknown', 'The kid is of another DID than the signer'],
  signature: ['signature-invalid', 'The signature is not valid'],
  digest: ['digest-mismatch', 'A digest in the signature is not that of what was presented'],
  type: ['wrong-token-type', 'What is signed is of another type'],
  'issued-at': ['not-signed-now', 'The presentation was not signed now'],
  unsigned: ['not-signed', 'The holder signed nothing'],
  untrusted: ['issuer-untrusted', 'The issuer is not trusted'],
};

/** The failure of a refused signature; undefined when it is valid. @throws DomainError when the key cannot be found */
export async function brokenSignature({ checkSignature }: Subject): Promise<PolicyOutcome | undefined> {
  const check = await checkSignature();
  if (check.valid) return undefined;
  const [code, reason] = REFUSALS[check.refusal];
  return failed(code, { reason: check.refusal === 'untrusted' ? `${reason}: ${check.reason}` : reason });
}

const run = async (subject: Subject): Promise<PolicyOutcome> =>
  (await brokenSignature(subject)) ?? passed(subject.claims, { reason: 'The signature is valid' });

/** The `signature` policy: a key of the issuer signed the credential, or one of the holder the presentation. */
export const signature = policy({
  description: 'Checks the signature with a key of the issuer, or of the holder for a presentation',
  vp: run,
  vc: run,
});

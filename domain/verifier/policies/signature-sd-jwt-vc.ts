import { isText } from '../../foundation/json.ts';
import { expired, notBefore } from './dates.ts';
import {
  type CredentialSubject,
  type Evaluate,
  failed,
  type PolicyOutcome,
  type PresentationSubject,
  passed,
  policy,
} from './policy.ts';
import { brokenSignature } from './signature.ts';

const named = (outcome: PolicyOutcome): PolicyOutcome =>
  outcome.isSuccess ? outcome : failed(outcome.code, { reason: `SD-JWT verification failed: ${outcome.reason}` });

/** Whether an issuer signed the credential, it has a type, and it is valid now. */
const checkCredential: Evaluate<CredentialSubject, undefined> = async (subject, given) => {
  const { credential } = subject;
  if (given.formats.supported(credential.format)?.selector !== 'vct')
    return failed('undetermined', { reason: 'It is not an SD-JWT VC' });
  const broken = await brokenSignature(subject);
  if (broken) return named(broken);
  if (!isText(credential.claims.vct)) return named(failed('missing-claim', { reason: 'The credential has no vct' }));
  for (const dates of [notBefore, expired]) {
    const outcome = await dates.run(subject, given);
    if (!outcome.isSuccess) return named(outcome);
  }
  return passed(credential.claims, { reason: 'The signature is valid' });
};

/** The same for a presentation, and that its holder signed it for the nonce and the verifier of the request. */
const checkPresentation: Evaluate<PresentationSubject, undefined> = async (subject, given) => {
  if (subject.credentials.length === 0) return failed('undetermined', { reason: 'There is no SD-JWT VC' });
  for (const credential of subject.credentials) {
    const outcome = await checkCredential(credential, given);
    if (!outcome.isSuccess) return outcome;
  }
  const broken = await brokenSignature(subject);
  return broken ? named(broken) : passed(subject.claims, { reason: 'The signatures are valid' });
};

/**
 * The `signature_sd-jwt-vc` policy: everything of an SD-JWT VC that needs no list: issuer, type, dates and key binding
 * (SD-JWT VC §3.4). Nonce and audience are compared for every presentation.
 */
export const signatureSdJwtVc = policy({
  description: 'Checks the signatures of issuer and holder, the type and the dates of an SD-JWT VC',
  vp: checkPresentation,
  vc: checkCredential,
});

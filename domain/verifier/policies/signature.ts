import type { HolderRefusal } from '../../../ports/credential-formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { mdocNumbers } from '../../keys/cose-algorithms.ts';
import { readMembers } from './arguments.ts';
import type { PolicyCode } from './codes.ts';
import {
  type Evaluate,
  failed,
  type PolicyContext,
  type PolicyOutcome,
  passed,
  policyWithArgs,
  type Subject,
} from './policy.ts';

const REFUSALS: Record<HolderRefusal | 'untrusted', [PolicyCode, string]> = {
  'no-signer': ['signer-unknown', 'The signer is not named by a DID'],
  'other-did': ['signer-unknown', 'The kid is of another DID than the signer'],
  signature: ['signature-invalid', 'The signature is not valid'],
  'certificate-period': ['signature-invalid', 'It was signed before or after its certificate was valid'],
  digest: ['digest-mismatch', 'A digest in the signature is not that of what was presented'],
  type: ['wrong-token-type', 'What is signed is of another type'],
  'issued-at': ['not-signed-now', 'The presentation was not signed now'],
  unsigned: ['not-signed', 'The holder signed nothing'],
  'no-exchange': ['undetermined', 'The encrypted response does not name the nonce of the wallet that was signed (apu)'],
  untrusted: ['issuer-untrusted', 'The issuer is not trusted'],
};

/** The failure of a refused signature; undefined when it is valid. @throws DomainError when the key cannot be found */
export async function brokenSignature({ checkSignature }: Subject): Promise<PolicyOutcome | undefined> {
  const check = await checkSignature();
  if (check.valid) return undefined;
  const [code, reason] = REFUSALS[check.refusal];
  return failed(code, { reason: check.refusal === 'untrusted' ? `${reason}: ${check.reason}` : reason });
}

/** The accepted algorithms; without a list, all that are supported. */
interface SignatureArgs {
  allowedJwsAlgorithms?: unknown[];
  allowedCoseAlgorithms?: unknown[];
}

const MAX_ALGORITHMS = 32;
const LISTS = { allowedJwsAlgorithms: isText, allowedCoseAlgorithms: Number.isSafeInteger } as const;

function read(args: unknown = {}): SignatureArgs {
  const members = readMembers(args, Object.keys(LISTS));
  for (const [name, isAlgorithm] of Object.entries(LISTS)) {
    const list = members[name];
    const isList = Array.isArray(list) && list.length > 0 && list.length <= MAX_ALGORITHMS && list.every(isAlgorithm);
    if (list !== undefined && !isList)
      throw invalidField([name], `must be a list of 1 to ${MAX_ALGORITHMS} algorithms`);
  }
  return members;
}

type SignatureContext = Pick<PolicyContext, 'formats'> & { args: SignatureArgs };

/** Whether the list for the encoding of the subject has its algorithm. */
function isAllowed({ presentation, ...subject }: Subject, { args, formats }: SignatureContext): boolean {
  const { alg, format } = 'credential' in subject ? subject.credential : presentation;
  const { allowedJwsAlgorithms: jws, allowedCoseAlgorithms: cose } = args;
  if (formats.formatOf(format)?.signatures !== 'COSE') return !jws || jws.includes(alg);
  return !cose || mdocNumbers(alg).some((number) => cose.includes(number));
}

const run: Evaluate<Subject, SignatureArgs> = async (subject, given) => {
  if (!isAllowed(subject, given)) return failed('algorithm-not-allowed');
  return (await brokenSignature(subject)) ?? passed(subject.claims, { reason: 'The signature is valid' });
};

/** The `signature` policy: a key of the issuer signed the credential, or one of the holder the presentation. */
export const signature = policyWithArgs<SignatureArgs>({
  description: 'Checks the signature with a key of the issuer, or of the holder for a presentation',
  argument: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        allowedJwsAlgorithms: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_ALGORITHMS,
          items: { type: 'string' },
          description: 'Accepted algorithms of signatures in JOSE.',
        },
        allowedCoseAlgorithms: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_ALGORITHMS,
          items: { type: 'integer' },
          description: 'Accepted algorithms of signatures in COSE.',
        },
      },
      examples: [{ allowedJwsAlgorithms: ['ES256', 'EdDSA'] }],
    },
    isOptional: true,
    read,
  },
  vp: run,
  vc: run,
});

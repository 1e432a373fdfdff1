import type { Outbound } from '../../../ports/outbound.ts';
import { digest, fromBase64url, hex } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { isCallableUrl } from '../../network/urls.ts';
import { readFlag, readMembers } from './arguments.ts';
import type { PolicyCode } from './codes.ts';
import { failed, type PolicyOutcome, passed, policyWithArgs } from './policy.ts';

const ALGORITHMS = ['sha512', 'sha384', 'sha256'] as const;
const MAX_LENGTH = 2048;

/** The digests of a document in one algorithm. */
interface Integrity {
  algorithm: (typeof ALGORITHMS)[number];
  digests: string[];
}

/**
 * Reads integrity metadata: of several algorithms the strongest counts, and of its digests any (Subresource Integrity
 * §3.3); in both alphabets of base64. Undefined when none can be read.
 */
function readIntegrity(text: string): Integrity | undefined {
  const stated = text
    .split(/[ \t\n\r]+/)
    .map((part) => /^(sha(?:256|384|512))-([A-Za-z0-9+/_-]+)={0,2}(?:\?.*)?$/.exec(part));
  for (const algorithm of ALGORITHMS) {
    const ofAlgorithm = stated.flatMap((match) => (match?.[1] === algorithm ? (match[2] ?? '') : []));
    const digests = ofAlgorithm.flatMap(
      (value) => fromBase64url(value.replaceAll('+', '-').replaceAll('/', '_')) ?? [],
    );
    if (digests.length > 0) return { algorithm, digests: digests.map(hex) };
  }
  return undefined;
}

async function fetchType(url: string, outbound: Outbound): Promise<Uint8Array> {
  const headers = { accept: 'application/json' };
  const reply = await outbound.send({ method: 'GET', url, expects: 'credential-type', headers });
  if (reply.status === 200) return reply.body;
  throw new DomainError('UpstreamFailed', `The type metadata was answered with ${reply.status}`);
}

const refused = (code: PolicyCode, name: string, reason?: string): PolicyOutcome => {
  const { reason: shown, ...rest } = failed(code, { reason });
  return {
    ...rest,
    reason: shown,
    isSuccess: false,
    error: { type: 'VctIntegrityException', reason: name, message: shown },
  };
};

/** The `vct-integrity` policy: the type metadata of the credential is what its issuer signed it for (SD-JWT VC §6). */
export const vctIntegrity = policyWithArgs<{ skipValueVerification: boolean }>({
  description: 'Checks that the type metadata has the digest that the credential states',
  stage: 'trust',
  dependsOn: ['signature'],
  argument: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        skipValueVerification: {
          type: 'boolean',
          default: false,
          description: 'Only demands that a digest is stated.',
        },
      },
      examples: [{ skipValueVerification: true }],
    },
    isOptional: true,
    read: (args = {}) => {
      const members = readMembers(args, ['skipValueVerification']);
      return { skipValueVerification: readFlag(members, 'skipValueVerification') };
    },
  },
  vc: async ({ claims }, { outbound, args: { skipValueVerification } }) => {
    const { vct, 'vct#integrity': stated } = claims;
    if (stated === undefined) return refused('integrity-missing', 'MISSING');
    const integrity = isText(stated) && stated.length <= MAX_LENGTH ? readIntegrity(stated) : undefined;
    if (!integrity) return refused('integrity-malformed', 'MALFORMED');
    if (skipValueVerification) return passed({ vct_integrity_present: true, vct_integrity_value_verified: false });
    if (!isCallableUrl(vct)) return refused('undetermined', 'MISSING_VCT', 'The vct is not the URL of type metadata');
    const found = hex(digest(integrity.algorithm, await fetchType(vct, outbound)));
    if (!integrity.digests.includes(found)) return refused('integrity-mismatch', 'VALUE_MISMATCH');
    return passed({
      vct_integrity_present: true,
      vct_integrity_format_valid: true,
      vct_integrity_value_verified: true,
      vct,
    });
  },
});

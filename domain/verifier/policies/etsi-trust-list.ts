import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { isoMillis } from '../../foundation/time.ts';
import { checkDestination } from '../../network/urls.ts';
import type { ListedAnchor, TrustedList } from '../../trust/list-anchors.ts';
import { issuingAnchors } from '../../trust/listed-services.ts';
import { isListUrl } from '../../trust/trust-list-source.ts';
import { type BelievedList, readSignerTexts, type TrustLists } from '../../trust/trust-lists.ts';
import { certificateTexts, EXAMPLE_CERTIFICATE, readFlagOf, readUsableList } from './listed-issuers.ts';
import { type CredentialSubject, type Evaluate, failed, type PolicyOutcome, passed, policyWithArgs } from './policy.ts';

const MAX_LISTS = 8;

/** The argument as it is stored. */
interface TrustListArgs {
  /** URLs, or lists themselves in XML or JSON; the verifier's own lists when absent. */
  trustLists?: string[];
  expectedEntityType?: string;
  expectedServiceType?: string;
  allowStaleSource: boolean;
  requireAuthenticated: boolean;
  validateSignatures: boolean;
  trustedSourceSignerCertificates: string[];
}

function readArgs(value: unknown = {}): TrustListArgs {
  if (!isObject(value)) throw invalidField([], 'must be an object');
  if (value.trustRegistryUrl !== undefined)
    throw invalidField(['trustRegistryUrl'], 'is not supported: name the lists themselves as trustLists');
  const validateSignatures = readFlagOf(value, 'validateSignatures', true);
  const requireAuthenticated = readFlagOf(value, 'requireAuthenticated', false);
  if (requireAuthenticated && !validateSignatures)
    throw invalidField(['requireAuthenticated'], 'contradicts validateSignatures');
  return {
    ...readTrustLists(value, validateSignatures),
    ...readExpected(value, 'expectedEntityType'),
    ...readExpected(value, 'expectedServiceType'),
    allowStaleSource: readFlagOf(value, 'allowStaleSource', false),
    requireAuthenticated,
    validateSignatures,
    trustedSourceSignerCertificates: at(['trustedSourceSignerCertificates'], () =>
      readSignerTexts(value.trustedSourceSignerCertificates),
    ),
  };
}

/** How the signatures of the verifier's own lists are verified is said where these are. */
function readTrustLists(value: JsonObject, validateSignatures: boolean): Pick<TrustListArgs, 'trustLists'> {
  const { trustLists, trustedSourceSignerCertificates: signers } = value;
  if (trustLists === undefined) {
    const foreign = !validateSignatures ? 'validateSignatures' : isFilled(signers) && 'trustedSourceSignerCertificates';
    if (foreign) throw invalidField([foreign], 'goes together with trustLists');
    return {};
  }
  if (
    !Array.isArray(trustLists) ||
    trustLists.length === 0 ||
    trustLists.length > MAX_LISTS ||
    !trustLists.every(isText)
  )
    throw invalidField(['trustLists'], `must be a list of 1 to ${MAX_LISTS} URLs or lists`);
  return { trustLists };
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function readExpected(value: JsonObject, name: string): JsonObject {
  const { [name]: expected } = value;
  if (expected === undefined) return {};
  if (!isText(expected)) throw invalidField([name], 'must be a text');
  return { [name]: expected };
}

const wantedLists = (args: TrustListArgs): BelievedList[] | undefined =>
  args.trustLists?.map((source) => ({
    kind: 'etsi',
    source,
    signers: args.trustedSourceSignerCertificates,
    isUnsigned: !args.validateSignatures,
  }));

type Given = Parameters<Evaluate<CredentialSubject, TrustListArgs>>[1];

/** One list is enough; a list that does not count is the reason only if no other one lists the issuer. */
async function run({ credential: { issuer } }: CredentialSubject, given: Given): Promise<PolicyOutcome> {
  if (issuer.kind !== 'certificates')
    return failed('undetermined', { reason: 'Only issuers with certificates are found in trust lists' });
  const { args, ownLists, trustLists } = given;
  const outcomes: PolicyOutcome[] = [];
  for (const wanted of wantedLists(args) ?? ownLists ?? trustLists.etsi) {
    const outcome = await judge(wanted, issuer.chain, given);
    if (outcome.isSuccess) return outcome;
    outcomes.push(outcome);
  }
  const first = outcomes.find(({ code }) => code !== 'issuer-untrusted') ?? outcomes[0];
  return first ?? failed('list-not-accepted', { reason: 'The verifier has no trust list' });
}

async function judge(wanted: BelievedList, chain: readonly Uint8Array[], given: Given): Promise<PolicyOutcome> {
  const { args, trustLists, now } = given;
  if (args.requireAuthenticated && wanted.isUnsigned)
    return failed('list-not-accepted', { reason: 'The trust list has no signature' });
  const list = await readUsableList(wanted, { trustLists, now, allowsStale: args.allowStaleSource });
  if ('code' in list) return list;
  const { expectedEntityType: entityType, expectedServiceType: serviceType } = args;
  const anchors = issuingAnchors(list, { now, entityType, serviceType });
  if (!anchors) return untrusted('the trust list is of another type');
  const decision = trustLists.decide({ chain, anchors, purpose: 'listed', now });
  if (!decision.trusted) return untrusted(decision.reason);
  const anchor = anchors.find((one) => one === decision.anchor);
  return passed(facts(wanted, list, anchor), { reason: 'The issuer is in the trust list' });
}

const facts = (
  { source, sourceId }: BelievedList,
  list: TrustedList,
  anchor: ListedAnchor | undefined,
): JsonObject => ({
  decision: 'TRUSTED',
  ...(sourceId !== undefined && { sourceId }),
  ...(isListUrl(source) && { source }),
  ...(list.type !== undefined && { entityType: list.type }),
  ...(anchor?.serviceType !== undefined && { serviceType: anchor.serviceType }),
  ...(anchor?.status !== undefined && { status: anchor.status }),
  ...(anchor?.statusSince !== undefined && { statusSince: isoMillis(anchor.statusSince) }),
  ...(list.nextUpdate !== undefined && { nextUpdate: isoMillis(list.nextUpdate) }),
});

const untrusted = (why: string): PolicyOutcome =>
  failed('issuer-untrusted', { reason: `The issuer is not in the trust list: ${why}` });

/** A signer of each list must be known, unless signatures are not looked at. */
function checkSources(args: TrustListArgs, trustLists: TrustLists): void {
  const unknown = wantedLists(args)?.findIndex((list) => !trustLists.hasSigners(list)) ?? -1;
  if (unknown >= 0 && args.validateSignatures)
    throw invalidField(
      ['trustedSourceSignerCertificates'],
      `is required: no signer of trustLists[${unknown}] is configured`,
    );
}

const flag = (standard: boolean, description: string): JsonObject => ({
  type: 'boolean',
  default: standard,
  description,
});

/** The `etsi-trust-list` policy: the issuer is in a trust list (ETSI TS 119 612 or TS 119 602) with a granted service. */
export const etsiTrustList = policyWithArgs<TrustListArgs>({
  description: 'Checks that the issuer is in a trust list (ETSI TS 119 612 or TS 119 602)',
  stage: 'trust',
  dependsOn: ['signature'],
  decidesTrust: true,
  argument: {
    isOptional: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        trustLists: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_LISTS,
          items: { type: 'string', minLength: 1 },
          description:
            'URLs, or lists themselves in XML or JSON; one that lists the issuer is enough. ' +
            'The lists of the trust registries of the verifier, or of trusted-issuers.conf, when absent',
        },
        expectedEntityType: {
          type: 'string',
          description: 'The URI of the type of the list, the last part of it, or a word such as PID_PROVIDER',
        },
        expectedServiceType: {
          type: 'string',
          description: 'The URI of the kind of service; any that issues when absent',
        },
        allowStaleSource: flag(false, 'Whether a list counts whose next update is overdue'),
        requireAuthenticated: flag(
          false,
          'Own lists without a signature do not count; contradicts validateSignatures: false',
        ),
        validateSignatures: flag(true, 'Whether the signatures of the lists are verified'),
        trustedSourceSignerCertificates: certificateTexts(
          'Who may sign the lists; required for lists that are not configured',
        ),
      },
      examples: [
        {
          trustLists: ['https://lists.example.org/pid-providers.jwt'],
          trustedSourceSignerCertificates: [EXAMPLE_CERTIFICATE],
        },
        { expectedEntityType: 'PID_PROVIDER' },
      ],
    },
    read: readArgs,
    check: (args, { outbound, trustLists }) => {
      at(['trustedSourceSignerCertificates'], () => trustLists.signers(args.trustedSourceSignerCertificates));
      for (const [index, url] of (args.trustLists ?? []).entries())
        if (isListUrl(url)) at(['trustLists', index], () => checkDestination(outbound, { url, expects: 'trust-list' }));
      checkSources(args, trustLists);
    },
  },
  vc: run,
});

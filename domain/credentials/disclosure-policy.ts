import { asList, isObject, isText } from '../foundation/json.ts';
import { httpUrl } from '../network/urls.ts';

/**
 * To whom an issuer wants its credentials to be shown: the embedded disclosure policies of CIR (EU) 2024/2979 annex III
 * (ETSI TS 119 472-3 §4.2.5). The names of the members are ours, since ETSI has not published any.
 */
export type DisclosurePolicy = (
  | { type: 'none' }
  /** Identifiers of relying parties, or entitlements as URIs; one of them is enough. */
  | { type: 'authorized_relying_parties'; parties: string[] }
  /** SHA-256 of certificates in lower-case hexadecimal; one of them is enough. */
  | { type: 'specific_root_of_trust'; roots: string[] }
  /** The issuer states one that this wallet cannot read. */
  | { type: 'unreadable' }
) & {
  /** A page that explains it (ARF 3.0 EDP_05). */
  infoUri?: string;
};

/** What is proven of who asks; a member is absent where nothing is. */
export interface ProvenAsker {
  /** The identifier and the entitlements of a verified registration certificate (ARF 3.0 EDP_02). */
  registered?: readonly string[];
  /** The certificates above its access certificate and its registration certificate, in hexadecimal SHA-256 (EDP_03). */
  roots?: readonly string[];
}

/** Whether a policy allows it; `unknown` where what would decide is not proven. */
type PolicyOutcome = 'allowed' | 'refused' | 'unknown';

/** What a holder is shown of a policy. */
export interface EvaluatedPolicy {
  type: DisclosurePolicy['type'];
  outcome: PolicyOutcome;
  infoUri?: string;
}

const MAX_ENTRIES = 256;
const MAX_URI = 2048;
const SHA_256 = /^[0-9a-f]{64}$/;

/** Reads the `disclosure_policy` of a credential configuration; undefined when there is none. */
export function readDisclosurePolicy(value: unknown): DisclosurePolicy | undefined {
  if (value === undefined) return undefined;
  const {
    policy_type: type,
    policy_url: url,
    authorized_relying_parties: parties,
    trusted_roots: roots,
  } = isObject(value) ? value : {};
  const infoUri = isText(url) && url.length <= MAX_URI && httpUrl(url) ? { infoUri: url } : {};
  if (type === 'none') return { type, ...infoUri };
  const [named, listed] = [textsIn(parties), textsIn(roots).map((root) => root.toLowerCase())];
  if (type === 'authorized_relying_parties' && named.length > 0) return { type, parties: named, ...infoUri };
  if (type === 'specific_root_of_trust' && listed.length > 0 && listed.every((root) => SHA_256.test(root)))
    return { type, roots: listed, ...infoUri };
  return { type: 'unreadable', ...infoUri };
}

/** The texts of a list; none where anything else is in it, or it is too long. */
function textsIn(value: unknown): string[] {
  const list = asList(value);
  const texts = list.filter(isText).filter(({ length }) => length <= MAX_URI);
  return texts.length === list.length && list.length <= MAX_ENTRIES ? texts : [];
}

/** Evaluates a policy for who asks. Identifiers are compared regardless of case, as in certificates. */
export function evaluatePolicy(policy: DisclosurePolicy, asker: ProvenAsker): EvaluatedPolicy {
  const { type, infoUri } = policy;
  return { type, outcome: outcomeOf(policy, asker), ...(infoUri !== undefined && { infoUri }) };
}

function outcomeOf(policy: DisclosurePolicy, { registered, roots }: ProvenAsker): PolicyOutcome {
  switch (policy.type) {
    case 'none':
      return 'allowed';
    case 'authorized_relying_parties':
      return isAmong(registered, policy.parties);
    case 'specific_root_of_trust':
      return isAmong(roots, policy.roots);
    case 'unreadable':
      return 'unknown';
  }
}

function isAmong(proven: readonly string[] | undefined, wanted: readonly string[]): PolicyOutcome {
  if (!proven) return 'unknown';
  const lower = new Set(wanted.map((one) => one.toLowerCase()));
  return proven.some((one) => lower.has(one.toLowerCase())) ? 'allowed' : 'refused';
}

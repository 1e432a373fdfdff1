import { DomainError } from '../foundation/errors.ts';

/** How many callers may hold something scarce at the same time. */
export interface ShareRule {
  /** What is scarce, for callers. */
  what: string;
  total: number;
  /** Of these, for strangers together; the others are kept for callers who are known. */
  ofStrangers: number;
  /** For one stranger, by its source. */
  ofSource: number;
  /** For the callers of one organization. */
  ofOrganization: number;
}

/** Who wants a share. */
export interface ShareClaim {
  /** The canonical client address. */
  source: string;
  /** '' when no organization is asked. */
  organization: string;
  /** Whether the caller is logged in, or calls from a network of the operator. */
  isKnown: boolean;
}

/** How many shares are held; those of the claim's source and organization, and those of strangers. */
interface Held {
  all: number;
  strangers: number;
  source: number;
  organization: number;
}

/** Of what there is not enough for a claim; undefined when it is granted. */
function shortageOf(rule: ShareRule, held: Held, claim: ShareClaim): keyof Held | undefined {
  const { isKnown, organization } = claim;
  if (!isKnown && held.source >= rule.ofSource) return 'source';
  if (organization !== '' && held.organization >= rule.ofOrganization) return 'organization';
  if (!isKnown && held.strangers >= rule.ofStrangers) return 'strangers';
  return held.all >= rule.total ? 'all' : undefined;
}

/** When a caller that was refused may come again, in seconds. */
const RETRY_SECONDS = 5;

/** The shares of one rule that are held in this process. */
export class Shares {
  readonly #held = new Set<ShareClaim>();

  constructor(private readonly rule: ShareRule) {}

  /** Takes a share; returns what gives it back. @throws DomainError `TooManyRequests` for too many of one caller, `Overloaded` for too many of all */
  take(claim: ShareClaim): () => void {
    const { what } = this.rule;
    const shortage = shortageOf(this.rule, this.#heldBeside(claim), claim);
    const retry = { retryAfterSeconds: RETRY_SECONDS };
    if (shortage === 'source') throw new DomainError('TooManyRequests', `Too many ${what} of this address`, retry);
    if (shortage === 'organization')
      throw new DomainError('TooManyRequests', `Too many ${what} of this organization`, retry);
    if (shortage !== undefined) throw new DomainError('Overloaded', `Too many ${what} here`, retry);
    const share = { ...claim };
    this.#held.add(share);
    return () => void this.#held.delete(share);
  }

  #heldBeside({ source, organization }: ShareClaim): Held {
    const held = [...this.#held];
    const count = (is: (one: ShareClaim) => boolean): number => held.filter(is).length;
    return {
      all: held.length,
      strangers: count(({ isKnown }) => !isKnown),
      source: count((one) => !one.isKnown && one.source === source),
      organization: count((one) => one.organization === organization),
    };
  }
}

import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { oauthError } from '../../foundation/errors.ts';
import { busy } from '../../foundation/lease.ts';
import type { CredentialChoice, ItemKind } from '../protocol.ts';
import { type IssuanceSession, type RedeliverableItem, stateOf } from '../sessions/issuance-session.ts';
import { itemNamed, itemsOf, type PlannedItem } from '../sessions/item-plan.ts';

/** The item that a request gets: one to be issued, one whose issuance is deferred, or issued ones, the latest first. */
export type ChosenItem =
  | { kind: 'open' | 'deferred'; id: number; format: string; configurationId: string }
  | { kind: 'issued'; items: RedeliverableItem[]; configurationId: string };

/** What the choice depends on. */
interface ChoiceContext {
  session: IssuanceSession;
  now: number;
  /** Items that the same request has chosen already. */
  taken: ReadonlySet<number>;
  /** The configurations that the access token permits. */
  permitted: readonly string[];
  formats: CredentialFormats;
}

/**
 * Chooses the item for a request: a free one before any other, then one that is deferred or was issued a short time ago.
 * @throws DomainError with a code of the protocol, `Busy` when other requests are making all that fit
 */
export function chooseItem(choice: CredentialChoice, context: ChoiceContext): ChosenItem {
  const { session, now, taken } = context;
  const deferred: PlannedItem[] = [];
  const issued: RedeliverableItem[] = [];
  let last: ItemKind | undefined;
  let isBeingIssued = false;
  for (const item of candidates(choice, context)) {
    if (taken.has(item.id)) continue;
    const found = stateOf(session, item.id, now);
    if (found.state === 'open') return chosen('open', item);
    if (found.state === 'leased') isBeingIssued = true;
    if (found.state === 'deferred') deferred.push(item);
    if (found.state !== 'issued') continue;
    issued.push(found.redeliverable);
    last = item.kind;
  }
  if (isBeingIssued) throw busy();
  const [first] = deferred;
  if (first) return chosen('deferred', first);
  if (!last) throw nothingLeft(choice);
  const items = session.redeliverable.filter((item) => issued.includes(item)).reverse();
  return { kind: 'issued', items, configurationId: last.configurationId };
}

const chosen = (kind: 'open' | 'deferred', { id, kind: { format, configurationId } }: PlannedItem): ChosenItem => ({
  kind,
  id,
  format,
  configurationId,
});

function* candidates(
  { identifier, select, refusals }: CredentialChoice,
  { session: { plan }, permitted, formats }: ChoiceContext,
): Iterable<PlannedItem> {
  const isPermitted = ({ configurationId }: ItemKind) => permitted.includes(configurationId);
  if (identifier === undefined) return yield* itemsOf(plan, select(plan.kinds.filter(isPermitted), formats));
  const named = itemNamed(plan, identifier);
  if (!named || !isPermitted(named.kind))
    throw oauthError(refusals.unknownIdentifier, 'credential_identifier: nothing was offered by this name');
  yield named;
}

const nothingLeft = ({ identifier, refusals }: CredentialChoice) =>
  identifier === undefined
    ? oauthError(refusals.nothingLeft, 'Everything that was offered of this type is issued')
    : oauthError(refusals.nothingLeft, 'credential_identifier: nothing is left to be issued by this name');

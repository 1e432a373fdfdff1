import type { EntryState, StatusListChoice } from '../credentials/status-entries.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { TOKEN_STATUS } from './status-conditions.ts';

/** How an entry is changed. */
export type EntryAction = 'revoke' | 'suspend' | 'lift';

/** To which state each action leads, from which states; the same state again changes nothing. Revocation is final. */
const ACTIONS: Readonly<Record<EntryAction, { to: EntryState; from: readonly EntryState[] }>> = {
  revoke: { to: 'revoked', from: ['valid', 'suspended', 'revoked'] },
  suspend: { to: 'suspended', from: ['valid', 'suspended'] },
  lift: { to: 'valid', from: ['suspended'] },
};

/** The values of the states that entries of a list can have: by its purpose, or by its bits (TSL §7.1). */
const valuesOf = ({
  purpose,
  bits,
}: Pick<StatusListChoice, 'purpose' | 'bits'>): Partial<Record<EntryState, number>> =>
  purpose === undefined
    ? {
        valid: TOKEN_STATUS.VALID,
        revoked: TOKEN_STATUS.INVALID,
        ...(bits > 1 && { suspended: TOKEN_STATUS.SUSPENDED }),
      }
    : { valid: 0, [purpose === 'suspension' ? 'suspended' : 'revoked']: 1 };

/** The state of an entry with this value. @throws DomainError `StatusVerification` for a value that no state has */
export function stateOf(choice: StatusListChoice, value: number): EntryState {
  const found = Object.entries(valuesOf(choice)).find(([, other]) => other === value);
  if (found) return found[0] as EntryState;
  throw new DomainError('StatusVerification', `The status ${value} of the entry has no meaning here`);
}

/** The state of several entries together: that of the one that is worth most, since its holder can show it. */
export const stateOfAll = (states: readonly EntryState[]): EntryState =>
  (['valid', 'suspended', 'revoked'] as const).find((state) => states.includes(state)) ?? 'valid';

/** Whether entries of a list can be changed in this way. */
export const allows = (choice: StatusListChoice, action: EntryAction): boolean =>
  action === 'lift' ? valuesOf(choice).suspended !== undefined : valuesOf(choice)[ACTIONS[action].to] !== undefined;

/** The action that leads to a value. @throws DomainError `BadRequest` naming `status` when entries of the list cannot have it */
export function actionFor(choice: StatusListChoice, value: number): EntryAction {
  const [state] = Object.entries(valuesOf(choice)).find(([, other]) => other === value) ?? [];
  const found = Object.entries(ACTIONS).find(
    ([action, { to }]) => to === state && allows(choice, action as EntryAction),
  );
  if (!found) throw invalidField(['status'], 'is no status that entries of this list can be given');
  return found[0] as EntryAction;
}

/**
 * Returns the value after an action. @throws DomainError `BadRequest` naming `action` when the list has no such state,
 * `Conflict` when the entry is revoked, or is to be lifted and is not suspended
 */
export function valueAfter(choice: StatusListChoice, action: EntryAction, before: number): number {
  const { to, from } = ACTIONS[action];
  const value = valuesOf(choice)[to];
  if (value === undefined || !allows(choice, action))
    throw invalidField(['action'], `entries of this list cannot be ${action === 'revoke' ? 'revoked' : 'suspended'}`);
  const state = stateOf(choice, before);
  if (from.includes(state)) return value;
  throw new DomainError('Conflict', CONFLICTS[state]);
}

const CONFLICTS: Readonly<Record<EntryState, string>> = {
  valid: 'The entry is not suspended, so there is nothing to lift',
  suspended: 'The entry is suspended',
  revoked: 'The entry is revoked, which is final',
};

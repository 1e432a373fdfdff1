import { type ShareRule, Shares } from '../../../domain/limits/shares.ts';
import { organizationOf } from '../../../domain/tenancy/audit/audit-event.ts';
import type { Operation } from '../messages/document.ts';
import { hasLines, LINES_TYPE } from '../messages/lines.ts';
import { accountOf } from '../messages/operations.ts';
import type { Middleware } from './context.ts';

/** What lasts as long as its caller likes, and how much of it a process has at the same time. */
export const OPEN_ENDED = {
  events: { what: 'event streams are open', total: 500, ofStrangers: 300, ofSource: 50, ofOrganization: 100 },
  bodies: { what: 'bodies of many lines are being read', total: 8, ofStrangers: 4, ofSource: 2, ofOrganization: 3 },
  exports: { what: 'exports are being read', total: 8, ofStrangers: 2, ofSource: 1, ofOrganization: 2 },
} as const satisfies Record<string, ShareRule>;

type Kind = keyof typeof OPEN_ENDED;

/** Which of these an operation is; undefined for all others. */
export function openEndedKind(operation: Operation): Kind | undefined {
  const answers = operation.responses['200']?.content ?? {};
  if ('text/event-stream' in answers) return 'events';
  if (hasLines(operation)) return 'bodies';
  return LINES_TYPE in answers ? 'exports' : undefined;
}

/** Gives a caller its share of what is open-ended until the answer ends. */
export class OpenEnded {
  readonly #shares: Record<Kind, Shares> = {
    events: new Shares(OPEN_ENDED.events),
    bodies: new Shares(OPEN_ENDED.bodies),
    exports: new Shares(OPEN_ENDED.exports),
  };

  /** The step of an operation that needs a share; undefined for all others. */
  step(operation: Operation): Middleware | undefined {
    const kind = openEndedKind(operation);
    return (
      kind &&
      ((ctx, next) => {
        const { source, isLocal, caller } = ctx.state;
        const isKnown = isLocal || accountOf(caller) !== undefined;
        const giveBack = this.#shares[kind].take({
          source,
          organization: organizationOf(ctx.params.target ?? ''),
          isKnown,
        });
        ctx.res.once('close', giveBack);
        if (ctx.res.destroyed) giveBack();
        return next();
      })
    );
  }
}

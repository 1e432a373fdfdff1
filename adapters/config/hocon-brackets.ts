import { Token } from '@pushcorn/hocon-parser/lib/core/Token.js';
import { HoconError } from './errors.ts';

const { TYPE } = Token;

type Kind = 'object' | 'list' | 'substitution';

const OPENING = new Map<symbol | undefined, Kind>([
  [TYPE.OPEN_CURLY, 'object'],
  [TYPE.OPEN_SQUARE, 'list'],
  [TYPE.SUBSTITUTION, 'substitution'],
]);

const BRACKETS: Record<Kind, { open: string; close: string }> = {
  object: { open: '{', close: '}' },
  list: { open: '[', close: ']' },
  substitution: { open: '${', close: '}' },
};

/**
 * Checks that every bracket is closed by its own kind, before all other checks: an unclosed bracket causes misleading
 * errors later in the text. @throws HoconError with the line of the bracket
 */
export function checkBrackets(tokens: Token[]): void {
  const open: { kind: Kind; line: number }[] = [];
  for (const { type, line } of tokens) {
    const kind = OPENING.get(type);
    if (kind) open.push({ kind, line });
    if (type !== TYPE.CLOSE_CURLY && type !== TYPE.CLOSE_SQUARE) continue;
    const close = type === TYPE.CLOSE_CURLY ? '}' : ']';
    const last = open.pop();
    if (last === undefined) throw new HoconError(`"${close}" closes a bracket that was not opened`, line);
    if (BRACKETS[last.kind].close !== close) throw unclosed(last, ` before the "${close}" in line ${line}`);
  }
  const last = open.at(-1);
  if (last) throw unclosed(last, '');
}

const unclosed = ({ kind, line }: { kind: Kind; line: number }, where: string): HoconError =>
  new HoconError(`the bracket "${BRACKETS[kind].open}" is not closed with "${BRACKETS[kind].close}"${where}`, line);

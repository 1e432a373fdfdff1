import { styleText } from 'node:util';

/** The meaning of a text. */
type Color = 'title' | 'name' | 'good' | 'bad' | 'doubt' | 'quiet';

/** Returns text in the colour of its meaning, or unchanged. */
export type Colors = (tone: Color, text: string) => string;

const STYLES = {
  title: 'bold',
  name: 'cyan',
  good: 'green',
  bad: 'red',
  doubt: 'yellow',
  quiet: 'gray',
} as const satisfies Record<Color, Parameters<typeof styleText>[0]>;

export const plain: Colors = (_tone, text) => text;

/** Colours on a terminal or with FORCE_COLOR, never with NO_COLOR (no-color.org). */
export function colorsFor(stream: { isTTY?: boolean }, environment: Record<string, string | undefined>): Colors {
  const { NO_COLOR = '', FORCE_COLOR = '' } = environment;
  const wanted = FORCE_COLOR === '' ? stream.isTTY === true : !['0', 'false'].includes(FORCE_COLOR);
  if (!wanted || NO_COLOR !== '') return plain;
  return (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}

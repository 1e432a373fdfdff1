import type { Colors } from '../adapters/cli/colors.ts';

/** Where the story goes: lines without line breaks, in colors where the output has them. */
export class Narrator {
  readonly #print: (line: string) => void;
  readonly #colors: Colors;
  #step = 0;

  constructor({ print, colors }: { print: (line: string) => void; colors: Colors }) {
    this.#print = print;
    this.#colors = colors;
  }

  /** Begins the next step. */
  title(text: string): void {
    this.#step += 1;
    this.#print('');
    this.#print(this.#colors('title', `${this.#step}. ${text}`));
  }

  /** Says something; what stands in the first ten characters is the label. */
  say(text: string): void {
    const [label = '', ...rest] = text.split(/(?<=^.{10})/s);
    this.#print(`   ${this.#colors('quiet', label)}${rest.join('')}`);
  }

  /** Says whether something came out well. */
  outcome(label: string, isGood: boolean, text: string): void {
    this.say(`${label.padEnd(9)} ${this.#colors(isGood ? 'good' : 'bad', text)}`);
  }
}

/** The two parts of the HOCON library that are used; the package brings no types. */
declare module '@pushcorn/hocon-parser/lib/core/Context.js' {
  export class Context {
    constructor(options: { text: string; env: false; scope: Record<string, string>; builder: 'config' });
    resolve(): Promise<unknown>;
  }
}

declare module '@pushcorn/hocon-parser/lib/core/Token.js' {
  export class Token {
    static readonly TYPE: Readonly<Record<string, symbol>>;
    readonly type: symbol;
    readonly value: string;
    readonly line: number;
    readonly col: number;
    readonly quoted: boolean;
  }
}

declare module '@pushcorn/hocon-parser/lib/core/Tokenizer.js' {
  import type { Token } from '@pushcorn/hocon-parser/lib/core/Token.js';
  export class Tokenizer {
    tokenize(text: string): Token[];
  }
}

import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Sizes of one file and of every function in it, in lines. */
export interface FileSizes {
  file: string;
  lines: number;
  functions: { name: string; lines: number }[];
}

/** Measures a TypeScript file. */
export function measure(file: string): FileSizes {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const functions: FileSizes['functions'] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const [from, to] = [node.getStart(source), node.getEnd()].map(
        (at) => source.getLineAndCharacterOfPosition(at).line,
      );
      functions.push({ name: node.name?.getText(source) ?? '(anonymous)', lines: (to ?? 0) - (from ?? 0) + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, lines: text.split('\n').length - 1, functions };
}

/** The value below which the share `part` of the numbers lies. */
export function quantile(numbers: number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

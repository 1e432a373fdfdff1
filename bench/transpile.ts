import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = join(SOURCES, '../node_modules/.cache/credenza-bench');

/** Writes the benchmarks as plain JavaScript, so that no loader is measured; gives the folder, inside the package. */
export function transpile(): URL {
  rmSync(OUTPUT, { recursive: true, force: true });
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(SOURCES, name), 'utf8'), { compilerOptions });
    const file = join(OUTPUT, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  }
  writeFileSync(join(OUTPUT, 'package.json'), '{"type":"module"}\n');
  return pathToFileURL(`${OUTPUT}/`);
}

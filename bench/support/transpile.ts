import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const OUTPUT = join(PACKAGE, 'node_modules/.cache/credenza-bench');
/** The folders of the product, which the benchmarks import as production runs them: from dist/. */
const PRODUCT = ['adapters', 'composition', 'demo', 'domain', 'ports'];

/** Writes the benchmarks as JavaScript, so that no loader is measured, and links the product beside them; returns their folder. */
export function transpile(): URL {
  rmSync(OUTPUT, { recursive: true, force: true });
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  for (const name of readdirSync(join(PACKAGE, 'bench'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const source = readFileSync(join(PACKAGE, 'bench', name), 'utf8');
    const { outputText } = ts.transpileModule(source, { compilerOptions });
    const file = join(OUTPUT, 'bench', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  }
  for (const folder of PRODUCT) symlinkSync(join(PACKAGE, 'dist', folder), join(OUTPUT, folder));
  writeFileSync(join(OUTPUT, 'package.json'), '{"type":"module"}\n');
  return pathToFileURL(`${OUTPUT}/bench/`);
}

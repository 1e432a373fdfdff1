import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const OUTPUT = join(PACKAGE, 'node_modules/.cache/credenza-bench');
/** The folders of sources; the build bundles those of the product into a few files, which cannot be imported one by one. */
const SOURCES = ['adapters', 'bench', 'composition', 'demo', 'domain', 'ports'];
/** What the product finds beside itself. */
const BESIDE = ['dist', 'openapi', 'package.json'];

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

/** Writes the product and the benchmarks as JavaScript, so that no loader is measured; returns the folder of the benchmarks. */
export function transpile(): URL {
  rmSync(OUTPUT, { recursive: true, force: true });
  for (const folder of SOURCES)
    for (const name of readdirSync(join(PACKAGE, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.d.ts')) continue;
      const source = readFileSync(join(PACKAGE, folder, name), 'utf8');
      const { outputText } = ts.transpileModule(source, { compilerOptions });
      const file = join(OUTPUT, folder, name.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, outputText);
    }
  for (const name of BESIDE) symlinkSync(join(PACKAGE, name), join(OUTPUT, name));
  return pathToFileURL(`${OUTPUT}/bench/`);
}

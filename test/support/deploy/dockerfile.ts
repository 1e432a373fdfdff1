import { readFileSync } from 'node:fs';

/** One instruction of a Dockerfile: its name and the rest, on one line. */
export type Instruction = readonly [name: string, rest: string];

/** The stages of a Dockerfile, each of which begins with its FROM. */
export function stagesOf(file: string): Instruction[][] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push([name, rest]);
  }
  return stages;
}

/** The rest of each instruction with a name. */
export const restsOf = (stage: readonly Instruction[], name: string): string[] =>
  stage.filter(([one]) => one === name).map(([, rest]) => rest);

/** What a stage copies from another one: the sources, and where to. */
export function copiesOf(stage: readonly Instruction[]): { from: string[]; to: string }[] {
  return restsOf(stage, 'COPY').map((rest) => {
    const words = rest.split(/\s+/).filter((word) => !word.startsWith('--'));
    return { from: words.slice(0, -1), to: words.at(-1) ?? '' };
  });
}

/** The variables of a stage. */
export const variablesOf = (stage: readonly Instruction[]): Record<string, string> =>
  Object.fromEntries(restsOf(stage, 'ENV').flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split('='))));

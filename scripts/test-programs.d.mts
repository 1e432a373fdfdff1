export const PROGRAMS: readonly { program: string; debian: string }[];
export function planOf(machine: { has: (program: string) => boolean; isRoot: boolean; sudoes: () => boolean }): {
  missing: string[];
  commands: string[][];
  may: boolean;
};
export function prepare(): boolean;

export const PROGRAMS: readonly { program: string; debian: string; beforeNode?: number }[];
export function planOf(machine: {
  has: (program: string) => boolean;
  node: number;
  isRoot: boolean;
  sudoes: () => boolean;
}): { missing: string[]; commands: string[][]; may: boolean };
export function prepare(): boolean;

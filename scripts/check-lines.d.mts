export function longLines(file: string, source: string): number[];
export function checkedFiles(): string[];

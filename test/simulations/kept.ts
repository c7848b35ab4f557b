import { readFileSync } from 'node:fs';
import type { CellResult } from './simulate.ts';

export const keptFile = new URL('./__fixtures__/kept.json', import.meta.url);

/** The full form, as `pnpm simulate --write` wrote it last. */
export function readKept(): readonly CellResult[] {
  return JSON.parse(readFileSync(keptFile, 'utf8'));
}

/** A line for each cell. */
export function keptText(results: readonly CellResult[]): string {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value);
  return `[\n${results.map((one) => JSON.stringify(one, rounded)).join(',\n')}\n]\n`;
}

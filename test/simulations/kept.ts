import { readFileSync } from 'node:fs';
import type { CellResult } from './simulate.ts';

export const keptFile = new URL('./__fixtures__/kept.json', import.meta.url);

/** Reads the results of the full form, as last written by `pnpm simulate --write`. */
export function readKept(): readonly CellResult[] {
  return JSON.parse(readFileSync(keptFile, 'utf8'));
}

/** Formats the results, one line per cell. */
export function keptText(results: readonly CellResult[]): string {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value);
  return `[\n${results.map((one) => JSON.stringify(one, rounded)).join(',\n')}\n]\n`;
}

import { readFileSync } from 'node:fs';

/** The rows of a golden file of this folder. */
export function goldenRows<Row>(name: string): Row[] {
  const file = new URL(`./${name}.public.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Row => JSON.parse(line));
}

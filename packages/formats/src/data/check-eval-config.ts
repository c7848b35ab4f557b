import type { Problem } from '../errors.ts';
import { isObject } from '../json.ts';
import { describeValue } from '../schema/describe.ts';
import { formatPath } from '../schema/path.ts';
import { problemList } from '../schema/problem-list.ts';

/**
 * Reports thresholds that are not numbers, with advice. ADK would read `"0.8"` as 0.8 and `true` as 1, and with NaN
 * every case would fail.
 */
export function checkEvalConfig(written: unknown, options: { readonly file?: string }): readonly Problem[] {
  const problems = problemList(options.file);
  const criteria = isObject(written) ? written.criteria : undefined;
  for (const [name, entry] of Object.entries(isObject(criteria) ? criteria : {})) {
    const inside = isObject(entry);
    const threshold = inside ? entry.threshold : entry;
    if (threshold === undefined || (typeof threshold === 'number' && Number.isFinite(threshold))) continue;
    const path = formatPath(['criteria', name, ...(inside ? ['threshold'] : [])]);
    problems.add(
      'INVALID_THRESHOLD',
      path,
      () => `${describeValue(threshold)} is not a threshold; ${advice(threshold, inside)}`,
    );
  }
  return problems.list();
}

function advice(threshold: unknown, inside: boolean): string {
  if (typeof threshold === 'string' && threshold.trim() !== '' && Number.isFinite(Number(threshold))) {
    return `write the number ${Number(threshold)}, without quotes`;
  }
  return inside ? 'write a number' : 'write a number, or an object of "threshold" and options';
}

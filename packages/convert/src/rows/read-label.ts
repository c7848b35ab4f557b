const PASS = [
  'pass',
  'passed',
  'yes',
  'y',
  'true',
  '1',
  '1.0',
  'correct',
  'good',
  'ok',
  'success',
  'up',
  'thumbs_up',
  '👍',
];
const FAIL = [
  'fail',
  'failed',
  'no',
  'n',
  'false',
  '0',
  '0.0',
  'incorrect',
  'wrong',
  'bad',
  'failure',
  'down',
  'thumbs_down',
  '👎',
];

/**
 * Reads a label.
 *
 * @param passes The values that mean a pass, in lower case; any other then means a failure. Default: the usual words,
 *   `true` and 1.
 * @returns `null` if there is none, and `undefined` if the value is neither a pass nor a failure.
 */
export function readLabel(value: unknown, passes: readonly string[] = []): 'pass' | 'fail' | null | undefined {
  if (value === null || value === undefined) return null;
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  const word = String(value).trim().toLowerCase();
  if (word === '') return null;
  if (passes.length > 0) return passes.includes(word) ? 'pass' : 'fail';
  return PASS.includes(word) ? 'pass' : FAIL.includes(word) ? 'fail' : undefined;
}

import type { Answer } from './ask-port.ts';
import { differenceOf } from './compare-output.ts';
import type { Row } from './rows.ts';

/** The result of one row. */
export interface CheckedRow {
  readonly row: Row;
  /**
   * `agrees`: the output is the expected one. `known`: it differs, as listed. `unsupported`: the port does not implement
   * the kind. `missing`: the port gave no answer.
   */
  readonly result: 'agrees' | 'differs' | 'known' | 'unsupported' | 'missing';
  /** The difference, or the reason for a known one. Absent if the row agrees. */
  readonly detail?: string | undefined;
}

export interface Conformance {
  readonly rows: readonly CheckedRow[];
  /** Listed differences that do not exist: rows that agree, or that are not there. */
  readonly staleKnown: readonly string[];
  /** Whether some row agrees, none differs or lacks its answer, and no listed difference is stale. */
  readonly passes: boolean;
}

/**
 * Compares the answers of a port with the rows.
 * @param known Reasons for known differences, by the ids of rows. Default: none.
 */
export function checkAnswers(
  rows: readonly Row[],
  answers: ReadonlyMap<string, Answer>,
  known: Readonly<Record<string, string>> = {},
): Conformance {
  const stale = new Set(Object.keys(known));
  const checked = rows.map((row): CheckedRow => {
    const answer = answers.get(row.id);
    if (answer === undefined) return { row, result: 'missing', detail: 'no answer' };
    if ('unsupported' in answer) return { row, result: 'unsupported' };
    const detail = problemOf(row, answer);
    if (detail === null) return { row, result: 'agrees' };
    const reason = Object.hasOwn(known, row.id) ? known[row.id] : undefined;
    if (reason === undefined) return { row, result: 'differs', detail };
    stale.delete(row.id);
    return { row, result: 'known', detail: reason };
  });
  const has = (result: CheckedRow['result']) => checked.some((one) => one.result === result);
  const staleKnown = [...stale].toSorted();
  const passes = has('agrees') && !has('differs') && !has('missing') && staleKnown.length === 0;
  return { rows: checked, staleKnown, passes };
}

function problemOf({ expected, tolerance }: Row, answer: Exclude<Answer, { unsupported: true }>): string | null {
  if ('error' in expected) return 'error' in answer ? null : `an error is expected, not ${brief(answer.output)}`;
  if ('error' in answer) return `${brief(expected.output)} is expected, not an error: ${answer.error.slice(0, 200)}`;
  const path = differenceOf(answer.output, expected.output, tolerance);
  if (path === null) return null;
  return `at ${path}: ${brief(expected.output)} is expected, not ${brief(answer.output)}`;
}

function brief(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 300 ? `${json.slice(0, 300)}…` : json;
}

import { consoleFailures, problemText, type ScoreText, scoreTexts } from '@agent-criteria/report/console';
import type { RunRecord } from '@agent-criteria/results';
import type { EvaluatedCase } from '@agent-criteria/runner';
import type { EvalCaseMeta } from './task-meta.ts';

/** Whether Vitest uses colours, judging by the environment of its workers. */
export function isPainted(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (environment.NO_COLOR !== undefined) return false;
  return environment.FORCE_COLOR !== undefined || environment.FORCE_TTY === 'true';
}

/** Formats the cases of a run that did not pass, with their differences, as the command-line tool prints them. */
export async function failuresText(record: RunRecord): Promise<string> {
  let text = '';
  for await (const piece of consoleFailures(record, { color: isPainted() })) text += piece;
  return text.trimEnd();
}

/** Returns the reason why a case fails its test, or `null` if it does not. */
export async function failureText({ record, result, problems }: EvaluatedCase): Promise<string | null> {
  const { verdict } = result;
  if (problems.length === 0 && (verdict === 'passed' || verdict === 'informational')) return null;
  return [...problems.map(problemText), await failuresText(record)].filter((text) => text !== '').join('\n');
}

/** Describes a case that was only measured, with its scores. */
export function measuredText(evaluated: EvaluatedCase): string {
  return `nothing was judged, only measured: ${scoreLine(evaluated)}`;
}

/** Formats the scores of a case on one line. */
export function scoreLine(evaluated: EvaluatedCase): string {
  const { result } = evaluated;
  const texts = textsOf(evaluated).map(({ text }) => text);
  const passed = result.units.filter(({ verdict }) => verdict === 'passed').length;
  const isFlaky = result.verdict === 'passed' && passed < result.units.length;
  return [...texts, ...(isFlaky ? [`${passed} of ${result.units.length} repeats passed`] : [])].join(', ');
}

/** Converts the result of a case for Vitest's reporters. */
export function metaOf(evaluated: EvaluatedCase): EvalCaseMeta {
  const { setId, caseId, variant, verdict } = evaluated.result;
  const criteria = textsOf(evaluated).map(({ result: { name, score, threshold, verdict } }) => {
    return { name, score, threshold, verdict };
  });
  return { setId, caseId, ...(variant !== undefined && { variant }), verdict, criteria, text: scoreLine(evaluated) };
}

function textsOf({ record, result }: EvaluatedCase): readonly ScoreText[] {
  const set = record.sets.find(({ id }) => id === result.setId);
  return set === undefined ? [] : scoreTexts({ result }, set);
}

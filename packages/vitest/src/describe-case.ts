import { consoleFailures, problemText } from '@agent-criteria/report';
import { safe } from '@agent-criteria/report/terminal';
import type { RunRecord } from '@agent-criteria/results';
import type { EvaluatedCase } from '@agent-criteria/runner';

/** Whether Vitest paints what it prints, as far as its workers can tell. */
export function isPainted(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (environment.NO_COLOR !== undefined) return false;
  return environment.FORCE_COLOR !== undefined || environment.FORCE_TTY === 'true';
}

/** What did not pass in a run, with the differences, as the command prints it. */
export async function failuresText(record: RunRecord): Promise<string> {
  let text = '';
  for await (const piece of consoleFailures(record, { color: isPainted() })) text += piece;
  return text.trimEnd();
}

/** Why a case makes its test fail; `null`: it does not. */
export async function failureText({ record, result, problems }: EvaluatedCase): Promise<string | null> {
  const { verdict } = result;
  if (problems.length === 0 && (verdict === 'passed' || verdict === 'informational')) return null;
  return [...problems.map(problemText), await failuresText(record)].filter((text) => text !== '').join('\n');
}

/** What criteria that only measure came to. */
export function measuredText({ result }: EvaluatedCase): string {
  const scores = result.criteria.map(({ name, score, reason }) => safe(`${name} ${score ?? reason ?? 'has no score'}`));
  return `nothing was judged, only measured: ${scores.join(', ')}`;
}

import { contentText } from '@agent-criteria/core';
import { messageTitle } from '@agent-criteria/formats';
import type { RunCase, RunSet } from '@agent-criteria/results';
import { scoreValue } from './score-value.ts';

const MOST = 2000;

/** Formats a case as Markdown for a pull request: the verdict, the scores, and the first turn that falls short. */
export function caseMarkdown({ result, evalCase, inferences }: RunCase, set: Pick<RunSet, 'id' | 'name'>): string {
  const rows = result.criteria.map(
    ({ name, score, threshold, verdict }) =>
      `| ${cell(name)} | ${score === null ? '–' : round(score)} | ${threshold === null ? '–' : threshold} | ${verdict} |`,
  );
  const failing = result.criteria.find(({ verdict }) => verdict !== 'passed' && verdict !== 'informational');
  const turn =
    failing?.turns.find(({ score, turn: at }) => at !== null && (score === null || scoreValue(score) !== 1))?.turn ?? 0;
  const actual = inferences[0]?.inference.invocations[turn];
  const expected = evalCase.conversation?.[turn];
  const asked = messageTitle((expected ?? actual)?.userContent);
  return [
    `### ${cell(set.name ?? set.id)} / ${cell(result.caseId)}: ${result.verdict}`,
    ...(result.reason === undefined ? [] : [cell(result.reason)]),
    ...(rows.length === 0
      ? []
      : [['| criterion | score | threshold | verdict |', '| --- | --- | --- | --- |', ...rows].join('\n')]),
    ...(asked === '' ? [] : [`Asked in turn ${turn + 1}`, fenced(asked)]),
    ...(expected?.finalResponse ? ['Expected', fenced(contentText(expected.finalResponse))] : []),
    ...(actual?.finalResponse ? ['Answered', fenced(contentText(actual.finalResponse))] : []),
  ].join('\n\n');
}

/** Escapes text for use in a table cell. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()#+!|<>~@&-]/g, '\\$&');
}

/** Puts text into a code fence that is longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.length > MOST ? `${text.slice(0, MOST)}…` : text}\n${fence}`;
}

function round(score: number): string {
  return String(Math.round(score * 1000) / 1000);
}

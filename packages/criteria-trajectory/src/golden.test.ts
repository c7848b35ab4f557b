import { readFileSync } from 'node:fs';
import type { FunctionCall, Invocation, Turn } from '@agent-criteria/core';
import { inference, testTools, unit } from '@agent-criteria/core/testing';
import { describe, expect, test } from 'vitest';
import { adkDifferences } from './adk-differences.ts';
import { type MatchType, parseMatchType } from './match-type.ts';
import { toolTrajectory } from './tool-trajectory-avg-score.ts';

// Every row of the golden file, through the criterion, with invocations in the shapes that the row states. Rows where
// ADK refuses the whole conversation are about pairing turns, which is core's; here they are counted.

type Shape = 'tool_uses' | 'events' | 'none';
type Call = FunctionCall & { will_continue?: boolean };
type Line = (typeof adkDifferences)[number]['id'];

interface Row {
  readonly id: string;
  readonly category: string;
  readonly match_type: MatchType;
  readonly threshold: number;
  readonly ignore_args: boolean;
  readonly actual: readonly (readonly Call[])[];
  readonly expected: readonly (readonly Call[])[] | null;
  readonly actual_shape: readonly Shape[];
  readonly expected_shape: readonly Shape[];
  readonly overall_score?: number | null;
  readonly overall_status?: 'PASSED' | 'FAILED' | 'NOT_EVALUATED';
  readonly per_invocation?: readonly { readonly score: number }[];
  readonly error?: { readonly type: string; readonly message: string };
  readonly notes?: string;
}

const rows: readonly Row[] = readFileSync(new URL('./__fixtures__/trajectory.public.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const refused = rows.filter((row) => row.error !== undefined);
const lossy = rows.filter((row) => row.notes?.startsWith('js-lossy'));
const judged = rows.filter((row) => row.error === undefined && !lossy.includes(row));

function invocation(calls: readonly Call[], shape: Shape): Invocation {
  const head = { invocationId: '', userContent: { role: 'user', parts: [{ text: 'Hello' }] } };
  if (shape === 'none') return head;
  if (shape === 'tool_uses') return { ...head, intermediateData: { toolUses: [...calls] } };
  // Calls by two agents, beside texts and responses, two in one event.
  const events = calls.map((functionCall, index) => ({
    author: index % 2 === 0 ? 'root_agent' : 'sub_agent',
    content: { role: 'model', parts: [{ text: 'One moment.' }, { functionCall }] },
  }));
  const [first, second, ...others] = events;
  const joined =
    first !== undefined && second !== undefined
      ? [{ ...first, content: { role: 'model', parts: [...first.content.parts, ...second.content.parts] } }, ...others]
      : events;
  const response = { author: 'root_agent', content: { parts: [{ functionResponse: { name: 'a', response: {} } }] } };
  return { ...head, intermediateData: { invocationEvents: [...joined, { author: 'root_agent' }, response] } };
}

function scoresOf(row: Row, compat: 'adk' | null): number[] {
  const validated = toolTrajectory.options['~standard'].validate({
    matchType: row.match_type,
    ignoreArgs: row.ignore_args,
  });
  if (validated.issues) throw new Error(JSON.stringify(validated.issues));
  return row.actual.map((calls, index) => {
    const actual = invocation(calls, row.actual_shape[index]!);
    const expected = invocation(row.expected![index]!, row.expected_shape[index]!);
    const turn: Turn = { index, actual, expected, rubrics: [] };
    const run = unit({ evalId: row.id, conversation: [expected] });
    const transcript = { unit: run, inference: inference([]), turns: [turn], rubrics: [] };
    if (toolTrajectory.scope !== 'turn') throw new Error('the criterion judges turns');
    const score = toolTrajectory.evaluate(turn, validated.value, testTools({ compat }), transcript);
    if (score instanceof Promise || !('value' in score) || score.value === null)
      throw new Error(`no score in ${row.id}`);
    return score.value;
  });
}

function mean(scores: readonly number[]): number | null {
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** The row as it would be if ADK did what a line says. */
const applied: Partial<Record<Line, (call: Call) => Call>> = {
  'args-absent-is-empty': (call) => ({ ...call, args: call.args ?? {} }),
  'true-is-not-one': (call) => ({ ...call, args: tagBooleans(call.args ?? null) as Record<string, unknown> | null }),
};

// As texts, which equal nothing but themselves in both modes. An absent `args` is null to ADK.
function tagBooleans(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item) => (typeof item === 'boolean' ? `boolean ${item}` : item));
}

/** The fewest lines that make ADK's scores the default ones; `null` when none do. */
function explanation(row: Row): Line[] | null {
  const wanted = scoresOf(row, null);
  const lines = Object.keys(applied) as Line[];
  for (const chosen of [[], ...lines.map((line) => [line]), lines]) {
    const apply = (calls: readonly Call[]) =>
      calls.map((call) => chosen.reduce((changed, line) => applied[line]?.(changed) ?? changed, call));
    const changed = { ...row, actual: row.actual.map(apply), expected: (row.expected ?? []).map(apply) };
    if (JSON.stringify(scoresOf(changed, 'adk')) === JSON.stringify(wanted)) return chosen;
  }
  return null;
}

describe('golden rows', () => {
  test('all are there', () => {
    expect(rows).toHaveLength(421);
    expect(refused).toHaveLength(22);
    expect(refused.filter((row) => row.error!.message.includes('same length'))).toHaveLength(20);
    expect(refused.filter((row) => row.expected === null)).toHaveLength(2);
    expect(lossy).toHaveLength(4);
    expect(judged).toHaveLength(395);
    const shapes = new Set(judged.flatMap((row) => [...row.actual_shape, ...row.expected_shape]));
    expect([...shapes].sort()).toEqual(['events', 'none', 'tool_uses']);
    expect(rows.every((row) => parseMatchType(row.match_type) === row.match_type)).toBe(true);
  });

  test('in compat mode, each score is the one of ADK', () => {
    for (const row of judged) {
      const scores = scoresOf(row, 'adk');
      expect(scores, row.id).toStrictEqual(row.per_invocation!.map((turn) => turn.score));
      expect(mean(scores), row.id).toBe(row.overall_score);
    }
  });

  test('in default mode, each difference from ADK is explained by a line of the list, and each line is used', () => {
    // No row was made by ADK for TypeScript; the line has a test of its own beside the criterion.
    const used = new Set<Line>(['transfer-spelling']);
    let different = 0;
    for (const row of judged) {
      const scores = scoresOf(row, null);
      if (JSON.stringify(scores) !== JSON.stringify(row.per_invocation!.map((turn) => turn.score))) {
        const lines = explanation(row);
        expect(lines, `${row.id} (${row.category}) differs from ADK, and no line of the list says why`).not.toBeNull();
        expect(lines, row.id).not.toEqual([]);
        for (const line of lines!) used.add(line);
        different++;
      }
      const overall = row.overall_score ?? null;
      if (overall === null) continue;
      // The verdict on ADK's own number: only the tolerance can change it.
      const passed = overall + 1e-9 >= row.threshold;
      if (passed !== (row.overall_status === 'PASSED')) {
        expect(overall >= row.threshold, row.id).toBe(false);
        used.add('tolerance');
      }
    }
    expect(different).toBe(31);
    expect([...used].sort()).toEqual(adkDifferences.map((line) => line.id).sort());
  });
});

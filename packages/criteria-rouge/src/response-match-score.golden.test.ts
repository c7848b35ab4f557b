import { exactMean, type Invocation, type Part, type Score, sumMean } from '@agent-criteria/core';
import { inference, testTools, unit } from '@agent-criteria/core/testing';
import { describe, expect, test } from 'vitest';
import { goldenRows } from './__fixtures__/golden-rows.ts';
import { adkDifferences } from './adk-differences.ts';
import { responseMatch } from './response-match-score.ts';

// Whole evaluations by ADK, in both modes. A row that differs by default names the lines of list A that explain it: with
// just these lines as in ADK it must agree, and with one fewer it must not.

type Line = (typeof adkDifferences)[number]['id'];
type Status = 'PASSED' | 'FAILED' | 'NOT_EVALUATED';

interface Row {
  readonly id: string;
  readonly threshold: number;
  /** The parts of each final response, `null` for none; as ADK spells them. */
  readonly actual: readonly (Part[] | null)[];
  readonly expected: readonly (Part[] | null)[] | null;
  readonly overall_score: number;
  readonly overall_status: Status;
  readonly per_invocation: readonly { readonly score: number; readonly status: Status }[];
  readonly error?: { readonly type: string };
}

const rows = goldenRows<Row>('rouge-evaluator');
const judged = rows.filter((row) => row.error === undefined);
const refused = rows.filter((row) => row.error !== undefined);

const explained: Readonly<Record<string, readonly Line[]>> = {
  're-006': ['exact-mean'],
  're-008': ['exact-mean'],
  're-022': ['exact-mean'],
  're-026': ['exact-mean'],
  're-033': ['exact-mean'],
  're-036': ['exact-mean'],
  're-037': ['no-words', 'exact-mean'],
  're-059': ['exact-mean'],
  're-083': ['no-words'],
  're-091': ['no-expected-answer'],
  're-092': ['no-expected-answer'],
  're-097': ['thoughts'],
};

function invocation(parts: Part[] | null | undefined, thoughts: boolean): Invocation {
  const kept = thoughts ? parts?.map(({ thought: _, ...part }) => part) : parts;
  return { userContent: { role: 'user', parts: [{ text: 'Hello' }] }, finalResponse: kept ? { parts: kept } : null };
}

async function scoreOf(row: Row, index: number, compat: 'adk' | null, thoughts: boolean): Promise<Score> {
  const actual = invocation(row.actual[index], thoughts);
  const listed = row.expected?.[index];
  const expected = listed === undefined ? null : invocation(listed, thoughts);
  const turn = { index, actual, expected, rubrics: [] };
  const transcript = { unit: unit({ evalId: row.id }), inference: inference([]), turns: [turn], rubrics: [] };
  if (responseMatch.scope !== 'turn') throw new Error('the criterion judges turns');
  return responseMatch.evaluate(turn, { language: 'en', type: 'rouge1' }, testTools({ compat }), transcript);
}

function numberOf(score: Score): number | null {
  return 'value' in score ? score.value : null;
}

function text(parts: Part[] | null | undefined): string {
  return (parts ?? []).map((part) => part.text ?? '').join('\n');
}

/** What the row comes to: ADK's way as far as the lines say, ours beyond. */
async function evaluated(row: Row, lines: ReadonlySet<Line>) {
  const scores = await Promise.all(
    row.actual.map(async (_, index) => {
      const expected = text(row.expected?.[index]);
      if (lines.has('no-expected-answer') && expected === '') return 0;
      const wordless = expected !== '' && !/[\p{L}\p{N}]/u.test(expected);
      const compat = lines.has('no-words') && wordless ? 'adk' : null;
      return numberOf(await scoreOf(row, index, compat, lines.has('thoughts')));
    }),
  );
  const numbers = scores.filter((value) => value !== null);
  // The tolerance of thresholds is another difference; no row comes near enough to need it.
  const status = (value: number | null): Status =>
    value === null ? 'NOT_EVALUATED' : value >= row.threshold - 1e-9 ? 'PASSED' : 'FAILED';
  const mean = (lines.has('exact-mean') ? sumMean : exactMean)(numbers);
  const overall = Number.isNaN(mean) ? null : mean;
  return outcome(overall, status(overall), scores, scores.map(status));
}

function outcome(overall: number | null, status: Status, scores: readonly (number | null)[], statuses: Status[]) {
  return { overall, status, scores, statuses };
}

function golden(row: Row) {
  const scores = row.per_invocation.map(({ score }) => score);
  const statuses = row.per_invocation.map(({ status }) => status);
  return outcome(row.overall_score, row.overall_status, scores, statuses);
}

describe('compat mode', () => {
  test('gives the numbers of every row', async () => {
    expect(judged.length).toBe(60);
    for (const row of judged) {
      const scores = await Promise.all(row.actual.map((_, index) => scoreOf(row, index, 'adk', false)));
      const numbers = scores.map((score) => numberOf(score) ?? Number.NaN);
      const status = (value: number): Status => (value >= row.threshold ? 'PASSED' : 'FAILED');
      const overall = sumMean(numbers);
      expect({ id: row.id, ...outcome(overall, status(overall), numbers, numbers.map(status)) }).toEqual({
        id: row.id,
        ...golden(row),
      });
    }
  });

  test('scores no turn that ADK refuses for want of a reference', async () => {
    expect(refused.map((row) => row.id).sort()).toEqual(['re-100', 're-101']);
    for (const row of refused) {
      const scores = await Promise.all(row.actual.map((_, index) => scoreOf(row, index, 'adk', false)));
      expect(scores.at(-1)).toMatchObject({ value: null, missing: 'not-applicable' });
    }
  });
});

describe('default mode', () => {
  test.each(judged)('row $id agrees, or list A says why not', async (row) => {
    const lines = explained[row.id] ?? [];
    const withLines = await evaluated(row, new Set(lines));
    expect(withLines).toEqual(golden(row));
    for (const line of lines) {
      const others = lines.filter((other) => other !== line);
      expect(await evaluated(row, new Set(others)), `${line} explains nothing`).not.toEqual(golden(row));
    }
  });

  test('every line of list A explains a row', () => {
    const used = new Set(Object.values(explained).flat());
    expect(adkDifferences.map((line) => line.id).filter((id) => !used.has(id))).toEqual([]);
  });
});

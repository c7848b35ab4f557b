// Long: scores every recorded result.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionCall, Part } from '@agent-criteria/core';
import { prepareRun } from '@agent-criteria/project';
import { compareRecordedScores } from '@agent-criteria/project/runs';
import { runRecord } from '@agent-criteria/results';
import type { Comparison } from '@agent-criteria/results/adk';
import { score } from '@agent-criteria/runner';
import { expect, it } from 'vitest';
import { type AdkCase, adkMetric, adkResult, adkTurn } from '../packages/cli/src/__fixtures__/adk-result.ts';
import { builtInCriteria } from '../packages/cli/src/built-in-criteria.ts';
import { adkDifferences as differencesOfCore } from '../packages/core/adk-differences.ts';
import { adkLines } from '../packages/results/src/adk/adk-lines.ts';
import { folderOf } from './folder.ts';
import { excuseOf } from './golden-rows/excused.ts';
import { goldenGroups } from './golden-rows/golden-files.ts';

// Judges result files in ADK's format, made from rows recorded from its code, and compares every score.

type Call = FunctionCall & { will_continue?: boolean };
type Status = 'PASSED' | 'FAILED' | 'NOT_EVALUATED';

interface Row {
  readonly id: string;
  readonly threshold: number;
  readonly match_type?: string;
  readonly ignore_args?: boolean;
  readonly actual: readonly (readonly (Call | Part)[] | null)[];
  readonly expected: readonly (readonly (Call | Part)[] | null)[] | null;
  readonly actual_shape?: readonly string[];
  readonly expected_shape?: readonly string[];
  readonly overall_score: number | null;
  readonly overall_status: Status;
  readonly per_invocation: readonly { readonly score: number | null; readonly status: Status }[];
  readonly error?: unknown;
}

const ofCore = new Set(differencesOfCore.map(({ id }) => id));
const statusOf = { PASSED: 1, FAILED: 2, NOT_EVALUATED: 3 } as const;

/** Whether ADK has a result for a row. For other rows, its evaluator raises an error or judges nothing. */
function isRecorded({ error, expected, threshold, actual }: Row): boolean {
  // We reject a threshold out of range: entry `thresholds` of list B.
  const isInRange = threshold >= 0 && threshold <= 1;
  // We reject this in every file, although Python reads it.
  const isSafe = !JSON.stringify([actual, expected]).includes('"__proto__":');
  return error === undefined && expected !== null && actual.length > 0 && isInRange && isSafe;
}

function rowsOf(file: string): readonly Row[] {
  const group = goldenGroups().find((one) => one.file === file);
  const rows = group?.rows.filter((row) => excuseOf(group, row) === null) ?? [];
  return rows.map(({ row }) => row as Row).filter(isRecorded);
}

function callsTurn(calls: readonly Call[], shape: string | undefined): Readonly<Record<string, unknown>> {
  if (shape === 'none') return adkTurn('Go on.', null, [], { intermediate_data: null });
  if (shape !== 'events') return adkTurn('Go on.', null, calls);
  const events = calls.map((call) => ({
    author: 'root_agent',
    content: { role: 'model', parts: [{ function_call: call }] },
  }));
  return adkTurn('Go on.', null, [], { intermediate_data: { invocation_events: events } });
}

function answerTurn(parts: readonly Part[] | null): Readonly<Record<string, unknown>> {
  return adkTurn('Go on.', null, [], { final_response: parts === null ? null : { role: 'model', parts } });
}

function caseOf(row: Row, criterion: string): AdkCase {
  const { match_type, ignore_args, threshold } = row;
  const options = match_type === undefined ? {} : { match_type, ignore_args };
  const metric = (value: number | null, status: Status) =>
    adkMetric(criterion, threshold, value, statusOf[status], options);
  const turn = (side: 'actual' | 'expected', index: number) => {
    const items = row[side]?.[index] ?? null;
    if (criterion === 'response_match_score') return answerTurn(items as readonly Part[] | null);
    return callsTurn((items ?? []) as readonly Call[], row[`${side}_shape`]?.[index]);
  };
  return {
    id: row.id,
    status: statusOf[row.overall_status],
    overall: [metric(row.overall_score, row.overall_status)],
    turns: row.per_invocation.map((own, index) => ({
      // Separate ids, so that two equal turns do not look like a repeat of the case.
      actual: { ...turn('actual', index), invocation_id: `a-${index}` },
      expected: { ...turn('expected', index), invocation_id: `e-${index}` },
      metrics: [metric(own.score, own.status)],
    })),
  };
}

/** Writes one file for each config with which the rows were evaluated. */
function filesOf(name: string, criterion: string): readonly string[] {
  const byConfig = new Map<string, AdkCase[]>();
  for (const row of rowsOf(name)) {
    const config = JSON.stringify([row.threshold, row.match_type, row.ignore_args]);
    byConfig.set(config, [...(byConfig.get(config) ?? []), caseOf(row, criterion)]);
  }
  const folder = folderOf({});
  return [...byConfig.values()].map((cases, index) => {
    const file = join(folder, `${index}.evalset_result.json`);
    writeFileSync(file, JSON.stringify(adkResult('golden', cases)));
    return file;
  });
}

async function compared(file: string, compat: 'adk' | null): Promise<Comparison> {
  const settings = compat === null ? {} : { compat };
  const prepared = await prepareRun({
    source: { kind: 'recorded', file },
    settings,
    environment: {},
    applyEnvironment: false,
    builtIn: { plugins: builtInCriteria },
  });
  const { source } = prepared;
  if (source.kind !== 'recorded') throw new Error('the source is a result file');
  const sets = await Promise.all(
    prepared.sets.map(async ({ plan }) => {
      const { inferences } = source.recorded.result;
      return { plan, inferences, cases: await score({ plan, inferences }) };
    }),
  );
  const run = runRecord({ id: 'run', startedAt: 0, endedAt: 0, agent: 'adk' }, sets);
  return compareRecordedScores(prepared, source.recorded, run);
}

/** Returns the results of all files for a criterion together. */
async function together(name: string, criterion: string, compat: 'adk' | null) {
  const total = { scores: 0, equal: 0, unexplained: [] as unknown[], why: new Map<string, number>() };
  for (const file of filesOf(name, criterion)) {
    const { scores, equal, differences } = await compared(file, compat);
    total.scores += scores;
    total.equal += equal;
    total.unexplained.push(...differences.filter(({ explained }) => !explained));
    for (const { caseId, why } of differences) {
      const line = `${caseId}: ${why}`;
      total.why.set(line, (total.why.get(line) ?? 0) + 1);
    }
  }
  return total;
}

const GROUPS = [
  ['trajectory.public.jsonl', 'tool_trajectory_avg_score'],
  ['rouge-evaluator.public.jsonl', 'response_match_score'],
  ['tool-parameter-match.public.jsonl', 'tool_parameter_match'],
] as const;

it.each(GROUPS)("with --compat adk, every score equals ADK's: %s", async (name, criterion) => {
  const { scores, equal, why } = await together(name, criterion, 'adk');
  expect(scores).toBeGreaterThan(100);
  expect([...why.keys()]).toEqual([]);
  expect(equal).toBe(scores);
});

it.each(GROUPS)(
  'without --compat adk, every difference names its entry in docs/adk-parity.md: %s',
  async (name, criterion) => {
    const { unexplained, why } = await together(name, criterion, null);
    expect(unexplained).toEqual([]);
    expect(why.size).toBeGreaterThan(0);
    for (const line of why.keys()) expect(line).toMatch(/docs\/adk-parity\.md/);
  },
);

it('the entries that explain differences match those of the packages', async () => {
  const root = new URL('../packages/', import.meta.url);
  const found: Record<string, readonly string[]> = {};
  for (const name of readdirSync(root)) {
    const file = new URL(`${name}/adk-differences.ts`, root);
    if (!existsSync(file)) continue;
    const { adkDifferences }: { adkDifferences: readonly { readonly id: string }[] } = await import(file.href);
    const ids = adkDifferences.map(({ id }) => id);
    const own = name === 'core' ? ids : ids.filter((id) => !ofCore.has(id));
    if (own.length > 0) found[`@agent-criteria/${name}`] = own;
  }
  expect(adkLines).toEqual(found);
});

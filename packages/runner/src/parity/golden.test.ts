import { readFileSync } from 'node:fs';
import {
  type CaseResult,
  type Content,
  createRegistry,
  exactMean,
  type FunctionCall,
  type Invocation,
  type Plan,
  resolveEvalConfig,
  scoreUnit,
  summariseCase,
} from '@agent-criteria/core';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { describe, expect, it } from 'vitest';

// ADK's own evaluators, whole: every row goes through resolution, scoring and verdict. What single turns come to is held
// against ADK beside each criterion, with the line of list A that explains a difference; here it is means and statuses.

interface Row {
  readonly id: string;
  readonly threshold: number;
  readonly match_type?: string;
  readonly ignore_args?: boolean;
  readonly actual: readonly (readonly unknown[])[];
  readonly expected: readonly (readonly unknown[])[] | null;
  readonly actual_shape?: readonly string[];
  readonly expected_shape?: readonly string[];
  readonly overall_score?: number | null;
  readonly overall_status?: 'PASSED' | 'FAILED' | 'NOT_EVALUATED';
  readonly per_invocation?: readonly { readonly score: number; readonly status: string }[];
  readonly error?: { readonly message: string };
  readonly notes?: string;
}

const STATUS = { PASSED: 1, FAILED: 2, NOT_EVALUATED: 3 } as const;
const registry = createRegistry([toolTrajectory, responseMatch]);

function rows(file: string): Row[] {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line): Row => JSON.parse(line));
}

async function judge(
  row: Row,
  compat: 'adk' | null,
  turns: { actual: Invocation[]; expected: Invocation[] },
  config: object,
): Promise<CaseResult> {
  const evalCase = { evalId: row.id, conversation: turns.expected };
  const resolved = resolveEvalConfig({
    evalSet: { evalSetId: 'golden', evalCases: [evalCase] },
    config,
    registry,
    compat,
  });
  // ADK compares with any threshold; ours are refused outside the range, so the row's comes in behind the check.
  const plan: Plan = {
    ...resolved,
    criteria: resolved.criteria.map((planned) => ({ ...planned, threshold: row.threshold })),
  };
  const unit = { setId: 'golden', case: evalCase, repeat: 0 };
  const inference = {
    sessionId: 'golden',
    invocations: turns.actual,
    state: { initial: null, final: null },
    ending: { by: 'end-of-case' as const },
  };
  return summariseCase(plan, evalCase, [await scoreUnit(plan, unit, inference)]);
}

const user: Content = { role: 'user', parts: [{ text: 'go' }] };

function withCalls(calls: readonly unknown[], shape: string | undefined): Invocation {
  const list = calls as FunctionCall[];
  if (shape === 'none') return { userContent: user };
  if (shape === 'tool_uses') return { userContent: user, intermediateData: { toolUses: list } };
  const events = list.map((functionCall) => ({
    author: 'agent',
    content: { role: 'model', parts: [{ functionCall }] },
  }));
  return { userContent: user, intermediateData: { invocationEvents: events } };
}

function withAnswer(parts: readonly unknown[] | null): Invocation {
  return {
    userContent: user,
    finalResponse: parts === null ? null : { role: 'model', parts: parts as Content['parts'] & object },
  };
}

interface Suite {
  readonly name: string;
  readonly file: string;
  readonly config: (row: Row) => object;
  readonly turns: (row: Row) => { actual: Invocation[]; expected: Invocation[] };
}

const suites: readonly Suite[] = [
  {
    name: 'tool_trajectory_avg_score',
    file: 'criteria-trajectory/src/__fixtures__/trajectory.public.jsonl',
    config: (row) => ({
      criteria: {
        tool_trajectory_avg_score: { threshold: 1, match_type: row.match_type, ignore_args: row.ignore_args },
      },
    }),
    turns: (row) => ({
      actual: row.actual.map((calls, index) => withCalls(calls, row.actual_shape?.[index])),
      expected: (row.expected ?? []).map((calls, index) => withCalls(calls, row.expected_shape?.[index])),
    }),
  },
  {
    name: 'response_match_score',
    file: 'criteria-rouge/src/__fixtures__/rouge-evaluator.public.jsonl',
    config: () => ({ criteria: { response_match_score: { threshold: 1 } } }),
    turns: (row) => ({ actual: row.actual.map(withAnswer), expected: (row.expected ?? []).map(withAnswer) }),
  },
];

describe.each(suites)('golden rows of $name', ({ file, config, turns }) => {
  const all = rows(file);
  const comparable = all.filter(
    (row) => row.notes?.startsWith('js-lossy') !== true && row.expected !== null && row.error === undefined,
  );
  // A conversation without turns is refused when a file is read: nothing could be judged.
  const whole = comparable.filter((row) => row.expected?.length !== 0);

  it('are all here', () => {
    expect(all.length).toBeGreaterThan(60);
    expect(whole.length).toBeGreaterThan(all.length * 0.8);
  });

  it.each(whole)('compat gives score and status of ADK: $id', async (row) => {
    const result = await judge(row, 'adk', turns(row), config(row));
    const [criterion] = result.criteria;
    expect(criterion?.turns.map((turn) => turn.value)).toEqual(row.per_invocation?.map((turn) => turn.score));
    expect(criterion?.turns.map((turn) => (turn.reached === true ? 'PASSED' : 'FAILED'))).toEqual(
      row.per_invocation?.map((turn) => turn.status),
    );
    expect(criterion?.score).toBe(row.overall_score);
    expect(criterion?.adkStatus).toBe(STATUS[row.overall_status ?? 'NOT_EVALUATED']);
    // All turns have a number, so that our own verdict agrees.
    expect(criterion?.verdict).toBe(row.overall_status === 'PASSED' ? 'passed' : 'failed');
  });

  it('by default differ in mean and status only as list A says', async () => {
    const named = new Set<string>();
    for (const row of whole) {
      const result = await judge(row, null, turns(row), config(row)).catch(() => null);
      if (result === null) {
        named.add('refused'); // no expected turn has an answer: nothing to compare, found before the run
        continue;
      }
      const [criterion] = result.criteria;
      const values = criterion?.turns.map((turn) => turn.value) ?? [];
      const golden = row.per_invocation?.map((turn) => turn.score) ?? [];
      if (values.some((value, index) => value !== golden[index])) {
        named.add('turns'); // explained beside the criterion
        continue;
      }
      if (criterion?.score !== row.overall_score) {
        named.add('exact-mean');
        expect(criterion?.score).toBe(exactMean(golden));
      }
      const passed = row.overall_status === 'PASSED';
      if ((criterion?.verdict === 'passed') !== passed) {
        named.add('tolerance');
        expect(Math.abs((criterion?.score ?? 0) - row.threshold)).toBeLessThanOrEqual(1e-9);
      }
    }
    expect(named.size).toBeGreaterThan(0);
  });

  it.each(all.filter((row) => row.error !== undefined && row.expected !== null))(
    'where ADK raises, nothing passes and the reason is told: $id',
    async (row) => {
      if (row.expected?.length === 0) return;
      const { actual, expected } = turns(row);
      const result = await judge(row, 'adk', { actual, expected }, config(row));
      expect(result.verdict).toBe('not-evaluated');
      expect(result.criteria[0]).toMatchObject({ score: null, adkStatus: 3 });
      expect(result.reason).toContain(`the inference has ${actual.length} turn`);
    },
  );

  it.each(all.filter((row) => row.expected === null))(
    'without a reference it is refused before the run: $id',
    (row) => {
      const evalCase = {
        evalId: 'scenario',
        conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Talk.' },
      };
      const evalSet = { evalSetId: 'golden', evalCases: [evalCase] };
      expect(() =>
        resolveEvalConfig({ evalSet, config: config(row), registry, scoringOnly: true, compat: 'adk' }),
      ).toThrow('a simulated conversation has none');
    },
  );
});

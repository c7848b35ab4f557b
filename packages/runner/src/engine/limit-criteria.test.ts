import {
  type Criterion,
  defineCriterion,
  type LanguageModel,
  noOptions,
  type Score,
  type Tools,
  type Turn,
} from '@agent-criteria/core';
import { createRegistry, type Plan, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference } from '@agent-criteria/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { never } from '../__fixtures__/agents.ts';
import { run } from '../run.ts';
import { runDefaults } from '../run-defaults.ts';
import { scoreOne } from './limit-criteria.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Evaluation = (turn: Turn, tools: Tools) => Score | Promise<Score>;

function criterion(name: string, evaluate: Evaluation, scope: 'turn' | 'conversation' = 'turn'): Criterion {
  const head = {
    name,
    origin: { package: 'test', version: '1.0.0' },
    description: 'Whatever the test says.',
    decides: true,
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    models: () => ['judge'],
  } as const;
  if (scope === 'turn') {
    return defineCriterion({ ...head, scope, evaluate: (turn, { tools }) => evaluate(turn, tools) });
  }
  return defineCriterion({
    ...head,
    scope,
    evaluate: (transcript, { tools }) => evaluate(transcript.turns[0] as Turn, tools),
  });
}

const turns = ['one', 'two'].map((user) => ({ user, answer: user }));
const set = evalSet([evalCase('a', turns)]);

/** Creates a plan with these criteria and a judge that answers after `wait` milliseconds. */
function planOf(criteria: readonly Criterion[], wait = 0): Plan {
  const model: LanguageModel = {
    id: 'slow',
    async generate() {
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      return { text: 'yes', finish: 'stop', usage: {}, from: 'live' };
    },
  };
  const config = { criteria: Object.fromEntries(criteria.map(({ name }) => [name, 1])) };
  return resolveEvalConfig({ evalSet: set, config, registry: createRegistry(criteria), models: () => model });
}

/** Returns the score of each criterion, after all timers have fired. */
async function scored(plan: Plan, signal = new AbortController().signal) {
  const [only] = set.evalCases;
  if (only === undefined) throw new Error('the set has no case');
  const unit = { setId: 'set', case: only, repeat: 0 };
  const scores = scoreOne(plan, unit, inference(turns), runDefaults.criterionTimeout, { signal });
  await vi.runAllTimersAsync();
  return (await scores)?.criteria.map((one) => one.scores);
}

const good = criterion('good', () => ({ value: 1 }));
const late = {
  value: null,
  missing: 'could-not-judge',
  reason:
    'the criterion returned no score within 300 seconds, not counting calls to models and services; if it needs longer, raise criterionTimeout',
};

describe('a criterion that never ends', () => {
  it.each(['turn', 'conversation'] as const)('loses only its own scores, one per %s', async (scope) => {
    const hanging = criterion('hanging', () => never(), scope);
    expect(await scored(planOf([good, hanging, criterion('last', () => ({ value: 0.5 }))]))).toEqual([
      [{ value: 1 }, { value: 1 }],
      scope === 'turn' ? [late, late] : [late],
      [{ value: 0.5 }, { value: 0.5 }],
    ]);
  });

  it('in one turn does not affect the scores of other turns', async () => {
    const hanging = criterion('hanging', ({ index }) => (index === 0 ? never() : { value: 1 }));
    expect(await scored(planOf([hanging]))).toEqual([[late, { value: 1 }]]);
  });

  it('receives an abort, and its late score changes nothing', async () => {
    const seen: unknown[] = [];
    const slow = criterion('slow', async ({ index }, { signal }) => {
      signal.addEventListener('abort', () => seen.push(signal.reason.message));
      await new Promise((done) => setTimeout(done, runDefaults.criterionTimeout + 1 + index));
      return { value: 1 };
    });
    expect(await scored(planOf([slow, good]))).toEqual([
      [late, late],
      [{ value: 1 }, { value: 1 }],
    ]);
    expect(seen).toEqual([late.reason, late.reason]);
  });

  it('does not block the run or the scores of other criteria', async () => {
    const plan = planOf([good, criterion('hanging', () => never())]);
    const results: unknown[] = [];
    const running = run({
      sets: [{ plan, file: null, configFile: null, warnings: [] }],
      agent: (text: string) => text,
      onEvent: (event) => {
        if (event.type === 'case-finished') results.push(event.result.criteria.map(({ verdict }) => verdict));
      },
    });
    for (let waited = 0; waited < 100 && results.length === 0; waited++) {
      await vi.advanceTimersByTimeAsync(10_000);
      await new Promise((done) => setImmediate(done));
    }
    const { summary } = await running;
    expect(results).toEqual([['passed', 'not-evaluated']]);
    expect(summary.exitCode).toBe(3);
  });
});

it('criterionTimeout limits how long a criterion may take', async () => {
  const plan = planOf([good, criterion('hanging', () => never())]);
  const reasons: unknown[] = [];
  const running = run({
    sets: [{ plan, file: null, configFile: null, warnings: [] }],
    agent: (text: string) => text,
    criterionTimeout: 2000,
    onEvent: (event) => {
      if (event.type === 'case-finished') reasons.push(...event.result.criteria.map(({ reason }) => reason));
    },
  });
  for (let waited = 0; waited < 10 && reasons.length === 0; waited++) {
    await vi.advanceTimersByTimeAsync(1000);
    await new Promise((done) => setImmediate(done));
  }
  expect((await running).summary.exitCode).toBe(3);
  expect(reasons[1]).toContain('no score within 2 seconds');
  expect(reasons[1]).toContain('raise criterionTimeout');
  await expect(run({ sets: [], agent: (text: string) => text, criterionTimeout: 0 })).rejects.toThrow(
    'criterionTimeout must be a whole number of milliseconds above 0, or a duration such as "300s", not 0',
  );
});

describe('a slow criterion', () => {
  it('does not time out while its calls are in flight', async () => {
    const judged = criterion('judged', async (_turn, { model, signal }) => {
      for (let asked = 0; asked < 3; asked++) {
        await model('judge').generate({ messages: [], sample: asked }, signal);
        await new Promise((done) => setTimeout(done, runDefaults.criterionTimeout - 1));
      }
      return { value: 1 };
    });
    expect(await scored(planOf([judged], 10 * runDefaults.criterionTimeout))).toEqual([[{ value: 1 }, { value: 1 }]]);
  });

  it("does not time out while one turn waits for another turn's call", async () => {
    let shared: Promise<unknown> | undefined;
    const judged = criterion('judged', async (_turn, { model, signal }) => {
      shared ??= model('judge').generate({ messages: [], sample: 0 }, signal);
      await shared;
      return { value: 1 };
    });
    expect(await scored(planOf([judged], 3 * runDefaults.criterionTimeout))).toEqual([[{ value: 1 }, { value: 1 }]]);
  });

  it('times out if it hangs after its calls', async () => {
    const judged = criterion('judged', async (_turn, { model, signal }) => {
      await model('judge').generate({ messages: [], sample: 0 }, signal);
      return never();
    });
    expect(await scored(planOf([judged], 3 * runDefaults.criterionTimeout))).toEqual([[late, late]]);
  });
});

it('a criterion is aborted along with the run', async () => {
  const controller = new AbortController();
  const seen: unknown[] = [];
  const hanging = criterion('hanging', (_turn, { signal }) => {
    signal.addEventListener('abort', () => seen.push(signal.reason));
    if (seen.length === 0) setTimeout(() => controller.abort('enough'), 10);
    return never();
  });
  expect(await scored(planOf([hanging]), controller.signal)).toBeUndefined();
  expect(seen).toEqual(['enough', 'enough']);
});

it('limitCriteria() propagates errors thrown by a criterion', async () => {
  const throwing = criterion('throwing', () => {
    throw new Error('no');
  });
  expect(await scored(planOf([throwing, good]))).toMatchObject([
    [{ reason: 'the criterion threw: no' }, { reason: 'the criterion threw: no' }],
    [{ value: 1 }, { value: 1 }],
  ]);
});

it.each(['turn', 'conversation'] as const)(
  'limitCriteria() gives no score to a criterion with an outdated `evaluate` signature and the scope %s',
  async (scope) => {
    const older = (_turn: unknown, options: { readonly words?: number }) => ({ value: options.words ?? 1 });
    const definition = { name: 'older', description: 'for this test', scope, evaluate: older };
    const scores = await scored(planOf([defineCriterion(definition as never)]));
    for (const score of scores?.[0] ?? []) {
      expect(score).toMatchObject({
        value: null,
        missing: 'could-not-judge',
        reason: expect.stringContaining('"words"'),
      });
    }
    expect(scores).toHaveLength(1);
  },
);

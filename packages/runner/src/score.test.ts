import {
  type Criterion,
  defineCriterion,
  type EvalSet,
  type Inference,
  noOptions,
  type Score,
  type Tools,
} from '@agent-criteria/core';
import { createRegistry, type Plan, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference, scriptedModel } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import type { RunInference } from '@agent-criteria/results';
import { describe, expect, it } from 'vitest';
import { deepFreeze, deferred, never } from './__fixtures__/agents.ts';
import { score } from './score.ts';

function criterion(evaluate: (tools: Tools) => Score | Promise<Score>): Criterion {
  return defineCriterion({
    name: 'mine',
    origin: { package: 'test', version: '1.0.0' },
    description: 'Whatever the test says.',
    decides: true,
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    models: () => ['judge'],
    scope: 'turn',
    evaluate: (_turn, { tools }) => evaluate(tools),
  });
}

const ids = ['a', 'b', 'c'];
const set = evalSet(ids.map((id) => evalCase(id, [{ user: id, calls: [] }])));
const model = scriptedModel(() => 'yes');

function planFor(mine: Criterion, evalSetOf: EvalSet = set): Plan {
  const registry = createRegistry([mine]);
  return resolveEvalConfig({ evalSet: evalSetOf, config: { criteria: { mine: 1 } }, registry, models: () => model });
}

function recorded(caseId: string, repeat = 0, more: Partial<Inference> = {}, setId = 'set'): RunInference {
  return { key: { setId, caseId, repeat }, inference: inference([{ user: caseId, answer: caseId }], more) };
}

const good = criterion(() => ({ value: 1 }));

describe('score', () => {
  it('returns a result for every case, in set order', async () => {
    const results = await score({ plan: planFor(good), inferences: [recorded('c'), recorded('a'), recorded('b')] });
    expect(results.map(({ caseId, verdict }) => [caseId, verdict])).toEqual(ids.map((id) => [id, 'passed']));
  });

  it('sorts repeats, and ignores inferences from other sets and cases', async () => {
    const inferences = [
      recorded('a', 2),
      recorded('a', 0),
      recorded('a', 1),
      recorded('b', 0, {}, 'other'),
      recorded('gone'),
    ];
    const [a, b] = await score({ plan: planFor(good), inferences });
    expect(a?.units.map(({ repeat }) => repeat)).toEqual([0, 1, 2]);
    expect(b).toMatchObject({ verdict: 'error', reason: 'no inference was recorded', units: [] });
  });

  it('rejects two inferences of the same unit', async () => {
    const twice = score({ plan: planFor(good), inferences: [recorded('a'), recorded('b'), recorded('a')] });
    await expect(twice).rejects.toThrow('there are two inferences of the case "a", repeat 0');
  });

  it('does not score inferences that ended in an error', async () => {
    const error = { code: 'AGENT_FAILED' as const, message: 'boom' };
    const ending = { by: 'error' as const, of: 'agent' as const, error };
    const [a] = await score({ plan: planFor(good), inferences: [recorded('a', 0, { ending })] });
    expect(a).toMatchObject({ verdict: 'error', reason: 'boom', criteria: [] });
  });

  it('scores parsed inferences with another config, without modifying them', async () => {
    const frozen = deepFreeze(set);
    const inferences = deepFreeze(ids.map((id) => recorded(id)));
    const saved = JSON.parse(JSON.stringify(inferences)) as RunInference[];
    const registry = createRegistry([toolTrajectory, good]);
    const plan = resolveEvalConfig({
      evalSet: frozen,
      config: deepFreeze({ criteria: { tool_trajectory_avg_score: 1 } }),
      registry,
    });
    const results = await score({ plan, inferences });
    expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed']);
    expect(await score({ plan, inferences: saved })).toEqual(results);
  });

  it('limits concurrent calls to models and services', async () => {
    let running = 0;
    let most = 0;
    const busy = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 2));
      running -= 1;
    };
    const slow = {
      id: 'slow',
      generate: async () => {
        await busy();
        return { text: '', finish: 'stop' as const, usage: {}, from: 'live' as const };
      },
    };
    const asking = criterion(async (tools) => {
      const ask = tools.model('judge').generate({ messages: [], sample: 0 }, tools.signal);
      const call = tools.call({ service: 'paid', request: {} }, async () => {
        await busy();
        return {};
      });
      await Promise.all([ask, call]);
      return { value: 1 };
    });
    const many = evalSet(Array.from({ length: 10 }, (_, index) => evalCase(`case${index}`, [{ user: 'Hello' }])));
    const plan = resolveEvalConfig({
      evalSet: many,
      config: { criteria: { mine: 1 } },
      registry: createRegistry([asking]),
      models: () => slow,
    });
    const inferences = many.evalCases.map(({ evalId }) => recorded(evalId));
    const results = await score({ plan, inferences, concurrency: { scoring: 3 } });
    expect(results.every(({ verdict }) => verdict === 'passed')).toBe(true);
    expect(most).toBe(3);
    await expect(score({ plan, inferences, concurrency: { scoring: 0 } })).rejects.toThrow(
      'concurrency.scoring must be a whole number above 0',
    );
  });

  it('is not affected by a criterion that throws on another case', async () => {
    let first = true;
    const fragile = criterion(() => {
      if (!first) return { value: 1 };
      first = false;
      throw new Error('out of luck');
    });
    const results = await score({
      plan: planFor(fragile),
      inferences: ids.map((id) => recorded(id)),
      concurrency: { scoring: 1 },
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(['not-evaluated', 'passed', 'passed']);
    expect(results[0]?.reason).toContain('out of luck');
  });
});

describe('score() with an abort', () => {
  it('keeps scored cases and turns the rest into errors, even if a criterion never ends', async () => {
    const controller = new AbortController();
    const reached = deferred<void>();
    let calls = 0;
    const hanging = criterion(() => {
      calls += 1;
      if (calls === 1) return { value: 1 };
      reached.resolve();
      return never();
    });
    const ending = {
      by: 'error' as const,
      of: 'agent' as const,
      error: { code: 'TIMEOUT' as const, message: 'too slow' },
    };
    const inferences = [recorded('a'), recorded('b'), recorded('c', 0, { ending })];
    const scoring = score({
      plan: planFor(hanging),
      inferences,
      signal: controller.signal,
      concurrency: { scoring: 1 },
    });
    await reached.promise;
    controller.abort(new Error('interrupted'));
    expect((await scoring).map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['passed', undefined],
      ['error', 'the run was aborted before this case was scored'],
      ['error', 'too slow'],
    ]);
  });
});

it('score() rejects values that are not inferences, giving their index', async () => {
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase('a', [{ user: 'Hello' }])]),
    config: { criteria: { mine: 0 } },
    registry: createRegistry([criterion(() => ({ value: 1 }))]),
    models: () => scriptedModel([]),
  });
  const broken = [recorded('a'), { key: { setId: 'set', caseId: 'a', repeat: 1 } }] as ReturnType<typeof recorded>[];
  await expect(score({ plan, inferences: broken })).rejects.toThrow('$[1]: this is not an inference');
});

import { type CallEstimate, defineCriterion, noOptions, type Plugin, type Unit } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { smallProject } from '../__fixtures__/small-project.ts';
import { prepareRun } from '../runs/prepare-run.ts';
import { asks, estimateCalls } from './estimate-calls.ts';

const own: Plugin = {
  kind: 'model-provider',
  specVersion: 1,
  name: 'own',
  names: 'own-…',
  origin: { package: 'own', version: '1.0.0' },
  accepts: (model) => model.startsWith('own-'),
  create: (model) => ({ id: model, generate: () => Promise.reject(new Error('never asked')) }),
};

function criterionOf(name: string, estimate?: (unit: Unit, turns: number) => CallEstimate): Plugin {
  return defineCriterion({
    name,
    description: 'Anything will do.',
    decides: true,
    origin: { package: name, version: '1.0.0' },
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    scope: 'turn',
    models: () => ['own-judge'],
    estimate,
    evaluate: () => ({ value: 1 }),
  });
}

const known = criterionOf('known', (_, turns) => ({
  min: turns,
  max: 3 * turns,
  tokens: { min: 100 * turns, max: 300 * turns },
}));
const silent = criterionOf('silent');
const broken = criterionOf('broken', () => {
  throw new Error('no idea');
});

async function estimateOf(criteria: object, config: object = {}, files: Readonly<Record<string, unknown>> = {}) {
  const project = smallProject({ 'test_config.json': { criteria }, 'agent-criteria.config.json': config, ...files });
  const builtIn = {
    plugins: [...project.options.builtIn.plugins, known, silent, broken],
    providers: async () => [own],
  };
  const prepared = await prepareRun({ ...project.options, agent: project.folder, builtIn });
  return { ...project, estimate: await estimateCalls(prepared) };
}

describe('estimateCalls', () => {
  it('does not count turns in the history, which are never judged', async () => {
    const turn = (text: string) => ({
      user_content: { role: 'user', parts: [{ text }] },
      final_response: { role: 'model', parts: [{ text }] },
    });
    const conversation = ['one', 'two', 'three'].map(turn);
    const set = {
      eval_set_id: 'home',
      eval_cases: [{ eval_id: 'later', conversation, agent_criteria: { history: 2 } }],
    };
    const { estimate } = await estimateOf({ known: 1 }, {}, { 'home.evalset.json': set });
    expect(estimate.rows.filter(asks)).toMatchObject([{ criterion: 'known', calls: { min: 1, max: 3 } }]);
  });

  it('adds up calls, tokens and costs over cases and repeats, and runs nothing', async () => {
    const prices = { 'own-judge': { inputTokens: 0.001, outputTokens: 0.002 } };
    const { estimate, asked, runs } = await estimateOf(
      { known: 1, response_match_score: 0.5 },
      { repeats: 2, prices, maxCalls: 50 },
    );
    const { rows, total, budget } = estimate;
    expect(rows.filter(asks)).toMatchObject([
      { set: 'home', role: 'criterion', criterion: 'known', models: ['own-judge'], calls: { min: 6, max: 18 } },
    ]);
    expect(rows.map(({ criterion }) => criterion)).toContain('response_match_score');
    expect(total.calls).toEqual({ min: 6, max: 18 });
    expect(total.tokens).toEqual({ min: 600, max: 1800 });
    expect(total.cost?.min).toBeCloseTo(0.6);
    expect(total.cost?.max).toBeCloseTo(3.6);
    expect(budget).toEqual({ maxCalls: 50, maxTokens: undefined, maxCost: undefined });
    expect([asked(), runs()]).toEqual([null, []]);
  });

  it('returns null rather than 0 if an estimate or a price is missing', async () => {
    const { estimate: unpriced } = await estimateOf({ known: 1 });
    expect(unpriced.total).toMatchObject({ calls: { min: 3, max: 9 }, cost: null });
    const { estimate } = await estimateOf({ known: 1, silent: 1 });
    expect(estimate.total).toEqual({ calls: null, tokens: null, cost: null });
  });

  it('returns 0 calls if no criterion calls a model', async () => {
    const { estimate } = await estimateOf({ response_match_score: 0.5 });
    expect(estimate.rows.filter(asks)).toEqual([]);
    expect(estimate.total.calls).toEqual({ min: 0, max: 0 });
  });

  it('rejects with the name of a criterion whose estimate throws', async () => {
    await expect(estimateOf({ broken: 1 })).rejects.toMatchObject({
      code: 'INVALID_PLUGIN',
      message: expect.stringContaining('broken'),
    });
  });
});

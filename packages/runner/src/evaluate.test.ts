import { join } from 'node:path';
import { defineCriterion, type Json, noOptions, type UnitKey } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet, scriptedModel } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { deepFreeze } from './__fixtures__/agents.ts';
import type { RunEvent } from './engine/events.ts';
import { evaluate } from './evaluate.ts';
import { generate } from './generate.ts';
import { run } from './run.ts';
import { score } from './score.ts';

const registry = createRegistry([toolTrajectory, responseMatch]);
const call = { name: 'look', args: { at: 'door' } };
const set = evalSet([
  evalCase('right', [{ user: 'echo', answer: 'echo', calls: [call] }]),
  evalCase('wrong', [{ user: 'echo', answer: 'something else', calls: [call] }]),
]);
const agent = (text: string) => ({ text, toolCalls: [call] });

/** Session ids are new in each run. */
const withoutSessions = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, item) => (key === 'sessionId' ? undefined : item)));

describe('evaluate', () => {
  it("runs, scores and summarises a set, using ADK's default criteria", async () => {
    const result = await evaluate({ agent, evalSet: set, registry });
    expect(result).toMatchObject({ setId: 'set', verdict: 'failed', total: 2, exitCode: 1 });
    expect(result.cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([
      ['right', 'passed'],
      ['wrong', 'failed'],
    ]);
    expect(result.cases[1]?.criteria.map(({ name, score }) => [name, score])).toEqual([
      ['tool_trajectory_avg_score', 1],
      ['response_match_score', 0],
    ]);
    const { plan: _, ...rest } = result;
    expect(JSON.parse(JSON.stringify(rest))).toStrictEqual(rest);
  });

  it('returns the original results even if a watcher modifies its events', async () => {
    const onEvent = (event: RunEvent) => {
      if (event.type !== 'case-finished') return;
      const { units, criteria } = event.result as unknown as Record<
        string,
        Record<string, Record<string, unknown>[]>[]
      >;
      for (const change of [
        () => units?.[0]?.criteria?.splice(0),
        () => Object.assign(criteria?.[0]?.turns?.[0]?.score ?? {}, { value: 1, reason: 'changed' }),
        () => criteria?.splice(0),
      ]) {
        try {
          change();
        } catch {
          // The values are frozen.
        }
      }
    };
    const options = { agent, evalSet: set, registry };
    const [watched, plain] = [await evaluate({ ...options, onEvent }), await evaluate(options)];
    expect(watched.cases.map(withoutSessions)).toEqual(plain.cases.map(withoutSessions));
  });

  it('returns the stored inferences and calls even if a watcher modifies its events', async () => {
    const asking = defineCriterion({
      name: 'asking',
      origin: { package: 'test', version: '1.0.0' },
      description: 'Asks a judge.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' },
      options: noOptions,
      scope: 'turn',
      models: () => ['judge'],
      async evaluate(_turn, { tools: { model, signal } }) {
        await model('judge').generate({ messages: [], sample: 0 }, signal);
        return { value: 1 };
      },
    });
    const options = {
      agent: (text: string, { key }: { readonly key: UnitKey }) => {
        if (key.caseId === 'wrong') throw new Error('as it was');
        return agent(text);
      },
      evalSet: set,
      config: { criteria: { asking: 1 } },
      registry: createRegistry([asking]),
      models: () => scriptedModel(() => 'yes', 'judge'),
    };
    const changing = (event: RunEvent) => {
      if (event.type === 'unit-inferred') Object.assign(event.key, { repeat: 7 });
      if (event.type === 'call-finished') Object.assign(event.call, { target: 'changed' });
      if (event.type === 'case-finished') {
        for (const { ending } of event.result.units) {
          if (ending.by === 'error') Object.assign(ending.error, { message: 'changed' });
        }
      }
    };
    const { inferences, calls } = await evaluate({ ...options, onEvent: changing });
    expect(inferences.map(({ key, inference: { ending } }) => [key.repeat, ending])).toMatchObject([
      [0, { by: 'end-of-case' }],
      [0, { by: 'error', error: { message: expect.stringContaining('as it was') } }],
    ]);
    expect(calls.map(({ target }) => target)).toEqual(['judge']);
  });

  it('modifies neither the eval set nor the config', async () => {
    const config = deepFreeze({ criteria: { tool_trajectory_avg_score: { threshold: 1, match_type: 'IN_ORDER' } } });
    const result = await evaluate({
      agent,
      evalSet: deepFreeze(writeEvalSet(set)) as never,
      config,
      registry,
      repeats: 2,
    });
    expect(result.exitCode).toBe(0);
    expect(result.inferences.map(({ key }) => [key.caseId, key.repeat])).toEqual([
      ['right', 0],
      ['right', 1],
      ['wrong', 0],
      ['wrong', 1],
    ]);
  });

  it('accepts case ids, compat mode and old eval data', async () => {
    expect((await evaluate({ agent, evalSet: set, registry, cases: ['right'] })).total).toBe(1);
    expect((await evaluate({ agent, evalSet: set, registry, compat: 'adk' })).cases[0]?.criteria[0]?.adkStatus).toBe(1);
    const old = [
      {
        name: 'old',
        data: [
          { query: 'echo', reference: 'echo', expected_tool_use: [{ tool_name: 'look', tool_input: { at: 'door' } }] },
        ],
      },
    ];
    const result = await evaluate({ agent, evalSet: old as never, registry });
    expect(result.cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([['old', 'passed']]);
  });

  it.each([
    ['agent', { agent: './agent.ts' }],
    ['evalSet', { evalSet: 'home.evalset.json' }],
    ['config', { config: 'test_config.json' }],
  ])('rejects a path for %s, and names the function that accepts one', async (name, more) => {
    const options = { agent, evalSet: set, registry, ...more } as Parameters<typeof evaluate>[0];
    await expect(evaluate(options)).rejects.toThrow(
      `${name} is a string: to use a path, import evaluate from @agent-criteria/project`,
    );
  });

  it.each([
    ['evaluate', () => evaluate({ agent, evalset: set, registry } as never), 'evalset', 'evalSet'],
    ['run', () => run({ agent, set: [] } as never), 'set', 'sets'],
    ['run, of a set', () => run({ agent, sets: [{ evalSet: set, configs: {} } as never] }), 'configs', 'config'],
    ['score', () => score({ evalSet: set, inference: [] } as never), 'inference', 'inferences'],
    ['generate', () => generate({ agent, evalSet: set, repeat: 2 } as never), 'repeat', 'repeats'],
  ])('%s rejects an unknown option, and suggests the right one', async (_, call, wrong, meant) => {
    await expect(call()).rejects.toThrow(`unknown option "${wrong}"; did you mean "${meant}"?`);
  });

  it.each<[string, () => unknown, readonly string[]]>([
    ['evaluate without a set', () => evaluate({ agent } as never), ['evalSet']],
    ['evaluate of nothing', () => evaluate(undefined as never), ['evalSet']],
    ['generate without a set', () => generate({ agent } as never), ['evalSet']],
    ['generate of nothing', () => generate(undefined as never), ['evalSet']],
    ['score without inferences', () => score({ evalSet: set, config: null } as never), ['inferences']],
    ['score of nothing', () => score(undefined as never), ['evalSet', 'inferences']],
    ['run without sets', () => run({ agent } as never), ['sets']],
    ['run of nothing', () => run(undefined as never), ['sets']],
    ['run of a set without its set', () => run({ agent, sets: [{ config: null } as never] }), ['evalSet']],
  ])('%s rejects a missing option', async (_, call, missing) => {
    const messages = missing.map((name) => expect.stringContaining(`"${name}" is missing: pass `));
    await expect(call()).rejects.toMatchObject({
      problems: messages.map((message) => ({ code: 'USAGE', message })),
    });
  });

  it('gives the same result as generate(), score() and run() with the same values', async () => {
    const given = { evalSet: writeEvalSet(set) as never, registry };
    const { cases } = await evaluate({ agent, ...given });
    const inferences = await generate({ agent, ...given });
    expect((await score({ ...given, inferences })).map(({ verdict }) => verdict)).toEqual(
      cases.map(({ verdict }) => verdict),
    );
    const { summary } = await run({ agent, sets: [given, { ...given, cases: ['right'] }] });
    expect(summary).toMatchObject({ total: cases.length + 1 });
  });

  it('runs several agents side by side, and summarises each', async () => {
    const variants = { fast: agent, 'slow.v2': () => ({ text: 'something else', toolCalls: [call] }) };
    const result = await evaluate({ variants, evalSet: set, registry, repeats: 2 });
    const verdicts = [
      ['right', 'fast', 'passed'],
      ['right', 'slow.v2', 'failed'],
      ['wrong', 'fast', 'failed'],
      ['wrong', 'slow.v2', 'passed'],
    ];
    expect(result.cases.map(({ caseId, variant, verdict }) => [caseId, variant, verdict])).toEqual(verdicts);
    expect(result).toMatchObject({
      total: 4,
      exitCode: 1,
      variants: [
        { variant: 'fast', summary: { total: 2, verdicts: { passed: 1, failed: 1 } } },
        { variant: 'slow.v2', summary: { total: 2, verdicts: { passed: 1, failed: 1 } } },
      ],
    });
    const keys = result.inferences.map(({ key }) => [key.caseId, key.variant, key.repeat]);
    expect(keys.slice(0, 4)).toEqual([
      ['right', 'fast', 0],
      ['right', 'fast', 1],
      ['right', 'slow.v2', 0],
      ['right', 'slow.v2', 1],
    ]);
    const inferences = await generate({ variants, evalSet: set, registry, repeats: 2 });
    expect(inferences.map(({ key }) => [key.caseId, key.variant, key.repeat])).toEqual(keys);
    const scored = await score({ evalSet: set, registry, inferences });
    expect(scored.map(({ caseId, variant, verdict }) => [caseId, variant, verdict])).toEqual(verdicts);
    // An error in one variant does not affect the others.
    const some = inferences.filter(({ key }) => key.caseId === 'right' || key.variant === 'fast');
    const lacking = await score({ evalSet: set, registry, inferences: some });
    expect(lacking.at(-1)).toMatchObject({ caseId: 'wrong', variant: 'slow.v2', verdict: 'error' });
    expect(await evaluate({ agent, evalSet: set, registry })).not.toHaveProperty('variants');
  });

  it.each([
    [{}, 'there is no agent: give one as agent, or several by name as variants'],
    [{ agent, variants: { a: agent } }, 'agent and variants are both given'],
    [{ variants: {} }, 'the list of variants is empty'],
    [{ variants: [agent] }, 'variants must be an object of agents by name, as { fast: agent }'],
    [{ variants: { 'a b': agent } }, '"a b" cannot be the name of a variant'],
    [{ variants: { a: './agent.ts' } }, 'variants.a is a string: to use a path'],
    [{ variants: { a: 5 } }, 'variant "a": '],
  ])('rejects unusable agents: %#', async (given, message) => {
    const options = { evalSet: set, registry, ...given };
    await expect(evaluate(options as never)).rejects.toThrow(message);
    if (!message.includes('a path')) await expect(generate(options as never)).rejects.toThrow(message);
  });

  it('accepts either one agent or several in its types', () => {
    const options = { evalSet: set, registry };
    const refused = () => [
      // @ts-expect-error Neither is given.
      evaluate(options),
      // @ts-expect-error Both are given.
      evaluate({ ...options, agent, variants: { a: agent } }),
      // @ts-expect-error A path is given.
      evaluate({ ...options, variants: { a: './agent.ts' } }),
    ];
    expect(refused).toBeTypeOf('function');
  });

  it('does not run the agent if the options are invalid', async () => {
    let ran = false;
    const watched = () => {
      ran = true;
      return 'x';
    };
    const bad = [
      { evalSet: { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [] }] } },
      { evalSet: set, config: { criteria: {} } },
      { evalSet: set, cases: ['none'] },
      { evalSet: set, repeats: 0 },
      { evalSet: set, turnTimeout: -1 },
      { evalSet: set, concurrency: { agents: 0 } },
      { evalSet: set, concurrency: { scoring: 0.5 } },
      { evalSet: set, registry: createRegistry() },
      { evalSet: 5 },
    ];
    for (const options of bad)
      await expect(evaluate({ agent: watched, registry, ...(options as { evalSet: never }) })).rejects.toMatchObject({
        name: 'CriteriaError',
      });
    await expect(evaluate({ agent: 5 as never, evalSet: set, registry })).rejects.toThrow('is not an agent');
    expect(ran).toBe(false);
  });

  it('returns the cases in its folder, including when it resumes a run', async () => {
    const options = { agent, evalSet: set, registry, repeats: 2, folder: join(folderOf({}), 'run') };
    const { plan: _first, ...now } = await evaluate(options);
    const { plan: _again, ...read } = await evaluate({ ...options, agent: () => 'never asked' });
    expect(now).toStrictEqual(read);

    const drain = new AbortController();
    const interrupted = { ...options, folder: join(folderOf({}), 'run'), concurrency: { agents: 1 } };
    const draining = (text: string) => {
      drain.abort();
      return agent(text);
    };
    const some = await evaluate({ ...interrupted, agent: draining, drain: drain.signal });
    expect([some.finished, some.inferences.length]).toEqual([false, 1]);
    const rest = await evaluate(interrupted);
    expect(rest.inferences.map(({ key }) => key)).toEqual(now.inferences.map(({ key }) => key));
    expect(rest.verdicts).toEqual(now.verdicts);
  });

  it('returns redacted scores', async () => {
    const redact = (value: Json, kind: string): Json =>
      kind === 'scores' ? JSON.parse(JSON.stringify(value).replaceAll('missing', 'hidden')) : value;
    const folder = join(folderOf({}), 'run');
    const evalSet = { ...set, evalCases: set.evalCases.slice(1) };
    const { cases } = await evaluate({ agent, evalSet, registry, folder, redact });
    expect(JSON.stringify(cases)).toContain('hidden');
    expect(JSON.stringify(cases)).not.toContain('missing');
  });

  it('returns finished cases after an abort, with the verdict error rather than failed', async () => {
    const controller = new AbortController();
    const stopping = (text: string, { key }: { key: { caseId: string } }) => {
      if (key.caseId === 'wrong') controller.abort(new Error('interrupted'));
      return agent(text);
    };
    const result = await evaluate({
      agent: stopping,
      evalSet: set,
      registry,
      signal: controller.signal,
      concurrency: { agents: 1 },
    });
    expect(result).toMatchObject({ verdict: 'error', exitCode: 3 });
    expect(result.inferences[0]?.inference.invocations).toHaveLength(1);
  });
});

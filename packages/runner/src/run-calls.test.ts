import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CriteriaError, defineCriterion, type LanguageModel, noOptions, type Score } from '@agent-criteria/core';
import { type CallPolicies, createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, scriptedModel } from '@agent-criteria/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from './engine/events.ts';
import { evaluate } from './evaluate.ts';
import type { PlannedSet } from './planned-set.ts';
import { run } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { score } from './score.ts';
import { scoreRun } from './score-run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-criteria-calls-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Turns every failure of its judge into a score, as a criterion may. */
const judged = defineCriterion({
  name: 'judged',
  origin: { package: 'test', version: '1.0.0' },
  description: 'The judge says 1.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  models: () => ['judge'],
  scope: 'turn',
  async evaluate(turn, { tools }): Promise<Score> {
    try {
      const request = { messages: [turn.actual.userContent], sample: 0 };
      return { value: Number((await tools.model('judge').generate(request, tools.signal)).text) };
    } catch {
      return { value: 1, reason: 'taken for granted' };
    }
  },
});

const ids = ['one', 'two', 'three', 'four', 'five'];
function planned(judge: LanguageModel): PlannedSet {
  const set = evalSet(ids.map((id) => evalCase(id, [{ user: `I am ${id}` }])));
  const plan = resolveEvalConfig({
    evalSet: set,
    config: { criteria: { judged: 1 } },
    registry: createRegistry([judged]),
    models: () => judge,
  });
  return { plan, file: null, configFile: null, warnings: [] };
}

const yes = () => scriptedModel(() => ({ text: '1', usage: { inputTokens: 7, outputTokens: 1 } }), 'yes');

/** Policies that allow this many calls and reject the rest. */
function atMost(calls: number, code: 'BUDGET_SPENT' | 'RECORDING_MISSING'): CallPolicies {
  let made = 0;
  return {
    apply: (tools, { key }) => ({
      ...tools,
      model(name) {
        const model = tools.model(name);
        return {
          id: model.id,
          async generate(request, signal) {
            made += 1;
            if (made > calls)
              throw new CriteriaError({
                code,
                message: code === 'BUDGET_SPENT' ? 'all is spent' : `no recording of ${key.caseId}`,
              });
            return model.generate(request, signal);
          },
        };
      },
    }),
    close: async () => [],
  };
}

describe('calls that are not made', () => {
  it('end the run if the budget is spent, and earlier answers are kept', async () => {
    const judge = yes();
    let asked = 0;
    const options = {
      sets: [planned(judge)],
      folder: join(folder, 'run'),
      agent: () => `answer ${++asked}`,
      concurrency: { agents: 1, scoring: 1 },
    };
    const first = await run({ ...options, policies: atMost(2, 'BUDGET_SPENT') });
    expect(first).toMatchObject({ finished: false, problems: [{ code: 'BUDGET_SPENT', message: 'all is spent' }] });
    expect(first.summary).toMatchObject({ exitCode: 3, verdicts: { passed: 2, failed: 0 } });
    const agents = asked;
    const second = await run(options);
    expect(second).toMatchObject({ finished: true, summary: { exitCode: 0, verdicts: { passed: 5 } } });
    // No agent answered twice and nothing was judged twice.
    expect(judge.requests).toHaveLength(5);
    expect(asked).toBe(5);
    expect(agents).toBeLessThanOrEqual(5);
  });

  it('prevent new conversations', async () => {
    let asked = 0;
    const agent = () => `answer ${++asked}`;
    const sets = [planned(yes())];
    const concurrency = { agents: 1, scoring: 1 };
    await run({ sets, agent, concurrency, policies: atMost(0, 'BUDGET_SPENT') });
    expect(asked).toBeLessThan(5);
  });

  it('leave their units unfinished if a recording is missing, and are all reported', async () => {
    const outcome = await run({
      sets: [planned(yes())],
      agent: () => 'hello',
      policies: atMost(3, 'RECORDING_MISSING'),
    });
    expect(outcome.finished).toBe(false);
    expect(outcome.summary.verdicts).toMatchObject({ passed: 3, error: 2 });
    expect(outcome.problems.map(({ message }) => message)).toEqual(['no recording of four', 'no recording of five']);
  });

  it('leave a scoring pass unfinished', async () => {
    const sets = [planned(yes())];
    const into = join(folder, 'run');
    await run({ sets, folder: into, agent: () => 'hello', scoring: false });
    const cut = await scoreRun({ sets, folder: into, policies: atMost(2, 'BUDGET_SPENT') });
    expect(cut).toMatchObject({ finished: false, scoring: 1, summary: { exitCode: 3 } });
    expect(await scoreRun({ sets, folder: into })).toMatchObject({
      finished: true,
      scoring: 1,
      summary: { exitCode: 0 },
    });
  });
});

describe('calls that are made', () => {
  it('are reported when they end, and stored in the folder', async () => {
    const events: RunEvent[] = [];
    const into = join(folder, 'run');
    const prices = { yes: { inputTokens: 2, outputTokens: 3 } };
    await run({
      sets: [planned(yes())],
      folder: into,
      agent: () => 'hello',
      prices,
      onEvent: (event) => void events.push(event),
    });
    const told = events.flatMap((event) => (event.type === 'call-finished' ? [event.call] : []));
    expect(told.map(({ key, caller, target }) => [key.caseId, caller, target]).sort()).toEqual(
      ids.map((id) => [id, 'judged', 'yes']).sort(),
    );
    const one = await openRun(into).case({ setId: 'set', caseId: 'one' });
    expect(one?.calls).toMatchObject([{ role: 'criterion', turn: 0, sample: 0, usage: { inputTokens: 7 }, cost: 17 }]);
  });

  it('are returned by evaluate() in memory', async () => {
    const set = evalSet(ids.map((id) => evalCase(id, [{ user: `I am ${id}` }])));
    const evaluation = await evaluate({
      evalSet: set,
      config: { criteria: { judged: 1 } },
      agent: () => 'hello',
      registry: createRegistry([judged]),
      models: () => yes(),
      prices: { yes: { inputTokens: 2 } },
    });
    expect(evaluation.calls).toHaveLength(5);
    expect(evaluation.calls[0]).toMatchObject({
      target: 'yes',
      cost: 14,
      request: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('go through policies in score()', async () => {
    const { plan } = planned(yes());
    const inferences = ids.map((caseId) => ({
      key: { setId: 'set', caseId, repeat: 0 },
      inference: {
        sessionId: caseId,
        state: { initial: null, final: null },
        ending: { by: 'end-of-case' as const },
        invocations: [{ userContent: { parts: [{ text: caseId }] } }],
      },
    }));
    let applied = 0;
    const policies: CallPolicies = {
      apply(tools, caller) {
        applied += 1;
        expect(caller).toMatchObject({ role: 'criterion', name: 'judged', turn: 0 });
        return tools;
      },
      close: async () => [],
    };
    const cases = await score({ plan, inferences, policies });
    expect(cases.map(({ verdict }) => verdict)).toEqual(ids.map(() => 'passed'));
    expect(applied).toBe(5);
  });
});

it('a service call may call a model even if only one call is allowed at once', async () => {
  const nested = defineCriterion({
    name: 'judged',
    description: 'for this test only',
    origin: judged.origin,
    range: judged.range,
    decides: true,
    options: noOptions,
    models: () => ['judge'],
    scope: 'turn',
    async evaluate(turn, { tools }): Promise<Score> {
      const ask = { service: 'grader', request: { text: turn.index } };
      const { answer } = await tools.call(ask, async (_request, signal) =>
        Number((await tools.model('judge').generate({ messages: [], sample: 0 }, signal)).text),
      );
      return { value: answer };
    },
  });
  const evaluation = await evaluate({
    evalSet: evalSet([evalCase('one', [{ user: 'Hello' }])]),
    config: { criteria: { judged: 1 } },
    agent: () => 'hello',
    registry: createRegistry([nested]),
    models: () => yes(),
    concurrency: { scoring: 1 },
    runTimeout: 20_000,
  });
  expect(evaluation).toMatchObject({ verdict: 'passed', finished: true });
});

describe('a criterion whose call was not made', () => {
  /** Makes three calls one after another, even if one fails. */
  const persistent = defineCriterion({
    name: 'judged',
    origin: { package: 'test', version: '1.0.0' },
    description: 'Asks three things.',
    decides: true,
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    models: () => ['judge'],
    scope: 'turn',
    async evaluate(turn, { tools }): Promise<Score> {
      const answers: string[] = [];
      for (const sample of [0, 1, 2]) {
        const request = { messages: [turn.actual.userContent], sample };
        answers.push(
          await tools
            .model('judge')
            .generate(request, tools.signal)
            .then(
              ({ text }) => text,
              () => '?',
            ),
        );
      }
      return { value: answers.join('') === '111' ? 1 : 0 };
    },
  });

  it.each(['RECORDING_MISSING', 'BUDGET_SPENT'] as const)(
    'gets no score, even if it goes on to make other calls (%s)',
    async (code) => {
      const asked: number[] = [];
      const policies: CallPolicies = {
        apply: (tools) => ({
          ...tools,
          model: () => ({
            id: 'judge',
            generate(request) {
              asked.push(request.sample);
              return Promise.reject(new CriteriaError({ code, message: 'not made' }));
            },
          }),
        }),
        close: async () => [],
      };
      const plan = resolveEvalConfig({
        evalSet: evalSet([evalCase('one', [{ user: 'Hi' }])]),
        config: { criteria: { judged: 1 } },
        registry: createRegistry([persistent]),
        models: () => yes(),
      });
      const outcome = await run({ sets: [{ plan, file: null, configFile: null }], agent: (text) => text, policies });
      expect(asked).toEqual([0, 1, 2]);
      expect(outcome).toMatchObject({ finished: false, problems: [{ code }] });
      expect(outcome.summary.exitCode).toBe(3);
    },
  );
});

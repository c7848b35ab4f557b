import { join } from 'node:path';
import { type AgentFunction, CriteriaError } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import type { RunRecord } from '@agent-criteria/results';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { evaluate } from './evaluate.ts';
import { type EvaluateAgentOptions, evaluateAgent } from './evaluate-agent.ts';

const registry = createRegistry([toolTrajectory, responseMatch]);
const loose = { criteria: { response_match_score: 0.5 } };
const polite: AgentFunction = (text) =>
  text === 'Break' ? Promise.reject(new Error('no key')) : 'Good morning to you';
const greets = (id: string, expected = 'Good morning to you') => evalCase(id, [{ user: 'Hi', answer: expected }]);

async function failure(
  options: Omit<EvaluateAgentOptions, 'agentModule'> & Partial<EvaluateAgentOptions>,
): Promise<CriteriaError> {
  const error = await evaluateAgent({ agentModule: polite, registry, ...options }).catch((thrown: unknown) => thrown);
  if (CriteriaError.is(error)) return error;
  throw error instanceof Error ? error : new Error('it passed');
}

describe('evaluateAgent', () => {
  it('rejects an unknown option and suggests a similar one', async () => {
    await expect(evaluateAgent({ agentModul: 'agent.ts', evalDatasetFilePathOrDir: '.' } as never)).rejects.toThrow(
      'unknown option "agentModul"; did you mean "agentModule"?',
    );
    await expect(evaluate({ agent: 'agent.ts', evalset: 'set.json' } as never)).rejects.toThrow(
      'unknown option "evalset"; did you mean "evalSet"?',
    );
  });

  it('runs every case twice and returns the run if all passed', async () => {
    const folder = folderOf({ 'a.test.json': evalSet([greets('a'), greets('b')]), 'test_config.json': loose });
    const record = await evaluateAgent({ agentModule: polite, evalDatasetFilePathOrDir: folder, registry });
    expect(record.info).toMatchObject({ repeats: 2, units: { total: 4, finished: 4 }, agent: 'polite' });
    expect(record.summary).toMatchObject({ verdict: 'passed', total: 2 });
    const once = await evaluateAgent({ agentModule: polite, evalDatasetFilePathOrDir: folder, registry, numRuns: 1 });
    expect(once.info.units).toEqual({ total: 2, finished: 2 });
  });

  it('evaluates every file by the config next to it, then reports all failures in a single error', async () => {
    const folder = folderOf({
      'one/a.test.json': evalSet([greets('a', 'Something else'), greets('b')]),
      'one/test_config.json': loose,
      'two/b.test.json': evalSet([greets('a'), evalCase('c', [{ user: 'Break', answer: 'x' }])], 'other'),
      'two/test_config.json': { criteria: { response_match_score: 1 } },
      'two/c.test.json': evalSet([evalCase('d', [{ user: 'Hi' }]), greets('e')]),
      'two/ignored.evalset.json': evalSet([greets('z', 'nothing')]),
      'two/.hidden/d.test.json': '{',
    });
    const reported: RunRecord[] = [];
    const error = await failure({ evalDatasetFilePathOrDir: folder, reporters: [(run) => void reported.push(run)] });
    expect(error.code).toBe('EVALUATION_FAILED');
    expect(error.problems.map(({ file, message }) => [file, message])).toEqual([
      [
        join(folder, 'one', 'a.test.json'),
        expect.stringMatching(
          /^the case "a": response_match_score failed: expected at least 0\.5, got 0 \(.*below the threshold 0\.5/,
        ),
      ],
      [join(folder, 'two', 'b.test.json'), 'the case "c": error: turn 1: the agent threw: no key'],
      [
        join(folder, 'two', 'c.test.json'),
        'the case "d": response_match_score was not evaluated: expected at least 1, got no score (2 of 2 turns are not applicable: no turn of the case expects an answer)',
      ],
    ]);
    expect(reported).toHaveLength(1);
    expect(reported[0]?.sets.map(({ file }) => file)).toEqual([
      join(folder, 'one', 'a.test.json'),
      join(folder, 'two', 'b.test.json'),
      join(folder, 'two', 'c.test.json'),
    ]);
    // Sets with the same id are kept apart.
    expect(reported[0]?.sets.map(({ id }) => id)).toEqual(['set', 'other', 'set (2)']);
  });

  it('accepts a single file with any name, including legacy formats', async () => {
    const old = [{ query: 'Hi', reference: 'Good morning to you', expected_tool_use: [] }];
    const folder = folderOf({
      'cases.json': old,
      'older.json': [{ name: 'a', data: old }],
      'new.evalset.json': evalSet([greets('a')]),
    });
    for (const name of ['cases.json', 'older.json', 'new.evalset.json']) {
      const file = join(folder, name);
      await expect(
        evaluateAgent({ agentModule: polite, evalDatasetFilePathOrDir: file, registry, config: loose }),
      ).resolves.toBeDefined();
    }
  });

  it('starts cases without a session from the initial one, in both formats', async () => {
    const old = [{ query: 'Hi', reference: 'Hello Ada' }];
    const named = {
      ...greets('own', 'Hello Eve'),
      sessionInput: { appName: 'x', userId: 'y', state: { name: 'Eve' } },
    };
    const folder = folderOf({
      'session.json': { app_name: 'home', user_id: 'me', state: { name: 'Ada' } },
      'a.test.json': old,
      'b.test.json': evalSet([greets('a', 'Hello Ada'), named]),
    });
    const record = await evaluateAgent({
      agentModule: (_text: string, session: { state: Record<string, unknown> }) => `Hello ${session.state.name}`,
      evalDatasetFilePathOrDir: folder,
      initialSessionFile: join(folder, 'session.json'),
      config: { criteria: { response_match_score: 1 } },
      registry,
    });
    expect(record.summary.total).toBe(3);
  });

  it('finds a sub-agent of an agent given as a module or as a value', async () => {
    const folder = folderOf({
      'agent.mjs':
        "const echo = { name: 'echo', open: async () => ({ id: 's', send: async (message) => ({ invocation: { userContent: message, finalResponse: { role: 'model', parts: [{ text: 'Good morning to you' }] } } }), state: async () => null, close: async () => {} }) };\nexport const rootAgent = { name: 'root', open() {}, subAgents: [echo] };",
      'a.test.json': evalSet([greets('a')]),
      'test_config.json': loose,
    });
    const common = { evalDatasetFilePathOrDir: folder, registry, agentName: 'echo' };
    expect((await evaluateAgent({ agentModule: folder, ...common })).summary.verdict).toBe('passed');
    const echo = () => 'Good morning to you';
    const value = { subAgents: [() => 'x', echo] };
    expect((await evaluateAgent({ agentModule: value, ...common })).info.agent).toBe('echo');
    expect((await failure({ agentModule: value, ...common, agentName: 'other' })).code).toBe('AGENT_NOT_FOUND');
  });

  it.each([
    [{ numRuns: 0 }, 'numRuns must be a whole number above 0, not 0'],
    [{ numRuns: 1.5 }, 'numRuns must be a whole number above 0, not 1.5'],
    [{ turnTimeout: 0 }, 'turnTimeout must be a whole number of milliseconds above 0'],
  ])('rejects %j', async (options, told) => {
    const folder = folderOf({ 'a.test.json': evalSet([greets('a')]), 'test_config.json': loose });
    expect((await failure({ evalDatasetFilePathOrDir: folder, ...options })).message).toContain(told);
  });

  it('rejects a folder without test files and a file without cases', async () => {
    const folder = folderOf({ 'a.evalset.json': evalSet([greets('a')]), 'none.json': evalSet([]), 'empty.json': [] });
    expect((await failure({ evalDatasetFilePathOrDir: folder })).code).toBe('EMPTY');
    expect((await failure({ evalDatasetFilePathOrDir: join(folder, 'none.json') })).code).toBe('EMPTY');
    expect((await failure({ evalDatasetFilePathOrDir: join(folder, 'empty.json') })).code).toBe('EMPTY');
  });

  it('reports the mistakes in all files, the session and the agent together, and runs nothing', async () => {
    const folder = folderOf({
      'a.test.json': '{',
      'b.test.json': evalSet([greets('a')]),
      'c.test.json': { eval_set_id: 5 },
    });
    let asked = 0;
    const error = await failure({
      agentModule: join(folder, 'none'),
      evalDatasetFilePathOrDir: folder,
      initialSessionFile: join(folder, 'session.json'),
      reporters: [() => void asked++],
    });
    expect([...new Set(error.problems.map(({ code }) => code))]).toEqual([
      'AGENT_NOT_FOUND',
      'FILE_NOT_FOUND',
      'NOT_JSON',
      'INVALID_DATA',
    ]);
    expect(asked).toBe(0);
  });

  it('passes the run to every reporter, and rejects if one of them fails', async () => {
    const folder = folderOf({ 'a.test.json': evalSet([greets('a', 'other')]), 'test_config.json': loose });
    let seen = 0;
    const broken = () => Promise.reject(new Error('the disk is full'));
    const error = await failure({ evalDatasetFilePathOrDir: folder, reporters: [broken, () => void seen++] });
    expect(seen).toBe(1);
    expect(error.problems.map(({ code }) => code)).toEqual(['EVALUATION_FAILED', 'CALL_FAILED']);
    const passing = folderOf({ 'a.test.json': evalSet([greets('a')]), 'test_config.json': loose });
    expect((await failure({ evalDatasetFilePathOrDir: passing, reporters: [broken] })).message).toBe(
      'a reporter failed: the disk is full',
    );
  });

  it('saves the run in the given folder', async () => {
    const folder = folderOf({ 'a.test.json': evalSet([greets('a')]), 'test_config.json': loose });
    const record = await evaluateAgent({
      agentModule: polite,
      evalDatasetFilePathOrDir: folder,
      registry,
      folder: join(folder, 'run'),
    });
    expect(record.summary.verdict).toBe('passed');
    expect(record.info.units).toEqual({ total: 2, finished: 2 });
  });

  it('rejects an aborted run', async () => {
    const folder = folderOf({ 'a.test.json': evalSet([greets('a'), greets('b')]), 'test_config.json': loose });
    const error = await failure({ evalDatasetFilePathOrDir: folder, signal: AbortSignal.abort() });
    expect(error.code).toBe('EVALUATION_FAILED');
  });

  describe('evaluateAgent with an agent in a project', () => {
    afterEach(() => {
      delete process.env.AGENT_CRITERIA_TEST_GREETING;
    });

    it("loads .env before the module, and then the config's limits, models and criteria", async () => {
      const folder = folderOf({
        'agent-criteria.config.mjs':
          'export default { turnTimeout: "50ms", config: { criteria: { response_match_score: 0.5 } } };',
        'home/.env': 'AGENT_CRITERIA_TEST_GREETING=Good morning to you',
        'home/agent.mjs':
          'const greeting = process.env.AGENT_CRITERIA_TEST_GREETING; export const agent = (text) => text === "Wait" ? new Promise(() => {}) : greeting;',
        'home/a.test.json': evalSet([greets('a')]),
        'slow.test.json': evalSet([evalCase('slow', [{ user: 'Wait', answer: 'x' }])]),
      });
      const record = await evaluateAgent({
        agentModule: join(folder, 'home'),
        evalDatasetFilePathOrDir: join(folder, 'home'),
        registry,
      });
      expect(record.sets[0]?.criteria.map(({ threshold }) => threshold)).toEqual([0.5]);
      const slow = await failure({
        agentModule: join(folder, 'home'),
        evalDatasetFilePathOrDir: join(folder, 'slow.test.json'),
      });
      expect(slow.problems[0]?.message).toContain('50');
    });

    it('takes repeats from the caller, a variable or the config, in this order, but never from .env', async () => {
      const folder = folderOf({
        'agent-criteria.config.mjs':
          'export default { repeats: 3, config: { criteria: { response_match_score: 0.5 } } };',
        '.env': 'AGENT_CRITERIA_REPEATS=7',
        'agent.mjs': 'export const agent = () => "Good morning to you";',
        'a.test.json': evalSet([greets('a')]),
      });
      const repeats = async (more: { readonly numRuns?: number } = {}) =>
        (await evaluateAgent({ agentModule: folder, evalDatasetFilePathOrDir: folder, registry, ...more })).info
          .repeats;
      expect(await repeats()).toBe(3);
      vi.stubEnv('AGENT_CRITERIA_REPEATS', '4');
      try {
        expect([await repeats(), await repeats({ numRuns: 1 })]).toEqual([4, 1]);
      } finally {
        vi.unstubAllEnvs();
      }
    });
  });
});

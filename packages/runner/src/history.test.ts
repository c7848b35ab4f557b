import {
  type Agent,
  CriteriaError,
  contentText,
  type EvalCase,
  type EvalSet,
  type SessionStart,
} from '@agent-criteria/core';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { describe, expect, it } from 'vitest';
import { echo, sessionAgent } from './__fixtures__/agents.ts';
import { evaluate } from './evaluate.ts';
import { seenHash } from './unit-key.ts';

const call = { name: 'look_up', args: {} };
const withHistory: EvalCase = {
  ...evalCase('a', [
    { user: 'Who is best?', answer: 'Shiv.', calls: [call] },
    { user: 'for everyone', answer: 'for everyone' },
  ]),
  agentCriteria: { history: 1 },
};
const set: EvalSet = evalSet([withHistory]);
const config = {
  plugins: [toolTrajectory, responseMatch],
  criteria: { tool_trajectory_avg_score: 1, response_match_score: 1 },
};

describe('a case with a history', () => {
  it('is passed to an agent that supports histories, and only later turns are judged', async () => {
    const seen: string[][] = [];
    const result = await evaluate({
      evalSet: set,
      config,
      agent: (text, { history }) => {
        seen.push(history.map((turn) => `${contentText(turn.userContent)} ${contentText(turn.finalResponse)}`));
        return text;
      },
    });
    expect(seen).toEqual([['Who is best? Shiv.']]);
    const [only] = result.cases;
    expect(only).toMatchObject({ verdict: 'passed' });
    expect(only?.criteria.map(({ score, counts }) => [score, counts.scored, counts.notApplicable])).toEqual([
      [1, 1, 0],
      [1, 1, 0],
    ]);
    expect(result.warnings).toEqual([]);
    expect(only?.criteria[0]?.turns[0]?.score).toMatchObject({
      missing: 'not-applicable',
      reason: 'the turn is history: it is not judged',
    });
  });

  it('is replayed to other agents, with a warning, and the history is not judged', async () => {
    const sent: string[] = [];
    const agent = sessionAgent(() => ({
      send: async (content) => {
        sent.push(contentText(content));
        return echo(content);
      },
    }));
    const result = await evaluate({ evalSet: set, config, agent });
    expect(sent).toEqual(['Who is best?', 'for everyone']);
    expect(result.cases[0]).toMatchObject({ verdict: 'passed' });
    expect(result.cases[0]?.criteria[0]?.turns[0]?.score.reason).toContain(
      'sent again because the agent takes no history',
    );
    expect(result.warnings).toMatchObject([
      { code: 'NOT_SUPPORTED', message: expect.stringContaining('takes no history') },
    ]);
  });

  it('is replayed if a server turns out not to support history', async () => {
    const starts: SessionStart[] = [];
    const plain = sessionAgent();
    const agent: Agent = {
      ...plain,
      supportsHistory: true,
      async open(start, signal) {
        starts.push(start);
        if (start.history) throw new CriteriaError({ code: 'NOT_SUPPORTED', message: 'an older server' });
        return plain.open(start, signal);
      },
    };
    const result = await evaluate({ evalSet: set, config, agent });
    expect(starts.map(({ history }) => history?.length)).toEqual([1, undefined]);
    expect(result.cases[0]).toMatchObject({ verdict: 'passed' });
    expect(result.warnings).toHaveLength(1);
  });

  it('is not judged on its history in compat mode either', async () => {
    const result = await evaluate({ evalSet: set, config, agent: (text) => text, compat: 'adk' });
    expect(result.cases[0]?.criteria.map(({ score }) => score)).toEqual([1, 1]);
  });

  it('gets a different input hash if the history changes', () => {
    const [first, second] = withHistory.conversation ?? [];
    const other = {
      ...withHistory,
      conversation: [{ ...first, finalResponse: { parts: [{ text: 'Billy.' }] } }, second],
    };
    expect(seenHash(other as EvalCase)).not.toBe(seenHash(withHistory));
    // A new reference for a judged turn still matches the inference.
    const graded = { ...withHistory, conversation: [first, { ...second, finalResponse: null }] };
    expect(seenHash(graded as EvalCase)).toBe(seenHash(withHistory));
  });
});

describe('a turn without recorded calls', () => {
  const unstated: EvalSet = evalSet([
    { ...evalCase('b', [{ user: 'x', answer: 'x' }]), agentCriteria: { calls_not_stated: [0] } },
    evalCase('c', [{ user: 'x', answer: 'x', calls: [call] }]),
  ]);
  const agent = (text: string) => ({ text, toolCalls: [call] });

  it('is not judged on its calls', async () => {
    const { cases } = await evaluate({ evalSet: unstated, config, agent });
    expect(cases[0]?.criteria[0]).toMatchObject({ score: null, verdict: 'not-evaluated' });
    expect(cases[0]).toMatchObject({ verdict: 'not-evaluated' });
    expect(cases[1]).toMatchObject({ verdict: 'passed' });
  });

  it('still fails on a call to a forbidden tool', async () => {
    const forbidding = {
      ...config,
      criteria: { tool_trajectory_avg_score: { threshold: 1, forbidden_tools: ['look_up'], match_type: 'ANY_ORDER' } },
    } as const;
    const { cases } = await evaluate({
      evalSet: { ...unstated, evalCases: unstated.evalCases.slice(0, 1) },
      config: forbidding,
      agent,
    });
    expect(cases[0]).toMatchObject({
      verdict: 'failed',
      reason: expect.stringContaining('look_up was called, which is forbidden'),
    });
  });
});

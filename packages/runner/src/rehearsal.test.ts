import { type AgentFunction, CriteriaError, type EvalSet } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference, scriptedModel, testCriterion } from '@agent-criteria/core/testing';
import { parseEvalSetResult, writeEvalSetResult } from '@agent-criteria/formats/parse';
import { type RunSet, runRecord } from '@agent-criteria/results';
import { evalSetResult } from '@agent-criteria/results/adk';
import { describe, expect, it } from 'vitest';
import * as rehearsal from './__fixtures__/rehearsed-criteria.ts';
import { type EvaluateSettings, evaluate } from './evaluate.ts';

// These criteria test the contracts. Each goes through resolve, generate, score, verdict and result file.

const registry = createRegistry([...rehearsal.rehearsed, rehearsal.persistentUser]);

const agent: AgentFunction = (message, { state }) => {
  state.door = message.includes('open') ? 'open' : 'shut';
  return { text: `You said: ${message}`, toolCalls: [{ name: 'echo', args: { message } }] };
};

const fixed = evalSet([
  evalCase('fixed', [{ user: 'Please open the door', answer: 'Open.' }], { finalSessionState: { door: 'open' } }),
]);

const scenario: EvalSet = {
  evalSetId: 'scenarios',
  evalCases: [
    {
      evalId: 'scenario',
      conversationScenario: { startingPrompt: 'Tell me of the door', conversationPlan: 'Keep asking.' },
      rubrics: [
        { rubricId: 'door', rubricContent: { textProperty: 'door' }, type: 'WORDS' },
        { rubricId: 'window', rubricContent: { textProperty: 'window' }, type: 'WORDS' },
        { rubricId: 'of another criterion', rubricContent: { textProperty: 'roof' }, type: 'OTHER' },
      ],
    },
  ],
};

async function judge(
  options: Partial<EvaluateSettings> & Pick<EvaluateSettings, 'config'> & { readonly agent?: AgentFunction },
) {
  const result = await evaluate({ agent, evalSet: fixed, registry, environment: { TOXICITY_KEY: 'k' }, ...options });
  const [only] = result.cases;
  if (only === undefined) throw new Error('there is no case');
  // Every run ends in an ADK result file that survives writing and reading.
  const { plan, cases, inferences } = result;
  const record = runRecord({ id: 'run', startedAt: 0, endedAt: 0, agent: 'agent' }, [{ plan, cases, inferences }]);
  const all = [];
  for await (const one of record.cases()) all.push(one);
  const file = writeEvalSetResult(evalSetResult(record.sets[0] as RunSet, all, 1_700_000_000.5, 'app'));
  const read = parseEvalSetResult(JSON.parse(JSON.stringify(file)));
  expect(writeEvalSetResult(read.value)).toEqual(file);
  return { ...result, only, first: only.criteria[0], entry: read.value.evalCaseResults?.[0] };
}

describe('example criteria, end to end', () => {
  it('a voting judge tolerates one unreadable sample, but not two', async () => {
    const config = { criteria: { politeness: 1 } };
    const answers = (...script: string[]) => ({
      models: () => scriptedModel(script.map((text) => ({ text, finish: text === '' ? 'length' : 'stop' }))),
    });
    const model = (...script: string[]) => {
      const judgeModel = answers(...script).models();
      return { config, models: (name: string) => (name === 'judge' ? judgeModel : undefined) };
    };
    const good = await judge(model('yes', '', 'yes'));
    expect(good.only.verdict).toBe('passed');
    expect(good.first?.turns[0]?.score.evidence).toEqual([
      { kind: 'vote', positive: 2, negative: 0, unreadable: 1, of: 3 },
    ]);
    const lost = await judge(model('yes', '', ''));
    expect(lost.only).toMatchObject({
      verdict: 'not-evaluated',
      reason: 'politeness: it could not be judged: 2 of 3 samples were unreadable',
    });
    expect(lost.exitCode).toBe(3);
    expect(lost.entry).toMatchObject({ finalEvalStatus: 3 });
  });

  it('a judge without a model is rejected before the run', async () => {
    await expect(judge({ config: { criteria: { politeness: 1 } } })).rejects.toThrow('no judge model is set');
  });

  it("a case's rubrics are judged on a scenario, which the simulated user ends at its limit", async () => {
    const config = { criteria: { conversation_rubrics: 0.5 }, user_simulator_config: { type: 'persistent', limit: 3 } };
    const { only, first, inferences, entry } = await judge({ evalSet: scenario, config });
    expect(inferences[0]?.inference).toMatchObject({ ending: { by: 'turn-limit', reason: 'after 3 turns' } });
    expect(inferences[0]?.inference.invocations).toHaveLength(3);
    expect(only.verdict).toBe('passed');
    expect(first).toMatchObject({ score: 0.5, coverage: 1 });
    expect(entry?.overallEvalMetricResults[0]?.details?.rubricScores).toEqual([
      { rubricId: 'door', rationale: 'looked for "door"', score: 1 },
      { rubricId: 'window', rationale: 'looked for "window"', score: 0 },
    ]);
    // The criterion needs a scenario, so it applies to no fixed conversation.
    await expect(judge({ config })).rejects.toThrow(
      /conversation_rubrics applies to no case .* Put rubrics into its entry, as "rubrics": \[/,
    );
  });

  it('a criterion gives a whole conversation one score', async () => {
    const { only, first } = await judge({ config: { criteria: { brevity: 1 } } });
    expect(only.verdict).toBe('passed');
    expect(first?.turns).toEqual([
      { repeat: 0, turn: null, value: 1, reached: true, score: { value: 1, reason: '1 turns' } },
    ]);
  });

  it('the final state is compared with the expected one', async () => {
    const config = { criteria: { final_state: 1 } };
    expect((await judge({ config })).only.verdict).toBe('passed');
    const shut = evalSet([evalCase('shut', [{ user: 'open' }], { finalSessionState: { door: 'shut' } })]);
    const { only, first } = await judge({ config, evalSet: shut });
    expect(only.verdict).toBe('failed');
    expect(first?.turns[0]?.score.evidence).toEqual([
      { kind: 'diff', expected: 'shut', actual: 'open', path: '$.door' },
    ]);
  });

  it('a count is measured but does not decide', async () => {
    const measured = await judge({ config: { criteria: {}, agentCriteria: { measure: ['tool_calls'] } } });
    expect(measured).toMatchObject({ exitCode: 0, nothingJudged: true, verdict: 'informational' });
    expect(measured.first).toMatchObject({ score: 1, verdict: 'informational', threshold: null });
    expect(measured.entry).toMatchObject({ finalEvalStatus: 4 });
    await expect(judge({ config: { criteria: { tool_calls: 3 } } })).rejects.toThrow('tool_calls takes no threshold');
  });

  it('a criterion may prefer lower scores, with no upper bound', async () => {
    expect((await judge({ config: { criteria: { wordiness: 6 } } })).only.verdict).toBe('passed');
    expect((await judge({ config: { criteria: { wordiness: 5 } } })).only).toMatchObject({
      verdict: 'failed',
      reason: 'wordiness: 6 is above the threshold 5',
    });
    const silent = await judge({ config: { criteria: { wordiness: 6 } }, agent: () => '' });
    expect(silent.only.verdict).toBe('not-evaluated');
  });

  it('a paid service is called through tools.call, and its missing variable is reported before the run', async () => {
    const config = { criteria: { toxicity: { threshold: 0.5 } } };
    expect((await judge({ config })).only.verdict).toBe('passed');
    expect((await judge({ config, agent: () => 'You fool' })).only.verdict).toBe('failed');
    let ran = false;
    const watched: AgentFunction = () => {
      ran = true;
      return 'hello';
    };
    const unset = judge({ config, environment: {}, agent: watched });
    await expect(unset).rejects.toThrow('set TOXICITY_KEY to a key of the toxicity service');
    await expect(unset).rejects.toSatisfy((error) => CriteriaError.is(error) && error.code === 'MISSING_ENVIRONMENT');
    expect(ran).toBe(false);
  });

  it('several criteria run together in one config, over two repeats', async () => {
    const config = {
      criteria: { brevity: 1, final_state: 1, wordiness: 6, toxicity: 0.5 },
      agent_criteria: { measure: ['tool_calls'] },
    };
    const { only, inferences } = await judge({ config, repeats: 2 });
    expect(only.verdict).toBe('passed');
    expect(only.units.map((unit) => unit.verdict)).toEqual(['passed', 'passed']);
    expect(new Set(inferences.map((found) => found.inference.sessionId)).size).toBe(2);
  });

  it('each criterion passes the conformance suite', async () => {
    const one = evalCase('one', [{ user: 'open', answer: 'Open.' }], { finalSessionState: { door: 'open' } });
    const done = inference([{ answer: 'It is open.' }], { state: { initial: {}, final: { door: 'open' } } });
    const example = { evalCase: one, inference: done };
    await testCriterion(rehearsal.politeness, {
      examples: [
        { ...example, name: 'a vote', models: () => ({ judge: scriptedModel(['yes', 'no', 'yes']) }), scores: [1] },
      ],
    });
    await testCriterion(rehearsal.brevity, { examples: [{ ...example, name: 'one turn', scores: [1] }] });
    await testCriterion(rehearsal.finalState, { examples: [{ ...example, name: 'open', scores: [1] }] });
    await testCriterion(rehearsal.toolCallCount, { examples: [{ ...example, name: 'none', scores: [0] }] });
    await testCriterion(rehearsal.wordiness, { examples: [{ ...example, name: 'three words', scores: [3] }] });
    await testCriterion(rehearsal.toxicity, {
      examples: [
        { ...example, name: 'kind', environment: { TOXICITY_KEY: 'k' }, answer: () => ({ score: 0.2 }), scores: [0.2] },
      ],
    });
    await testCriterion(rehearsal.conversationRubrics, {
      examples: [
        {
          name: 'one of two rubrics',
          evalCase: {
            evalId: 'scenario',
            conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Ask.' },
            rubrics: [
              { rubricId: 'a', rubricContent: { textProperty: 'open' }, type: 'WORDS' },
              { rubricId: 'b', rubricContent: { textProperty: 'shut' }, type: 'WORDS' },
            ],
          },
          inference: done,
          scores: [0.5],
        },
      ],
    });
  });
});

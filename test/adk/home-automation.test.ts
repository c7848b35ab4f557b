import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type LanguageModel, type ModelRequest, toolCalls } from '@agent-criteria/core';
import '@agent-criteria/criteria-trajectory';
import { evaluate } from '@agent-criteria/project';
import { describe, expect, it } from 'vitest';

const agent = fileURLToPath(new URL('home-automation/agent.ts', import.meta.url));
const shared = new URL('../../../shared/fixtures/', import.meta.url);
const sample = (path: string): string => fileURLToPath(new URL(`contributing/samples/evaluation/${path}`, shared));
const fixture = (path: string): string =>
  fileURLToPath(new URL(`tests/integration/fixture/home_automation_agent/${path}`, shared));
const trajectories = { criteria: { tool_trajectory_avg_score: 1 } };

describe.skipIf(!existsSync(shared))(
  "ADK's home automation files (in ../shared/fixtures, skipped without them)",
  () => {
    it.each([
      sample('basic_criteria/home_automation.evalset.json'),
      sample('test_file_vs_evalset/multi_session.evalset.json'),
      sample('test_file_vs_evalset/single_turn.test.json'),
      fixture('simple_test.test.json'),
      fixture('simple_test2.test.json'),
      fixture('test_files/simple_test.test.json'),
      fixture('test_files/simple_test2.test.json'),
      fixture('test_files/dependent_tool_calls.test.json'),
      fixture('test_files/simple_multi_turn_conversation.test.json'),
    ])('every trajectory of %s scores 1', async (evalSet) => {
      const { cases, verdict } = await evaluate({ agent, evalSet, config: trajectories });
      expect(cases.flatMap(({ criteria }) => criteria.map(({ score }) => score))).toEqual(cases.map(() => 1));
      expect(verdict).toBe('passed');
    });

    it('a changed expectation fails only its turn', async () => {
      const set = JSON.parse(readFileSync(sample('test_file_vs_evalset/multi_session.evalset.json'), 'utf8'));
      const conversation = set.eval_cases[0].conversation;
      conversation[1].intermediate_data.tool_uses[0].args.device_id = 'device_3';
      const { cases } = await evaluate({ agent, evalSet: set, config: trajectories });
      const [changed, other] = cases;
      expect(other?.verdict).toBe('passed');
      expect(changed).toMatchObject({ verdict: 'failed', criteria: [{ score: 0.5 }] });
      const turns = changed?.criteria[0]?.turns ?? [];
      expect(turns.map(({ score }) => score)).toMatchObject([{ value: 1 }, { value: 0 }]);
      const evidence = turns[1]?.score.evidence?.find(({ kind }) => kind === 'diff');
      expect(JSON.stringify(evidence)).toContain('device_3');
      expect(JSON.stringify(evidence)).toContain('device_1');
    });

    it('the simulated conversations of the sample run and are judged', async () => {
      const evalSet = sample('user_simulation/home_automation.evalset.json');
      const config = JSON.parse(readFileSync(sample('user_simulation/eval_config.json'), 'utf8'));
      const lines: Readonly<Record<string, readonly string[]>> = {
        comfortable: ['21 degrees, please.'],
        'my devices': ['Which devices are on?', 'Turn off that one, device_1.'],
      };
      const answer = ({ messages, schema }: ModelRequest): string => {
        const asked = JSON.stringify(schema);
        const text = JSON.stringify(messages);
        if (!asked.includes('"done"')) return judged(asked, text);
        const plan = Object.keys(lines).find((word) => text.includes(word)) ?? '';
        const next = lines[plan]?.find((line) => !text.includes(`user: ${line}`));
        return JSON.stringify({ reason: 'as planned', done: next === undefined, message: next ?? '' });
      };
      const model: LanguageModel = {
        id: 'gemini-2.5-flash',
        generate: async (request) => ({ text: answer(request), finish: 'stop', usage: {}, from: 'live' }),
      };
      const { cases, inferences, problems } = await evaluate({ agent, evalSet, config, models: () => model });
      expect(problems).toEqual([]);
      expect(inferences.map(({ inference }) => inference.ending)).toMatchObject([{ by: 'user' }, { by: 'user' }]);
      const calls = inferences.map(({ inference }) =>
        inference.invocations.flatMap(toolCalls).map(({ name, args }) => [name, args]),
      );
      expect(calls).toEqual([
        [['set_temperature', { location: 'Bedroom', temperature: 21 }]],
        [
          ['list_devices', { status: 'ON' }],
          ['set_device_info', { device_id: 'device_1', status: 'OFF' }],
        ],
      ]);
      expect(cases.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
      const names = cases[0]?.criteria.map(({ name, score }) => [name, score]);
      expect(names).toEqual([
        ['hallucinations_v1', 1],
        ['per_turn_user_simulator_quality_v1', 1],
      ]);
    });
  },
);

/** A judge that approves of everything. */
function judged(asked: string, text: string): string {
  if (asked.includes('is_valid')) return JSON.stringify({ criteria: [], is_valid: true });
  if (!asked.includes('"label"')) {
    const answer = /\[begin \w+: the text to cut\]\\n(.*?)\\n\[end/.exec(text)?.[1] ?? '';
    return JSON.stringify({ sentences: answer.split(/(?<=[.?]) /) });
  }
  const numbers = [...text.matchAll(/\\"number\\": ?(\d+)/g)].map(([, number]) => Number(number));
  const sentences = numbers.map((number) => ({
    number,
    supporting_excerpt: null,
    contradicting_excerpt: null,
    rationale: 'fine',
    label: 'supported',
  }));
  return JSON.stringify({ sentences });
}

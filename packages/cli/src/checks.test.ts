import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const agent = `
export const agent = (text: string, { state }: { state: Record<string, unknown> }) => {
  state.order = { status: 'open', total: 12.5 };
  return { text: 'Your Refund of 12.50 € is on its way.', toolCalls: [{ name: 'delete_account', args: { id: 7 } }] };
};`;

const withChecks = (id: string, agentCriteria: object) => ({
  ...evalCase(id, turn('Refund me.')),
  agent_criteria: agentCriteria,
});

const config = {
  criteria: {
    response_checks: { threshold: 1, max_words: 20 },
    tool_checks: { threshold: 1, at_most: { '*': 3 } },
    final_state_checks: 1,
    max_turn_seconds: 60,
  },
};

it('checks in a case decide its verdict, and every report shows what was expected and what was found', async () => {
  const good = {
    response_checks: { contains: 'Refund', number: { value: 12.5 } },
    final_state_checks: { has: { 'order.total': 12.5 } },
  };
  const bad = {
    response_checks: { contains: 'Monday' },
    tool_checks: { never: 'delete_account' },
    final_state_checks: { has: { 'order.status': 'refunded' } },
  };
  const folder = folderOf({
    'agent.ts': agent,
    'a.test.json': evalSet('shop', withChecks('good', good), withChecks('bad', bad)),
    'test_config.json': config,
  });
  const [json = '', markdown = ''] = ['r.json', 'r.md'].map((name) => join(folder, name));
  const files = [join(folder, 'agent.ts'), join(folder, 'a.test.json')];
  const { out, code } = await capture(['eval', ...files, '--output', json, '--output', markdown]);
  expect(code).toBe(1);
  expect(out).toContain('1 passed, 1 failed of 2 cases');
  const shown = `    response_checks 0.5: 1 of 2 checks failed: contains "Monday"
      contains "Monday" 0: "Monday" is not in the answer
        - Monday
        + Your Refund of 12.50 € is on its way.
      has at most 20 words 1
`;
  const ofConversation = `  tool_checks 0.5: 1 of 2 checks failed: never calls delete_account
    never calls delete_account 0: delete_account was called once, first in call 1 of turn 1
      - {"delete_account":"never"}
      + {"delete_account":"once"}
      call 1 of turn 1, delete_account: {"id":7}
    calls tools at most 3 times 1
  final_state_checks 0: 1 of 1 check failed: order.status is "refunded"
    order.status is "refunded" 0: the state has "open" at order.status
      $.order.status
      - refunded
      + open
`;
  for (const report of [out, readFileSync(markdown, 'utf8')]) {
    expect(report).toContain(shown);
    expect(report).toContain(ofConversation);
  }
  expect(JSON.parse(readFileSync(json, 'utf8')).sets[0].cases[1].criteria[2].turns[0].score.parts[0]).toEqual({
    id: 'has.order.status',
    kind: 'check',
    text: 'order.status is "refunded"',
    value: 0,
    reason: 'the state has "open" at order.status',
    evidence: [{ kind: 'diff', expected: 'refunded', actual: 'open', path: '$.order.status' }],
  });
});

it('checks in a case do not pass silently if the config lacks their criterion', async () => {
  const folder = folderOf({
    'agent.ts': agent,
    'a.test.json': evalSet('shop', withChecks('bad', { response_checks: { contains: 'Monday' } })),
    'test_config.json': { criteria: { max_turn_seconds: 60 } },
  });
  const { err, code } = await capture(['eval', join(folder, 'agent.ts'), join(folder, 'a.test.json')]);
  expect(code).toBe(0);
  expect(err).toContain('1 of 1 cases have options for response_checks, which does not judge them');
});

it('a criterion with nothing to check is rejected before anything runs', async () => {
  const folder = folderOf({
    'agent.ts': agent,
    'a.test.json': evalSet('shop', evalCase('any', turn('Refund me.'))),
    'test_config.json': config,
  });
  const { err, code } = await capture(['eval', join(folder, 'agent.ts'), join(folder, 'a.test.json')]);
  expect(code).toBe(2);
  expect(err).toContain(
    'final_state_checks applies to no case of the eval set "shop": the case has no final_session_state',
  );
});

it("max_turn_cost uses the project's prices", async () => {
  const counted = `export const agent = (text: string) => ({
    userContent: { role: 'user', parts: [{ text }] },
    finalResponse: { role: 'model', parts: [{ text: 'Done.' }] },
    intermediateData: { invocationEvents: [{ author: 'agent', modelVersion: 'small', content: { parts: [{ text: 'Done.' }] },
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 } }] },
  });`;
  const files = {
    'agent.ts': counted,
    'a.test.json': evalSet('shop', evalCase('any', turn('Refund me.'))),
    'test_config.json': { criteria: { max_turn_cost: 25 } },
  };
  const run = async (prices: object) => {
    const folder = folderOf({ ...files, 'agent-criteria.config.json': { prices } });
    return capture(['eval', join(folder, 'agent.ts'), join(folder, 'a.test.json')]);
  };
  const priced = await run({ small: { inputTokens: 1, outputTokens: 2 }, service: { units: 1 } });
  expect([priced.code, priced.err]).toEqual([0, '']);
  expect(priced.out).toContain('max_turn_cost');
  const dear = await run({ small: { inputTokens: 2, outputTokens: 2 } });
  expect(dear.code).toBe(1);
  expect(dear.out).toContain('max_turn_cost 30');
  const none = await run({ service: { units: 1 } });
  expect(none.code).toBe(2);
  expect(none.err).toContain('neither the config nor the case has "prices" of models, nor has the project');
});

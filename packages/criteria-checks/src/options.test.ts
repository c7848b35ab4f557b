import { defineEvalConfig } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { finalStateChecks, maxTurnCost, maxTurnSeconds, responseChecks, toolChecks } from './pure.ts';

it('the options of a config in TypeScript are checked at compile time', () => {
  const plugins = [responseChecks, toolChecks, finalStateChecks, maxTurnSeconds, maxTurnCost];
  const { criteria } = defineEvalConfig({
    plugins,
    criteria: {
      response_checks: {
        threshold: 1,
        maxWords: 80,
        turns: { last: { matchesNone: ['sorry'], number: { value: 3 } } },
        jsonSchema: { type: 'object', properties: { someKey: { type: 'string' } } },
      },
      tool_checks: { threshold: 1, atMost: { search: 2 } },
      final_state_checks: { threshold: 1, has: { 'order.total': 12.5 } },
      max_turn_seconds: 10,
      max_turn_cost: { threshold: 0.01, prices: { small: { inputTokens: 1, outputTokens: 2 } } },
    },
  });
  expect(Object.keys(criteria)).toHaveLength(5);
  // @ts-expect-error: a misspelt option does not compile
  defineEvalConfig({ plugins, criteria: { tool_checks: { threshold: 1, nevr: 'pay' } } });
  // @ts-expect-error: a missing threshold does not compile
  defineEvalConfig({ plugins, criteria: { response_checks: { contains: 'refund' } } });
});

import { describeEvalSet } from '../index.ts';
import { test } from 'vitest';

test('another test of the file', () => undefined);

describeEvalSet('no-agent.ts', 'lamps/lamps.evalset.json', {
  config: { criteria: { response_match_scor: 0.8, tool_trajectory_avg_score: { threshold: 'high' as never } } },
});

import { beforeEach, describe } from 'vitest';
import { describeEvalSet } from '../index.ts';
import { lampAgent } from './lamp-agent.ts';

// Two of three cases pass.
const criteria = { tool_trajectory_avg_score: 1 };
const gated = (gates: Readonly<Record<string, unknown>>) => ({ config: { criteria, agentCriteria: { gates } } });
const set = 'lamps/lamps.evalset.json';
const runsFolder = process.env.LAMP_RUNS;

describeEvalSet(lampAgent, set, {
  name: 'asked',
  runsFolder,
  ...gated({ pass_rate: 0.1, means: { tool_trajectory_avg_score: 0.9 } }),
});
describeEvalSet(lampAgent, set, { name: 'deciding', runsFolder, ...gated({ pass_rate: 0.1, decide: true }) });
describeEvalSet(lampAgent, set, { name: 'unsure', ...gated({ pass_rate: 0.5, decide: true }) });
describe.concurrent('beside', () => {
  describeEvalSet({ variants: { lamp: lampAgent, dark: () => 'It is dark.' } }, set, {
    name: 'of variants',
    ...gated({ pass_rate: 0.1 }),
  });
});
describeEvalSet(lampAgent, set, {
  name: 'against',
  ...gated({ regression: true, baseline: 'last', pass_rate: 0 }),
});
describeEvalSet(() => new Promise(() => undefined), set, { name: 'stuck', timeout: 300, ...gated({ pass_rate: 0.1 }) });
describeEvalSet(() => 'It is dark.', set, { name: 'failing', ...gated({ pass_rate: 0, decide: true }) });
describeEvalSet(lampAgent, set, {
  name: 'unasked',
  config: {
    criteria: { ...criteria, judged: 0.5 },
    customMetrics: { judged: { codeConfig: { name: './broken-metric.mjs#judged' } } },
    agentCriteria: { gates: { means: { tool_trajectory_avg_score: 0 }, decide: true } },
  },
});
describe('cut short', () => {
  beforeEach((context) => context.skip(context.task.name === 'on twice', 'not today'));
  describeEvalSet(() => 'It is dark.', set, { name: 'by a hook', ...gated({ pass_rate: 0, decide: true }) });
});

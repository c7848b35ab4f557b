import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

it('a measure without a number is shown in detail, but not among the reasons for a verdict', async () => {
  const folder = folderOf({
    'agent.mjs': 'export const agent = () => "Bye";',
    'home.evalset.json': evalSet('home', evalCase('wrong', turn('Hi', 'Hi')), evalCase('open', turn('Hi'))),
    'test_config.json': {
      criteria: { response_match_score: 1 },
      agent_criteria: { measure: ['token_usage_v1', 'tool_call_count_v1'] },
    },
  });
  const files = ['agent.mjs', 'home.evalset.json'].map((name) => join(folder, name));
  const unmeasured = 'token_usage_v1 could not be judged: the agent reports no tokens';
  const brief = await capture(['eval', ...files]);
  expect(brief.out).toMatch(/wrong: failed.*tool_call_count_v1 0.*open: not-evaluated/s);
  expect(brief.out).not.toContain(unmeasured);
  const detailed = await capture(['eval', ...files, '--print_detailed_results']);
  expect(detailed.out).toContain(unmeasured);
});

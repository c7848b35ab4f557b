import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';

it('eval reports every mistake in eval sets and their config at once, before it calls the agent or a judge', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const turn = { user_content: { role: 'user', parts: [{ text: 'Hi' }] } };
  const folder = folderOf({
    'agent.mjs': `import { writeFileSync } from 'node:fs';
      export const agent = (text) => { writeFileSync(new URL('asked', import.meta.url), text); return text; };`,
    'one.evalset.json': {
      eval_set_id: 'one',
      eval_cases: [
        { eval_id: 'twice', conversation: [turn] },
        { eval_id: 'twice', conversation: [turn] },
        { eval_id: 'empty', conversation: [] },
        { eval_id: 'misspelt', conversation: [{ user_contents: 1 }] },
      ],
    },
    'two.evalset.json': '{ "eval_set_id": "two", ',
    'test_config.json': {
      criteria: {
        response_match_scores: 0.5,
        tool_trajectory_avg_score: { threshold: 80, match_type: 'SOMETIMES' },
        response_match_score: { threshold: 1, languages: 'en' },
      },
    },
  });
  const { code, out, err } = await capture(['eval', folder, '--repeats', '2', '--runs_folder', join(folder, 'runs')], {
    environment: { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url },
  });
  expect([code, out]).toEqual([2, '']);
  const told = err
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(folder.length + 1).split(': ')[0]);
  expect(told).toEqual([
    'one.evalset.json $.eval_cases[3].conversation[0]',
    'one.evalset.json $.eval_cases[1].eval_id',
    'one.evalset.json $.eval_cases[2].conversation',
    'test_config.json $.criteria.response_match_scores',
    'test_config.json $.criteria.tool_trajectory_avg_score',
    'test_config.json $.criteria.tool_trajectory_avg_score.match_type',
    'test_config.json $.criteria.response_match_score.languages',
    'two.evalset.json',
  ]);
  expect(existsSync(join(folder, 'asked'))).toBe(false);
  expect(existsSync(join(folder, 'runs'))).toBe(false);
  expect(asked).toBe(0);
});

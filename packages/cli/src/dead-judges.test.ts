import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

/** Starts a judge that always answers with this status, and counts the requests. */
async function judgeThatSays(status: number) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'no' } }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  // The model's provider reads these variables.
  vi.stubEnv('OPENAI_API_KEY', 'k');
  vi.stubEnv('OPENAI_BASE_URL', `http://127.0.0.1:${port}/v1`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { environment: process.env, count: () => requests };
}

function project(): string {
  const judge = { threshold: 0.8, judge_model_options: { judge_model: 'openai/x' } };
  return folderOf({
    'agent.mjs': 'export const agent = (text) => text;',
    's.evalset.json': evalSet(
      's',
      ...Array.from({ length: 15 }, (_, place) => evalCase(`c${place}`, turn(`Hi ${place}`, 'Hi'))),
    ),
    'test_config.json': { criteria: { final_response_match_v2: judge } },
  });
}

it.each([401, 404])(
  'a judge that rejects every call is called once, although fifteen cases start together: %d',
  async (status) => {
    const judge = await judgeThatSays(status);
    const { code, out, err } = await capture(['eval', project()], { environment: judge.environment });
    expect([code, judge.count()]).toEqual([3, 1]);
    expect(out).toContain('judge: 1 call (1 failed)');
    expect(err).toContain('Every call to it will fail like this');
  },
);

it('a run counts the requests that the judge received, including retries but not calls that were never sent', async () => {
  const judge = await judgeThatSays(500);
  const { code, out } = await capture(['eval', project(), '--max-retries', '0'], { environment: judge.environment });
  expect(code).toBe(3);
  const [, said] = /^judge: (\d+) calls \(all failed\)$/m.exec(out) ?? [];
  expect(Number(said)).toBe(judge.count());
  expect(judge.count()).toBeLessThan(45);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

// An eval set or config from someone else must not cause a judge's key to be sent to their server.

const NAME = 'final_response_match_v2';

/** Starts a server that only counts requests. */
async function listening() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const models = { 'gemini-2.5-flash': 'GEMINI_API_KEY', 'openai/gpt-5': 'OPENAI_API_KEY' } as const;
const settings = [
  (url: string) => ({ http_options: { base_url: url } }),
  (url: string) => ({ httpOptions: { baseUrl: url } }),
  (url: string) => ({ base_url: url }),
  (url: string) => ({ baseUrl: url }),
] as const;
const places = ['the config', 'a case'] as const;
const all = Object.entries(models).flatMap(([model, variable]) =>
  settings.flatMap((setting) =>
    places.map((place) => [place, JSON.stringify(setting('URL')), model, variable] as const),
  ),
);

it.each(allRuns ? all : all.filter((_, index) => index % 5 === 0))(
  'a judge address in %s is rejected, and the key is not sent: %s for %s',
  async (place, text, model, variable) => {
    const { url, seen } = await listening();
    const judge = { judge_model: model, judge_model_config: JSON.parse(text.replace('URL', url)), num_samples: 1 };
    const given = { [NAME]: { judge_model_options: judge } };
    const one = { ...evalCase('one', turn('Hi', 'Hello')), ...(place === 'a case' && { agent_criteria: given }) };
    const options = place === 'a case' ? { judge_model_options: { judge_model: model } } : given[NAME];
    const folder = folderOf({
      'agent.mjs': 'export const agent = (text) => text;',
      's.evalset.json': evalSet('s', one),
      'test_config.json': { criteria: { [NAME]: { threshold: 0.5, ...options } } },
    });
    const environment = { [variable]: 'the-key-of-the-judge' };
    const { code, err } = await capture(['eval', folder, '--runs_folder', `${folder}/runs`], { environment });
    expect(seen).toEqual([]);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot set its address|is not a setting of/);
  },
);

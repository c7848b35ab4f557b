// Long: starts the command many times.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { type Ended, start } from './__fixtures__/spawned.ts';

// Nothing that an agent or a criterion does to its process or its input may create a verdict, or hide one.

const set = evalSet('s', evalCase('right', turn('Hello there', 'Hello there')), evalCase('wrong', turn('zzz', 'Hi')));
const echo = 'export const agent = (text) => text;';

/** Runs the command in a folder with these files, on the agent and the set. */
function command(word: string, files: Readonly<Record<string, unknown>>, ...flags: string[]): Promise<Ended> {
  return start(
    [word, 'agent.mjs', 'a.test.json', ...flags],
    folderOf({ 'agent.mjs': echo, 'a.test.json': set, ...files }),
  ).ended;
}

/** Runs the command in this process, for agents and criteria that leave the process unchanged. */
function called(word: string, files: Readonly<Record<string, unknown>>, ...flags: string[]) {
  const folder = folderOf({ 'agent.mjs': echo, 'a.test.json': set, ...files });
  const runs = ['--runs_folder', join(folder, '.agent-criteria/runs')];
  return capture([word, join(folder, 'agent.mjs'), join(folder, 'a.test.json'), ...runs, ...flags]);
}

describe('a criterion that modifies its input', { timeout: 60_000 }, () => {
  const criterion = (scope: 'turn' | 'conversation', change: string) => ({
    'mine.mjs': `export const changing = { kind: 'criterion', specVersion: 3, name: 'changing', origin: { package: 'p', version: '1.0.0' },
      description: 'x', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: '${scope}',
      evaluate(given, { options, tools, transcript }) { ${change}; return { value: 1 }; },
      options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };`,
    'test_config.json': { plugins: ['./mine.mjs'], criteria: { changing: 1, response_match_score: 1 } },
  });
  const text = (of: string) => `${of}.finalResponse.parts[0].text`;

  it.each([
    ['its turn', criterion('turn', `${text('given.expected')} = ${text('given.actual')}`)],
    ['the inference', criterion('turn', `${text('transcript.inference.invocations[0]')} = 'Hi'`)],
    ['the conversation', criterion('conversation', `${text('given.turns[0].actual')} = 'Hi'`)],
    ['the id of the case', criterion('conversation', `given.unit.case.evalId = 'other'`)],
  ])('yields no score, and the others see the original input: %s', async (_, files) => {
    const { code, out } = await called('eval', files, '--num_runs', '2');
    expect(out).toContain('1 failed, 1 not-evaluated of 2 cases');
    expect(out).toMatch(/change\s+a\s+copy/);
    expect(code).toBe(1);
  });
});

describe('an agent that replaces functions that recording depends on', { timeout: 60_000 }, () => {
  const replacing = (code: string) => ({ 'agent.mjs': `${code}\n${echo}` });
  const replaced = [
    ['JSON.stringify', "JSON.stringify = () => 'null';"],
    ['JSON.parse', 'JSON.parse = () => null;'],
    ['Date.now', 'Date.now = () => NaN;'],
    ['Date', 'globalThis.Date = class extends Date { static now() { return NaN; } };'],
    ['performance.now', 'performance.now = () => NaN;'],
    [
      'the streams',
      'process.stdout.write = process.stderr.write = () => true; console.log = console.error = () => {};',
    ],
  ] as const;

  it.each(replaced)('is still recorded: %s', async (_, code) => {
    const ended = await command('eval', replacing(code));
    expect(ended.out).toContain('1 passed, 1 failed of 2 cases');
    expect(ended.code).toBe(1);
  });

  // If replacing all of them at once has no effect here, then replacing any single one has none either.
  it('is recorded without scores, and in JSON, with all of them replaced', async () => {
    const all = replacing(replaced.map(([, code]) => code).join('\n'));
    const [generated, json] = await Promise.all([command('generate', all), command('eval', all, '--json')]);
    expect(generated).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 inferences recorded') });
    expect(JSON.parse(json.out).summary).toMatchObject({ verdicts: { passed: 1, failed: 1 } });
    expect(json.code).toBe(1);
  });
});

describe('a run folder that loses data after it is written', { timeout: 60_000 }, () => {
  const losing = {
    'agent.mjs': `import { readdirSync, truncateSync } from 'node:fs';
      export const agent = (text) => {
        const runs = new URL('.agent-criteria/runs/', import.meta.url);
        if (text === 'b') for (const run of readdirSync(runs)) truncateSync(new URL(run + '/inferences.jsonl', runs));
        return text;
      };`,
    'a.test.json': evalSet('s', ...['a', 'b', 'c'].map((id) => evalCase(id, turn(id, id)))),
  };

  it('never gives exit code 0 together with an error', async () => {
    const { code, out, err } = await called('eval', losing, '--concurrency_agents', '1');
    expect(out).toMatch(/1 passed, 2 error of 3 cases/);
    expect(err).toContain('Exit code 3: the run folder does not match the result of this run');
    expect(code).toBe(3);
  });

  it('never gives exit code 0 together with missing inferences', async () => {
    const { code, out } = await called('generate', losing, '--concurrency_agents', '1');
    expect(out).toContain('1 of 3 inferences recorded');
    expect(code).toBe(3);
  });
});

// Long: waits for changes of files.
import { writeFileSync } from 'node:fs';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { afterEach, expect, it } from 'vitest';
import { folderOf, writeFiles } from '../../../../test/folder.ts';
import { capture } from '../__fixtures__/captured-io.ts';
import type { Keyboard } from '../io.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const agent = (greeting: string) => `export const rootAgent = (text) => text === 'bye' ? 'Goodbye' : '${greeting}';\n`;
const set = (farewell = 'Goodbye') => ({
  eval_set_id: 'home',
  eval_cases: [evalCase('hi', [turn('hi', { answer: 'Hello' })]), evalCase('bye', [turn('bye', { answer: farewell })])],
});

/**
 * Runs the command in a folder with these files. Each step returns a key, or changes files and returns nothing, once the
 * command waits for it. Returns the output between the steps.
 */
async function watch(
  files: Readonly<Record<string, unknown>>,
  steps: readonly (() => string | undefined)[],
  flags: readonly string[] = [],
) {
  process.chdir(folderOf(files));
  const parts = [''];
  const left = [...steps];
  const keyboard = (): Keyboard => {
    parts.push('');
    const step = left.shift();
    const key = step === undefined ? 'q' : step();
    let isTyped = false;
    return {
      echo: true,
      key() {
        if (isTyped || key === undefined) return new Promise(() => undefined);
        isTyped = true;
        return Promise.resolve(key);
      },
      close: () => undefined,
    };
  };
  const write = (text: string) => void parts.push(`${parts.pop()}${text}`);
  const environment = { PATH: process.env.PATH };
  const args = ['eval', 'agent.mjs', 'home.evalset.json', '--watch', '--runs_folder', 'runs', ...flags];
  const { code } = await capture(args, { out: write, err: write, keyboard, environment });
  return { code, parts };
}

const files = {
  'agent.mjs': agent('Hello'),
  'home.evalset.json': set(),
  'test_config.json': { criteria: { response_match_score: 0.8 } },
};

it('eval --watch runs again what a change affects, and what keys ask for', async () => {
  const { code, parts } = await watch(files, [
    () => void writeFiles('.', { 'agent.mjs': agent('Hi') }),
    () => 'f',
    () => void writeFiles('.', { 'agent.mjs': 'export const rootAgent = (' }),
    () => void writeFiles('.', { 'agent.mjs': agent('Hello') }),
    () => void writeFiles('.', { 'home.evalset.json': set('Goodbye then') }),
    () => void writeFiles('.', { 'test_config.json': { criteria: { response_match_score: 0.5 } } }),
    () => 'a',
  ]);
  const [first, edited, failed, broken, repaired, changedSet, changedConfig, all] = parts;
  expect(first).toContain('2 passed of 2 cases');
  expect(first).toContain('r runs again, f what failed, a all, q quits');
  expect(edited).toContain('Changed: agent.mjs\n');
  expect(edited).toContain('1 passed, 1 failed of 2 cases');
  expect(failed).toContain('1 failed of 1 case');
  expect(broken).toContain('the agent module does not load');
  expect(repaired).toContain('2 passed of 2 cases');
  expect(changedSet).toContain('Changed: home.evalset.json\n');
  expect(changedSet).toContain('1 failed of 1 case');
  expect(changedConfig).toContain('Changed: test_config.json\n');
  // The agent has not changed, so its answers of the last whole run are judged by the new threshold.
  expect(changedConfig).toContain('2 passed of 2 cases');
  expect(all).toContain('2 of 2 cases, selected by --watch');
  expect(code).toBe(0);
});

it('eval --watch goes on watching if the first run cannot be prepared', async () => {
  const { code, parts } = await watch({ ...files, 'home.evalset.json': '{ not JSON' }, [
    () => void writeFileSync('home.evalset.json', JSON.stringify(set())),
  ]);
  expect(parts[0]).toContain('home.evalset.json');
  expect(parts[1]).toContain('2 passed of 2 cases');
  expect(code).toBe(0);
});

it.each(['--json', '--dry_run', '--confirm', '--no_run_folder'])('eval --watch refuses %s', async (flag) => {
  process.chdir(folderOf(files));
  const { code, err } = await capture(['eval', 'agent.mjs', '--watch', flag]);
  expect(code).toBe(2);
  expect(err).toContain('--watch and');
});

import { expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { start } from './__fixtures__/spawned.ts';

// A criterion's dependency may replace globals that every program relies on. The run may break then, but never pass.

const patches = [
  'Array.prototype.every = () => true',
  'Array.prototype.filter = () => []',
  'Array.prototype.some = () => false',
  'Number.isFinite = () => true',
  'Math.min = () => 1',
  'JSON.stringify = () => "null"',
  'JSON.parse = () => ({ verdict: "passed" })',
  'Array.prototype.map = function () { return this; }',
  'Array.prototype.flatMap = () => []',
  'Array.prototype.reduce = () => 1',
  'Array.prototype.find = () => undefined',
  'Array.prototype.includes = () => true',
  'Array.prototype.push = () => 0',
  'Array.isArray = () => true',
  'Object.entries = () => []',
  'Object.keys = () => []',
  'Object.values = () => []',
  'Object.fromEntries = () => ({ verdict: "passed" })',
  'Object.freeze = (value) => value',
  'Object.is = () => true',
  'Math.max = () => 1',
  'Map.prototype.get = () => undefined',
  'Set.prototype.has = () => false',
  'String.prototype.split = () => []',
  'RegExp.prototype.test = () => true',
  'globalThis.structuredClone = () => ({})',
  'Date.now = () => NaN',
  'globalThis.Error = class { constructor() { this.message = "passed"; } }',
] as const;

const plugin = (patch: string) => `export const patching = { kind: 'criterion', specVersion: 3, name: 'patching',
  origin: { package: 'p', version: '1.0.0' }, description: 'x', decides: true, scope: 'turn',
  range: { min: 0, max: 1, better: 'higher' },
  evaluate() { ${patch}; return { value: 1 }; },
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };`;

const wrong = evalSet('s', evalCase('wrong', turn('zzz', 'Hi')), evalCase('wrong too', turn('zzz', 'Hello')));

it.each(allRuns ? patches : patches.slice(0, 2))(
  'a criterion that replaces a global never turns a failure into exit code 0: %s',
  {
    timeout: 60_000,
  },
  async (patch) => {
    const folder = folderOf({
      'agent.mjs': 'export const agent = (text) => text;',
      'mine.mjs': plugin(patch),
      'a.test.json': wrong,
      'test_config.json': { plugins: ['./mine.mjs'], criteria: { patching: 1, response_match_score: 1 } },
    });
    const { code, out } = await start(['eval', 'agent.mjs', 'a.test.json'], folder).ended;
    expect(code).toBeGreaterThan(0);
    expect(out).not.toMatch(/2 passed of 2 cases/);
  },
);

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CriteriaError, type Criterion } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { loadCustomMetrics, projectFolder, splitReference } from './custom-metrics.ts';

const none = createRegistry();
const config = (name: string, metric = 'tone') => ({
  criteria: { [metric]: 0.5 },
  custom_metrics: { [metric]: { code_config: { name } } },
});

async function load(name: string, folder: string, registry = none, metric = 'tone'): Promise<readonly Criterion[]> {
  return loadCustomMetrics(parseEvalConfig(config(name, metric)).value, folder, 'test_config.json', registry);
}

async function problemOf(name: string, folder: string, registry = none, metric = 'tone'): Promise<string> {
  const error = await load(name, folder, registry, metric).catch((thrown: unknown) => thrown);
  if (!CriteriaError.is(error)) throw error;
  expect(error.problems).toMatchObject([{ file: 'test_config.json', path: `$.custom_metrics.${metric}` }]);
  return error.problems[0]?.message ?? '';
}

const good = 'export const tone = (metric, actual) => ({ perInvocationResults: actual.map(() => ({ score: 1 })) });';

describe('loadCustomMetrics', () => {
  it('creates a criterion whose origin names the file, a hash of its content, and the export', async () => {
    const folder = folderOf({ 'package.json': {}, 'evals/metrics.mjs': good, 'evals/more/x.json': {} });
    const [first] = await load('./metrics.mjs#tone', join(folder, 'evals'));
    expect(first).toMatchObject({
      name: 'tone',
      scope: 'turn',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' },
    });
    expect(first?.origin).toEqual({
      package: './evals/metrics.mjs#tone',
      version: expect.stringMatching(/^0\.0\.0-sha256-[0-9a-f]{16}$/),
    });
    const [same] = await load('..\\metrics.mjs#tone', join(folder, 'evals', 'more'));
    expect(same?.origin).toEqual(first?.origin);
    // A registry accepts it as a criterion.
    createRegistry([first as Criterion]);
    const [changed] = await load(
      './metrics.mjs#tone',
      join(folderOf({ 'package.json': {}, 'metrics.mjs': `${good}\n` })),
    );
    expect(changed?.origin.version).not.toBe(first?.origin.version);
  });

  it('takes range and description from metric_info, and rejects an empty range', async () => {
    const folder = folderOf({ 'm.ts': good.replace('metric, actual', 'metric: unknown, actual: unknown[]') });
    const metricInfo = {
      metric_name: 'x',
      description: 'Info',
      metric_value_info: { interval: { min_value: -1, max_value: 5 } },
    };
    const written = {
      criteria: { tone: 2 },
      custom_metrics: { tone: { code_config: { name: './m.ts#tone' }, metric_info: metricInfo } },
    };
    const [criterion] = await loadCustomMetrics(parseEvalConfig(written).value, folder, undefined, none);
    expect(criterion).toMatchObject({ description: 'Info', range: { min: -1, max: 5, better: 'higher' } });
    metricInfo.metric_value_info.interval.max_value = -1;
    await expect(loadCustomMetrics(parseEvalConfig(written).value, folder, undefined, none)).rejects.toThrow(
      'min_value below its max_value',
    );
  });

  it('ignores references in other formats, such as a Python path', async () => {
    expect(await load('my.metrics.tone', '.')).toEqual([]);
  });

  it.each([
    ['./none.mjs#tone', 'there is no file "./none.mjs"'],
    ['./metrics.mjs#ton', '"./metrics.mjs" has no export "ton"; did you mean "tone"? (its functions are tone)'],
    ['./metrics.mjs#toString', 'has no export "toString"'],
    ['./metrics.mjs#number', 'exports "number", which is not a function'],
    ['./broken.mjs#tone', '"./broken.mjs" does not load: no licence'],
    ['./metrics.mjs#', 'names no export'],
    ['./metrics.mjs#a.b', 'names no export'],
    ['metrics.mjs#tone', 'is not a path relative to the config'],
    ['./metrics.py#tone', 'is not a module'],
  ])('rejects %s: %s', async (name, told) => {
    const folder = folderOf({
      'metrics.mjs': `${good} export const number = 1;`,
      'broken.mjs': "throw new Error('no licence');",
    });
    expect(await problemOf(name, folder)).toContain(told);
  });

  it('rejects a function with the same name as a criterion', async () => {
    const folder = folderOf({ 'metrics.mjs': good });
    const [own] = await load('./metrics.mjs#tone', folder);
    const theirs = { ...(own as Criterion), origin: { package: 'theirs', version: '1.0.0' } };
    expect(await problemOf('./metrics.mjs#tone', folder, createRegistry([theirs]))).toContain(
      'is the name of a criterion of theirs',
    );
    expect(await problemOf('./metrics.mjs#tone', folder, none, 'safety_v1')).toContain(
      'of @agent-criteria/criteria-safety',
    );
    // The registry from an earlier plan already contains the same function.
    expect(await load('./metrics.mjs#tone', folder, createRegistry([own as Criterion]))).toHaveLength(1);
  });
});

describe('loading functions for an untrusted config', () => {
  it.each([
    '/etc/passwd.mjs#x',
    'C:\\evil.mjs#x',
    'C:evil.mjs#x',
    '\\\\server\\share\\evil.mjs#x',
    '//server/evil.mjs#x',
    'file:///etc/evil.mjs#x',
    'https://evil/x.mjs#x',
    'data:text/javascript,export const x = 1#x',
    'node:fs#rmSync',
    'fs#rmSync',
    './node_modules/evil/index.js#x',
    './Node_Modules/evil/index.js#x',
    '.\\node_modules\\evil\\index.js#x',
    './a\0.mjs#x',
  ])('rejects the path %j', (reference) => {
    expect(() => splitReference(reference)).toThrow(
      /is not a path relative to the config|is not a file of this project|is no module/,
    );
  });

  it('rejects paths outside the project, even behind links', async () => {
    const folder = folderOf({
      'outside.mjs': good,
      'project/package.json': {},
      'project/evals/in.mjs': good,
      'loose/in.mjs': good,
    });
    const evals = join(folder, 'project', 'evals');
    symlinkSync(join(folder, 'outside.mjs'), join(evals, 'linked.mjs'));
    symlinkSync(folder, join(evals, 'up'));
    for (const path of [
      '../../outside.mjs',
      '../../none.mjs',
      './x/../../../outside.mjs',
      '../..\\outside.mjs',
      './linked.mjs',
      './up/outside.mjs',
    ]) {
      expect(await problemOf(`${path}#tone`, evals)).toContain('is outside the project');
    }
    expect(await load('../evals/in.mjs#tone', evals)).toHaveLength(1);
    // Without a package.json, the project is the config's folder.
    expect(await problemOf('../outside.mjs#tone', join(folder, 'loose'))).toContain('is outside the project');
    expect(await projectFolder(evals)).toBe(join(folder, 'project'));
  });

  it('splits any reference into a relative path and an export, or throws a CriteriaError', () => {
    const piece = fc.constantFrom('.', '..', '/', '\\', 'a', '#', '.mjs', 'C:', '\0', '__proto__', 'node_modules', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const reference = `${pieces.join('')}#x`;
        try {
          const { path, exported } = splitReference(reference);
          expect(path).toMatch(/^\.\.?\//);
          expect(path).not.toMatch(/[\0\\]|node_modules\//);
          expect(exported).toMatch(/^[\w$]+$/);
        } catch (error) {
          if (!CriteriaError.is(error)) throw error;
        }
      }),
    );
  });
});

const set = evalSet([
  evalCase('a', [
    { user: 'Hi', answer: 'Hello' },
    { user: 'Bye', answer: 'So long' },
  ]),
]);

describe('loadPlan', () => {
  it('accepts functions as criteria, and reports a Python path only once, with advice to port the function', async () => {
    const folder = folderOf({
      'a.test.json': set,
      'test_config.json': config('./metrics.ts#tone'),
      'metrics.ts': good.replace('metric, actual', 'metric: unknown, actual: unknown[]'),
    });
    const { plan, registry } = await loadPlan({ evalSet: join(folder, 'a.test.json'), registry: none });
    expect(plan.criteria).toMatchObject([{ name: 'tone', threshold: 0.5 }]);
    // Several sets in a run may share a registry.
    await expect(loadPlan({ evalSet: join(folder, 'a.test.json'), registry })).resolves.toBeDefined();
    const python = loadPlan({
      evalSet: join(folder, 'a.test.json'),
      registry: none,
      config: config('my.metrics.tone'),
    });
    await expect(python).rejects.toMatchObject({
      problems: [{ path: '$.custom_metrics.tone', message: expect.stringContaining('name it "./metrics.ts#tone"') }],
    });
  });

  it('reports a function that does not load only once, together with a broken plugin', async () => {
    const folder = folderOf({
      'a.test.json': set,
      'test_config.json': { ...config('./none.ts#tone'), criteria: { tone: 0.5, respons: 1 }, plugins: ['./none.mjs'] },
    });
    const error = await loadPlan({ evalSet: join(folder, 'a.test.json'), registry: none }).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as CriteriaError).problems.map(({ path }) => path)).toEqual([
      '$.plugins[0]',
      '$.custom_metrics.tone',
    ]);
  });
});

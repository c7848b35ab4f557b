import { createHash } from 'node:crypto';
import { comparedCases, compareRuns, runOutcomes } from '@agent-criteria/analysis';
import { defineCriterion, noOptions } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference } from '@agent-criteria/core/testing';
import { type RunRecord, runRecord } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { bundleApp } from './bundle-app.ts';
import { htmlComparison } from './html-comparison.ts';

const hostile = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u202E\u2028';

const match = defineCriterion({
  name: 'match',
  decides: true,
  origin: { package: 'criteria-sample', version: '1.0.0' },
  description: hostile,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual }) => ({ value: actual.finalResponse?.parts?.[0]?.text === hostile ? 1 : 0, reason: hostile }),
});

async function makeRun(ids: readonly string[], answer: string): Promise<RunRecord> {
  const set = evalSet(ids.map((id) => evalCase(id, [{ user: `Tell me of ${id}`, answer: hostile }])));
  const config = { criteria: { match: 1 } };
  const plan = resolveEvalConfig({ evalSet: set, registry: createRegistry([match]), config });
  const inferences = set.evalCases.map(({ evalId }) => ({
    key: { setId: 'set', caseId: evalId, repeat: 0 },
    inference: inference([{ user: `Tell me of ${evalId}`, answer }]),
  }));
  const cases = await Promise.all(
    set.evalCases.map(async (one, place) => {
      const found = inferences[place]?.inference;
      if (found === undefined) throw new Error('There is one for each case.');
      return summariseCase(plan, one, [await scoreUnit(plan, { setId: 'set', case: one, repeat: 0 }, found)]);
    }),
  );
  return runRecord({ id: hostile, startedAt: 0, endedAt: 9, agent: hostile }, [{ plan, cases, inferences }]);
}

async function written(base: RunRecord, candidate: RunRecord): Promise<string> {
  const [before] = await runOutcomes(base);
  const [after] = await runOutcomes(candidate);
  if (before === undefined || after === undefined) throw new Error('Each run has outcomes.');
  const runs = { comparison: compareRuns(before, after), cases: comparedCases(before, after) };
  let page = '';
  const names = { base: `before ${hostile}`, candidate: `now ${hostile}` };
  for await (const piece of htmlComparison(runs, { base, candidate }, { names })) page += piece;
  return page;
}

it('htmlComparison() embeds a data block for each case of both runs, and never turns text into a tag', async () => {
  const page = await written(await makeRun(['a', hostile, 'gone'], hostile), await makeRun(['a', hostile, ''], 'no'));
  const found = page.matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs);
  const blocks = new Map(Array.from(found, ([, id = '', json = '']) => [id, JSON.parse(json)]));
  const { cases } = blocks.get('comparison').runs;
  expect(cases.map(({ caseId, change }: { caseId: string; change: string }) => [caseId, change])).toEqual([
    ['a', 'lost'],
    [hostile, 'lost'],
    ['gone', 'unpaired'],
    ['', 'unpaired'],
  ]);
  expect([...blocks.keys()].sort()).toEqual(
    ['licences', 'comparison', 'base-0', 'base-1', 'base-2', 'candidate-0', 'candidate-1', 'candidate-3'].sort(),
  );
  expect(blocks.get('candidate-1').evalCase.evalId).toBe(hostile);

  const tags = new Set(
    Array.from(page.replace(/<(script|style)>.*?<\/\1>/gs, '').matchAll(/<\/?([!a-z]+)/g), ([, name]) => name),
  );
  expect([...tags].sort()).toEqual(
    ['!doctype', 'body', 'div', 'head', 'html', 'meta', 'noscript', 'p', 'script', 'title'].sort(),
  );
  const [script = ''] = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text);
  expect(page).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});

it('the comparison app is smaller than 165 kB, and contains nothing unsafe to inline', async () => {
  const { script, style, licences } = await bundleApp('comparison');
  expect(script.length + style.length).toBeLessThan(165_000);
  expect(script).not.toMatch(/<\/script|<!--|\r/i);
  expect(style).not.toMatch(/<\/style|\r|url\(/i);
  expect(script).not.toMatch(
    /\beval\(|new Function|document\.write|insertAdjacentHTML|fetch\(|XMLHttpRequest|WebSocket|localStorage/,
  );
  expect(licences).toMatch(/^preact [\s\S]+MIT/m);
});

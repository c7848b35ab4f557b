import { createHash } from 'node:crypto';
import { defineCriterion, noOptions } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalCase, evalSet, inference } from '@agent-criteria/core/testing';
import { type RunCase, type RunRecord, runRecord } from '@agent-criteria/results';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleApp } from './bundle-app.ts';
import { htmlReport } from './html-report.ts';

const hostile = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u202E\u2028';

const length = defineCriterion({
  name: 'answer_length',
  decides: true,
  origin: { package: 'criteria-sample', version: '1.0.0' },
  description: hostile,
  range: { min: 0, max: null, better: 'lower' },
  options: noOptions,
  scope: 'turn',
  evaluate: (turn) => ({ value: turn.actual.finalResponse?.parts?.[0]?.text?.length ?? 0, reason: hostile }),
});

async function makeRun(ids: readonly string[]): Promise<RunRecord> {
  const set = evalSet(ids.map((id) => evalCase(id, [{ user: `Tell me of ${id}`, answer: hostile }])));
  const plan = resolveEvalConfig({
    evalSet: set,
    registry: createRegistry([length]),
    config: { criteria: { answer_length: 5 } },
  });
  const inferences = set.evalCases.map(({ evalId }) => ({
    key: { setId: 'set', caseId: evalId, repeat: 0 },
    inference: inference([{ user: `Tell me of ${evalId}`, answer: hostile }]),
    startedAt: 1000,
    endedAt: 3500,
  }));
  const cases = await Promise.all(
    set.evalCases.map(async (one, place) => {
      const scores = await scoreUnit(plan, { setId: 'set', case: one, repeat: 0 }, inferences[place]!.inference);
      return summariseCase(plan, one, [scores]);
    }),
  );
  return runRecord({ id: hostile, startedAt: 0, endedAt: 9, agent: hostile }, [{ plan, cases, inferences }]);
}

async function written(run: RunRecord, title?: string): Promise<string> {
  let page = '';
  for await (const piece of htmlReport(run, title === undefined ? {} : { title })) page += piece;
  return page;
}

/** Parses the data elements, by id. An element ends at the same position as in a browser. */
function blocksOf(page: string): ReadonlyMap<string, unknown> {
  const found = page.matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs);
  return new Map(Array.from(found, ([, id = '', json = '']) => [id, JSON.parse(json)]));
}

describe('htmlReport()', () => {
  const ids = ['plain', hostile, '\uD800', ''];
  let run: RunRecord;
  let page: string;
  beforeAll(async () => {
    run = await makeRun(ids);
    page = await written(run);
  });

  it('embeds a data block for the index and for each case', async () => {
    const blocks = blocksOf(page);
    const index = blocks.get('run-index') as Record<string, unknown>;
    expect(index).toMatchObject({ info: run.info, sets: run.sets, summary: run.summary, warnings: run.warnings });
    expect(index.cases).toMatchObject(
      ids.map((id) => ({
        set: 0,
        id,
        asked: `Tell me of ${id}`,
        verdict: 'failed',
        time: 2500,
        warned: false,
        repeats: { passed: 0, total: 1 },
        cells: [['failed', hostile.length, 1]],
      })),
    );
    const cases: RunCase[] = [];
    for await (const one of run.cases()) cases.push(one);
    expect(ids.map((_, place) => blocks.get(`case-${place}`))).toEqual(cases);
    expect(blocks.size).toBe(ids.length + 2);
  });

  it('embeds the usage of calls, and their prompts and answers if recorded', async () => {
    const call = (caseId: string, cost: number) => ({
      role: 'criterion' as const,
      key: { setId: 'set', caseId, repeat: 0 },
      caller: hostile,
      turn: 0,
      sample: 0,
      target: hostile,
      request: 'asked',
      answer: 'told',
      usage: { inputTokens: 7 },
      cost,
      startedAt: 0,
      endedAt: 1,
    });
    const judged: RunRecord & { text(hash: string): string } = {
      ...run,
      async *cases() {
        for await (const one of run.cases()) yield { ...one, calls: [call(one.evalCase.evalId, 0.25)] };
      },
      text: (hash) => JSON.stringify({ hash, hostile }),
    };
    const blocks = blocksOf(await written(judged));
    expect(blocks.get('run-index')).toMatchObject({
      usage: { judge: { live: 4, cost: 1, callsWithoutPrice: 0, tokens: { inputTokens: 28 } } },
    });
    expect(blocks.get('case-1')).toMatchObject({
      calls: [call(hostile, 0.25)],
      callTexts: {
        texts: [JSON.stringify({ hash: 'asked', hostile }), JSON.stringify({ hash: 'told', hostile })],
        places: [
          ['asked', 0],
          ['told', 1],
        ],
      },
    });
    expect(blocksOf(page).get('run-index')).toMatchObject({ usage: {} });
    const ofVariant: RunRecord = {
      ...judged,
      async *cases() {
        for await (const one of judged.cases()) yield { ...one, variant: 'fast' };
      },
    };
    expect(blocksOf(await written(ofVariant)).get('run-index')).toMatchObject({
      usage: { variants: { fast: { judge: { cost: 1 } } } },
    });
  });

  it('allows only its own script and style, by their hashes', () => {
    const tag = (name: string) =>
      [...page.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map((match) => match[1]!);
    const [script, ...more] = tag('script');
    const [style, ...others] = tag('style');
    expect([more, others]).toEqual([[], []]);
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.split('; ');
    const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it('never turns text from the run into a tag', () => {
    const tags = new Set(
      Array.from(page.replace(/<(script|style)>.*?<\/\1>/gs, '').matchAll(/<\/?([!a-z]+)/g), ([, name]) => name),
    );
    expect([...tags].sort()).toEqual(
      ['!doctype', 'body', 'div', 'head', 'html', 'meta', 'noscript', 'p', 'script', 'title'].sort(),
    );
    // Licences name their authors' pages.
    const own = page.replace(/<script>.*?<\/script>/s, '').replace(/id="licences">.*?<\/script>/s, '');
    expect(own).not.toMatch(/https?:/);
  });

  it('escapes the given title', async () => {
    expect(await written(run, 'Nightly <b>')).toContain('<title>Nightly &#60;b&#62;</title>');
  });

  it('keeps at most one case in memory', async () => {
    let [read, seen] = [0, 0];
    const counted: RunRecord = {
      ...run,
      async *cases() {
        for (let place = 0; place < 500; place += 1) {
          read += 1;
          yield (await run.case({ setId: 'set', caseId: 'plain' }))!;
        }
      },
    };
    for await (const piece of htmlReport(counted)) {
      if (!piece.includes('Tell me of plain')) continue;
      seen += 1;
      expect(read - seen).toBeLessThanOrEqual(1);
    }
    expect(seen).toBe(1000);
  });

  it('accepts a run without cases', async () => {
    const none: RunRecord = { ...run, async *cases() {} };
    expect(blocksOf(await written(none)).get('run-index')).toMatchObject({ cases: [] });
  });
});

describe('the report app', () => {
  it('is smaller than 230 kB, a quarter of which is the lexer of Markdown, and contains nothing unsafe to inline', async () => {
    const { script, style, licences } = await bundleApp('run');
    expect(script.length + style.length).toBeLessThan(230_000);
    expect(script).not.toMatch(/<\/script|<!--|\r/i);
    expect(style).not.toMatch(/<\/style|\r|url\(/i);
    // APIs that execute text as code, create markup, send requests or store data.
    expect(script).not.toMatch(
      /\beval\(|new Function|document\.write|insertAdjacentHTML|fetch\(|XMLHttpRequest|WebSocket|localStorage/,
    );
    expect(licences).toMatch(/^diff [\s\S]+BSD[\s\S]+^preact [\s\S]+MIT/m);
  });
});

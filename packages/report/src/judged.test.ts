import type { Evidence } from '@agent-criteria/core';
import { parseEvalSetResult } from '@agent-criteria/formats/parse';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { judgedRun, longRationale } from './__fixtures__/judged.ts';
import { textOf } from './__fixtures__/runs.ts';
import { adkResults } from './adk-results.ts';
import { consoleReport, consoleSummary } from './console.ts';
import { formatEvidence } from './format-evidence.ts';
import { formatTurnScore } from './format-score.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { styleOf } from './style.ts';

/** Extracts the section of one case from a report. */
function caseOf(report: string, id: string): string {
  return new RegExp(`^${id}: [\\s\\S]*?\\n(?=\\n|\`\`\`|$)`, 'm').exec(report)?.[0] ?? '';
}

const judgeUsage =
  '10 calls (3 cached, 1 recorded, 1 failed), 4,000 tokens in (800 cached), 200 out (80 reasoning), tokens of 1 call unknown, ' +
  'reused 4,000 tokens in (800 cached), 200 out (80 reasoning), cost 0.001, ' +
  'unknown for 3 calls: no price or token usage reported for gemini-2.5-flash, ollama/qwen3';

describe('a judged case on the console', () => {
  it('is shown with its votes, rubrics, sentences and quotes, and the deciding rationale', async () => {
    const text = await textOf(consoleReport(judgedRun(), { width: 80 }));
    expect(caseOf(text, 'breakfast')).toBe(`breakfast: failed
  answer_valid 0 is below the threshold 0.8
  rubrics 0.5 (66.7 % scored) is below the threshold 0.8
  grounded 0.75 (83.3 % scored) is below the threshold 0.9
  turn 1
    prompt    Until when is breakfast?
    expected  Until ten, for 18 francs.
    answer    Breakfast is until eleven.
    answer_valid 0: The reference says that breakfast is served until ten and
      costs eighteen francs, while the answer gives eleven as the end and leaves
      the price out; a guest who relies on it would come too late, so the two do
      not mean the same.
      1 yes, 4 no, 0 without an opinion of 5
    rubrics 0.5: 1 of 3 rubrics is not fulfilled, 1 could not be judged
      The answer is polite. 1 (3:2): It thanks the guest.
      The answer names the price of everything that costs something. 0:
        Breakfast costs eighteen francs, and the answer does not say so.
        0 yes, 5 no, 0 without an opinion of 5
        turn 1: "Breakfast is until eleven"
      The answer calls the guest by name. could not be judged: 3 of 5 samples
        gave no opinion (1 for, 1 against)
        1 yes, 1 no, 3 without an opinion of 5
    grounded 0.75
      Let me style at the kitchen hours. 1
      the final answer 0.5
        Breakfast is until eleven. 0: contradictory: no source says so
          0 yes, 1 no, 0 without an opinion of 1
          contradicting excerpt: "breakfast: 07:00-10:00"
        It is served on the terrace. 1 (1:0): supported: the tool says so
        It is free. could not be judged: the judge left it out
`);
  });

  it('explains why a turn could not be judged', async () => {
    const text = await textOf(consoleReport(judgedRun()));
    expect(caseOf(text, 'taxi')).toContain(`
  answer_valid: coverage 50 % is below 100 %: 1 of 2 turns could not be judged:
    2 of 5 samples gave no opinion (2 for, 1 against): the judge's answer was
    cut off at its token limit
`);
    expect(caseOf(text, 'taxi')).toContain(
      'answer_valid could not be judged\n      2 yes, 1 no, 2 without an opinion of 5\n',
    );
    expect(caseOf(text, 'taxi')).not.toContain('turn 1');
  });

  it('lists the parts that fall short first, and counts those left out', async () => {
    const numbers = (text: string) =>
      Array.from(text.matchAll(/^ +Sentence number (\d+)\./gm), ([, digits]) => Number(digits));
    expect(numbers(caseOf(await textOf(consoleReport(judgedRun())), 'tour'))).toEqual([5, 1, 2, 3, 4, 6, 7]);
    const scores = ['0', '1'].map((value) => ({ value: Number(value), text: `Part of ${value}.` }));
    const parts = (zeros: number, ones: number) => [
      ...Array.from({ length: ones }, (_, index) => ({ id: `one ${index}`, kind: 'step', ...scores[1]! }) as const),
      ...Array.from({ length: zeros }, (_, index) => ({ id: `zero ${index}`, kind: 'step', ...scores[0]! }) as const),
    ];
    const shown = {
      value: 0.5,
      reached: false,
      threshold: 0.8,
      range: { min: 0, max: 1, better: 'higher' },
      drawn: null,
      margin: 4,
    } as const;
    const told = (zeros: number, ones: number, detailed = false) =>
      formatTurnScore('steps', { parts: parts(zeros, ones) }, shown, styleOf({ detailed }))
        .split('\n')
        .slice(1);
    expect(told(2, 30)).toEqual([
      ...Array(2).fill('  Part of 0. 0'),
      ...Array(18).fill('  Part of 1. 1'),
      '  … and 12 more parts',
    ]);
    expect(told(25, 1).at(-1)).toBe('  … and 6 more parts, 5 of which fall short');
    expect(told(1, 2)).toEqual(['  Part of 1. 1', '  Part of 1. 1', '  Part of 0. 0']);
    expect(told(25, 30, true)).toHaveLength(55);
    const lower = { ...shown, threshold: 0, range: { min: 0, max: null, better: 'lower' } } as const;
    const [first] = formatTurnScore('steps', { parts: parts(6, 1) }, lower, styleOf({}))
      .split('\n')
      .slice(1);
    expect(first).toBe('  Part of 1. 1');
  });

  it('is shown in detailed mode with every opinion, its model, prompt and source, in lines of at most 80 columns', async () => {
    const text = await textOf(consoleReport(judgedRun(), { width: 80, detailed: true }));
    const told = caseOf(text, 'breakfast');
    expect(told).toContain(`
      sample 1, gemini-2.5-flash, answer_valid/1, from cache
        invalid: The reference says that breakfast is served until ten and costs
          eighteen francs, while`);
    expect(told).toContain(
      '\n      sample 2, gemini-2.5-flash, answer_valid/1\n        valid: Both speak of breakfast.\n',
    );
    expect(told).toContain('\n        names: not_applicable: Nobody told a name.\n');
    expect(told).toContain('\n        names: no opinion: the judge did not mention it\n');
    expect(told).toContain('\n          supporting excerpt: "place: terrace"\n');
    expect(told.replace(/\s+/g, ' ')).toContain(longRationale);
    expect(caseOf(text, 'taxi')).toContain(
      "\n      sample 2, gemini-2.5-flash, answer_valid/1\n        the judge's answer was cut off at its token limit\n",
    );
    expect(text.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
  });
});

describe('opinions of judges on the console', () => {
  const shown = (evidence: Evidence, detailed = true) => formatEvidence(evidence, 0, styleOf({ detailed }));

  it('show for each question whether they counted, or why there is no opinion', () => {
    const evidence: Evidence = {
      kind: 'opinions',
      prompt: 'tone/2',
      questions: [{ id: 'polite', text: 'It is polite.' }, { id: 'short' }],
      samples: [
        {
          sample: 0,
          model: 'judge',
          from: 'recording',
          opinions: [
            { question: 'polite', label: 'yes', rationale: 'It thanks.', countedAs: 'positive' },
            { question: 'short', label: 'late', countedAs: null },
          ],
        },
        { sample: 1, opinions: [{ question: 'short', unreadable: 'it was judged twice' }] },
        { sample: 2, model: 'judge', opinions: [], failure: 'it was cut off' },
      ],
    };
    expect(shown(evidence)).toEqual([
      'sample 1, judge, tone/2, from recording',
      ...['  polite: yes: It thanks.', '  short: late (not counted)'],
      'sample 2, tone/2',
      '  short: no opinion: it was judged twice',
      'sample 3, judge, tone/2',
      '  it was cut off',
    ]);
    expect(shown(evidence, false)).toEqual([]);
  });

  it('are shown in the same way for older run folders', () => {
    const head = { model: 'judge', prompt: 'tone/2' };
    const said = { item: 'polite', label: 'yes', rationale: 'It thanks.' };
    const value = [
      { ...head, sample: 0, from: 'cache', opinions: [said] },
      { ...head, sample: 1, from: 'live', failure: 'it was cut off' },
    ];
    expect(shown({ kind: 'json', label: 'opinions', value })).toEqual([
      ...['sample 1, judge, tone/2, from cache', '  yes: It thanks.', 'sample 2, judge, tone/2', '  it was cut off'],
    ]);
    expect(shown({ kind: 'json', label: 'opinions', value }, false)).toEqual([]);
  });
});

describe('usage in reports', () => {
  it('is shown by role at the end of the console report', async () => {
    const text = await textOf(consoleReport(judgedRun(), { width: 500 }));
    expect(text.slice(text.indexOf('1 passed'))).toBe(`1 passed, 2 failed, 1 not-evaluated of 4 cases
pass rate 33% (95% confidence interval 2 to 87%), 3 cases; between 25% and 50%, depending on 1 case that could not be judged
mean of answer_valid 0.75 (0.242 to 0.987), 4 cases; between 0.625 and 0.75, depending on 1 case that could not be judged
mean of rubrics 0.875 (0.477 to 1), 4 cases; between 0.833 and 0.917, depending on 1 case that could not be judged
mean of grounded 0.902 (0.55 to 1), 4 cases; between 0.871 and 0.912, depending on 1 case that could not be judged
the judges of answer_valid and rubrics were never measured: see agent-criteria calibrate
agent: 2 calls, 800 tokens in, 80 out (20 reasoning)
judge: ${judgeUsage}
simulator: 1 call, no token usage reported
`);
    expect(consoleSummary(judgedRun())).toBe('1 passed, 2 failed, 1 not-evaluated of 4 cases\n');
  });

  it('is shown next to a case in detailed mode', async () => {
    const text = await textOf(consoleReport(judgedRun(), { width: 500, detailed: true }));
    expect(caseOf(text, 'leaving')).toContain(
      '\n  judge: 3 calls (2 cached), 1,000 tokens in (200 cached), 50 out (20 reasoning), ' +
        'reused 2,000 tokens in (400 cached), 100 out (40 reasoning), cost 0.0005\n',
    );
  });

  it('is included in the JSON report, for the run, each set and each case', async () => {
    const { sets, usage } = JSON.parse(await textOf(jsonReport(judgedRun())));
    expect(usage).toMatchObject({
      agent: { live: 2, tokens: { inputTokens: 800 }, cost: null, callsWithoutPrice: 2 },
      judge: {
        live: 5,
        cached: 3,
        recorded: 1,
        failed: 1,
        cost: 0.001,
        targetsWithoutPrice: ['gemini-2.5-flash', 'ollama/qwen3'],
      },
      simulator: { live: 1, tokens: null, callsWithoutUsage: 1 },
    });
    expect(sets[0].usage).toEqual(usage);
    const [leaving, , , tour] = sets[0].cases;
    expect(leaving.usage.judge).toMatchObject({ live: 1, cached: 2, cost: 0.0005, callsWithoutPrice: 0 });
    expect('usage' in tour).toBe(false);
  });

  it('is included in the Markdown report, escaped', async () => {
    const text = await textOf(markdownReport(judgedRun()));
    expect(text).toContain('\n- agent: `2 calls, 800 tokens in, 80 out (20 reasoning)`\n- judge: `10 calls');
    expect(text).toContain('contradicting excerpt: "breakfast: 07:00-10:00"');
  });

  it('is a JUnit property of suites and cases, marked if incomplete', async () => {
    const xml = await textOf(junitReport(judgedRun()));
    const [suite = '', ...cases] = xml.split('<testcase ');
    const property = (part: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(part)?.[1];
    expect(property(suite, 'judge usage')).toBe(judgeUsage);
    expect(['calls', 'input tokens', 'output tokens', 'cost'].map((name) => property(suite, `judge ${name}`))).toEqual([
      ...['10', 'at least 4000', 'at least 200', 'at least 0.001'],
    ]);
    expect(property(suite, 'agent cost')).toBe('unknown');
    expect(property(suite, 'simulator input tokens')).toBe('unknown');
    expect(property(cases[0] ?? '', 'judge cost')).toBe('0.0005');
    expect(property(cases[3] ?? '', 'judge calls')).toBeUndefined();
  });

  it('is written under agent_criteria in ADK’s files, for each repeat', async () => {
    const run = judgedRun();
    const twice = {
      ...run,
      async *cases() {
        for await (const one of run.cases()) {
          const again = (repeat: number) => one.result.units.map((unit) => ({ ...unit, repeat }));
          const calls = one.calls?.map((call, index) => ({ ...call, key: { ...call.key, repeat: index % 2 } }));
          const result = { ...one.result, units: [...again(0), ...again(1)] };
          yield { ...one, result, calls };
        }
      },
    };
    const text = await textOf(adkResults(twice));
    expect(parseEvalSetResult(JSON.parse(text)).warnings).toEqual([]);
    const entries = JSON.parse(text).eval_case_results;
    expect(entries[0].agent_criteria.usage).toMatchObject({
      agent: {
        live: 1,
        tokens: { input_tokens: 400, cached_input_tokens: 0, output_tokens: 40, reasoning_tokens: 10 },
      },
      judge: { live: 1, cached: 1, cost: 0.0005, calls_without_price: 0, targets_without_price: [] },
    });
    expect(entries[1].agent_criteria.usage).toEqual({
      judge: expect.objectContaining({ live: 0, cached: 1, tokens: null, cost: null, reused: expect.anything() }),
    });
    expect('usage' in entries[6].agent_criteria).toBe(false);
  });
});

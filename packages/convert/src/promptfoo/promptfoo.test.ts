import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CriteriaError, contentText } from '@agent-criteria/core';
import { parseEvalConfig, parseEvalSet, writeEvalConfig, writeEvalSet } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import { fixture, readAll } from '../__fixtures__/read-all.ts';
import { importCases, importRun } from '../importing/import-conversations.ts';
import type { OpenConversationsOptions } from '../open-options.ts';
import { assertionOfText } from './assertion-of-text.ts';
import { judgeName } from './judge-name.ts';

const config = fixture('promptfoo/promptfooconfig.yaml');
const results = fixture('promptfoo/results.json');

/** Imports a config as cases. */
async function casesOf(
  given: object,
  files: Readonly<Record<string, unknown>> = {},
  more: Partial<OpenConversationsOptions> = {},
) {
  const folder = folderOf({ 'config.json': { prompts: ['{{q}}'], ...given }, ...files });
  const { evalSet, config: written, losses } = await importCases({ files: [join(folder, 'config.json')], ...more });
  return {
    cases: evalSet.evalCases,
    asked: evalSet.evalCases.map(({ conversation = [] }) => conversation?.map((turn) => contentText(turn.userContent))),
    criteria: written?.criteria,
    losses: losses.map(({ what }) => what),
  };
}

/** Imports a test with one assertion. */
async function checked(assertion: object, more: Partial<OpenConversationsOptions> = {}) {
  const { criteria, losses } = await casesOf(
    { tests: [{ vars: { q: 'Why?', r: 'Ab' }, assert: [assertion] }] },
    {},
    more,
  );
  return { criteria, losses };
}

describe('a config of promptfoo', () => {
  test('becomes cases by its prompts, tests, values, tables and defaults', async () => {
    const { all, formats } = await readAll([config]);
    expect(formats).toEqual(['promptfoo']);
    const shown = all.map(({ id, turns, group, tags }) => [
      id,
      turns.map(({ userContent }) => contentText(userContent)),
      group ?? null,
      tags ?? [],
    ]);
    const hello = 'Hi, I am Ada.';
    expect(shown).toEqual([
      ['broken toaster (prompt 1)', ['Answer the customer: My toaster is broken.'], 'broken toaster', ['topic=repair']],
      ['broken toaster (chat)', [hello, 'My toaster is broken.'], 'broken toaster', ['topic=repair']],
      ['test 2 (prompt 1)', ['Answer the customer: Hello, when do you open?'], 'test 2', []],
      ['test 2 (chat)', [hello, 'Hello, when do you open?'], 'test 2', []],
      ['test 2, values 2 (prompt 1)', ['Answer the customer: Good morning, when do you open?'], 'test 2', []],
      ['test 2, values 2 (chat)', [hello, 'Good morning, when do you open?'], 'test 2', []],
      ['a word (prompt 1)', ['Answer the customer: Say "yes".'], 'a word', ['topic=words']],
      ['a word (chat)', ['Hi, I am Bob.', 'Say "yes".'], 'a word', ['topic=words']],
      ['test 4 (prompt 1)', ['Answer the customer: Give me JSON'], 'test 4', []],
      ['test 4 (chat)', ['Hi, I am Eve.', 'Give me JSON'], 'test 4', []],
    ]);
  });

  test('has its assertions as criteria, and what is none listed', async () => {
    const { evalSet, config: written, losses } = await importCases({ files: [config] });
    expect(written?.criteria).toEqual({
      response_checks: { threshold: 1 },
      rubric_based_final_response_quality_v1: {
        threshold: 1,
        judge_model_options: { judge_model: 'openai/gpt-5' },
      },
      max_turn_seconds: { threshold: 4 },
      response_match_score: { threshold: 0.5, type: 'rouge1', language: 'none', whenNotApplicable: 'skip' },
    });
    expect(evalSet.evalCases[6]?.agentCriteria?.response_checks).toEqual({ contains: ['y', 's'], equals: 'yes' });
    expect(evalSet.evalCases[6]?.rubrics?.[0]?.rubricContent.textProperty).toBe('The answer is polite to Bob.');
    const shown = losses.map(({ what, count }) => `${count} × ${what}`);
    expect(shown).toEqual([
      '1 × "providers" of the config, left out: the agent takes their place',
      '1 × the key "evaluateOptions" of the config, left out',
      expect.stringContaining('2 × assertions of the type "javascript", not converted: code of a file is never run'),
      '5 × tests whose prompt cannot be filled, left out: it has logic of Nunjucks: {% if name %}',
      expect.stringContaining('5 × instructions in prompts (system messages)'),
      expect.stringContaining(
        `4 × assertions of the type "regex", not converted: the pattern \\d(?=am) cannot be used`,
      ),
      expect.stringContaining('2 × assertions of the type "python", not converted'),
    ]);
  });

  test('has earlier messages of a prompt as history, which keeps its answers', async () => {
    const { evalSet } = await importCases({ files: [config] });
    const { agentCriteria, conversation = [] } = evalSet.evalCases[1] ?? {};
    expect([agentCriteria?.history, conversation?.map((turn) => contentText(turn.finalResponse))]).toEqual([
      1,
      ['Hello Ada!', ''],
    ]);
  });

  test('has files of cases and criteria that are read again as they were written', async () => {
    const { evalSet, config: written } = await importCases({ files: [config] });
    expect(parseEvalSet(writeEvalSet(evalSet)).value.evalCases).toEqual(evalSet.evalCases);
    expect(parseEvalConfig(writeEvalConfig(written ?? {})).value).toEqual(written);
  });

  test('as a run needs answers, which tests may have', async () => {
    const folder = folderOf({});
    const error: unknown = await importRun({ files: [config], folder: join(folder, 'a') }).catch(
      (reason: unknown) => reason,
    );
    expect(CriteriaError.is(error) && error.message).toContain('make an eval set of them with --cases FILE');
    const given = { prompts: ['{{q}}'], providers: [], tests: [{ vars: { q: 'Why?' }, providerOutput: 'Because.' }] };
    const file = join(folderOf({ 'c.json': given }), 'c.json');
    expect(await importRun({ files: [file], folder: join(folder, 'b') })).toMatchObject({ conversations: 1 });
  });

  test('without tests has one, and without prompts asks the variable "prompt"', async () => {
    expect((await casesOf({ prompts: ['Hi'], providers: [] })).asked).toEqual([['Hi']]);
    expect((await casesOf({ prompts: undefined, providers: [], tests: [{ vars: { prompt: 'Yo' } }] })).asked).toEqual([
      ['Yo'],
    ]);
  });

  test('has scenarios with each of their data and tests', async () => {
    const scenarios = [
      {
        config: [{ vars: { a: '1' } }, { vars: { a: '2' } }],
        tests: [{ vars: { q: '{{a}}+1' } }, { vars: { q: '{{a}}+2' } }],
      },
    ];
    expect((await casesOf({ scenarios, providers: [] })).asked).toEqual([['1+1'], ['1+2'], ['2+1'], ['2+2']]);
  });

  test('has tests for some prompts, and lists what only promptfoo can do', async () => {
    const tests = [
      {
        vars: { q: 'x' },
        prompts: ['b'],
        threshold: 0.5,
        provider: 'echo',
        options: { transform: 'output' },
        extra: 1,
      },
    ];
    const prompts = [
      { raw: 'A {{q}}', label: 'a' },
      { raw: 'B {{q}}{{env.HOME}}', label: 'b' },
    ];
    const { asked, losses } = await casesOf({ prompts, tests });
    expect(asked).toEqual([['B x']]);
    expect(losses).toEqual([
      'the key "extra" of tests, left out',
      'providers of tests, left out: the agent takes their place',
      'thresholds of tests, left out: every criterion has to pass',
      '"transform" of tests, which is code, never run: the answer itself is judged',
      'the variable {{ env.HOME }}, which has no value, filled with nothing',
    ]);
  });

  test('keeps the JSON of its messages whole, whatever a variable holds', async () => {
    const prompts = ['[{"role": "user", "content": "{{q}}"}]'];
    const { asked } = await casesOf({ prompts, tests: [{ vars: { q: '"}], {{x}}' } }] });
    expect(asked).toEqual([['"}], {{x}}']]);
  });

  test('opens files in its folder and below, and no others', async () => {
    const outside = folderOf({ 'secret.yaml': '- vars: {q: secret}\n', 'secret.txt': 'secret' });
    const folder = folderOf({ 'sub/tests.yaml': '- vars: {q: inside}\n', 'text.txt': 'a text' });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    const tests = [
      ...['file://sub/tests.yaml', `file://${join(outside, 'secret.yaml')}`, 'file://../secret.yaml', 'tests.py'],
      ...['https://example.com/tests.csv', 'file://more/*.yaml', 'missing.csv'],
      ...[{ vars: { q: 'file://text.txt' } }, { vars: { q: 'file://link.txt' } }, { path: 'file://gen.py:tests' }],
    ];
    const { prompts } = { prompts: ['{{q}}'] };
    const file = join(folder, 'c.json');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(file, JSON.stringify({ prompts, tests, providers: [] }));
    const { evalSet, losses } = await importCases({ files: [file] });
    expect(evalSet.evalCases.map(({ conversation }) => contentText(conversation?.[0]?.userContent))).toEqual([
      'inside',
      'a text',
    ]);
    const shown = losses.map(({ what }) => what).join('\n');
    for (const why of [
      'outside the folder',
      'code, which is never run',
      'nothing is loaded from elsewhere',
      'by a pattern',
      'does not exist',
      'tests that code makes',
    ]) {
      expect(shown).toContain(why);
    }
    expect(JSON.stringify(evalSet)).not.toContain('secret');
  });
});

describe('an assertion of promptfoo', () => {
  test.each([
    [{ type: 'equals', value: '{{r}}' }, { equals: 'Ab' }],
    [{ type: 'equals', value: { a: 1 } }, { json_schema: { const: { a: 1 } } }],
    [{ type: 'not-equals', value: 'a.' }, { matches_none: ['\\Aa\\.\\z'] }],
    [{ type: 'contains', value: 5 }, { contains: ['5'] }],
    [
      { type: 'icontains', value: 'a' },
      { contains: ['a'], ignore_case: true },
    ],
    [
      { type: 'not-icontains', value: 'a' },
      { excludes: ['a'], ignore_case: true },
    ],
    [{ type: 'contains-all', value: ['a', '{{r}}'] }, { contains: ['a', 'Ab'] }],
    [
      { type: 'icontains-any', value: ['a', 'b'] },
      { contains_any: ['a', 'b'], ignore_case: true },
    ],
    [{ type: 'not-contains-any', value: ['a', 'b'] }, { excludes: ['a', 'b'] }],
    [{ type: 'regex', value: '^\\d+$' }, { matches: ['^\\d+$'] }],
    [{ type: 'not-regex', value: 'a|b' }, { matches_none: ['a|b'] }],
    [{ type: 'starts-with', value: 'a.' }, { matches: ['\\Aa\\.'] }],
    [{ type: 'is-json' }, { json: true }],
    [{ type: 'is-json', value: { type: 'object' } }, { json_schema: { type: 'object' } }],
    [
      { type: 'word-count', value: { min: 2, max: 5 } },
      { min_words: 2, max_words: 5 },
    ],
    [
      { type: 'word-count', value: 3 },
      { min_words: 3, max_words: 3 },
    ],
    [{ type: 'assert-set', assert: [{ type: 'contains', value: 'a' }] }, { contains: ['a'] }],
  ])('like %j is an option of response_checks', async (assertion, options) => {
    expect(await checked(assertion)).toEqual({
      criteria: { response_checks: { threshold: 1, ...options } },
      losses: [],
    });
  });

  test.each([
    [{ type: 'latency', threshold: 1500 }, { max_turn_seconds: { threshold: 1.5 } }],
    [{ type: 'cost', threshold: 0.01 }, { max_turn_cost: { threshold: 0.01 } }],
    [{ type: 'rouge-n', value: 'a' }, { response_match_score: { type: 'rouge1', language: 'none', threshold: 0.75 } }],
    [{ type: 'factuality', value: 'a' }, { final_response_match_v2: { threshold: 1 } }],
    [{ type: 'trajectory:tool-used', value: ['find'] }, { tool_checks: { threshold: 1, called: ['find'] } }],
    [{ type: 'not-trajectory:tool-used', value: 'drop' }, { tool_checks: { threshold: 1, never: ['drop'] } }],
    [{ type: 'skill-used', value: 'sums' }, { path_checks: { threshold: 1, skills: ['sums'] } }],
  ])('like %j is a criterion of its own', async (assertion, criteria) => {
    expect(await checked(assertion, { hasPrices: true })).toEqual({ criteria, losses: [] });
  });

  test.each([
    [{ type: 'llm-rubric', value: 'Polite to {{r}}' }, 'Polite to Ab'],
    [{ type: 'not-llm-rubric', value: 'Rude' }, 'This is not true of the answer: Rude'],
    [{ type: 'g-eval', value: ['Short'] }, 'Short'],
  ])('like %j is a rubric', async (assertion, text) => {
    const { criteria } = await checked({ ...assertion, provider: 'openai:gpt-5' });
    expect(criteria).toMatchObject({
      rubric_based_final_response_quality_v1: {
        rubrics: [{ rubric_content: { text_property: text } }],
        judge_model_options: { judge_model: 'openai/gpt-5' },
      },
    });
  });

  test.each([
    [{ type: 'javascript', value: 'process.exit(1)' }, 'never run'],
    [{ type: 'python', value: 'file://x.py' }, 'never run'],
    [{ type: 'webhook', value: 'https://example.com' }, 'nothing is sent'],
    [{ type: 'contains', value: '{{ r | upper }}' }, 'logic of Nunjucks'],
    [{ type: 'contains', value: 'file://../a.txt' }, 'not exist'],
    [{ type: 'contains', value: 'a', transform: 'output.x' }, 'a transform is code'],
    [{ type: 'contains', value: 'a', weight: 0 }, 'with the weight 0'],
    [{ type: 'regex', value: '(?=a)' }, "RE2's syntax"],
    [{ type: 'not-contains-all', value: ['a', 'b'] }, 'one of several texts is absent'],
    [{ type: 'cost', threshold: 0.01 }, 'no prices'],
    [{ type: 'similar', value: 'a' }, 'there is no criterion for it'],
    [{ type: 'assert-set', threshold: 0.5, assert: [] }, 'some may fail'],
    [{ value: 'a' }, 'without a type'],
  ])('like %j is listed as not converted', async (assertion, why) => {
    const { criteria, losses } = await checked(assertion);
    expect([criteria, losses.join()]).toEqual([undefined, expect.stringContaining(why)]);
  });

  test.each([
    ['contains: a: b', { type: 'contains', value: 'a: b' }],
    ['not-icontains-any: a, b', { type: 'not-icontains-any', value: ['a', 'b'] }],
    ['rouge-n(0.6): x', { type: 'rouge-n', threshold: 0.6, value: 'x' }],
    ['is-json', { type: 'is-json' }],
    ['grade: is it polite?', { type: 'llm-rubric', value: 'is it polite?' }],
    ['javascript: 1', { type: 'javascript', value: 'javascript: 1' }],
    ['file://a.py', { type: 'python', value: 'file://a.py' }],
    ['note: this', { type: 'equals', value: 'note: this' }],
  ])('in a cell, %s, is read', (cell, assertion) => {
    expect(assertionOfText(cell)).toEqual(assertion);
  });

  test.each([
    ['openai:chat:gpt-5', 'openai/gpt-5'],
    [{ id: 'google:gemini-2.5-pro' }, 'gemini-2.5-pro'],
    ['openrouter:a/b:free', 'openrouter/a/b:free'],
    ['anthropic:messages:claude', null],
    ['vertex:claude', null],
    [7, null],
  ])('of the provider %j has the judge %s', (provider, judge) => {
    expect(judgeName(provider)).toBe(judge);
  });
});

describe('results of promptfoo', () => {
  test('are conversations with verdicts, reasons, tokens, seconds and errors', async () => {
    const { all, losses } = await readAll([results]);
    const shown = all.map(({ id, turns, label, error, tags, group }) => ({
      id,
      label: label?.label,
      error: error?.message,
      tags,
      group,
      answer: contentText(turns.at(-1)?.finalResponse),
      seconds: turns.at(-1)?.duration,
    }));
    const tags = ['topic=geography', 'provider=openai:gpt-5-mini'];
    expect(shown).toEqual([
      { id: 'capital', label: 'pass', tags, group: 'capital', answer: 'Oslo', seconds: 0.812 },
      { id: 'capital', label: 'fail', tags, group: 'capital', answer: 'I think it is Bergen.', seconds: 0.64 },
      {
        id: 'test 3',
        error: 'API error: 429 Too Many Requests',
        tags: [tags[1]],
        group: 'test 3',
        answer: '',
        seconds: 0.01,
      },
    ]);
    expect(all[1]?.label?.reason).toBe('wrong city; icontains failed (0): Expected output to contain "oslo"');
    expect(all[2]?.turns[0]?.appDetails?.agentDetails?.agent?.instructions).toBe('Be brief.');
    expect(losses).toEqual(['1 × the key "raw" of responses, left out', '1 × costs, left out']);
  });

  test('that each have as many repeats are repeats, and others are cases in a group', async () => {
    const one = { success: true, vars: { q: 'a' }, prompt: { raw: 'a' }, response: { output: 'x' }, testIdx: 0 };
    const two = { ...one, prompt: { raw: 'b' }, testIdx: 1 };
    const of = async (...all: readonly object[]) => {
      const folder = folderOf({ 'r.json': { results: { results: all } } });
      const { cases, repeats } = await importRun({ files: [join(folder, 'r.json')], folder: join(folder, 'run') });
      return [cases, repeats];
    };
    expect(await of(one, two, two, one)).toEqual([2, 2]);
    expect(await of(one, two, one)).toEqual([3, 1]);
  });

  test('can be lines, and become cases with their assertions, each once', async () => {
    const line = {
      success: true,
      vars: { q: 'a' },
      prompt: { raw: 'Q: a' },
      response: { output: 'x' },
      testCase: { vars: { q: 'a' }, assert: [{ type: 'contains', value: '{{q}}' }] },
    };
    const folder = folderOf({ 'r.jsonl': `${JSON.stringify(line)}\n${JSON.stringify(line)}` });
    const { evalSet, config: written } = await importCases({ files: [join(folder, 'r.jsonl')] });
    expect(evalSet.evalCases).toHaveLength(1);
    expect(evalSet.evalCases[0]?.conversation?.[0]).not.toHaveProperty('finalResponse');
    expect(written?.criteria).toEqual({ response_checks: { threshold: 1, contains: ['a'] } });
  });

  test('without assertions have no label', async () => {
    const line = { success: true, vars: {}, prompt: { raw: 'Hi' }, response: { output: 'x' }, gradingResult: null };
    const { all } = await readAll([join(folderOf({ 'r.json': { results: { results: [line] } } }), 'r.json')]);
    expect(all.map(({ label }) => label)).toEqual([undefined]);
  });
});

describe('a file of tests of promptfoo', () => {
  test('that is a table is read by its columns', async () => {
    const folder = folderOf({ 't.csv': 'question,__expected\nWhy?,contains: because\n' });
    const { all, formats } = await readAll([join(folder, 't.csv')]);
    expect([formats[0], contentText(all[0]?.turns[0]?.userContent)]).toEqual(['promptfoo', 'Why?']);
    expect(all[0]?.criteria?.options.get('response_checks')).toEqual({ contains: ['because'] });
  });

  test('is distinguished from rows by its assertions', async () => {
    const vars = { question: 'Why?', context: 'c' };
    const folder = folderOf({ 'rows.json': [{ vars }], 'tests.json': [{ vars: { q: 'Why?' }, assert: [] }] });
    const formats = ['rows.json', 'tests.json'].map(async (name) => (await readAll([join(folder, name)])).formats);
    expect((await Promise.all(formats)).flat()).toEqual(['rows', 'promptfoo']);
  });

  test('with several variables and no prompt is an error that says what to import', async () => {
    const folder = folderOf({ 't.csv': 'a,b,__expected\n1,2,x\n' });
    await expect(readAll([join(folder, 't.csv')])).rejects.toThrow('import the config that names its file');
  });
});

test('files of promptfoo never fail otherwise than with an error that has a place, whatever they hold', async () => {
  const keys = ['prompts', 'tests', 'vars', 'assert', 'type', 'value', 'results', 'options', 'metadata', '__proto__'];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('{{ q }}', '{% x', 'file://../x.yaml', 'contains', 'regex', 'llm-rubric', '(', null, 1, true),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys, 'success', 'response', 'prompt', 'q'), tie('any'), { maxKeys: 5 }),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(value, value, async (tests, defaultTest) => {
      const folder = folderOf({ 'c.json': { prompts: ['Hi {{q}}'], tests, defaultTest } });
      const error: unknown = await readAll([join(folder, 'c.json')], { as: 'promptfoo' }).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error === null || CriteriaError.is(error)).toBe(true);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

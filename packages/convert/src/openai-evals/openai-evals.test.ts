import { join } from 'node:path';
import { CriteriaError, contentText } from '@agent-criteria/core';
import { modelEvents } from '@agent-criteria/core/usage';
import { parseEvalConfig, parseEvalSet, writeEvalConfig, writeEvalSet } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import { fixture, readAll } from '../__fixtures__/read-all.ts';
import { importCases, importRun } from '../importing/import-conversations.ts';

const [definition, run, outputs] = ['eval', 'run', 'output-items'].map((name) => fixture(`openai-evals/${name}.json`));
const saved = [definition ?? '', run ?? '', outputs ?? ''];

const item = (fields: object, more: object = {}) => ({
  object: 'eval.run.output_item',
  eval_id: 'e',
  datasource_item_id: 1,
  datasource_item: fields,
  results: [],
  sample: { input: [{ role: 'user', content: 'Hi' }], output: [{ role: 'assistant', content: 'Hello' }] },
  ...more,
});
const evalOf = (...graders: readonly object[]) => ({
  object: 'eval',
  id: 'e',
  data_source_config: { type: 'custom' },
  testing_criteria: graders,
});
const check = (operation: string, reference: string, input = '{{ sample.output_text }}') => ({
  type: 'string_check',
  name: operation,
  input,
  reference,
  operation,
});

const fileOf = (...lines: readonly unknown[]) =>
  join(folderOf({ 'a.jsonl': lines.map((one) => JSON.stringify(one)).join('\n') }), 'a.jsonl');

async function casesOf(...lines: readonly unknown[]) {
  const { evalSet, config, losses, criteria } = await importCases({ files: [fileOf(...lines)] });
  return {
    cases: evalSet.evalCases,
    criteria: config?.criteria,
    losses: losses.map(({ what }) => what),
    differences: criteria.map(({ difference }) => difference),
  };
}

describe('saved output items of OpenAI Evals', () => {
  test('are conversations with their verdicts, tokens and errors', async () => {
    const { all, formats } = await readAll([outputs ?? '']);
    expect(formats).toEqual(['openai-evals']);
    const shown = all.map(({ id, turns, label, error }) => [
      id,
      ...turns.map(({ userContent, finalResponse }) => [contentText(userContent), contentText(finalResponse)]),
      label?.label ?? error?.message,
    ]);
    expect(shown).toEqual([
      ['item-0', ['The toaster is broken.', 'The topic is Repair.'], 'pass'],
      ['item-1', ['Where is my parcel?', 'Sorry'], 'fail'],
      ['item-2', ['I want my money back.', ''], 'The model is overloaded.'],
    ]);
    expect(all[1]?.label?.reason).toBe('Topic is right failed (0); Helpful passed (5)');
    const [turn] = all[0]?.turns ?? [];
    expect(turn?.appDetails?.agentDetails?.agent?.instructions).toContain('Name the topic');
    expect(modelEvents(turn ?? { userContent: {} })?.[0]).toMatchObject({
      modelVersion: 'gpt-5-mini-2025-08-07',
      usageMetadata: { promptTokenCount: 40, cachedContentTokenCount: 8, candidatesTokenCount: 6 },
    });
  });

  test('are a run that keeps the verdicts as labels', async () => {
    const { labels, conversations, cases } = await importRun({
      files: [outputs ?? ''],
      folder: join(folderOf({}), 'run'),
    });
    expect([labels, conversations, cases]).toEqual([{ pass: 1, fail: 1 }, 3, 3]);
  });

  test('can be in a list, a page, lines or a bundle with their eval', async () => {
    const one = item({ q: 'x' });
    const folder = folderOf({
      'list.json': [one],
      'page.json': { object: 'list', data: [one], has_more: true },
      'lines.jsonl': `${JSON.stringify({ object: 'list', data: [one] })}\n${JSON.stringify(one)}`,
      'bundle.json': { eval: evalOf(check('eq', '{{ item.q }}')), output_items: { object: 'list', data: [one] } },
    });
    const counts = [];
    for (const name of ['list.json', 'page.json', 'lines.jsonl', 'bundle.json']) {
      const { all, formats } = await readAll([join(folder, name)]);
      counts.push([formats[0], all.length, all[0]?.criteria?.options.get('response_checks')]);
    }
    expect(counts).toEqual([
      ['openai-evals', 1, undefined],
      ['openai-evals', 1, undefined],
      ['openai-evals', 2, undefined],
      ['openai-evals', 1, { equals: 'x' }],
    ]);
  });

  test('whose eval comes after them are an error that says what to do', async () => {
    const error: unknown = await readAll([fileOf(item({}), evalOf(check('eq', 'a')))]).catch(
      (reason: unknown) => reason,
    );
    expect(CriteriaError.is(error) && error.message).toContain('name its file before theirs');
  });
});

describe('an eval of OpenAI', () => {
  test('and its run become cases, and its graders criteria', async () => {
    const { evalSet, config, losses, criteria } = await importCases({ files: saved.slice(0, 2) });
    const shown = evalSet.evalCases.map(({ conversation, agentCriteria }) => [
      contentText(conversation?.[0]?.userContent),
      contentText(conversation?.[0]?.finalResponse),
      agentCriteria?.response_checks,
    ]);
    expect(shown).toEqual([
      ['The toaster is broken.', 'The topic is repair.', { contains: ['repair'] }],
      ['Where is my parcel?', 'The topic is delivery.', { contains: ['delivery'] }],
      ['I want my money back.', 'The topic is refund.', { contains: ['refund'] }],
    ]);
    expect(config?.criteria).toMatchObject({
      response_checks: { threshold: 1, ignore_case: true, matches_none: ['\\ASorry\\z'] },
      response_match_score: { threshold: 0.6, type: 'rougeL', language: 'none' },
      rubric_based_final_response_quality_v1: {
        threshold: 1,
        rubrics: [{ rubric_id: 'helpful' }],
        judge_model_options: { judge_model: 'openai/gpt-4o' },
      },
    });
    const [tone] = evalSet.evalCases[1]?.rubrics ?? [];
    expect(tone?.rubricContent.textProperty).toMatch(
      /"friendly" or "neutral", and not "rude"(?:.|\n)*Where is my parcel\?/,
    );
    expect(criteria.map(({ from }) => from)).toHaveLength(5);
    expect(losses.map(({ what, count }) => `${count} × ${what}`)).toEqual([
      '1 × sampling parameters of the grader "Helpful", left out',
      '1 × the grader "Length" (python), not converted: code of a file is never run; write a criterion instead',
      '1 × the grader "Embeddings" (text_similarity), not converted: there is no criterion for "cosine"',
      '1 × sampling parameters and tools of runs, left out: the agent has its own',
      '3 × the field "source" of items, which no message and no grader has, left out',
      '3 × instructions in prompts (system messages), left out: the agent has its own',
    ]);
  });

  test('has files of cases and criteria that are read again as they were written', async () => {
    const { evalSet, config } = await importCases({ files: saved });
    expect(parseEvalSet(writeEvalSet(evalSet)).value.evalCases).toEqual(evalSet.evalCases);
    expect(parseEvalConfig(writeEvalConfig(config ?? {})).value).toEqual(config);
  });

  test('whose items are also output items has each of them once', async () => {
    const { all } = await readAll([saved[0] ?? '', saved[2] ?? '', saved[1] ?? '']);
    expect(all.map(({ id }) => id)).toEqual(['item-0', 'item-1', 'item-2']);
  });

  test('has items of a data file asked by the template of its run', async () => {
    const messages = { type: 'template', template: [{ role: 'user', content: 'Q: {{ item.q }} {{ item.r }}' }] };
    const data_source = { type: 'completions', source: { type: 'file_id', id: 'file-1' }, input_messages: messages };
    const { all, losses } = await readAll([fileOf({ object: 'eval.run', data_source }, { item: { q: 'Why?' } })]);
    expect(all.map(({ turns }) => contentText(turns[0]?.userContent))).toEqual(['Q: Why? ']);
    expect(losses).toEqual([
      '1 × the data of the run, which is in another file (file-1): name that file after this one',
      '1 × the placeholder {{ item.r }}, which the item has no value for, filled with nothing',
    ]);
  });

  test('takes messages by reference, and answers that the data has', async () => {
    const input_messages = { type: 'item_reference', item_reference: 'item.chat' };
    const chat = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ];
    const content = [{ item: { chat }, sample: { output_text: 'See you' } }];
    const data_source = { type: 'completions', source: { type: 'file_content', content }, input_messages };
    const { all } = await readAll([fileOf({ object: 'eval.run', data_source })]);
    expect(all.map(({ turns, history }) => [history, ...turns.map((turn) => contentText(turn.finalResponse))])).toEqual(
      [[1, 'Hello', 'See you']],
    );
  });

  test('without a template has its question found, named by --column, or missed in an error', async () => {
    const lines = [{ item: { question: 'Why?', note: 'n' } }];
    const found = await readAll([fileOf(...lines)]);
    expect(contentText(found.all[0]?.turns[0]?.userContent)).toBe('Why?');
    const named = await readAll([fileOf(...lines)], { columns: ['user=$.item.note'] });
    expect(contentText(named.all[0]?.turns[0]?.userContent)).toBe('n');
    await expect(readAll([fileOf({ item: { a: 'x', b: 'y' } })])).rejects.toThrow('--column user=$.item.FIELD');
  });
});

describe('a grader of OpenAI', () => {
  test.each([
    ['eq', { equals: 'Ab' }],
    ['ne', { matches_none: ['\\AAb\\z'] }],
    ['like', { contains: ['Ab'] }],
    ['ilike', { contains: ['Ab'], ignore_case: true }],
  ])('that checks %s is an option of response_checks', async (operation, options) => {
    const { criteria } = await casesOf(evalOf(check(operation, '{{ item.r }}')), item({ r: 'Ab' }));
    expect(criteria).toEqual({ response_checks: { threshold: 1, ...options } });
  });

  test('that compares a reference with the answer is the same when it is turned', async () => {
    const { criteria } = await casesOf(
      evalOf(check('eq', '{{ sample.output_text }}', '{{ item.r }}')),
      item({ r: 'a' }),
    );
    expect(criteria).toEqual({ response_checks: { threshold: 1, equals: 'a' } });
  });

  test.each([
    [check('like', '{{ sample.output_text }}', '{{ item.r }}'), 'does not check the text of the answer'],
    [check('eq', '{{ sample.output_json.x }}'), 'another part of the sample'],
    [check('near', 'a'), 'no operation "near"'],
    [{ type: 'python', name: 'p', source: 'import os' }, 'code of a file is never run'],
    [{ type: 'multi', name: 'm', graders: {}, calculate_output: 'a + b' }, 'no formula over several criteria'],
    [{ type: 'text_similarity', name: 't', evaluation_metric: 'bleu', input: '', reference: '' }, '"bleu"'],
    [{ type: 'score_model', name: 's', input: [{ role: 'user', content: 'x' }] }, 'it never failed'],
    [{ type: 'label_model', name: 'l', input: [], labels: ['a'], passing_labels: [] }, '"passing_labels"'],
    [
      {
        type: 'label_model',
        name: 'l',
        input: [{ role: 'user', content: '{{ sample.output_tools }}' }],
        passing_labels: ['a'],
      },
      'a judge does not see',
    ],
    [{ type: 'azure_ai_evaluator', name: 'z' }, 'no criterion of this kind'],
  ])('like %j is listed as not converted', async (grader, why) => {
    const { criteria, losses } = await casesOf(evalOf(grader), item({ r: 'a' }));
    expect(criteria).toBeUndefined();
    expect(losses.join()).toContain(why);
  });

  test('has the way in which its criterion differs named', async () => {
    const similar = { ...check('x', 'a'), type: 'text_similarity', evaluation_metric: 'rouge_1', pass_threshold: 0.5 };
    const { differences } = await casesOf(evalOf(check('eq', 'a'), check('like', 'a'), similar), item({}));
    expect(differences).toEqual([
      'white space at both ends is ignored',
      null,
      'words are split as ADK does, without stems, so scores can differ',
    ]);
  });

  test('whose reference is empty for an item does not judge that case, and is listed', async () => {
    const { cases, losses } = await casesOf(evalOf(check('like', '{{ item.r }}')), item({ r: 'a' }), item({ r: '' }));
    expect(cases.map(({ agentCriteria }) => agentCriteria?.response_checks)).toEqual([{ contains: ['a'] }, undefined]);
    expect(losses).toContain('the grader "like": its reference is empty here, so it does not judge this case');
  });
});

test('evals of OpenAI never fail otherwise than with an error that has a place, whatever they hold', async () => {
  const keys = [
    'object',
    'item',
    'datasource_item',
    'results',
    'sample',
    'testing_criteria',
    'data_source',
    '__proto__',
  ];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('eval', 'eval.run', 'list', '{{ item.x', 'string_check', null, 1),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys, 'type', 'source', 'content', 'data'), tie('any'), { maxKeys: 5 }),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), async (lines) => {
      const file = fileOf({ item: { q: 'x' } }, ...lines);
      const error: unknown = await readAll([file], { as: 'openai-evals' }).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error === null || CriteriaError.is(error)).toBe(true);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

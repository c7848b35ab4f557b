import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { type AgentFunction, defineCriterion, noOptions } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, type ScriptedReply, scriptedModel } from '@agent-criteria/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { deferred } from './__fixtures__/agents.ts';
import { casesNamed, casesOf, counting, echo, planned, textCriterion } from './__fixtures__/echo-runs.ts';
import type { RunEvent } from './engine/events.ts';
import { type RunOptions, run } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { scoreRun } from './score-run.ts';

const set = casesNamed(['one', 'two', 'three', 'four']);
let folder: string;
beforeEach(() => {
  folder = join(folderOf({}), 'run');
});
const start = (options: Partial<RunOptions> = {}) => run({ sets: [planned(set)], agent: echo, folder, ...options });
const file = (...names: string[]) => join(folder, ...names);
const linesOf = (name: string) => readFileSync(name, 'utf8').split('\n').slice(0, -1);
const down: AgentFunction = (message, { key }) => {
  if (key.caseId === 'two' && key.repeat === 0) throw new Error('down');
  return message;
};

describe('a resumed run', () => {
  it('does not continue a scoring pass that used other references or another mode', async () => {
    await start();
    const other = evalSet(
      set.evalCases.map(({ evalId }) => evalCase(evalId, [{ user: `I am ${evalId}`, answer: '?' }])),
    );
    expect((await scoreRun({ folder, sets: [planned(other)] })).summary.verdicts.failed).toBe(4);
    await expect(start()).rejects.toThrow('the eval set "set" has changed');
    await scoreRun({ folder, sets: [planned(set, { compat: 'adk' })] });
    await expect(start()).rejects.toThrow('the compat mode was "adk" and is null');
    expect(await scoreRun({ folder, sets: [planned(set)] })).toMatchObject({ scoring: 4, finished: true });
    expect(await start()).toMatchObject({ finished: true, summary: { exitCode: 0 } });
  });

  it('stores the scores of every rerun repeat', async () => {
    const broken = () => {
      throw new Error('down');
    };
    await start({ agent: broken, repeats: 2 });
    expect((await start({ repeats: 2 })).summary.exitCode).toBe(0);
    const two = await openRun(folder).case({ setId: 'set', caseId: 'two' });
    expect(two?.result.criteria[0]?.turns.map(({ repeat, score }) => [repeat, score])).toEqual([
      [0, { value: 1 }],
      [1, { value: 1 }],
    ]);
  });

  it('reruns a unit whose long strings are lost, and rescores a unit whose scores are unreadable', async () => {
    const long = 'x'.repeat(100_000);
    const sets = [planned(casesNamed(['one', 'two']), { criterion: textCriterion(() => Number.NaN) })];
    await start({ sets, agent: (message, { key }) => (key.caseId === 'one' ? long : message) });
    const line = JSON.parse(linesOf(file('inferences.jsonl')).find((text) => text.includes('"one"')) ?? '');
    rmSync(file('blobs', Object.values<string>(line.texts)[0] ?? ''));
    const { ran, agent } = counting();
    const outcome = await start({ sets, agent });
    expect(ran).toEqual(['one 0']);
    expect(outcome).toMatchObject({ finished: true, problems: [] });
  });

  it("scores the other cases if one case's long strings are lost", async () => {
    await start({ agent: (message, { key }) => (key.caseId === 'one' ? 'x'.repeat(100_000) : message) });
    const line = JSON.parse(linesOf(file('inferences.jsonl')).find((text) => text.includes('"one"')) ?? '');
    rmSync(file('blobs', Object.values<string>(line.texts)[0] ?? ''));
    const { summary, problems } = await scoreRun({ folder, sets: [planned(set)] });
    expect([summary.verdicts, problems]).toMatchObject([{ passed: 3, error: 1 }, []]);
  });

  it('rewrites a long string whose file was truncated', async () => {
    const agent: AgentFunction = (message, { key }) => (key.caseId === 'one' ? 'x'.repeat(100_000) : message);
    await start({ agent });
    const line = JSON.parse(linesOf(file('inferences.jsonl')).find((text) => text.includes('"one"')) ?? '');
    truncateSync(file('blobs', Object.values<string>(line.texts)[0] ?? ''), 0);
    await start({ agent, rerun: 'all' });
    expect((await openRun(folder).case({ setId: 'set', caseId: 'one' }))?.inferences).toHaveLength(1);
  });

  it('never uses scores of a lost inference for the one that replaces it', async () => {
    await start();
    writeFileSync(file('inferences.jsonl'), '');
    const stop = new AbortController();
    // Killed after writing the inference but before writing its scores.
    await start({
      agent: () => 'wrong',
      signal: stop.signal,
      concurrency: { agents: 1 },
      onEvent: ({ type }) => type === 'unit-inferred' && stop.abort(),
    });
    expect(linesOf(file('inferences.jsonl'))).toHaveLength(1);
    expect((await openRun(folder).case({ setId: 'set', caseId: 'one' }))?.result.verdict).toBe('error');
    expect((await start({ agent: () => 'wrong' })).summary.verdicts.failed).toBe(4);
  });

  it("drops a case's result once one of its repeats has been scored again", async () => {
    let up = false;
    const criterion = textCriterion(() => (up ? 0 : Number.NaN));
    const sets = [planned(casesNamed(['one']), { criterion })];
    await start({ sets, repeats: 2 });
    up = true;
    await start({ sets, repeats: 2 });
    // Killed after the first of the two.
    const [first = '', second = '', ...rest] = linesOf(file('scorings', '1', 'scores.jsonl'));
    writeFileSync(file('scorings', '1', 'scores.jsonl'), `${[first, second, rest[0]].join('\n')}\n`);
    expect((await openRun(folder).case({ setId: 'set', caseId: 'one' }))?.result.reason).toBe(
      'the run ended before this case was scored',
    );
    expect((await start({ sets, repeats: 2 })).summary.verdicts.failed).toBe(1);
  });

  it('reruns all units on request, including unscored ones', async () => {
    await start({ scoring: false });
    const { ran, agent } = counting();
    await start({ scoring: false, rerun: 'all', agent });
    expect(ran).toEqual(['one 0', 'two 0', 'three 0', 'four 0']);
  });

  it('is rejected if plan.json is missing', async () => {
    await start();
    rmSync(file('plan.json'));
    await expect(start()).rejects.toThrow('this belongs to a run whose plan.json is missing');
  });

  it('ignores a scoring pass whose plan is missing', async () => {
    await start();
    await scoreRun({ folder, sets: [planned(set)] });
    rmSync(file('scorings', '2', 'plan.json'));
    expect((await scoreRun({ folder, sets: [planned(set)] })).scoring).toBe(3);
  });
});

describe('a run that is scored again', () => {
  it('is finished if the only unscored units are agent errors', async () => {
    await start({ agent: down });
    const outcome = await scoreRun({ folder, sets: [planned(set)] });
    expect(outcome).toMatchObject({ scoring: 2, finished: true, summary: { verdicts: { passed: 3, error: 1 } } });
    expect((await openRun(folder).case({ setId: 'set', caseId: 'two' }))?.result.reason).toBe(
      'turn 1: the agent threw: down',
    );
    expect((await scoreRun({ folder, sets: [planned(set)] })).scoring).toBe(3);
  });

  it('matches the second of two sets with the same id by its file', async () => {
    const sets = ['a.json', 'b.json'].map((name) => planned(set, { file: name }));
    await start({ sets, agent: counting().agent });
    const again = await scoreRun({ folder, sets: sets.slice(1) });
    expect(again.sets.map(({ id }) => id)).toEqual(['set (2)']);
    expect(openRun(folder).sets.map(({ id, file: from }) => [id, from])).toEqual([['set (2)', 'b.json']]);
  });
});

describe('a run that is drained', () => {
  it('is finished if it was already running its last unit', async () => {
    const drain = new AbortController();
    const outcome = await start({
      drain: drain.signal,
      onEvent: (event) => event.type === 'unit-started' && event.key.caseId === 'four' && drain.abort(),
    });
    expect(outcome).toMatchObject({ finished: true, summary: { exitCode: 0 } });
  });

  it('counts units that an earlier start finished', async () => {
    await start({ agent: (message, { key }) => (key.caseId === 'one' ? 'wrong' : message) });
    const events: RunEvent[] = [];
    const outcome = await start({
      drain: AbortSignal.abort(),
      rerun: 'failed' as const,
      onEvent: (event) => events.push(event),
    });
    expect(outcome).toMatchObject({ finished: false, summary: { verdicts: { passed: 3, error: 1 } } });
    expect(events.filter(({ type }) => type === 'case-known')).toHaveLength(3);
  });
});

describe('model calls in a run', () => {
  function asking(script: ScriptedReply | Promise<string>, heedless = false) {
    const scripted = scriptedModel(script instanceof Promise ? [] : [script, script, script, script]);
    const model = script instanceof Promise ? { id: 'slow', generate: async () => answerOf(await script) } : scripted;
    const criterion = defineCriterion({
      name: 'asked',
      origin: { package: 'test', version: '1.0.0' },
      description: 'Asks.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' as const },
      options: noOptions,
      scope: 'turn',
      models: () => ['judge'],
      async evaluate(turn, { tools }) {
        const signal = heedless ? new AbortController().signal : tools.signal;
        await tools.model('judge').generate({ messages: [turn.actual.userContent], sample: 0 }, signal);
        return { value: 1 };
      },
    });
    const registry = createRegistry([criterion]);
    const plan = resolveEvalConfig({ evalSet: set, config: { criteria: { asked: 1 } }, registry, models: () => model });
    return [{ plan, file: null, configFile: null }];
  }
  const answerOf = (text: string) => ({ text, finish: 'stop' as const, usage: {}, from: 'live' as const });

  it('end the run if they cannot be written, without blaming the criterion', async () => {
    mkdirSync(file('calls.jsonl'), { recursive: true });
    const outcome = await start({ sets: asking('yes') });
    expect(outcome).toMatchObject({ finished: false, problems: [{ code: 'WRITE_FAILED' }] });
    expect(openRun(folder).summary.verdicts['not-evaluated']).toBe(0);
  });

  it('write nothing after the end of the run, not even to reused file descriptors', async () => {
    const gate = deferred<string>();
    const outcome = await start({ sets: asking(gate.promise, true), runTimeout: 300 });
    expect(outcome.finished).toBe(false);
    const others = Array.from({ length: 8 }, (_, index) => `${folder}-${index}`);
    const open = others.map((name) => openSync(name, 'w'));
    gate.resolve('late');
    await new Promise((done) => setTimeout(done, 20));
    for (const descriptor of open) closeSync(descriptor);
    expect(others.map((name) => readFileSync(name, 'utf8')).join('')).toBe('');
    expect(existsSync(file('calls.jsonl'))).toBe(false);
  });

  it('are redacted if they failed', async () => {
    const redact: RunOptions['redact'] = (value) => JSON.parse(JSON.stringify(value).replaceAll('secret', '***'));
    await start({ sets: asking(new Error('no such secret')), redact });
    expect(linesOf(file('calls.jsonl')).map((line) => JSON.parse(line).error.message)).toEqual(
      Array(4).fill('no such ***'),
    );
  });
});

describe('a redact function', () => {
  it('cannot change ids or verdicts', async () => {
    const redact: RunOptions['redact'] = (value) =>
      JSON.parse(JSON.stringify(value).replace(/three|passed|set/g, 'NAME'));
    const outcome = await start({ redact });
    const record = openRun(folder);
    expect(record.summary).toEqual(outcome.summary);
    expect(
      (await casesOf(record)).map(({ evalCase: { evalId }, result }) => [evalId, result.caseId, result.verdict]),
    ).toEqual(set.evalCases.map(({ evalId }) => [evalId, evalId, 'passed']));
    expect(await start({ redact })).toMatchObject({ warnings: [], finished: true });
  });

  it.each([
    ['nothing', null],
    ['a list', []],
    ['something else', {}],
  ])('that returns %s for an inference ends the run, and nothing is written', async (_what, made) => {
    const outcome = await start({ redact: (value, kind) => (kind === 'inference' ? made : value) });
    expect(outcome).toMatchObject({ finished: false, problems: [{ code: 'WRITE_FAILED' }] });
    expect(readFileSync(file('inferences.jsonl'), 'utf8')).toBe('');
  });
});

describe('a run', () => {
  it('does not block timers and signals, even if the agent never waits', async () => {
    const many = [planned(casesNamed(Array.from({ length: 20_000 }, (_, index) => `case ${index}`)))];
    const outcome = await start({ sets: many, folder: undefined, runTimeout: 50 });
    expect(outcome).toMatchObject({ finished: false, problems: [{ code: 'TIMEOUT' }] });
    expect(outcome.summary.verdicts.passed).toBeLessThan(20_000);
  });

  it('stores a lone surrogate in a long string unchanged', async () => {
    const text = `${'x'.repeat(70_000)}\ud83d`;
    const sets = [planned(evalSet([evalCase('one', [{ user: text }])]))];
    expect((await start({ sets })).summary.exitCode).toBe(0);
    expect((await scoreRun({ folder, sets })).summary.exitCode).toBe(0);
    expect(
      (await casesOf(openRun(folder)))[0]?.inferences[0]?.inference.invocations[0]?.userContent.parts?.[0]?.text,
    ).toBe(text);
  });

  it('ignores a watcher that rejects', async () => {
    const onEvent = async () => {
      throw new Error('the dashboard is down');
    };
    expect((await start({ onEvent })).finished).toBe(true);
  });

  it.each([1000, 3000, 8000])('finishes with arguments nested %i levels deep', async (depth) => {
    const args = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    const agent: AgentFunction = (message) => ({ text: message, toolCalls: [{ name: 'tool', args }] });
    const outcome = await start({ agent });
    expect(outcome).toMatchObject({ finished: true, problems: [] });
    expect(openRun(folder).summary).toEqual(outcome.summary);
  });

  it('allows only one writer for a folder, even if two paths lead to it', async () => {
    const gate = deferred<string>();
    const running = start({ agent: () => gate.promise });
    await expect(start({ folder: relative('.', folder) })).rejects.toMatchObject({ code: 'RUN_LOCKED' });
    gate.resolve('done');
    await running;
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
    appendFileSync(file('lock'), '');
    expect((await start()).finished).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
  });
});

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentFunction,
  type Criterion,
  defineCriterion,
  type EvalSet,
  type Inference,
  noOptions,
} from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, scriptedModel } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deferred } from './__fixtures__/agents.ts';
import { casesOf, counting, echo } from './__fixtures__/echo-runs.ts';
import type { RunEvent } from './engine/events.ts';
import { summariseRun } from './execute.ts';
import { agentFromFunction } from './function-agent/agent-from-function.ts';
import type { PlannedSet } from './planned-set.ts';
import { type RunOptions, run } from './run.ts';
import { folderJournal } from './run-folder/folder-journal.ts';
import { listRuns } from './run-folder/list-runs.ts';
import { openRun } from './run-folder/open-run.ts';
import { scoreRun } from './score-run.ts';

let folder: string;
beforeEach(() => {
  folder = join(tmpdir(), `agent-criteria-run-${process.pid}-${Math.random().toString(36).slice(2)}`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Scores 1 if the answer is what the case's id implies, and 0 otherwise. */
const echoed: Criterion = defineCriterion({
  name: 'echoed',
  origin: { package: 'test', version: '1.0.0' },
  description: 'The answer is the question.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual }) => ({
    value: actual.finalResponse?.parts?.[0]?.text === actual.userContent.parts?.[0]?.text ? 1 : 0,
    reason: 'compared',
  }),
});

const ids = ['one', 'two', 'three', 'four'];
const cases = (names: readonly string[] = ids): EvalSet =>
  evalSet(names.map((id) => evalCase(id, [{ user: `I am ${id}` }])));

function planned(set: EvalSet = cases(), config: unknown = { criteria: { echoed: 1 } }, more: object = {}): PlannedSet {
  const registry = createRegistry([echoed, toolTrajectory]);
  const plan = resolveEvalConfig({ evalSet: set, config, registry, ...more });
  return { plan, file: 'set.evalset.json', configFile: 'test_config.json' };
}

const start = (options: Partial<RunOptions> = {}) => run({ sets: [planned()], agent: echo, folder, ...options });

describe('a run in a folder', () => {
  it('can be read back with verdicts, scores and references, in case order', async () => {
    const agent: AgentFunction = async (message, { key }) => {
      // The first case finishes last.
      await new Promise((done) => setTimeout(done, key.caseId === 'one' ? 30 : 1));
      return key.caseId === 'three' ? 'something else' : message;
    };
    const outcome = await start({ agent, repeats: 2 });
    expect(outcome).toMatchObject({ finished: true, problems: [], summary: { exitCode: 1, total: 4 } });
    const record = openRun(folder);
    expect(record.summary).toEqual(outcome.summary);
    expect(record.info).toMatchObject({ scoring: 1, repeats: 2, units: { total: 8, finished: 8 } });
    expect(record.info.endedAt).toBeGreaterThanOrEqual(record.info.startedAt);
    const all = await casesOf(record);
    expect(all.map((one) => [one.evalCase.evalId, one.result.verdict])).toEqual([
      ['one', 'passed'],
      ['two', 'passed'],
      ['three', 'failed'],
      ['four', 'passed'],
    ]);
    const failed = all[2]?.result.criteria[0];
    expect(failed).toMatchObject({ name: 'echoed', score: 0, threshold: 1, coverage: 1 });
    expect(failed?.turns.map(({ repeat, turn, score }) => [repeat, turn, score])).toEqual([
      [0, 0, { value: 0, reason: 'compared' }],
      [1, 0, { value: 0, reason: 'compared' }],
    ]);
    expect(all[2]?.inferences.map(({ key }) => key.repeat)).toEqual([0, 1]);
    expect(await record.case({ setId: 'set', caseId: 'three' })).toEqual(all[2]);
    expect(await record.case({ setId: 'set', caseId: 'nobody' })).toBeUndefined();
    expect(await record.case({ setId: 'no set', caseId: 'three' })).toBeUndefined();
  });

  it('has the same result as a run in memory', async () => {
    const outcome = await start();
    const { folder: _folder, ...memory } = await run({ sets: [planned()], agent: echo });
    const { folder: _other, ...kept } = outcome;
    expect(kept).toEqual(memory);
  });

  it('is readable only by its owner, and ignored by git', async () => {
    await start();
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
    if (process.platform === 'win32') return;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of ['plan.json', 'inferences.jsonl', 'scorings/1/plan.json', 'scorings/1/scores.jsonl']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('separates two sets with the same id', async () => {
    const outcome = await start({ sets: [planned(), planned(cases(['five']))] });
    expect(outcome.sets.map(({ id, summary }) => [id, summary.total])).toEqual([
      ['set', 4],
      ['set (2)', 1],
    ]);
    const record = openRun(folder);
    expect((await record.case({ setId: 'set (2)', caseId: 'five' }))?.result.verdict).toBe('passed');
  });

  it('stores long strings as blobs and restores them', async () => {
    const large = 'x'.repeat(100_000);
    await start({ agent: () => large });
    expect(readdirSync(join(folder, 'blobs'))).toHaveLength(2);
    expect(statSync(join(folder, 'inferences.jsonl')).size).toBeLessThan(10_000);
    const [first] = await casesOf(openRun(folder));
    expect(first?.inferences[0]?.inference.invocations[0]?.finalResponse?.parts?.[0]?.text).toBe(large);
  });

  it('reads no file outside the folder as a blob', async () => {
    await start({ sets: [planned(cases(['one']))] });
    writeFileSync(join(folder, 'secret'), 'secret');
    const file = join(folder, 'inferences.jsonl');
    const line = JSON.parse(readFileSync(file, 'utf8'));
    line.texts = { '/invocations/0/finalResponse/parts/0/text': '../secret', '/__proto__/polluted': '../secret' };
    writeFileSync(file, `${JSON.stringify(line)}\n`);
    await expect(openRun(folder).case({ setId: 'set', caseId: 'one' })).rejects.toThrow(
      'a part of this run is missing',
    );
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('redacts messages before writing them, and scores the redacted ones', async () => {
    const redact: RunOptions['redact'] = (value) => JSON.parse(JSON.stringify(value).replaceAll('three', 'NAME'));
    await start({ redact, agent: (message) => (message.includes('three') ? 'I am three' : message) });
    const text = ['inferences.jsonl', 'scorings/1/scores.jsonl']
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('');
    expect(text).not.toContain('I am three');
    for (const blob of readdirSync(join(folder, 'blobs'))) {
      expect(readFileSync(join(folder, 'blobs', blob), 'utf8')).not.toContain('I am three');
    }
  });

  it('writes nothing if redaction fails, and reports the failure', async () => {
    const outcome = await start({
      redact: (value, kind) => {
        if (kind === 'inference') throw new Error('no such pattern');
        return value;
      },
    });
    expect(outcome).toMatchObject({ finished: false, summary: { exitCode: 3 } });
    expect(outcome.problems[0]?.message).toBe(
      'the redaction of inference failed, so nothing was saved: no such pattern',
    );
    expect(readFileSync(join(folder, 'inferences.jsonl'), 'utf8')).toBe('');
  });

  it('records every model call, with its request and answer', async () => {
    const asking: Criterion = defineCriterion({
      name: 'asked',
      origin: { package: 'test', version: '1.0.0' },
      description: 'Asks.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' as const },
      options: noOptions,
      scope: 'turn',
      models: () => ['judge'],
      async evaluate(turn, { tools }) {
        const ask = { messages: [turn.actual.userContent], sample: 3 };
        const { text } = await tools.model('judge').generate(ask, tools.signal);
        return { value: text === 'yes' ? 1 : 0 };
      },
    });
    const model = scriptedModel([{ text: 'yes', usage: { inputTokens: 8 } }]);
    const plan = resolveEvalConfig({
      evalSet: cases(['one']),
      config: { criteria: { asked: 1 } },
      registry: createRegistry([asking]),
      models: () => model,
    });
    const prices = { [model.id]: { inputTokens: 0.25 } };
    await start({ sets: [{ plan, file: null, configFile: null }], prices });
    const record = openRun(folder);
    const one = await record.case({ setId: 'set', caseId: 'one' });
    expect(one?.calls).toMatchObject([
      {
        role: 'criterion',
        caller: 'asked',
        turn: 0,
        sample: 3,
        target: model.id,
        finish: 'stop',
        from: 'live',
        cost: 2,
      },
    ]);
    const [call] = one?.calls ?? [];
    expect(JSON.parse(record.text(call?.request ?? ''))).toMatchObject({
      messages: [{ parts: [{ text: 'I am one' }] }],
    });
    expect(JSON.parse(record.text(call?.answer ?? ''))).toBe('yes');
  });
});

describe('a resumed run', () => {
  it('does not repeat finished units', async () => {
    const first = counting();
    const before = await start({ agent: first.agent });
    const second = counting();
    const events: RunEvent[] = [];
    const after = await start({ agent: second.agent, onEvent: (event) => events.push(event) });
    expect(second.ran).toEqual([]);
    expect(after).toEqual(before);
    expect(events.filter(({ type }) => type === 'case-known')).toHaveLength(4);
  });

  it('reruns units that ended in an error, and no others', async () => {
    await start({
      agent: (message, { key }) => {
        if (key.caseId === 'two') throw new Error('down');
        return message;
      },
    });
    expect(openRun(folder).summary.verdicts).toMatchObject({ passed: 3, error: 1 });
    const second = counting();
    expect((await start({ agent: second.agent })).summary.exitCode).toBe(0);
    expect(second.ran).toEqual(['two 0']);
    const record = openRun(folder);
    expect(record.summary.verdicts).toMatchObject({ passed: 4, error: 0 });
    expect((await record.case({ setId: 'set', caseId: 'two' }))?.result.verdict).toBe('passed');
  });

  it('rescores units that could not be judged, without running the agent', async () => {
    let up = false;
    const shaky = defineCriterion({
      name: 'shaky',
      origin: { package: 'test', version: '1.0.0' },
      description: 'Breaks.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' as const },
      options: noOptions,
      scope: 'turn' as const,
      evaluate() {
        if (!up) throw new Error('the judge is down');
        return { value: 1 };
      },
    });
    const plan = resolveEvalConfig({
      evalSet: cases(),
      config: { criteria: { shaky: 1 } },
      registry: createRegistry([shaky]),
    });
    const sets = [{ plan, file: null, configFile: null }];
    expect((await start({ sets })).summary.verdicts).toMatchObject({ 'not-evaluated': 4 });
    up = true;
    const { ran, agent } = counting();
    expect((await start({ sets, agent })).summary.verdicts).toMatchObject({ passed: 4 });
    expect(ran).toEqual([]);
  });

  it.each([
    ['failed', ['one 0', 'one 1']],
    ['errored', ['two 0', 'two 1']],
    ['all', ['one 0', 'one 1', 'two 0', 'two 1', 'three 0', 'three 1', 'four 0', 'four 1']],
  ] as const)('reruns %s cases on request', async (rerun, expected) => {
    const agent: AgentFunction = (message, { key }) => {
      if (key.caseId === 'two' && key.repeat === 1) throw new Error('down');
      return key.caseId === 'one' ? 'wrong' : message;
    };
    await start({ agent, repeats: 2 });
    const second = counting();
    const outcome = await start({ agent: second.agent, repeats: 2, rerun });
    const missing = rerun === 'failed' ? ['two 1'] : [];
    expect([...second.ran].sort()).toEqual([...expected, ...missing].sort());
    const record = openRun(folder);
    expect(record.summary).toEqual(outcome.summary);
    expect((await casesOf(record)).map((one) => one.result.verdict)).toEqual(
      rerun === 'errored' ? ['failed', 'passed', 'passed', 'passed'] : ['passed', 'passed', 'passed', 'passed'],
    );
  });

  it('removes an incomplete last line and skips a damaged one', async () => {
    await start();
    const file = join(folder, 'inferences.jsonl');
    truncateSync(file, statSync(file).size - 10);
    const lost = JSON.parse(readFileSync(file, 'utf8').split('\n')[2] ?? '').caseId;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^.*"caseId":"two".*$/m, '\0\0\0\0'));
    const { ran, agent } = counting();
    const outcome = await start({ agent });
    expect(ran).toHaveLength(2);
    expect(ran).toContain('two 0');
    expect(lost).toBeDefined();
    expect(outcome).toMatchObject({ finished: true, summary: { exitCode: 0 } });
    expect(openRun(folder).summary).toEqual(outcome.summary);
  });

  it('is rejected with an error that lists every difference from its start', async () => {
    await start();
    const other = cases([...ids, 'five']);
    const { ran, agent } = counting();
    const sets = [planned(other, { criteria: { echoed: 0.5 } })];
    const refused = start({ agent, sets, repeats: 3 });
    await expect(refused).rejects.toMatchObject({ code: 'RUN_CHANGED' });
    await expect(refused).rejects.toThrow('the number of repeats was 1 and is 3');
    await expect(refused).rejects.toThrow('the eval set "set" has changed');
    await expect(refused).rejects.toThrow('the threshold of echoed was 1 and is 0.5');
    expect(ran).toEqual([]);
  });

  it('is rejected with an error that names the package that changed', async () => {
    await start();
    const file = join(folder, 'scorings', '1', 'plan.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"test": "1.0.0"', '"test": "0.9.0"'));
    await expect(start()).rejects.toThrow('test was 0.9.0 and is 1.0.0 now');
  });

  it('is rejected with an error that names the model that changed', async () => {
    const judged = defineCriterion({ ...echoed, name: 'judged', models: () => ['judge'] });
    const by = (id: string) => {
      const registry = createRegistry([judged]);
      const config = { criteria: { judged: 1 } };
      const plan = resolveEvalConfig({ evalSet: cases(), config, registry, models: () => scriptedModel([], id) });
      return { sets: [{ plan, file: null, configFile: null }] };
    };
    await start(by('first'));
    await expect(start(by('second'))).rejects.toThrow('the model of judged was first and is second');
  });

  it('warns if the agent has changed', async () => {
    const agentPath = join(folder, '..', `agent-${process.pid}.mjs`);
    writeFileSync(agentPath, 'before');
    try {
      await start({ agent: { agent: echo, agentPath } });
      writeFileSync(agentPath, 'after');
      const { warnings } = await start({ agent: { agent: echo, agentPath } });
      expect(warnings.map(({ message }) => message)).toEqual([
        'the agent has changed since this run began: the run has inferences from before and after the change',
      ]);
    } finally {
      rmSync(agentPath);
    }
  });

  it('is rejected if it was written by a newer version', async () => {
    await start();
    const file = join(folder, 'plan.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"format": 2', '"format": 99'));
    await expect(start()).rejects.toThrow('newer version (format 99');
    expect(() => openRun(folder)).toThrow('newer version');
  });
});

describe('an agent that changes the working folder', () => {
  const leaving: AgentFunction = (message) => {
    process.chdir('/');
    return message;
  };
  let before: string;
  beforeEach(() => {
    before = process.cwd();
    mkdirSync(folder);
    process.chdir(folder);
  });
  afterEach(() => process.chdir(before));

  it('does not affect a run with a relative folder', async () => {
    const outcome = await start({ agent: leaving, folder: 'kept' });
    expect(outcome).toMatchObject({ finished: true, problems: [], folder: join(realpathSync(folder), 'kept') });
    expect(readdirSync(join(folder, 'kept')).sort()).toEqual([
      ...['.gitignore', 'blobs', 'inferences.jsonl', 'plan.json', 'scorings'],
    ]);
    const record = openRun(join(folder, 'kept'));
    expect(record.summary).toEqual(outcome.summary);
    expect(record.plan.sets[0]?.file).toBe('set.evalset.json');
  });

  it('does not affect a run if it does so while loading', async () => {
    const check = async () => {
      process.chdir('/');
      return [];
    };
    const agent = { ...agentFromFunction(echo), check };
    await start({ agent, folder: 'kept' });
    expect(openRun(join(folder, 'kept')).plan.sets[0]?.file).toBe('set.evalset.json');
  });

  it('does not affect scoring or a journal', async () => {
    await start({ folder: 'kept' });
    const evaluate = () => {
      process.chdir('/');
      return { value: 0 };
    };
    const criterion = defineCriterion({ ...echoed, scope: 'turn', evaluate });
    const plan = resolveEvalConfig({
      evalSet: cases(),
      config: { criteria: { echoed: 1 } },
      registry: createRegistry([criterion]),
    });
    const outcome = await scoreRun({ sets: [{ plan, file: null, configFile: null }], folder: 'kept' });
    expect(outcome).toMatchObject({ finished: true, summary: { verdicts: { failed: 4 } } });
    expect(openRun(join(folder, 'kept')).summary).toEqual(outcome.summary);

    process.chdir(folder);
    const journal = await folderJournal('journal');
    process.chdir('/');
    const key = { setId: 's', caseId: 'c', repeat: 0 };
    const state = { initial: null, final: null };
    const inference: Inference = { sessionId: 'x', ending: { by: 'end-of-case' }, invocations: [], state };
    const record = { key, ticket: 1, seen: '', startedAt: 0, endedAt: 0, inference };
    expect(await journal.keepInference(record)).toBe('kept');
    await journal.close();
    expect(readdirSync(join(folder, 'journal'))).toContain('inferences.jsonl');
  });
});

describe('the lock of a run folder', () => {
  it('excludes a second writer, and is removed after the run', async () => {
    const gate = deferred<string>();
    const running = start({ agent: () => gate.promise });
    await expect(start()).rejects.toMatchObject({ code: 'RUN_LOCKED' });
    gate.resolve('done');
    await running;
    expect(readdirSync(folder)).not.toContain('lock');
  });

  it.each([
    ['belongs to a process that has ended', { pid: 2 ** 22 + 1, host: undefined }],
    ['is incomplete', null],
  ])('is taken over if it %s', async (_what, holder) => {
    mkdirSync(folder, { recursive: true });
    const { hostname } = await import('node:os');
    const content = holder === null ? '{"pid":1' : JSON.stringify({ pid: holder.pid, host: hostname() });
    writeFileSync(join(folder, 'lock'), content);
    expect((await start()).finished).toBe(true);
  });

  it('is watched if it belongs to another machine, which an event reports', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 1, host: 'elsewhere', lease: 20 }));
    const events: RunEvent[] = [];
    expect((await start({ onEvent: (event) => events.push(event) })).finished).toBe(true);
    const holder = 'process 1 on the machine "elsewhere"';
    expect(events[0]).toMatchObject({ type: 'folder-awaited', folder, holder, atMost: 20 });
  });
});

it('a run scores units while agents are still running', async () => {
  const scored = deferred<void>();
  const agent: AgentFunction = async (message, { key }) => {
    // The last conversation goes on until the first one has been scored.
    if (key.caseId === 'four') await scored.promise;
    return message;
  };
  const onEvent = ({ type }: RunEvent): void => {
    if (type === 'unit-scored') scored.resolve();
  };
  expect(await start({ agent, onEvent })).toMatchObject({ summary: { exitCode: 0 } });
});

describe('a run that is stopped', () => {
  it('by drain finishes and scores open conversations, and starts no new ones', async () => {
    const drain = new AbortController();
    const { ran, agent } = counting((message) => {
      drain.abort();
      return message;
    });
    const outcome = await start({ agent, drain: drain.signal, concurrency: { agents: 1 } });
    expect(ran).toEqual(['one 0']);
    expect(outcome).toMatchObject({ finished: false, summary: { exitCode: 3, verdicts: { passed: 1, error: 3 } } });
    const record = openRun(folder);
    expect(record.info).toMatchObject({ endedAt: null, units: { total: 4, finished: 1 } });
    expect(record.summary).toEqual(outcome.summary);
    expect((await record.case({ setId: 'set', caseId: 'two' }))?.result).toMatchObject({
      verdict: 'error',
      reason: expect.stringContaining('no inference is recorded'),
    });
    expect(await start()).toMatchObject({ finished: true, summary: { exitCode: 0 } });
  });

  it('by an abort ends at once, keeps its results, and can be resumed', async () => {
    const stop = new AbortController();
    const agent: AgentFunction = (message, { key }) => {
      if (key.caseId === 'one') return message;
      stop.abort(new Error('interrupted'));
      return new Promise(() => undefined);
    };
    const outcome = await start({ agent, signal: stop.signal, concurrency: { agents: 1 } });
    expect(outcome).toMatchObject({ finished: false, summary: { verdicts: { passed: 1, error: 3 } } });
    const two = await openRun(folder).case({ setId: 'set', caseId: 'two' });
    expect(two?.result).toMatchObject({ verdict: 'error', reason: 'interrupted' });
    const second = counting();
    expect(await start({ agent: second.agent })).toMatchObject({ finished: true, summary: { exitCode: 0 } });
    expect(second.ran).toEqual(['two 0', 'three 0', 'four 0']);
  });

  it('by runTimeout ends on time', async () => {
    const outcome = await start({ agent: () => new Promise(() => undefined), runTimeout: '30ms' });
    expect(outcome).toMatchObject({ finished: false, summary: { exitCode: 3 } });
    expect(outcome.problems).toMatchObject([{ code: 'TIMEOUT', message: 'the run took longer than 30 ms' }]);
  });

  it('by caseTimeout ends one case and continues with the others', async () => {
    const agent: AgentFunction = (message, { key }) => (key.caseId === 'two' ? new Promise(() => undefined) : message);
    const outcome = await start({ agent, caseTimeout: '300ms' });
    expect(outcome).toMatchObject({ finished: true, summary: { verdicts: { passed: 3, error: 1 } } });
    const two = await openRun(folder).case({ setId: 'set', caseId: 'two' });
    expect(two?.result.reason).toBe('turn 1: the case took longer than 300 ms');
  });
});

describe('scoring a recorded run again', () => {
  it('with another config creates a new scoring pass, and keeps the first', async () => {
    await start({ agent: () => 'wrong' });
    const outcome = await scoreRun({ folder, sets: [planned(cases(), { criteria: { echoed: 0 } })] });
    expect(outcome).toMatchObject({ scoring: 2, finished: true, summary: { exitCode: 0 } });
    expect(openRun(folder).info.scoring).toBe(2);
    expect(openRun(folder).summary.verdicts.passed).toBe(4);
    expect(openRun(folder, { scoring: 1 }).summary.verdicts.failed).toBe(4);
    expect(() => openRun(folder, { scoring: 3 })).toThrow('the run has no scoring 3; it has 1, 2');
  });

  it('creates its first scoring pass if it was never scored', async () => {
    const outcome = await start({ scoring: false });
    expect(outcome.finished).toBe(true);
    expect(openRun(folder).info).toMatchObject({ scoring: 0, units: { total: 4, finished: 0 } });
    expect(await scoreRun({ folder, sets: [planned()] })).toMatchObject({ scoring: 1, summary: { exitCode: 0 } });
  });

  it('uses inferences if the references have changed, but not if the messages have', async () => {
    await start();
    const changed = evalSet([
      evalCase('one', [{ user: 'I am one', answer: 'a new reference' }]),
      evalCase('two', [{ user: 'I am somebody else' }]),
    ]);
    const outcome = await scoreRun({ folder, sets: [planned(changed)] });
    expect(outcome).toMatchObject({ finished: false, summary: { total: 2, verdicts: { passed: 1, error: 1 } } });
    const two = await openRun(folder).case({ setId: 'set', caseId: 'two' });
    expect(two?.result.reason).toContain('what the agent sees of the case has changed since');
    expect(two?.inferences).toEqual([]);
  });

  it('is rejected for an unknown set', async () => {
    await start();
    const other = planned({ ...cases(), evalSetId: 'other' });
    await expect(scoreRun({ folder, sets: [other] })).rejects.toThrow('the run has no eval set "other"; it has set');
  });
});

describe('a runs folder', () => {
  it('lists runs by time, finished or not, even without summary files', async () => {
    const runs = folder;
    await start({ folder: join(runs, 'b') });
    const drain = AbortSignal.abort();
    await start({ folder: join(runs, 'a'), drain });
    mkdirSync(join(runs, 'no run'));
    mkdirSync(join(runs, 'broken'));
    writeFileSync(join(runs, 'broken', 'plan.json'), '{"format":1}');
    const listed = () => listRuns(runs).filter(({ problem }) => problem === undefined);
    const before = listed();
    expect(before.map(({ units, summary }) => [units.finished, summary?.verdict])).toEqual([
      [4, 'passed'],
      [0, 'error'],
    ]);
    rmSync(join(runs, 'b', 'scorings', '1', 'summary.json'));
    expect(listed()[0]).toMatchObject({ units: { total: 4, finished: 4 }, summary: before[0]?.summary });
    expect(listRuns(runs).filter(({ problem }) => problem !== undefined)).toHaveLength(1);
    expect(listRuns(join(runs, 'nowhere'))).toEqual([]);
  });

  it('ignores a summary that is out of date', async () => {
    const runs = folder;
    await start({ folder: join(runs, 'a') });
    appendFileSync(join(runs, 'a', 'inferences.jsonl'), '{"torn');
    expect(listRuns(runs)[0]).toMatchObject({ units: { finished: 4 } });
  });
});

it('a run that ended early never passes, whatever its cases', () => {
  const problem = { code: 'WRITE_FAILED' as const, message: 'the disk is full' };
  expect(summariseRun([{ verdict: 'passed' }], [])).toMatchObject({ verdict: 'passed', exitCode: 0 });
  expect(summariseRun([{ verdict: 'passed' }], [problem])).toMatchObject({ verdict: 'error', exitCode: 3 });
  expect(summariseRun([{ verdict: 'failed' }], [problem])).toMatchObject({ verdict: 'failed', exitCode: 1 });
});

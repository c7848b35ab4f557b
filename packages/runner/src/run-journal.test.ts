import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent, Json } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { casesNamed, counting, echo, planned } from './__fixtures__/echo-runs.ts';
import { fileJournal } from './__fixtures__/file-journal.ts';
import { manyCases } from './__fixtures__/many-cases.ts';
import type { RunEvent } from './engine/events.ts';
import { changedJournal } from './journal/journal.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { journalRecord } from './journal/read-cases.ts';
import { run } from './run.ts';

const set = casesNamed(['one', 'two', 'three']);

describe('a run in a journal', () => {
  it('has the same result as in a folder, and can be read', async () => {
    const journal = await memoryJournal();
    const outcome = await run({ sets: [planned(set)], agent: echo, journal, repeats: 2 });
    const { folder: _, ...kept } = await run({
      sets: [planned(set)],
      agent: echo,
      folder: join(folderOf({}), 'run'),
      repeats: 2,
    });
    expect({ ...outcome, folder: undefined }).toEqual({ ...kept, folder: undefined });
    const facts = { id: 'mine', startedAt: 0, endedAt: 1, agent: 'echo', repeats: 2 };
    const record = await journalRecord(journal, facts, [planned(set)]);
    expect(record.summary).toEqual(outcome.summary);
    expect((await record.case({ setId: 'set', caseId: 'two' }))?.inferences.map(({ key }) => key.repeat)).toEqual([
      0, 1,
    ]);
  });

  it('does not repeat units that are already in the journal', async () => {
    const folder = join(folderOf({}), 'journal');
    const first = await run({ sets: [planned(set)], agent: echo, journal: await fileJournal(folder) });
    const { ran, agent } = counting();
    const again = await run({ sets: [planned(set)], agent, journal: await fileJournal(folder) });
    expect([again.summary, ran]).toEqual([first.summary, []]);
    await run({ sets: [planned(set)], agent, journal: await fileJournal(folder), rerun: 'all' });
    expect(ran).toHaveLength(3);
  });

  it('rejects if the journal rejects a record', async () => {
    for (const keep of ['keepInference', 'keepScores'] as const) {
      const journal = await memoryJournal();
      const failing = changedJournal(journal, { [keep]: () => Promise.reject(new Error('the place is gone')) });
      await expect(run({ sets: [planned(set)], agent: echo, journal: failing })).rejects.toThrow('the place is gone');
    }
  });

  it('counts a unit as unfinished if another writer has already stored its record', async () => {
    const journal = await memoryJournal();
    const taken = changedJournal(journal, { keepInference: async () => 'stale' });
    const outcome = await run({ sets: [planned(set)], agent: echo, journal: taken });
    expect(outcome).toMatchObject({ finished: false, summary: { verdicts: { error: 3 }, exitCode: 3 } });
  });

  it('rejects a folder given in addition to a journal', async () => {
    const options = { sets: [planned(set)], agent: echo, journal: await memoryJournal(), folder: folderOf({}) };
    await expect(run(options)).rejects.toThrow('in a folder or in a journal, not both');
  });

  it('ends with the same result after a kill, in a journal with one file per unit', { timeout: 60_000 }, async () => {
    const base = folderOf({});
    const place = join(base, 'units');
    const script = fileURLToPath(new URL('./__fixtures__/killed-run.ts', import.meta.url));
    const log = join(base, 'log');
    const child = spawn(
      process.execPath,
      ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning', script, place, log, 'files'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const ended = new Promise((done) => child.on('close', done));
    for (;;) {
      await new Promise((done) => setTimeout(done, 2));
      if (child.exitCode !== null || linesOf(log).length > 150) break;
    }
    child.kill('SIGKILL');
    await ended;

    const agent = { ran: [] as string[] };
    const kept = new Set<string>();
    const before = await fileJournal(place);
    for await (const { key, inferred } of before.states())
      if (inferred?.failed === false) kept.add(JSON.stringify([key.setId, key.caseId, key.repeat]));
    expect(kept.size).toBeGreaterThan(50);
    expect(kept.size).toBeLessThan(600);
    const sets = manyCases();
    const behave = (message: string) => {
      if (message.endsWith('7')) throw new Error('seven is too many');
      return message.endsWith('3') ? 'wrong' : message;
    };
    const resumed = await run({
      sets,
      repeats: 2,
      journal: await fileJournal(place),
      agent(message, { key }) {
        agent.ran.push(JSON.stringify([key.setId, key.caseId, key.repeat]));
        return behave(message);
      },
    });
    const whole = await run({ sets, repeats: 2, agent: behave });
    expect(resumed.summary).toEqual(whole.summary);
    expect(agent.ran.filter((unit) => kept.has(unit))).toEqual([]);
  });
});

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}

it("a run emits the events of its agent's sessions", async () => {
  const agent: Agent = {
    name: 'streaming',
    open: async () => ({
      id: 'session',
      async send(message, { onEvent } = {}) {
        for (const text of ['Hel', 'lo']) onEvent?.({ content: { parts: [{ text }] }, partial: true } satisfies Json);
        return { invocation: { userContent: message, finalResponse: { role: 'model', parts: [{ text: 'Hello' }] } } };
      },
      state: async () => null,
      close: async () => undefined,
    }),
  };
  const events: RunEvent[] = [];
  await run({ sets: [planned(casesNamed(['one']))], agent, onEvent: (event) => void events.push(event) });
  const reported = events.filter((event) => event.type === 'agent-event');
  expect(reported.map(({ key, turn, event }) => [key.caseId, turn, event])).toEqual(
    ['Hel', 'lo'].map((text) => ['one', 0, { content: { parts: [{ text }] }, partial: true }]),
  );
  const order = events.map(({ type }) => type);
  expect(order.indexOf('agent-event')).toBeLessThan(order.indexOf('turn-finished'));
});

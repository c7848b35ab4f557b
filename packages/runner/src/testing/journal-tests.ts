import assert from 'node:assert/strict';
import type { Inference, UnitKey } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import { compactCaseResult, type RunCall } from '@agent-criteria/results';
import type { CallRecord, InferenceRecord, Journal, Outcome, ScoreRecord, UnitState } from '../journal/journal.ts';
import { keyText } from '../unit-key.ts';

/** A test of one rule that journals must follow. `run` rejects if a journal breaks the rule. */
export interface JournalTest {
  readonly name: string;
  run(): Promise<void>;
}

export interface JournalTestOptions {
  /** Whether records survive closing the journal, unlike in-memory ones. Default `true`. */
  readonly persistent?: boolean | undefined;
}

/**
 * Returns tests of the rules that journals must follow, for use with any test runner:
 *
 * ```ts
 * for (const { name, run } of journalTests(async () => () => myJournal(await emptyPlace()))) test(name, run);
 * ```
 *
 * @param place Creates an empty location and returns a function that opens the journal there. Each call opens it again.
 */
export function journalTests(
  place: () => Promise<() => Promise<Journal>>,
  { persistent = true }: JournalTestOptions = {},
): readonly JournalTest[] {
  const inNew = (work: (journal: Journal, reopen: () => Promise<Journal>) => Promise<void>) => async () => {
    const open = await place();
    const journal = await open();
    try {
      await work(journal, open);
    } finally {
      await journal.close().catch(() => undefined);
    }
  };
  const tests: Record<string, () => Promise<void>> = {
    'the first record of a ticket stays, and a lower ticket is stale': inNew(async (journal) => {
      assert.equal(await journal.keepInference(inference('one', 2, 'first')), 'kept');
      assert.equal(await journal.keepInference(inference('one', 2, 'second')), 'duplicate');
      assert.equal(await journal.keepInference(inference('one', 1, 'third')), 'stale');
      assert.equal(textOf(await journal.inference(key('one'))), 'first');
      assert.equal(await journal.keepInference(inference('one', 3, 'fourth')), 'kept');
      assert.equal(textOf(await journal.inference(key('one'))), 'fourth');
    }),
    'only scores of the current inference are kept': inNew(async (journal) => {
      assert.equal(await journal.keepScores(scores('one', 1, 1)), 'stale');
      await journal.keepInference(inference('one', 1, 'first'));
      assert.equal(await journal.keepScores(scores('one', 1, 1)), 'kept');
      assert.equal(await journal.keepScores(scores('one', 1, 1)), 'duplicate');
      assert.equal(await journal.keepScores(scores('one', 2, 1)), 'kept');
      assert.equal(await journal.keepScores(scores('one', 1, 1)), 'stale');
      await journal.keepInference(inference('one', 2, 'second'));
      assert.equal(await journal.keepScores(scores('one', 3, 1)), 'stale');
      assert.equal(await journal.keepScores(scores('one', 3, 2)), 'kept');
    }),
    'in a race, scores belong to the inference that is current when they are stored': inNew(async (journal) => {
      await journal.keepInference(inference('one', 1, 'first'));
      const outcomes = await Promise.all([
        journal.keepScores(scores('one', 1, 1)),
        journal.keepInference(inference('one', 2, 'second')),
        journal.keepScores(scores('one', 2, 1)),
        journal.keepScores(scores('one', 3, 2)),
        journal.keepInference(inference('one', 2, 'third')),
      ]);
      assert.deepEqual(outcomes, ['kept', 'kept', 'stale', 'kept', 'duplicate'] satisfies Outcome[]);
      assert.equal(textOf(await journal.inference(key('one'))), 'second');
      assert.equal((await journal.scores(key('one')))?.of, 2);
    }),
    'records are copied when they are stored': inNew(async (journal) => {
      const made = inference('one', 1, 'before');
      const keeping = journal.keepInference(made);
      changeable<'inference'>(made).inference.invocations.length = 0;
      changeable<'key'>(made).key.caseId = 'other';
      await keeping;
      assert.equal(textOf(await journal.inference(key('one'))), 'before');
      const scored = scores('one', 1, 1);
      const keepingScores = journal.keepScores(scored);
      changeable<'scores'>(scored).scores.criteria.length = 0;
      changeable<'key'>(scored).key.repeat = 5;
      await keepingScores;
      assert.equal((await journal.scores(key('one')))?.scores.criteria.length, 1);
      const called = call('one', 'a');
      const keepingCall = journal.keepCall(called);
      changeable<'call'>(called).call.caller = 'other';
      await keepingCall;
      assert.equal((await journal.calls(key('one')))[0]?.caller, 'judge');
    }),
    'records that are read are copies': inNew(async (journal) => {
      await journal.keepInference(inference('one', 1, 'before'));
      const read = await journal.inference(key('one'));
      assert.ok(read);
      changeable<'inference'>(read).inference.invocations.length = 0;
      assert.equal(textOf(await journal.inference(key('one'))), 'before');
    }),
    'records are read back as they were': inNew(async (journal) => {
      const made = inference('one', 1, 'words');
      await journal.keepInference(made);
      assert.deepEqual(await journal.inference(key('one')), made);
      const scored = { ...scores('one', 1, 1), case: { of: [1], result: compactCaseResult(result('one')) } };
      await journal.keepScores(scored);
      assert.deepEqual(await journal.scores(key('one')), scored);
      assert.equal(await journal.inference(key('two')), null);
      assert.equal(await journal.scores(key('two')), null);
      assert.deepEqual(await journal.calls(key('two')), []);
    }),
    'a call is kept once, and calls are read in order': inNew(async (journal) => {
      assert.equal(await journal.keepCall(call('one', 'a')), 'kept');
      assert.equal(await journal.keepCall(call('one', 'b')), 'kept');
      assert.equal(await journal.keepCall(call('one', 'a')), 'duplicate');
      await journal.keepCall(call('two', 'c'));
      assert.deepEqual(
        (await journal.calls(key('one'))).map(({ request }) => request),
        ['a', 'b'],
      );
    }),
    'similar keys are distinguished': inNew(async (journal) => {
      for (const [index, one] of oddKeys.entries()) {
        assert.equal(await journal.keepInference({ ...inference('one', 1, `${index}`), key: one }), 'kept');
      }
      for (const [index, one] of oddKeys.entries()) {
        const found = await journal.inference(one);
        assert.equal(textOf(found), `${index}`, keyText(one));
        assert.deepEqual(found?.key, one);
      }
      const states = await statesOf(journal);
      assert.deepEqual([...states.keys()].sort(), oddKeys.map(keyText).sort());
    }),
    'a record of five megabytes is read back completely': inNew(async (journal) => {
      const long = '→'.repeat((5 * 1024 * 1024) / 3);
      await journal.keepInference(inference('one', 1, long));
      assert.equal(textOf(await journal.inference(key('one'))), long);
    }),
    'six hundred records at once are all kept': inNew(async (journal) => {
      const names = Array.from({ length: 300 }, (_, index) => `case ${index}`);
      const kept = names.flatMap((name) => [
        journal.keepInference(inference(name, 1, name)),
        journal.keepScores(scores(name, 1, 1)),
      ]);
      assert.deepEqual(new Set(await Promise.all(kept)), new Set(['kept']));
      assert.equal((await statesOf(journal)).size, 300);
      for (const name of names) assert.equal(textOf(await journal.inference(key(name))), name);
    }),
    'states describe the records of every unit': inNew(async (journal) => {
      await journal.keepInference(inference('one', 3, 'words'));
      await journal.keepScores({ ...scores('one', 2, 3), case: { of: [2], result: compactCaseResult(result('one')) } });
      await journal.keepInference({ ...inference('two', 1, ''), inference: failed });
      assert.deepEqual((await statesOf(journal)).get(keyText(key('one'))), {
        key: key('one'),
        highest: 3,
        inferred: { ticket: 3, seen: 'seen', failed: false },
        scored: { ticket: 2, of: 3, unjudged: false, case: { of: [2], verdict: 'passed' } },
      });
      assert.deepEqual((await statesOf(journal)).get(keyText(key('two')))?.inferred?.failed, true);
    }),
    'a closed journal rejects records': inNew(async (journal) => {
      const under = [journal.keepInference(inference('one', 1, 'words')), journal.keepCall(call('one', 'a'))];
      let settled = 0;
      for (const one of under) one.then(() => (settled += 1));
      await journal.close();
      // Promises for records may settle a moment later.
      await new Promise((done) => setImmediate(done));
      assert.equal(settled, 2, 'it closed before all that was under way was kept');
      assert.deepEqual(await Promise.all(under), ['kept', 'kept']);
      await assert.rejects(journal.keepInference(inference('two', 1, 'words')));
      await assert.rejects(journal.keepScores(scores('one', 1, 1)));
      await assert.rejects(journal.keepCall(call('one', 'b')));
    }),
  };
  if (persistent) {
    tests['records are read back after reopening'] = inNew(async (journal, reopen) => {
      await journal.keepInference(inference('one', 2, 'words'));
      const scored = { ...scores('one', 1, 2), case: { of: [1], result: compactCaseResult(result('one')) } };
      await journal.keepScores(scored);
      await journal.keepCall(call('one', 'a'));
      const before = await statesOf(journal);
      await journal.close();
      const again = await reopen();
      try {
        assert.deepEqual(await statesOf(again), before);
        assert.deepEqual(await again.scores(key('one')), scored);
        assert.equal(textOf(await again.inference(key('one'))), 'words');
        assert.equal(await again.keepInference(inference('one', 2, 'other')), 'duplicate');
        assert.equal(await again.keepInference(inference('one', 1, 'other')), 'stale');
        assert.equal(await again.keepScores(scores('one', 1, 2)), 'duplicate');
        assert.equal(await again.keepCall(call('one', 'a')), 'duplicate');
        assert.equal((await again.calls(key('one'))).length, 1);
        assert.equal(await again.keepInference(inference('one', 3, 'other')), 'kept');
      } finally {
        await again.close();
      }
    });
  }
  return Object.entries(tests).map(([name, run]) => ({ name, run }));
}

/**
 * Keys that a file system or a database may mix up: composed and decomposed letters, paths, JavaScript property names.
 */
const oddKeys: readonly UnitKey[] = [
  ...['../x', '..', '.', '/', '\\', 'CON', 'a/b', 'a\\b', 'a:b', 'a b', 'a%2Fb', '', ' ', 'NUL\0NUL', 'line\nbreak'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\u00e9',
    'e\u0301',
    'É',
    'E\u0301',
    '🦉',
    '🦉\u200d',
    '\ud83e',
    'x'.repeat(5000),
  ],
]
  .flatMap((caseId) => [key(caseId), { ...key('plain', 3), setId: caseId }])
  .concat([
    key('repeat', 1),
    key('repeat', 11),
    { ...key('repeat', 1), variant: 'a' },
    { ...key('repeat', 1), variant: '' },
    { setId: 'set","plain', caseId: 'case', repeat: 0 },
    { setId: 'set', caseId: 'plain","case', repeat: 0 },
  ]);

function key(caseId: string, repeat = 0): UnitKey {
  return { setId: 'set', caseId, repeat };
}

const failed: Inference = {
  sessionId: 's',
  invocations: [],
  state: { initial: null, final: null },
  ending: { by: 'error', of: 'agent', error: { code: 'AGENT_FAILED', message: 'down' } },
};

function inference(caseId: string, ticket: number, text: string): InferenceRecord {
  const userContent = { role: 'user', parts: [{ text: 'Hello' }] };
  const finalResponse = { role: 'model', parts: [{ text }] };
  return {
    key: key(caseId),
    ticket,
    seen: 'seen',
    startedAt: 1,
    endedAt: 2,
    inference: {
      sessionId: 's',
      invocations: [{ userContent, finalResponse }],
      state: { initial: null, final: {} },
      ending: { by: 'end-of-case' },
    },
  };
}

function textOf(record: InferenceRecord | null): string | null | undefined {
  return record?.inference.invocations[0]?.finalResponse?.parts?.[0]?.text;
}

function scores(caseId: string, ticket: number, of: number): ScoreRecord {
  const criteria = [{ name: 'mine', scope: 'turn' as const, scores: [{ value: 1 }] }];
  return { key: key(caseId), ticket, of, scores: { sessionId: 's', ending: { by: 'end-of-case' }, criteria } };
}

function result(caseId: string): CaseResult {
  return { setId: 'set', caseId, verdict: 'passed', criteria: [], units: [] };
}

function call(caseId: string, id: string): CallRecord {
  const made: RunCall = {
    role: 'criterion',
    key: key(caseId),
    caller: 'judge',
    turn: 0,
    sample: 0,
    target: 'model',
    request: id,
    answer: 'hash',
    startedAt: 1,
    endedAt: 2,
  };
  return { id, call: made, request: '"asked"', answer: '"answered"' };
}

async function statesOf(journal: Journal): Promise<Map<string, UnitState>> {
  const states = new Map<string, UnitState>();
  for await (const state of journal.states()) states.set(keyText(state.key), state);
  return states;
}

/** The parts of records that tests modify. */
interface Changeable {
  readonly key: { caseId: string; repeat: number };
  readonly inference: { readonly invocations: unknown[] };
  readonly scores: { readonly criteria: unknown[] };
  readonly call: { caller: string };
}

/** Returns the same value, typed as mutable. */
function changeable<Part extends keyof Changeable>(
  value: { readonly [Name in Part]: unknown },
): Pick<Changeable, Part> {
  return value as Pick<Changeable, Part>;
}

import { expect, it } from 'vitest';
import { createTurnRunTracker } from './turn-run-tracker.ts';

const key = (repeat: number, variant?: string) => ({
  setId: 'chat',
  caseId: 'turn',
  repeat,
  ...(variant !== undefined && { variant }),
});
const said = (text: string, partial = false) => ({
  author: 'a',
  partial,
  content: { role: 'model', parts: [{ text }] },
});

function tracked(more: Partial<Parameters<typeof createTurnRunTracker>[0]> = {}) {
  const tracker = createTurnRunTracker({ turn: 1, times: 2, variants: [null], judged: true, ...more });
  const note = (event: object) => tracker.note({ at: 0, ...event } as Parameters<typeof tracker.note>[0]);
  const at = (repeat: number, variant: string | null = null) => tracker.progress({ variant, repeat });
  return { tracker, note, at };
}

it('joins the pieces of an answer, and leaves out what was said in turns before it', () => {
  const { note, at } = tracked();
  note({ type: 'unit-started', key: key(0) });
  note({ type: 'agent-event', key: key(0), turn: 0, event: said('Earlier') });
  note({ type: 'turn-finished', key: key(0), turn: 0 });
  note({ type: 'agent-event', key: key(0), turn: 1, event: said('Let me ', true) });
  note({ type: 'agent-event', key: key(0), turn: 1, event: said('see', true) });
  expect(at(0)).toEqual({ state: 'running', resent: 1, text: 'Let me see', calls: [] });
  expect(at(1)?.state).toBe('waiting');
});

it('names the tools that were called, in events of either spelling', () => {
  const { note, at } = tracked();
  const event = { author: 'a', content: { parts: [{ function_call: { name: 'look_up', args: { an_arg: 1 } } }] } };
  note({ type: 'agent-event', key: key(0), turn: 1, event });
  expect(at(0)?.calls).toEqual(['look_up']);
});

it('an answer is complete once it is scored, or at once if nothing is', () => {
  const judged = tracked();
  judged.note({ type: 'unit-inferred', key: key(0), ending: { by: 'end-of-case' }, startedAt: 0 });
  expect(judged.at(0)?.state).toBe('scoring');
  judged.note({ type: 'unit-scored', key: key(0), startedAt: 0 });
  expect(judged.at(0)?.state).toBe('done');
  const bare = tracked({ judged: false });
  bare.note({ type: 'unit-inferred', key: key(0), ending: { by: 'end-of-case' }, startedAt: 0 });
  expect(bare.at(0)?.state).toBe('done');
});

it('lists what has changed after a version, by variant', () => {
  const { tracker, note, at } = tracked({ variants: ['a', 'b'] });
  note({ type: 'unit-started', key: key(0, 'a') });
  const seen = tracker.version();
  note({ type: 'unit-started', key: key(1, 'b') });
  expect(tracker.changedAfter(seen).answers.map(({ variant, repeat }) => [variant, repeat])).toEqual([['b', 1]]);
  tracker.end();
  expect([at(0, 'a')?.state, at(1, 'a')?.state]).toEqual(['running', 'left']);
});

import { evalCase } from '@agent-criteria/core/testing';
import type { RunCall, RunCase, RunRecord } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { withCallTexts } from './call-texts.ts';

const none = {} as Pick<RunRecord, never> as RunRecord;
const call = (sample: number, request: string, answer?: string): RunCall => ({
  role: 'criterion',
  key: { setId: 's', caseId: 'c', repeat: 0 },
  caller: 'judged',
  turn: 0,
  sample,
  target: 'gemini',
  request,
  answer,
  startedAt: 0,
  endedAt: 1,
});
const caseOf = (...calls: readonly RunCall[]): RunCase => ({
  setId: 's',
  evalCase: evalCase('c', []),
  inferences: [],
  calls,
  result: { setId: 's', caseId: 'c', verdict: 'passed', criteria: [], units: [] },
});
const run = (texts: Readonly<Record<string, string>>) => ({
  ...none,
  text(hash: string) {
    const found = Object.hasOwn(texts, hash) ? texts[hash] : undefined;
    if (found === undefined) throw new Error(`there is no text ${hash}`);
    return found;
  },
});

it('withCallTexts() adds each text once, because samples of a vote share their prompt', () => {
  const ask = (sample: number) => JSON.stringify({ system: 'judge', sample, messages: [{ sample: 'stays' }] });
  const one = caseOf(call(0, 'r0', 'a0'), call(1, 'r1', 'a1'), call(2, 'r2', 'a1'));
  const texts = { r0: ask(0), r1: ask(1), r2: ask(2), a0: '"yes"', a1: '"no"' };
  expect(withCallTexts(run(texts))(one)).toEqual({
    ...one,
    callTexts: {
      texts: ['{"system":"judge","messages":[{"sample":"stays"}]}', '"yes"', '"no"'],
      places: [
        ['r0', 0],
        ['a0', 1],
        ['r1', 0],
        ['a1', 2],
        ['r2', 0],
      ],
    },
  });
});

it('withCallTexts() returns a case unchanged if there are no texts', () => {
  const one = caseOf(call(0, 'r0', 'a0'));
  expect(withCallTexts(none)(one)).toBe(one);
  expect(withCallTexts(run({}))(one)).toBe(one);
  const { calls: _calls, ...uncalled } = one;
  expect(withCallTexts(run({ r0: '"x"' }))(uncalled)).toBe(uncalled);
});

it('withCallTexts() omits missing and overlong texts, and accepts text that is not JSON', () => {
  const one = caseOf(call(0, 'r0', 'a0'), call(1, '__proto__', 'a1'));
  const texts = { r0: 'no JSON', a1: JSON.stringify('x'.repeat(200_000)) };
  expect(withCallTexts(run(texts))(one).callTexts).toEqual({ texts: ['no JSON'], places: [['r0', 0]] });
});

it('withCallTexts() adds no more texts beyond 20 million characters', () => {
  const text = (hash: string) => JSON.stringify(hash.padEnd(198_998, '.'));
  const add = withCallTexts({ ...none, text });
  const added = Array.from(
    { length: 300 },
    (_, index) => add(caseOf(call(0, `r${index}`))).callTexts?.texts.length ?? 0,
  );
  const total = added.reduce((sum, count) => sum + count, 0);
  expect(total).toBe(Math.floor(20_000_000 / text('').length));
  expect(added.slice(total)).toEqual(Array(300 - total).fill(0));
});

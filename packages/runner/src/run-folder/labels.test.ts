import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentLabels, type Label } from '@agent-criteria/results';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLabels, readLabels } from './labels.ts';
import { layout } from './layout.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'labels-'));
  mkdirSync(layout.scoring(folder, 1), { recursive: true });
  writeFileSync(layout.scoringPlan(folder, 1), '{}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const label = (more: Partial<Label> = {}): Label => ({
  setId: 'home',
  caseId: 'a',
  repeat: 0,
  turn: null,
  criterion: 'polite',
  rubric: null,
  label: 'pass',
  reason: null,
  by: 'ada',
  at: 1,
  ...more,
});

function write(...labels: readonly Label[]): void {
  const writer = openLabels(folder, 1);
  for (const one of labels) writer.add(one);
  writer.close();
}

it('labels are appended, one line each, and read in order', () => {
  write(label(), label({ label: 'fail', reason: 'It is rude.', at: 2, drawn: 'by-verdict' }));
  write(label({ by: 'ben', at: 3 }));
  expect(readFileSync(layout.labels(folder, 1), 'utf8').split('\n')).toHaveLength(4);
  expect(readLabels(folder, 1)).toEqual([
    label(),
    label({ label: 'fail', reason: 'It is rude.', at: 2, drawn: 'by-verdict' }),
    label({ by: 'ben', at: 3 }),
  ]);
});

it('the last label of each person for each item counts, unless it was withdrawn', () => {
  const all = [
    label(),
    label({ by: 'ben' }),
    label({ label: 'fail', at: 2 }),
    label({ turn: 0 }),
    label({ by: 'ben', label: null, at: 3 }),
  ];
  expect(currentLabels(all)).toEqual([label({ label: 'fail', at: 2 }), label({ turn: 0 })]);
});

it('an incomplete line of labels is removed when the next label is written', () => {
  write(label());
  appendFileSync(layout.labels(folder, 1), '{"setId":"home","ca');
  expect(readLabels(folder, 1)).toEqual([label()]);
  write(label({ at: 2 }));
  expect(readLabels(folder, 1)).toEqual([label(), label({ at: 2 })]);
});

it('readLabels() rejects a damaged line', () => {
  write(label());
  appendFileSync(layout.labels(folder, 1), '{"setId":"home"}\n');
  expect(() => readLabels(folder, 1)).toThrow('1 line is not a label');
});

it('readLabels() returns an empty list if there is no file, and does not create one', () => {
  openLabels(folder, 1).close();
  expect(readLabels(folder, 1)).toEqual([]);
  expect(() => readFileSync(layout.labels(folder, 1))).toThrow('ENOENT');
  expect(() => openLabels(folder, 2)).toThrow('no scoring 2 to label');
});

it('labels that two people write at the same time are all kept', () => {
  const [ada, ben] = [openLabels(folder, 1), openLabels(folder, 1)];
  const given = [1, 2, 3, 4].flatMap((at) => [label({ at, reason: 'long '.repeat(at) }), label({ by: 'ben', at })]);
  for (const one of given) (one.by === 'ada' ? ada : ben).add(one);
  ada.close();
  ben.close();
  expect(readLabels(folder, 1)).toEqual(given);
});

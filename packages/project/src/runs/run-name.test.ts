import { join } from 'node:path';
import { readRunName, runStamp } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { checkRunName, renameRun } from './run-name.ts';

describe('checkRunName', () => {
  const runsFolder = () => folderOf({ 'nightly-1/plan.json': '{}' });

  it.each([
    ['last', 'last run'],
    ['last~1', 'last run'],
    ['abcd', 'commit'],
    ['20261128-044410-k3f9', 'id'],
    ['nightly', 'id'],
    ['a/b', 'path'],
    ['baseline.json', 'file'],
    ['a#b', 'variant'],
    ['-x', 'flag'],
    ['', 'empty'],
    [' x', 'space'],
    ['x'.repeat(101), '100 characters'],
  ])('refuses %j, which means something else', (name, why) => {
    expect(() => checkRunName(name, runsFolder())).toThrow(why);
  });

  it.each(['shorter prompt', 'gpt-4.1, temperature 0', 'Prüfung 2', 'abc'])('accepts %j', (name) => {
    expect(() => checkRunName(name, runsFolder())).not.toThrow();
  });
});

describe('renameRun', () => {
  it('names a run, renames it, and takes its name away', () => {
    const runs = folderOf({ 'a/plan.json': '{}' });
    const folder = join(runs, 'a');
    const before = runStamp(folder);
    renameRun('a', 'short', runs);
    expect(readRunName(folder)).toBe('short');
    expect(runStamp(folder)).not.toBe(before);
    renameRun('a', 'shorter', runs);
    expect(readRunName(folder)).toBe('shorter');
    renameRun('a', null, runs);
    expect(readRunName(folder)).toBeNull();
    expect(() => renameRun('a', 'two\nlines', runs)).toThrow('one line');
  });

  it('ignores a name that was changed by hand to one that could deceive', () => {
    const runs = folderOf({ 'a/plan.json': '{}', 'a/name.json': JSON.stringify({ name: 'x\u001b[2J' }) });
    expect(readRunName(join(runs, 'a'))).toBeNull();
  });
});

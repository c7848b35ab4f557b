import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { openProject } from '../config/open-project.ts';
import { findRun, nameOfRun } from './find-run.ts';

const begun = (createdAt: number) => ({ createdAt });

describe('findRun', () => {
  const folder = () =>
    folderOf({
      '20260101-b/plan.json': begun(2),
      '20260101-a/plan.json': begun(3),
      '20250101-c/plan.json': begun(1),
      'elsewhere/notes.txt': 'not a run',
      '.gitignore': '*',
    });

  it('returns the latest run by default and for "last"', () => {
    const runs = folder();
    expect(findRun(undefined, runs)).toBe(join(runs, '20260101-a'));
    expect(findRun('last', runs)).toBe(join(runs, '20260101-a'));
  });

  it('finds a run by its id, a prefix of its id or the path of its folder', () => {
    const runs = folder();
    expect(findRun('20260101-b', runs)).toBe(join(runs, '20260101-b'));
    expect(findRun('2025', runs)).toBe(join(runs, '20250101-c'));
    const path = join(runs, '20260101-b');
    expect(findRun(path, folderOf({}))).toBe(path);
  });

  it('rejects an ambiguous prefix and lists the matching runs', () => {
    const runs = folder();
    expect(() => findRun('2026', runs)).toThrow(/20260101-b, 20260101-a/);
    expect(() => findRun('2026', runs)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('rejects an unknown run and suggests a similar one', () => {
    const runs = folder();
    expect(() => findRun('20250101-d', runs)).toThrow('20250101-c');
    expect(() => findRun('elsewhere', runs)).toThrow(expect.objectContaining({ code: 'RUN_NOT_FOUND' }));
    const none = join(runs, 'none');
    for (const word of [undefined, 'x']) {
      expect(() => findRun(word, none)).toThrow(expect.objectContaining({ code: 'RUN_NOT_FOUND' }));
    }
  });

  it('rejects a folder for runs that cannot be listed', () => {
    const file = join(folderOf({ runs: 'a file' }), 'runs');
    expect(() => findRun('last', file)).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
  });

  it.each(['', ' '])('rejects an empty string, even if there is only one run: %j', (word) => {
    const runs = folderOf({ 'only/plan.json': begun(1) });
    expect(() => findRun(word, runs)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(/empty text.*variable/) }),
    );
  });

  it('sorts a run with a damaged plan by its modification time', () => {
    const runs = folderOf({ 'whole/plan.json': begun(1), 'damaged/plan.json': '{' });
    expect(findRun('last', runs)).toBe(join(runs, 'damaged'));
  });
});

describe('nameOfRun', () => {
  it('returns the id if commands can find the run by it, or else the path', async () => {
    const project = await openProject({ environment: {}, applyEnvironment: false });
    expect(project.knowsIds).toBe(true);
    expect(nameOfRun(join(project.runsFolder, 'a'), project)).toBe('a');
    const elsewhere = await openProject({
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: 'other/runs' },
    });
    expect(nameOfRun(join('other', 'runs', 'a'), elsewhere)).toBe(join('other', 'runs', 'a'));
    const outside = folderOf({});
    expect(relative('.', outside)).toMatch(/^\.\./);
    expect(nameOfRun(outside, elsewhere)).toBe(outside);
  });
});

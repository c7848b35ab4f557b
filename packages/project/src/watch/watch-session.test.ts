import { resolve } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { describe, expect, it } from 'vitest';
import type { PreparedRun } from '../runs/prepared-run.ts';
import { afterChange, changedCases, failedCases, newSession, remember } from './watch-session.ts';

const set = (file: string, texts: Readonly<Record<string, string>>, configFile: string | null = null) => ({
  sets: [
    {
      file,
      configFile,
      plan: { evalSet: { evalCases: Object.entries(texts).map(([id, text]) => evalCase(id, [turn(text)])) } },
    },
  ] as unknown as PreparedRun['sets'],
});
const home = resolve('home.evalset.json');

describe('while watching', () => {
  it('a changed eval set leads to its new and changed cases only', () => {
    const session = newSession();
    remember(session, set('home.evalset.json', { a: '1', b: '1' }));
    expect(afterChange(session, [home])).toEqual({ kind: 'some', evalSets: [home] });
    const now = set(home, { a: '1', b: '2', c: '1' });
    expect(changedCases(session, now)).toEqual(['b', 'c']);
    remember(session, now);
    expect(changedCases(session, now)).toEqual([]);
  });

  it('a changed agent leads to all cases, also if an eval set has changed with it', () => {
    const session = newSession();
    remember(session, set('home.evalset.json', { a: '1' }, 'test_config.json'));
    for (const files of [[resolve('agent.ts')], [home, resolve('agent.ts')], [home, resolve('test_config.json')]]) {
      expect(afterChange(session, files)).toEqual({ kind: 'all' });
    }
  });

  it('a changed config leads to judging the last whole run, or to all cases if there is none', () => {
    const session = newSession();
    remember(session, set('home.evalset.json', { a: '1' }, 'test_config.json'));
    expect(afterChange(session, [resolve('test_config.json')])).toEqual({ kind: 'all' });
    session.wholeRun = 'runs/1';
    expect(afterChange(session, [resolve('test_config.json')])).toEqual({ kind: 'judge', run: 'runs/1' });
  });

  it('failed cases are those whose last verdict is not good, in any run', () => {
    const session = newSession();
    expect(failedCases(session)).toBeNull();
    session.verdicts.set(
      home,
      new Map([
        ['a', 'passed'],
        ['b', 'failed'],
        ['c', 'error'],
        ['d', 'informational'],
      ]),
    );
    session.verdicts.set(resolve('other.json'), new Map([['a', 'passed']]));
    expect(failedCases(session)).toEqual({ kind: 'some', evalSets: [home], cases: ['b', 'c'] });
  });
});

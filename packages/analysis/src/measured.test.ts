import { CriteriaError } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { calibrate, calibrationFile } from './calibrate.ts';
import type { Instrument } from './instrument.ts';
import type { Judgement } from './judgements.ts';
import { type MeasuredNoise, measuredFile, measurementsOf, readMeasured } from './measured.ts';

const instrument: Instrument = {
  criterion: 'polite',
  options: 'hash',
  origin: 'p 1',
  prompts: ['polite/1'],
  judges: ['judge-a', 'judge-b'],
};
const thing = { setId: 'home', caseId: 'a', repeat: 0, turn: 0, criterion: 'polite', rubric: null } as const;
const judgement: Judgement = { ...thing, group: null, passed: true, reason: 'a secret reason' };
const label = { ...thing, label: 'pass', reason: 'another', by: 'ada', at: 1 } as const;
const calibration = calibrate({ judgements: [judgement], instruments: [instrument] }, [label]);
const file = (day: number) => calibrationFile(calibration, 'run-1', new Date(day * 86_400_000));

const noise: MeasuredNoise = {
  measured: 'noise',
  criterion: 'polite',
  options: 'hash',
  prompts: ['polite/1'],
  judges: ['judge-a'],
  run: 'run-1',
  date: '2026-11-23',
  repeats: 2,
  cases: 3,
  flipped: { value: 0, low: 0, high: 0.5 },
  judgeSd: 0,
  differenceFloor: null,
};

describe('a file of measurements', () => {
  it('has numbers and the names of judges, but no reasons or names of people, and can be read back', () => {
    const text = JSON.stringify(file(1));
    expect(text).not.toMatch(/secret|another|ada/);
    expect(readMeasured(JSON.parse(text), 'f.json')).toEqual(file(1));
    expect(file(1).entries).toMatchObject([
      { measured: 'agreement', agreement: { value: 1 }, kappa: { value: null, low: null, high: null }, people: 1 },
    ]);
  });

  it('applies only to the same criterion, options, prompt and models, the newest measurement first', () => {
    const dates = (of: Instrument) => measurementsOf(of, [file(1), file(2)]).map(({ date }) => date.slice(0, 10));
    expect(dates({ ...instrument, judges: ['judge-b', 'judge-a'], origin: 'p 2' })).toEqual([
      '1970-01-03',
      '1970-01-02',
    ]);
    for (const other of [
      { criterion: 'kind' },
      { options: 'other' },
      { prompts: ['polite/2'] },
      { prompts: [] },
      { judges: ['judge-a'] },
      { judges: [] },
    ]) {
      expect(dates({ ...instrument, ...other })).toEqual([]);
    }
  });

  it('does not count as a measurement if it has no numbers', () => {
    const silent = { ...noise, flipped: { value: null, low: null, high: null }, judgeSd: null, differenceFloor: null };
    const tied = { ...file(1).entries[0]!, things: 0 };
    const read = readMeasured({ ...measuredFile([]), entries: [silent, tied, noise] }, 'f.json');
    expect(read.entries).toEqual([noise]);
  });

  it('is rejected, with the remedy, if it is damaged, too new or of another kind', () => {
    const refused = (value: unknown) => {
      try {
        readMeasured(value, 'f.json');
        return 'read';
      } catch (error) {
        return CriteriaError.is(error) ? error.problems[0]?.message : error;
      }
    };
    expect(refused({ kind: 'x' })).toContain('"kind" must be "agent-criteria measurements"; write it anew');
    expect(refused({ ...measuredFile([]), format: 9 })).toContain('update agent-criteria');
    for (const format of [undefined, { toString: 1 }, '1']) {
      expect(refused({ ...measuredFile([]), format })).toContain('"format" must be a number; write it anew');
    }
    const endless = { ...noise, judgeSd: Number.POSITIVE_INFINITY };
    for (const wrong of [endless, { ...noise, judgeSd: -1 }]) {
      expect(refused({ ...measuredFile([]), entries: [wrong] })).toContain('is damaged');
    }
    expect(refused({ ...measuredFile([]), entries: 1 })).toContain('"entries" must be a list');
    expect(refused({ ...file(1), entries: [{ ...file(1).entries[0], cases: -1 }] })).toContain('is damaged');
  });
});

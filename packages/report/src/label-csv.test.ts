import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, readCsv } from './csv-line.ts';
import { type LabelRow, labelsCsv, type ReadLabelsOptions, readLabelsCsv } from './label-csv.ts';

const options: ReadLabelsOptions = { file: 'labels.csv', by: undefined, at: 5, check: () => null };

const row: LabelRow = {
  setId: 'home',
  caseId: '=1+1',
  repeat: 1,
  turn: 0,
  criterion: 'polite',
  rubric: null,
  label: 'pass',
  reason: 'It says "please",\nand thanks.',
  by: 'ada',
  at: 86_400_000,
  drawn: 'by-verdict',
  prompt: 'Open the door.',
};

function problemsOf(text: string, more: Partial<ReadLabelsOptions> = {}): string[] {
  try {
    readLabelsCsv(text, { ...options, ...more });
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe('labels as CSV', () => {
  it('can be read back, except for rows without a label', () => {
    const text = labelsCsv([row, { ...row, label: null, by: null, at: null, reason: null }]);
    expect(text).toContain(
      `home,'=1+1,,2,1,polite,,pass,"It says ""please"",\nand thanks.",ada,1970-01-02T00:00:00.000Z,by-verdict,`,
    );
    const { prompt: _, ...label } = row;
    expect(readLabelsCsv(text, options)).toEqual([label]);
  });

  it('may have fewer columns, semicolons as separators, and other words for pass and fail', () => {
    const text = 'Label;eval_id;EVAL_SET_ID\r\nYes;a;home\r\n0;b;home\r\n;c;home\r\n';
    const whole = {
      setId: 'home',
      repeat: 0,
      turn: null,
      criterion: null,
      rubric: null,
      reason: null,
      by: 'ben',
      at: 5,
    };
    expect(readLabelsCsv(text, { ...options, by: 'ben' })).toEqual([
      { ...whole, caseId: 'a', label: 'pass' },
      { ...whole, caseId: 'b', label: 'fail' },
    ]);
  });

  it('are rejected with the line and column of every mistake', () => {
    const text = 'eval_set_id,eval_id,repeat,label,by\nhome,"a\nb",1,maybe,ada\nhome,c,0,pass,\nhome,d,1,fail,ada\n';
    const check = ({ caseId }: { readonly caseId: string }) =>
      caseId === 'd' ? 'the run has no case "d" in "home"' : null;
    expect(problemsOf(text, { check })).toEqual([
      'line 2, column label: "maybe" must be pass or fail, or empty',
      'line 4, column by: it is empty: say who labelled, here or with --by NAME',
      'line 4, column repeat: "0" must be a whole number from 1',
      'line 5, column eval_id: the run has no case "d" in "home"',
    ]);
    expect(problemsOf('eval_set_id,eval_id,label,by,drawn\nhome,a,pass,ada,alphabetically\n')).toEqual([
      'line 2, column drawn: "alphabetically" must be random or by-verdict, or empty',
    ]);
  });

  it('are rejected if columns are missing, which are named, or a quote is never closed', () => {
    expect(problemsOf('eval_set,eval_id,label\n')).toEqual([
      'line 1: there is no column "eval_set_id"; did you mean "eval_set"?: the first line must name the columns',
    ]);
    expect(problemsOf('eval_set_id,eval_id,label\nhome,"a,pass\n')).toEqual([
      'line 2: a quotation mark opens here and never closes',
    ]);
    expect(problemsOf('')).toHaveLength(3);
  });
});

it('readCsv() reads back any cells written by csvLine()', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', "'", '=', '-', '"', ',', ';', '\n', '\r', '\t', ' ', 'é') });
  const lines = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(lines, (rows) => {
      const kept = rows.filter((cells) => cells.some((one) => one !== ''));
      const text = csvLine(['a', 'b', 'c', 'd', 'e']) + rows.map(csvLine).join('');
      const [, ...read] = readCsv(text, 'f');
      expect(read.map(({ cells }) => cells)).toEqual(kept);
    }),
  );
});

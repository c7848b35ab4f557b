import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { lineReader } from './lines.ts';

describe('lineReader()', () => {
  it('returns the values that were written, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), fc.array(fc.nat(40)), (values, cuts) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const read: unknown[] = [];
        const take = lineReader((value) => void read.push(value), 1e6);
        let begin = 0;
        for (const cut of [...cuts, bytes.length]) {
          take(bytes.subarray(begin, begin + cut));
          begin += cut;
        }
        take(bytes.subarray(begin));
        expect(JSON.stringify(read)).toBe(JSON.stringify(values));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('throws a RangeError for a line over the limit, before it has ended', () => {
    const take = lineReader(() => undefined, 10);
    take(Buffer.from('"1234567"\n"12345'));
    expect(() => take(Buffer.from('678901'))).toThrow(RangeError);
  });

  it('throws a SyntaxError for a line that is not JSON', () => {
    const take = lineReader(() => undefined, 100);
    expect(() => take(Buffer.from('not JSON\n'))).toThrow(SyntaxError);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasShape } from './shapes.ts';

describe('the shape date', () => {
  test.each([
    '2026-05-01',
    '2024-02-29',
    '2000-02-29',
    '2026-05-01T10:30',
    '2026-05-01 10:30:59',
    '2026-05-01T10:30:00.123456Z',
    '2026-05-01T10:30:00+02:00',
    '2026-05-01T10:30:00-0530',
    '2016-12-31T23:59:60Z',
  ])('accepts %s', (text) => {
    expect(hasShape(text, 'date')).toBe(true);
  });

  test.each([
    '',
    '2026-5-1',
    '2026-13-01',
    '2026-00-10',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-05-00',
    '2026-05-01T24:00',
    '2026-05-01T10:60',
    '2026-05-01T10',
    '2026-05-01Z',
    '01/05/2026',
    '2026-05-01\n',
    ' 2026-05-01',
    20260501,
    null,
  ])('rejects %j', (value) => {
    expect(hasShape(value, 'date')).toBe(false);
  });

  test('accepts every day of every year', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (day) => {
        expect(hasShape(day.toISOString(), 'date')).toBe(true);
        expect(hasShape(day.toISOString().slice(0, 10), 'date')).toBe(true);
      }),
    );
  });
});

test('the shape uuid accepts only UUIDs', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(hasShape(id, 'uuid')).toBe(true);
      expect(hasShape(id.toUpperCase(), 'uuid')).toBe(true);
      expect(hasShape(`${id}0`, 'uuid')).toBe(false);
      expect(hasShape(id.replaceAll('-', ''), 'uuid')).toBe(false);
    }),
  );
});

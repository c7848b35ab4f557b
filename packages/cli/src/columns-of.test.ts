import { expect, it } from 'vitest';
import { columnsOf } from './columns-of.ts';

const unlimited = Number.POSITIVE_INFINITY;

it.each([
  [{ isTTY: true, columns: 72 }, {}, 72],
  [{ isTTY: true, columns: 72 }, { COLUMNS: '200' }, 72],
  [{ isTTY: true, columns: 0 }, {}, 80],
  [{ isTTY: true, columns: 5 }, {}, 20],
  [{}, {}, unlimited],
  [{}, { COLUMNS: '100' }, 100],
  [{}, { COLUMNS: 'wide' }, unlimited],
] as const)('columnsOf() of the stream %j with the environment %j: %d', (stream, environment, columns) => {
  expect(columnsOf(stream, environment)).toBe(columns);
});

import { expect, it } from 'vitest';
import { movedTo } from './grid-keys.ts';

const size = { rows: 100, columns: 3, page: 10 };
const at = (row: number, column: number) => ({ row, column });
const press = (key: string, ctrlKey = false) => ({ key, ctrlKey });

it.each([
  ['ArrowDown', at(5, 1), at(6, 1)],
  ['ArrowUp', at(0, 1), at(0, 1)],
  ['ArrowRight', at(5, 2), at(5, 2)],
  ['ArrowLeft', at(5, 1), at(5, 0)],
  ['PageDown', at(95, 1), at(99, 1)],
  ['PageUp', at(15, 1), at(5, 1)],
  ['Home', at(5, 2), at(5, 0)],
  ['End', at(5, 0), at(5, 2)],
])('%s leads from %o to %o', (key, from, to) => {
  expect(movedTo(from, press(key), size)).toEqual(to);
});

it('Home and End with Control lead to the first and the last cell', () => {
  expect(movedTo(at(5, 1), press('Home', true), size)).toEqual(at(0, 0));
  expect(movedTo(at(5, 1), press('End', true), size)).toEqual(at(99, 2));
});

it('other keys do not move', () => {
  expect(movedTo(at(5, 1), press('Enter'), size)).toBeNull();
});

import type { Context } from 'hono';
import type { Page } from '../api.ts';
import { refusal } from './refusal.ts';

const MOST = 500;
const DEFAULT = 100;

/** The part of a list that a request asks for with `offset` and `limit`. @throws A refusal, 422. */
export function pageOf<Item, Shown>(c: Context, items: readonly Item[], show: (item: Item) => Shown): Page<Shown> {
  const offset = wholeQuery(c, 'offset', 0);
  const limit = Math.min(wholeQuery(c, 'limit', DEFAULT), MOST);
  return { items: items.slice(offset, offset + limit).map(show), offset, total: items.length };
}

/** @throws A refusal, 422, for anything but a whole number from 0 on. */
export function wholeQuery(c: Context, name: string, otherwise: number): number {
  const written = c.req.query(name);
  if (written === undefined) return otherwise;
  if (/^\d{1,9}$/.test(written)) return Number(written);
  throw refusal(422, [{ type: 'int_parsing', loc: ['query', name], msg: 'This must be a whole number from 0 on.' }]);
}

import type { Page } from '../../api.ts';
import { refusal } from '../../http/refusal.ts';

const MOST = 500;
const DEFAULT = 100;

/** Takes the part of a list that a request asks for. @throws A refusal, 422. */
export function pageOf<Item, Shown>(
  query: { readonly offset?: string | undefined; readonly limit?: string | undefined },
  items: readonly Item[],
  show: (item: Item) => Shown,
): Page<Shown> {
  const offset = wholeNumber(query.offset, 'offset', 0);
  const limit = Math.min(wholeNumber(query.limit, 'limit', DEFAULT), MOST);
  return { items: items.slice(offset, offset + limit).map(show), offset, total: items.length };
}

/** Parses a parameter of a query. @throws A refusal, 422, unless it is a whole number from 0. */
export function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw refusal(422, [{ type: 'int_parsing', loc: ['query', name], msg: 'This must be a whole number from 0 on.' }]);
}

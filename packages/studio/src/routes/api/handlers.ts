import { fieldOf } from '@agent-criteria/formats/schema';
import { type Context, Hono } from 'hono';
import type { Answer, Body, Page, Params, Query, RouteName } from '../../api.ts';
import { mistake, readBody } from '../../http/refusal.ts';

/**
 * A request to a declared route, with the values in its path as fields. Only these values and the field names are
 * type-checked.
 */
export type ApiRequest<Name extends RouteName> = Params<Name> & {
  readonly query: { readonly [Key in keyof Query<Name>]?: string | undefined };
  /** The version sent in `If-Match`. */
  readonly seen: string | undefined;
  /** Reads the body as JSON. @throws A 422 refusal. */
  body(): Promise<unknown>;
  /** Reads the body. @returns a function that reads a field by its declared name, in either spelling. */
  fields(): Promise<(name: keyof Body<Name> & string) => unknown>;
};

/** Implementations of all routes. Their return values are sent as JSON unless they are already responses. */
export type Handlers = {
  readonly [Name in RouteName]: (request: ApiRequest<Name>, c: Context) => Answer<Name> | Promise<Answer<Name>>;
};

type AnyHandler = (request: object, c: Context) => unknown;

export function apiRoutes(handlers: Handlers): Hono {
  const app = new Hono();
  for (const [name, handle] of Object.entries(handlers as unknown as Readonly<Record<string, AnyHandler>>)) {
    const [method = '', path = ''] = name.split(' ');
    app.on(method, path, async (c) => {
      const body = () => readBody(c);
      const answer = await handle(
        {
          ...c.req.param(),
          query: c.req.query(),
          seen: c.req.header('if-match'),
          body,
          fields: async () => {
            const value = await body();
            return (field: string) => fieldOf(value, field);
          },
        },
        c,
      );
      return answer instanceof Response ? answer : c.json(answer as object | null);
    });
  }
  return app;
}

/** Returns the page of a list that a request asks for. @throws A 422 refusal. */
export function pageOf<Item, Shown>(
  query: { readonly offset?: string | undefined; readonly limit?: string | undefined },
  items: readonly Item[],
  show: (item: Item) => Shown,
): Page<Shown> {
  const offset = wholeNumber(query.offset, 'offset', 0);
  const limit = Math.min(wholeNumber(query.limit, 'limit', 100), 500);
  return { items: items.slice(offset, offset + limit).map(show), offset, total: items.length };
}

/** Parses a query parameter. @throws A 422 refusal unless it is a non-negative integer. */
export function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw mistake(['query', name], 'This must be a whole number from 0 on.', 'int_parsing');
}

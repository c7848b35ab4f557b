import { fieldOf } from '@agent-criteria/formats/schema';
import { type Context, Hono } from 'hono';
import type { Answer, Body, Params, Query, RouteName } from '../../api.ts';
import { readBody } from '../../http/refusal.ts';

/** A request of a declared route, with the values of its path as fields of their own. Only they and the names are checked. */
export type ApiRequest<Name extends RouteName> = Params<Name> & {
  readonly query: { readonly [Key in keyof Query<Name>]?: string | undefined };
  /** The version in `If-Match`. */
  readonly seen: string | undefined;
  /** Reads the body as JSON. @throws A refusal, 422. */
  body(): Promise<unknown>;
  /** Reads the body. @returns its fields by their declared names, in either spelling. */
  fields(): Promise<(name: keyof Body<Name> & string) => unknown>;
};

/** Implementations of all routes. Whatever they return is sent as JSON, unless it is a response already. */
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

import type { Context } from 'hono';
import { refusal } from '../http/refusal.ts';
import type { Studio } from '../studio.ts';
import type { App } from './app.ts';

/** The app that a request names. @throws A refusal, 404. */
export function appOf({ apps }: Pick<Studio, 'apps'>, c: Context): App {
  const name = c.req.param('app');
  const app = apps.find((one) => one.name === name);
  if (app === undefined)
    throw refusal(404, `App not found: ${name}. There are: ${apps.map((one) => one.name).join(', ')}.`);
  return app;
}

import process from 'node:process';
import { Hono, type MiddlewareHandler } from 'hono';
import { answerError } from './http/answer-error.ts';
import { isPageLoad, refusedPage } from './http/refused-page.ts';
import { adkRoutes } from './routes/adk/adk-routes.ts';
import { type AdkWeb, adkWebRoutes } from './routes/adk/web-ui.ts';
import { caseRoutes } from './routes/api/cases.ts';
import { chatRoutes } from './routes/api/chat.ts';
import { comparisonRoutes } from './routes/api/comparison.ts';
import { apiRoutes, type Handlers } from './routes/api/handlers.ts';
import { importRoutes } from './routes/api/imports.ts';
import { labelRoutes } from './routes/api/labels.ts';
import { matrixRoutes } from './routes/api/matrix.ts';
import { runControlRoutes } from './routes/api/run-control.ts';
import { runDialogRoutes } from './routes/api/run-dialog.ts';
import { runListRoutes } from './routes/api/run-list.ts';
import { runRoutes } from './routes/api/runs.ts';
import { setRoutes } from './routes/api/sets.ts';
import { trendRoutes } from './routes/api/trends.ts';
import { turnRunRoutes } from './routes/api/turn-runs.ts';
import { watchRoutes } from './routes/api/watch.ts';
import { appRoutes } from './routes/app.ts';
import { bodyLimit, type GuardOptions, guard } from './security/guard.ts';
import type { Studio } from './studio.ts';

export interface HttpOptions extends GuardOptions {
  readonly adkWeb: AdkWeb | null;
  readonly maxBodyBytes: number;
}

/** Creates the whole server, including its guard. */
export function httpApp(studio: Studio, options: HttpOptions): Hono {
  const { maxBodyBytes, adkWeb } = options;
  const app = new Hono();
  app.onError(answerError(studio.mask));
  app.notFound((c) => (isPageLoad(c) ? refusedPage(c, 404, 'Not Found') : c.json({ detail: 'Not Found' }, 404)));
  app.use(guard(options));
  const { maxBytes } = studio.imports;
  app.use(
    bodyLimit((method, path) =>
      method === 'POST' && path === '/api/imports'
        ? { maxBytes, advice: 'import larger files with "agent-criteria import FILE"' }
        : { maxBytes: maxBodyBytes, advice: 'send it in parts, or edit the file itself' },
    ),
  );
  app.use(workingFolder());
  app.route('/', appRoutes());
  if (adkWeb !== null) app.route('/', adkWebRoutes(adkWeb));
  app.route('/', adkRoutes(studio));
  const handlers: Handlers = {
    ...setRoutes(studio),
    ...caseRoutes(studio),
    ...chatRoutes(studio),
    ...runListRoutes(studio),
    ...runRoutes(studio),
    ...runControlRoutes(studio),
    ...runDialogRoutes(studio),
    ...comparisonRoutes(studio),
    ...trendRoutes(studio),
    ...importRoutes(studio),
    ...labelRoutes(studio),
    ...turnRunRoutes(studio),
    ...matrixRoutes(studio),
    ...watchRoutes(studio),
  };
  app.route('/api', apiRoutes(handlers));
  return app;
}

/** Restores the initial working directory before each request, because an agent may have changed it. */
export function workingFolder(): MiddlewareHandler {
  const home = process.cwd();
  return async (_c, next) => {
    if (process.cwd() !== home) process.chdir(home);
    return next();
  };
}

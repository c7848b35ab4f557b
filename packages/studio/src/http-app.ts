import { Hono } from 'hono';
import type { AdkWeb } from './adk-web/load-adk-web.ts';
import { answerError } from './http/answer-error.ts';
import { workingFolder } from './http/working-folder.ts';
import { addSessionRoutes } from './routes/add-session.ts';
import { adkWebRoutes } from './routes/adk-web.ts';
import { agentGraphRoutes } from './routes/agent-graph.ts';
import { caseTextRoutes } from './routes/api/case-text.ts';
import { caseRoutes } from './routes/api/cases.ts';
import { chatRoutes } from './routes/api/chat.ts';
import { comparisonRoutes } from './routes/api/comparison.ts';
import { infoRoutes } from './routes/api/info.ts';
import { labelRoutes } from './routes/api/labels.ts';
import { lastRunRoutes } from './routes/api/last-runs.ts';
import { runControlRoutes } from './routes/api/run-control.ts';
import { runDialogRoutes } from './routes/api/run-dialog.ts';
import { runViewRoutes } from './routes/api/run-view.ts';
import { runRoutesOfApi } from './routes/api/runs.ts';
import { setRoutes } from './routes/api/sets.ts';
import { trendRoutes } from './routes/api/trends.ts';
import { appRoutes } from './routes/app.ts';
import { artifactRoutes } from './routes/artifacts.ts';
import { evalCaseRoutes } from './routes/eval-cases.ts';
import { evalResultRoutes } from './routes/eval-results.ts';
import { evalSetRoutes } from './routes/eval-sets.ts';
import { metricsInfoRoutes } from './routes/metrics-info.ts';
import { runRoutes } from './routes/run.ts';
import { runEvalRoutes } from './routes/run-eval.ts';
import { serverInfoRoutes } from './routes/server-info.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { traceRoutes } from './routes/traces.ts';
import { bodyLimit } from './security/body-limit.ts';
import { type GuardOptions, guard } from './security/guard.ts';
import type { Studio } from './studio.ts';

export interface HttpOptions extends GuardOptions {
  /** ADK's web UI; `null`: it is not served. */
  readonly adkWeb: AdkWeb | null;
  /** Bytes that a request may have. */
  readonly maxBodyBytes: number;
}

/** Everything that the server answers, behind its guard. */
export function httpApp(studio: Studio, options: HttpOptions): Hono {
  const { maxBodyBytes, adkWeb } = options;
  const app = new Hono();
  app.onError(answerError(studio.mask));
  app.notFound((c) => c.json({ detail: 'Not Found' }, 404));
  app.use(guard(options));
  app.use(bodyLimit(maxBodyBytes));
  app.use(workingFolder());
  app.route('/', appRoutes());
  if (adkWeb !== null) app.route('/', adkWebRoutes(adkWeb));
  app.route('/', serverInfoRoutes(studio));
  app.route('/', runRoutes(studio));
  app.route('/', traceRoutes(studio));
  // ADK's newer clients say /dev/apps, its older ones /apps.
  for (const prefix of ['/apps/:app', '/dev/apps/:app']) {
    app.route(prefix, evalSetRoutes(studio));
    app.route(prefix, evalCaseRoutes(studio));
    app.route(prefix, addSessionRoutes(studio));
    app.route(prefix, runEvalRoutes(studio));
    app.route(prefix, evalResultRoutes(studio));
    app.route(prefix, metricsInfoRoutes(studio));
    app.route(prefix, sessionRoutes(studio));
    app.route(prefix, artifactRoutes(studio));
    app.route(prefix, traceRoutes(studio));
    app.route(prefix, agentGraphRoutes(studio));
  }
  for (const routes of [
    infoRoutes,
    setRoutes,
    caseRoutes,
    caseTextRoutes,
    chatRoutes,
    runRoutesOfApi,
    lastRunRoutes,
    runViewRoutes,
    comparisonRoutes,
    trendRoutes,
    labelRoutes,
    runControlRoutes,
    runDialogRoutes,
  ]) {
    app.route('/api', routes(studio));
  }
  return app;
}

import { Hono } from 'hono';
import type { Studio } from '../../studio.ts';
import { agentGraphRoutes, traceRoutes } from './agent-graph.ts';
import { evalCaseRoutes } from './eval-cases.ts';
import { evalSetRoutes } from './eval-sets.ts';
import { runRoutes } from './run.ts';
import { evalResultRoutes, runEvalRoutes } from './run-eval.ts';
import { metricsInfoRoutes, serverInfoRoutes } from './server-info.ts';
import { artifactRoutes, sessionRoutes } from './sessions.ts';

/** Implements the part of the REST API of ADK's server that its web UI and other clients use. */
export function adkRoutes(studio: Studio): Hono {
  const app = new Hono();
  for (const routes of [serverInfoRoutes, runRoutes, traceRoutes]) app.route('/', routes(studio));
  // Newer ADK clients use /dev/apps, older ones /apps.
  for (const prefix of ['/apps/:app', '/dev/apps/:app']) {
    for (const routes of [
      evalSetRoutes,
      evalCaseRoutes,
      runEvalRoutes,
      evalResultRoutes,
      metricsInfoRoutes,
      sessionRoutes,
      artifactRoutes,
      traceRoutes,
      agentGraphRoutes,
    ]) {
      app.route(prefix, routes(studio));
    }
  }
  return app;
}

import { listCriteria } from '@agent-criteria/project/config';
import { Hono } from 'hono';
import manifest from '../../../package.json' with { type: 'json' };
import type { Studio } from '../../studio.ts';
import { appIn } from './request.ts';

/** Lists criteria for ADK's run dialog. Below `/apps/:app` and `/dev/apps/:app`. */
export function metricsInfoRoutes(studio: Studio): Hono {
  const { projectOptions, plugins } = studio;
  return new Hono().get('/metrics-info', async (c) => {
    const { folder } = appIn(studio, c);
    const { builtIn } = projectOptions;
    // Runs search both folders as well.
    const [{ criteria }, here] = await Promise.all([
      listCriteria({ folder, builtIn, plugins }),
      listCriteria({ builtIn, plugins }),
    ]);
    const metricsInfo = criteria.flatMap(({ name, description, installed: isBeside, range }) => {
      const installed = isBeside || here.criteria.some((one) => one.name === name && one.installed);
      // A criterion without an upper bound would leave the client's dialog empty.
      const [, minValue, maxValue] = /^(-?[\d.]+) to (-?[\d.]+)$/.exec(range) ?? [];
      if (!installed || minValue === undefined || maxValue === undefined) return [];
      const interval = { minValue: Number(minValue), openAtMin: false, maxValue: Number(maxValue), openAtMax: false };
      return [{ metricName: name, description, metricValueInfo: { interval }, requiresThreshold: true }];
    });
    return c.json({ metricsInfo });
  });
}

/** Answers the first requests that ADK's clients make. */
export function serverInfoRoutes({ apps }: Studio): Hono {
  return new Hono()
    .get('/health', (c) => c.json({ status: 'ok' }))
    .get('/version', (c) =>
      c.json({ version: manifest.version, language: 'typescript', language_version: process.versions.node }),
    )
    .get('/list-apps', (c) => {
      if (c.req.query('detailed') === undefined) return c.json(apps.map(({ name }) => name));
      return c.json({
        apps: apps.map(({ name }) => ({ name, rootAgentName: name, description: '', language: 'typescript' })),
      });
    });
}

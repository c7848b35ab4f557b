import { Hono } from 'hono';
import { maskedArtifact, maskedArtifacts } from '../../sessions/masked-artifacts.ts';
import type { Studio } from '../../studio.ts';
import { appIn, sessionIn } from './request.ts';

/** ADK's artifacts of a session. Below `/apps/:app` and `/dev/apps/:app`. */
export function artifactRoutes(studio: Studio): Hono {
  const { sessions, mask } = studio;
  const all = '/users/:user/sessions/:session/artifacts';
  return new Hono()
    .get(all, async (c) => {
      // As ADK's servers do, which do not look for the session.
      const session = sessions.find(appIn(studio, c).name, c.req.param('session'));
      return c.json(session === undefined ? [] : (await maskedArtifacts(session, mask)).map(({ name }) => name));
    })
    .get(`${all}/:name`, async (c) =>
      c.json(await maskedArtifact(sessionIn(studio, c), c.req.param('name'), c.req.query('version'), mask)),
    )
    .get(`${all}/:name/versions`, async (c) => {
      const found = (await maskedArtifacts(sessionIn(studio, c), mask)).find(
        ({ name }) => name === mask.text(c.req.param('name')),
      );
      return c.json(found?.versions ?? []);
    })
    .get(`${all}/:name/versions/:version`, async (c) =>
      c.json(await maskedArtifact(sessionIn(studio, c), c.req.param('name'), c.req.param('version'), mask)),
    );
}

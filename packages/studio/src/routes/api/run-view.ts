import { caseFromRun } from '@agent-criteria/project/editing';
import { withCallTexts } from '@agent-criteria/viewer';
import { type Context, Hono } from 'hono';
import { wholeQuery } from '../../http/page-of.ts';
import { refusal } from '../../http/refusal.ts';
import { runFolder } from '../../runs/run-folder.ts';
import type { Studio } from '../../studio.ts';

/** A run as the report page has it: its grid without conversations, and each case with what its calls asked and were answered. */
export function runViewRoutes(studio: Studio): Hono {
  const opened = async (c: Context) => studio.openedRuns.open(await runFolder(studio, c.req.param('run') ?? ''));
  return new Hono()
    .get('/runs/:run/view', async (c) => c.json(await (await opened(c)).page()))
    .get('/runs/:run/view/:set/:case', async (c) => {
      const { set, case: caseId } = c.req.param();
      const { run } = await opened(c);
      const found = await run.case({ setId: set, caseId, variant: c.req.query('variant') });
      if (found === undefined) throw refusal(404, `The run has no case "${caseId}" in the set "${set}".`);
      return c.json(withCallTexts(run)(found));
    })
    .get('/runs/:run/view/:set/:case/reference', async (c) => {
      const { set: setId, case: caseId } = c.req.param();
      const run = await runFolder(studio, c.req.param('run'));
      const { evalCase } = await caseFromRun({ run, setId, caseId, repeat: wholeQuery(c, 'repeat', 0) });
      return c.json(evalCase.conversation ?? []);
    });
}

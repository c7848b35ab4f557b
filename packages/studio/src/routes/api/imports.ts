import { basename } from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import type { ImportOptions } from '@agent-criteria/convert';
import { createEvalSet, saveSet } from '@agent-criteria/project/editing';
import { checkRunName } from '@agent-criteria/project/runs';
import type { Context } from 'hono';
import type { ImportedRunPlace, ImportedSetPlace, ImportProgress, ImportReading, ShownImport } from '../../api.ts';
import { appOf, projectOf } from '../../apps/app.ts';
import { missing, mistake, refusal } from '../../http/refusal.ts';
import type { ReceivedFile } from '../../imports/imports.ts';
import { optionalText, readReading } from '../../imports/read-reading.ts';
import { shownImport } from '../../imports/shown-import.ts';
import { withProgress } from '../../imports/with-progress.ts';
import { findSets } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import type { Handlers } from './handlers.ts';

/** Loads the readers of all formats, which only imports need. */
const convert = () => import('@agent-criteria/convert');

/** Receives files of conversations, shows how they are read, and makes runs and eval sets of them. */
export function importRoutes(studio: Studio) {
  const { imports, mask, locks, apps } = studio;

  /** Works with a file, and reports how much of it has been read. */
  const working = <Value extends object>(
    c: Context,
    id: string,
    work: (options: ImportOptions, name: string) => Promise<Value>,
    { reading, ends }: { readonly reading: ImportReading; readonly ends: boolean },
  ): Response => {
    const use = imports.find(id);
    return withProgress(c, mask, async (report, signal) => {
      const result = await use(async (file, deleted) => {
        const options = await optionsOf(file, reading, { report, signal: AbortSignal.any([signal, deleted]) });
        return work(options, file.name);
      });
      if (ends) await imports.remove(id);
      return result;
    });
  };

  return {
    'GET /imports': async () => {
      const { COLUMNS, FORMAT_NAMES, FORMATS } = await convert();
      return {
        formats: FORMATS.map((id) => ({ id, name: FORMAT_NAMES[id] })),
        columns: Object.entries(COLUMNS).map(([name, meaning]) => ({ name, meaning })),
        maxBytes: imports.maxBytes,
        masksSecrets: imports.project.config.settings.maskSecrets !== false,
      };
    },
    'POST /imports': ({ query }, c) => {
      if (query.name === undefined) throw mistake(['query', 'name'], 'Field required', 'missing');
      return imports.receive(query.name, c.req.raw.body as ReadableStream | null);
    },
    'DELETE /imports/:import': async ({ import: id }) => {
      await imports.remove(id);
      return null;
    },
    'POST /imports/:import/preview': async ({ import: id, fields }, c) => {
      const reading = readReading(await fields());
      return working<ShownImport>(
        c,
        id,
        async (options) => shownImport(await (await convert()).previewImport(options)),
        {
          reading,
          ends: false,
        },
      );
    },
    'POST /imports/:import/run': async ({ import: id, fields }, c) => {
      const field = await fields();
      const reading = readReading(field);
      const [name, by] = [optionalText(field, 'name'), optionalText(field, 'by')];
      const { project, variables } = imports;
      const { runsFolder } = studio;
      if (name !== undefined) checkRunName(name, runsFolder);
      const { maskSecrets, redact } = project.config.settings;
      const redaction = { maskSecrets, redact, alsoMasked: variables() };
      return working<ImportedRunPlace>(
        c,
        id,
        async (options) => {
          const { importIntoRuns } = await convert();
          const { folder, cases } = await importIntoRuns({ ...options, ...redaction, runsFolder, name, by });
          return { run: basename(folder), cases };
        },
        { reading, ends: true },
      );
    },
    'POST /imports/:import/cases': async ({ import: id, fields }, c) => {
      const field = await fields();
      const reading = readReading(field);
      const [app, set] = [optionalText(field, 'app'), optionalText(field, 'set')];
      if (app === undefined || set === undefined) throw missing(app === undefined ? 'app' : 'set');
      const found = appOf(studio, app);
      if (!/^[a-zA-Z0-9_]+$/.test(set)) {
        throw mistake(['body', 'set'], `“${set}” is not an id: use only letters, digits and underscores.`);
      }
      if ((await findSets(found, apps)).some((one) => one.id === set)) {
        throw refusal(409, `There is an eval set “${set}” already: choose another id.`);
      }
      const { config } = await projectOf(studio, found);
      const { maskSecrets } = config.settings;
      const redaction = { maskSecrets, alsoMasked: imports.variables() };
      return working<ImportedSetPlace>(
        c,
        id,
        async (options) => {
          const { importCases } = await convert();
          const { evalSet } = await importCases({ ...options, ...redaction, evalSetId: set });
          options.signal?.throwIfAborted();
          const { evalCases } = evalSet;
          const created = await createEvalSet({ agent: found.folder, id: set });
          await locks.with(created.file, () => saveSet(created, { ...created.value, evalCases }));
          return { app, set, cases: evalCases.length };
        },
        { reading, ends: true },
      );
    },
  } satisfies Partial<Handlers>;
}

async function optionsOf(
  { name, folder, size }: ReceivedFile,
  { as, ...reading }: ImportReading,
  { report, signal }: { report(progress: ImportProgress): void; readonly signal: AbortSignal },
): Promise<ImportOptions> {
  const { FORMATS } = await convert();
  const format = FORMATS.find((one) => one === as);
  if (as !== undefined && format === undefined) {
    throw mistake(['body', 'as'], `There is no format “${as}”. The formats: ${FORMATS.join(', ')}.`);
  }
  let bytes = 0;
  let conversations = 0;
  const show = () => report({ bytes, size, conversations });
  return {
    ...reading,
    as: format,
    files: [name],
    cwd: folder,
    signal,
    onBytes(count) {
      bytes += count;
      show();
    },
    onConversation(count) {
      conversations = count;
      show();
    },
  };
}

import { dirname } from 'node:path';
import type { Criterion } from '@agent-criteria/core';
import { fieldOf, isObject, unmetNeed } from '@agent-criteria/core/host';
import { findConfig, installedCriteria, listCriteria, readJsonFile } from '@agent-criteria/project';
import type { CriterionChoice, RunChoices } from '../api.ts';
import type { App } from '../apps/app.ts';
import type { FoundSet } from '../sets/find-sets.ts';
import { openSet } from '../sets/open-set.ts';
import type { Studio } from '../studio.ts';

/** Keys of an entry that are core's own, beside the options of the criterion. */
const THRESHOLD = 'threshold';

/** What a run of a set can be judged by, and how the config beside it judges now. */
export async function criterionChoices(studio: Studio, app: App, found: FoundSet): Promise<RunChoices> {
  const { plugins, projectOptions } = studio;
  const { builtIn, settings } = projectOptions;
  const configFile = await findConfig(found.file);
  const { value: set } = await openSet(found);
  const where = { folder: app.folder, builtIn, plugins };
  const [criteria, { criteria: listed }] = await Promise.all([
    installedCriteria({ ...where, config: configFile }),
    listCriteria(where),
  ]);
  const config = configFile === undefined ? null : (await readJsonFile(configFile)).value;
  const written = config === null ? null : fieldOf(config, 'criteria');
  const measured = fieldOf(fieldOf(config, 'agentCriteria'), 'measure');
  const choices = criteria.map((criterion): CriterionChoice => {
    const { name, description, range, decides, options, models, origin } = criterion;
    const own = listed.find((one) => one.name === name);
    const entry = isObject(written) && Object.hasOwn(written, name) ? written[name] : undefined;
    const byDefault = config === null ? (own?.default ?? null) : null;
    const isMeasured = Array.isArray(measured) && measured.includes(name);
    const isChosen = entry !== undefined || byDefault !== null || isMeasured;
    const { [THRESHOLD]: _, ...more } = isObject(entry) ? entry : {};
    return {
      name,
      description,
      package: origin.package,
      range: { min: range.min, max: range.max, better: range.better },
      decides,
      judged: models !== undefined,
      schema: options.jsonSchema,
      default: own?.default ?? null,
      chosen: isChosen ? { threshold: thresholdOf(entry) ?? byDefault, options: more } : null,
      fit: fitOf(criterion, more, set.evalCases),
    };
  });
  return {
    cases: set.evalCases.length,
    config: configFile === undefined ? null : configFile.slice(dirname(configFile).length + 1),
    judgeModel: settings?.judgeModel ?? null,
    criteria: choices,
  };
}

/** How many cases a criterion can judge. Rubrics and options are no obstacle: they can be written. */
function fitOf(
  criterion: Criterion,
  options: unknown,
  cases: Parameters<typeof unmetNeed>[2][],
): CriterionChoice['fit'] {
  const { rubrics: _, ...needs } = criterion.needs ?? {};
  const reasons = cases.map((one) => unmetNeed({ ...criterion, needs, unmetNeed: undefined }, options, one, null));
  const misfit = reasons.find((reason) => reason !== null);
  return { cases: reasons.filter((reason) => reason === null).length, reason: misfit ?? null };
}

function thresholdOf(entry: unknown): number | null {
  if (typeof entry === 'number') return entry;
  const threshold = fieldOf(entry, THRESHOLD);
  return typeof threshold === 'number' ? threshold : null;
}

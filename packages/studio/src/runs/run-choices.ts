import { relative } from 'node:path';
import type { Criterion } from '@agent-criteria/core';
import { unmetNeed } from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { installedCriteria, installedSimulators, listCriteria, settings } from '@agent-criteria/project/config';
import { keepsComments } from '@agent-criteria/project/files';
import { fitPreset, presets } from '@agent-criteria/project/init';
import { installLine, knownCriteria } from '@agent-criteria/runner';
import type { CriterionChoice, PresetChoice, RunChoices, SettingChoice } from '../api.ts';
import { projectOf } from '../apps/app.ts';
import { type FoundSet, openSet } from '../sets/find-sets.ts';
import type { Studio } from '../studio.ts';
import { versionedConfig } from './run-config.ts';

/** The key reserved by core in an entry that holds a criterion's options. */
const THRESHOLD = 'threshold';

const COMMENTS_LOST =
  'The config has comments that begin with #. Saving writes it without them; comments with // are kept.';

/** Lists the criteria for a run of a set, with the choices made in its config. */
export async function runChoices(studio: Studio, found: FoundSet): Promise<RunChoices> {
  const { app } = found;
  const { plugins, projectOptions } = studio;
  const { builtIn } = projectOptions;
  const project = await projectOf(studio, app);
  const { read, text, version } = await versionedConfig(project, found.file);
  const { value: config, file: configFile } = read;
  const { value: set } = await openSet(found);
  const where = { folder: app.folder, builtIn, plugins };
  const [criteria, simulators, { criteria: listed }] = await Promise.all([
    installedCriteria({ ...where, config: configFile }),
    installedSimulators({ ...where, config: configFile }),
    listCriteria(where),
  ]);
  const written = fieldOf(config, 'criteria');
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
  const simulator = fieldOf(config, 'userSimulatorConfig');
  const { repeats, concurrency, variants = {}, judgeModel } = project.config.settings;
  return {
    cases: set.evalCases.length,
    scenarios: set.evalCases.filter(({ conversationScenario }) => conversationScenario).length,
    config:
      configFile === undefined ? (config === null ? null : 'agent-criteria.config') : relative(app.folder, configFile),
    version,
    notes: text === null || keepsComments(text) ? [] : [COMMENTS_LOST],
    judgeModel: judgeModel ?? null,
    criteria: choices,
    presets: presetsFor(set, choices),
    simulators: simulators.map(({ name, options }) => ({
      type: name,
      schema: options.jsonSchema,
    })),
    userSimulator: isObject(simulator) ? simulator : null,
    settings: {
      // Automatic repeats have no number that the dialog could show.
      repeats: settingOf('repeats', typeof repeats === 'number' ? repeats : undefined),
      concurrency: settingOf('concurrency.agents', concurrency?.agents),
    },
    variants: Object.keys(variants),
  };
}

function settingOf(name: 'repeats' | 'concurrency.agents', value: number | undefined): SettingChoice {
  const { description, default: otherwise, most = null } = settings[name];
  return { description, value: value ?? (typeof otherwise === 'number' ? otherwise : 1), most };
}

/** Returns the recommended presets, without criteria that fit no case. */
function presetsFor(set: Parameters<typeof fitPreset>[1][number], choices: readonly CriterionChoice[]): PresetChoice[] {
  return presets.flatMap((preset) => {
    if (preset.simulatedUsers === true && !set.evalCases.some((one) => one.conversationScenario)) return [];
    const { criteria } = fitPreset(preset, [set]).preset;
    const names = Object.keys(criteria);
    const there = names.filter((name) => choices.some((one) => one.name === name));
    if (names.length === 0) return [];
    const metrics = there.map((name) => {
      const entry = criteria[name];
      const { [THRESHOLD]: _, ...criterion } = isObject(entry) ? entry : {};
      return { metricName: name, threshold: thresholdOf(entry), criterion };
    });
    const missing = names.flatMap((name) => {
      const known = knownCriteria.find((one) => one.name === name);
      return there.includes(name) || known === undefined ? [] : [{ name, install: installLine(known.package) }];
    });
    return [{ name: preset.name, description: preset.description ?? '', metrics, missing }];
  });
}

/** Counts the cases that a criterion can judge. Ignores missing rubrics and options, because they can be added. */
function fitOf(
  criterion: Criterion,
  options: unknown,
  cases: readonly Parameters<typeof unmetNeed>[2][],
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

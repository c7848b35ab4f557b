import { type Judged, type JudgedOptions, judgedOf } from '@agent-criteria/analysis';
import { CriteriaError } from '@agent-criteria/core';
import type { Label } from '@agent-criteria/results';
import { type LabelWriter, type OpenedRun, openLabels, openRun, readLabels } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import { findRun, nameOfRun } from './find-run.ts';
import { splitVariant, usedBy } from './open-outcomes.ts';

/** The results of scoring a run, or one of its variants, which people label. */
export interface OpenedLabels {
  /** Its name in a command: `2026-11-22-a1b2`, `2026-11-22-a1b2#fast`. */
  readonly name: string;
  readonly run: OpenedRun;
  readonly variant: string | undefined;
  /** Returns all saved labels for these results; `currentLabels` returns those that count. */
  labels(): readonly Label[];
  /** Opens a writer for new labels, which the caller closes. */
  write(): LabelWriter;
  /** Returns the verdicts on the items that people label. */
  judged(options?: Pick<JudgedOptions, 'wants'>): Promise<Judged>;
}

/**
 * Opens a run for labelling, or to read its labels, by its id, an id prefix, its folder, or `last`. `RUN#NAME` is one
 * of its variants; without a name, all of them are opened. The run need not be finished.
 *
 * @param scoring The number of the scoring pass. Default: the last.
 * @throws CriteriaError RUN_NOT_FOUND; USAGE for a run that was never judged.
 */
export function openLabelled(word: string | undefined, project: Project, scoring?: number): OpenedLabels {
  const { run: named, variant } = splitVariant(word);
  const folder = findRun(named, project.runsFolder);
  const name = nameOfRun(folder, project);
  const run = openRun(folder, { scoring });
  const number = run.info.scoring;
  if (number === 0) {
    const message = `the run ${name} was never judged; judge it with agent-criteria score ${name}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const names = run.info.variants?.map((one) => one.name) ?? [];
  if (variant !== undefined && !names.includes(variant)) {
    const there = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    throw new CriteriaError({ code: 'USAGE', message: `the run ${name} has no variant "${variant}"; ${there}` });
  }
  return {
    name: variant === undefined ? name : `${name}#${variant}`,
    run,
    variant,
    labels: () => readLabels(folder, number),
    write: () => openLabels(folder, number),
    judged: (options) => judgedOf(run, { ...options, variant, used: usedBy(run) }),
  };
}

/** The name under which labels are stored if the labeller is unknown. */
export const ANONYMOUS = 'anonymous';

/** Returns the name of this machine's user, for labels, or `null` if the environment names none. */
export function labellerName({ USER, LOGNAME, USERNAME }: Readonly<Record<string, string | undefined>>): string | null {
  return USER || LOGNAME || USERNAME || null;
}

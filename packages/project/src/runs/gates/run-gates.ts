import { dirname } from 'node:path';
import {
  type GateResult,
  type Gates,
  gateNames,
  gateResults,
  type MeasuredFile,
  type MoreFacts,
  type RunOutcomes,
  runOutcomes,
} from '@agent-criteria/analysis';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type BaselineRecord, type GateRecord, type RunRecord, tokenPrices } from '@agent-criteria/results';
import type { GateName, OpenedRun } from '@agent-criteria/runner';
import type { PlannedRepeats } from '../../plan/auto-repeats.ts';
import type { GateRules } from '../../plan/gates/read-gates.ts';
import { hopelessGates } from '../../plan/gates/unreachable-gates.ts';
import type { PreparedSet } from '../../plan/plan-sets.ts';
import { usedBy } from '../open-outcomes.ts';
import { folderOfSource, type PreparedSource } from '../prepared-run.ts';
import { type BaselineSource, confirmedBy, type OpenedBaseline, openBaseline } from './open-baseline.ts';

/** The gates that a run must pass once it has ended. */
export interface PreparedGates {
  /** Whether the gates alone decide the exit code. */
  readonly decide: boolean;
  /** Warnings to show before the run. */
  readonly warnings: readonly Problem[];
  /** The names of the gates that apply, in order. With several variants, each is listed once per variant. */
  readonly names: readonly GateName[];
  /** Whether the gate `regression` is among those asked for, even if there is no earlier run to be its baseline yet. */
  readonly asksForRegression: boolean;
  /** @param measured What was measured of judges. Default: nothing. */
  results(run: OpenedRun, measured?: readonly MeasuredFile[]): Promise<readonly GateRecord[]>;
  /** Computes the results for a run that is not saved. */
  resultsOf(
    run: RunRecord,
    used: MoreFacts['used'],
    measured?: readonly MeasuredFile[],
  ): Promise<readonly GateRecord[]>;
  /**
   * Returns the same gates for a second run that confirms a regression, so that both runs together are compared with
   * the baseline.
   */
  confirming(first: OpenedRun): Promise<PreparedGates>;
}

export interface AskedGates {
  /** Gates given as flags, in addition to those in the config, which they override. */
  readonly gates?: Gates | undefined;
  /**
   * A file, a run or `last`, instead of the config's baseline. Implies the gate `regression`, unless `no_worse_than` is
   * requested.
   */
  readonly baseline?: string | undefined;
}

/** A run to which gates will be applied. */
export interface GatedRun extends BaselineSource {
  readonly sets: readonly Pick<PreparedSet, 'gates' | 'configFile' | 'plan'>[];
  /** How often each case runs. */
  readonly repeats: number;
  /** The rule by which cases stop once they have run often enough. */
  readonly auto?: PlannedRepeats['auto'];
  /** The folder to which paths in a config value are relative. Default: the working folder. */
  readonly from?: string | undefined;
  readonly source: PreparedSource;
}

/**
 * Opens what the gates in a run's configs and flags need. A gate applies to the whole run, so that the gates of
 * different configs must not differ. A run that was started to confirm a regression still does so when it is resumed.
 *
 * @returns `null` if there are no gates.
 * @throws CriteriaError for a baseline that does not exist; for a gate on regressions without a baseline, or on cost
 *   without prices; for gates that contradict each other; and for gates that decide alone although another config has
 *   none.
 */
export async function prepareGates(
  prepared: GatedRun,
  { gates: asked = {}, baseline: named }: AskedGates = {},
): Promise<PreparedGates | null> {
  const folder = folderOfSource(prepared.source);
  const rules = prepared.sets.flatMap(({ gates, configFile }) => (gates ? [{ ...gates, configFile }] : []));
  const different = rules.find(
    (one) => JSON.stringify(withoutFile(one)) !== JSON.stringify(withoutFile(rules[0] as Ruled)),
  );
  if (different !== undefined) {
    const message = `the gates of two configs of this run differ: ${rules[0]?.configFile ?? 'a config'} and ${different.configFile ?? 'another'}; a gate is about the whole run, so give all configs the same gates, or run the sets separately`;
    throw new CriteriaError({ code: 'INVALID_CONFIG', message });
  }
  const [own] = rules;
  const silent = prepared.sets.find(({ gates }) => !gates);
  if (own?.decide === true && silent !== undefined) {
    const message = `${own.configFile ?? 'a config'} lets the gates alone decide, but ${silent.configFile ?? 'another config'} of this run has no gates, so that its failures might not count: give all configs the same gates, or run the sets one by one`;
    throw new CriteriaError({ code: 'INVALID_CONFIG', message });
  }
  const word = named ?? own?.baseline;
  const gates: Gates = {
    // Cases that stop at a rate must also reach it, even if the run is resumed without its flags.
    ...prepared.auto,
    ...own?.gates,
    ...asked,
    ...(named !== undefined && {
      regression:
        asked.regression ?? own?.gates.regression ?? (asked.noWorseThan ?? own?.gates.noWorseThan) === undefined,
    }),
  };
  const means = { ...own?.gates.means, ...asked.means };
  const quantiles = { ...own?.gates.quantiles, ...asked.quantiles };
  const all: Gates = {
    ...gates,
    ...(Object.keys(means).length > 0 && { means }),
    ...(Object.keys(quantiles).length > 0 && { quantiles }),
  };
  if (Object.keys(all).length === 0) return null;
  const prices = all.cost === undefined ? undefined : tokenPrices(prepared.project.config.settings.prices);
  if (all.cost !== undefined && prices === undefined) {
    const message =
      'the gate "cost" needs token prices: add those of the agent\'s models under "prices" in agent-criteria.config.json';
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const opened = await baselineOf(
    all,
    word,
    named !== undefined ? undefined : own?.configFile ? dirname(own.configFile) : prepared.from,
    prepared,
    folder !== undefined,
  );
  const note = opened !== null && 'note' in opened ? opened.note : null;
  const baseline = opened === null || 'note' in opened ? null : opened;
  const decide = own?.decide ?? false;
  const resultsWith = async (
    first: readonly RunOutcomes[],
    ...[run, used, measured = []]: Parameters<PreparedGates['resultsOf']>
  ): Promise<readonly GateRecord[]> => {
    const found: GateRecord[] = [];
    const outcomes = await runOutcomes(run, { used, prices });
    const comparisons = outcomes.length;
    const needs = new Set(againstBaseline(all));
    for (const one of outcomes) {
      const { variant } = one;
      const confirms = first.find((before) => before.variant === variant);
      const heldAgainst = of(baseline, variant);
      const recorded = heldAgainst && baseline?.recordOf(heldAgainst);
      const isMissingHere = isMissing(baseline, variant);
      const options = { measured, comparisons, confirms, decide: decide && !isMissingHere };
      for (const result of gateResults(one, all, heldAgainst, options)) {
        const gate = {
          ...(recorded && needs.has(result.name) ? withBaseline(result, recorded, baseline?.remark) : result),
          ...(confirms && result.name === 'regression' && { confirms: confirms.id }),
        };
        found.push(variant === undefined ? gate : { ...gate, variant });
      }
      if (isMissingHere) found.push(...missingIn(baseline, variant, againstBaseline(all)));
    }
    return found;
  };
  const preparedFor = (first: readonly RunOutcomes[], confirms?: string): PreparedGates => ({
    decide,
    // Cases that stop early get a warning with their number of repeats instead.
    warnings: [
      ...(note === null ? [] : [note]),
      ...(prepared.auto === undefined ? hopelessGates(all, prepared.sets, prepared.repeats) : []),
    ],
    names: prepared.agents.flatMap(({ variant }) =>
      [...gateNames(all, of(baseline, variant)), ...(isMissing(baseline, variant) ? againstBaseline(all) : [])].map(
        (name) => ({
          name,
          ...(variant !== undefined && { variant }),
          ...(confirms !== undefined && name === 'regression' && { confirms }),
        }),
      ),
    ),
    asksForRegression: againstBaseline(all).includes('regression'),
    results: (run, measured) => resultsWith(first, run, usedBy(run), measured),
    resultsOf: (run, used, measured) => resultsWith(first, run, used, measured),
    confirming: async (run) => preparedFor(await runOutcomes(run, { used: usedBy(run), prices }), run.info.id),
  });
  const alone = preparedFor([]);
  const hasRegression = alone.names.some(({ name }) => name === 'regression');
  const first = folder === undefined || !hasRegression ? null : confirmedBy(folder);
  if (first === null) return alone;
  refuseOtherBaseline(first, baseline);
  return alone.confirming(first);
}

/**
 * Rejects a different baseline for the second run, because the regression of the first run could disappear against it.
 */
function refuseOtherBaseline(first: OpenedRun, baseline: OpenedBaseline | null): void {
  const { outcome } = first;
  const gates = outcome?.state === 'recorded' ? outcome.gates : [];
  const used = gates.find(({ name }) => name === 'regression')?.baseline;
  if (used === undefined || baseline === null) return;
  if (baseline.runs.some((run) => baseline.recordOf(run).hash === used.hash)) return;
  const message = `this run confirms a regression of ${first.info.id}, which was held against the baseline ${used.id}, and ${baseline.name} is another: repeat the --baseline that the run was begun with`;
  throw new CriteriaError({ code: 'USAGE', message });
}

function withBaseline(result: GateResult, baseline: BaselineRecord, remark: string | undefined): GateRecord {
  return { ...result, text: remark === undefined ? result.text : `${result.text}; ${remark}`, baseline };
}

type Ruled = GateRules & { readonly configFile: string | null };

function withoutFile({ gates, decide, baseline }: Ruled): unknown {
  return { gates, decide, baseline };
}

async function baselineOf(
  gates: Gates,
  word: string | undefined,
  folder: string | undefined,
  prepared: BaselineSource,
  isContinued: boolean,
): Promise<Awaited<ReturnType<typeof openBaseline>> | null> {
  const [first] = againstBaseline(gates);
  if (first === undefined) return null;
  if (word !== undefined) return openBaseline(word, folder, prepared);
  const continued = `the gate "${first}" needs a baseline: repeat the --baseline that the run was begun with`;
  if (isContinued) throw new CriteriaError({ code: 'USAGE', message: continued });
  const message = `the gate "${first}" needs a baseline: use --baseline FILE, RUN or last, or name it in the config ("baseline" beside "${first}"). For the first run, which is to become the baseline, use --baseline last: without an earlier run the gate is left out, with a note. Then keep it with agent-criteria baseline set last`;
  throw new CriteriaError({ code: 'USAGE', message });
}

/** Lists the gates that compare a run with a baseline. */
function againstBaseline({ regression, noWorseThan }: Gates): readonly string[] {
  return [
    ...(regression === undefined || regression === false ? [] : ['regression']),
    ...(noWorseThan === undefined ? [] : ['no_worse_than']),
  ];
}

/** Whether there is a baseline, but with nothing in it to compare this variant with. */
function isMissing(baseline: OpenedBaseline | null, variant: string | undefined): baseline is OpenedBaseline {
  return baseline !== null && of(baseline, variant) === null;
}

function missingIn(
  { name, runs }: OpenedBaseline,
  variant: string | undefined,
  gates: readonly string[],
): readonly GateRecord[] {
  const known = runs.map((run) => run.variant).join(', ');
  const text = `the baseline ${name} has ${known}${variant === undefined ? '' : `, and not ${variant}`}: name a baseline of this variant`;
  return gates.map((gate) => ({ name: gate, holds: null, text, ...(variant === undefined ? {} : { variant }) }));
}

/** Returns the baseline for a variant: the one with the same name, or the only one. */
function of(baseline: OpenedBaseline | null, variant: string | undefined): RunOutcomes | null {
  if (baseline === null) return null;
  const { runs } = baseline;
  return runs.find((run) => run.variant === variant) ?? (runs.length === 1 ? (runs[0] ?? null) : null);
}

import { CriteriaError, type EvalCase, type Problem, type UnitKey } from '@agent-criteria/core';
import { type Summary, summarise, type Verdict } from '@agent-criteria/core/host';
import { parseJson } from '@agent-criteria/formats';
import {
  type CompactCaseResult,
  compactCaseResult,
  type KnownOutcome,
  type RunCase,
  type RunRecord,
} from '@agent-criteria/results';
import { caseStatus } from '../journal/case-status.ts';
import type { UnitState } from '../journal/journal.ts';
import { readCase } from '../journal/read-cases.ts';
import { keyText, seenHash } from '../unit-key.ts';
import { type Blobs, openBlobs } from './blobs.ts';
import { readTexts } from './call-texts.ts';
import { contradictsItself } from './contradicts-itself.ts';
import { type FolderReader, folderReader } from './folder-reader.ts';
import { layout, listScorings } from './layout.ts';
import { type LinePlace, readLines } from './line-reader.ts';
import { readOutcome } from './outcome-file.ts';
import type { AgentRecord, RunPlan, ScoringPlan } from './plan-file.ts';
import { readRunPlan, readScoringPlan } from './plan-file.ts';
import type { InferenceLine } from './records.ts';
import { type Believes, indexRun, type RunIndex, unitStates } from './run-index.ts';
import { readRunName } from './run-name.ts';
import { readSummary } from './summary-file.ts';

export interface OpenRunOptions {
  /** The number of the scoring pass, starting at 1. Default: the last one. */
  readonly scoring?: number | undefined;
}

/** A run in a folder, as it was when it was opened. Reading does not disturb a process that is writing to it. */
export interface OpenedRun extends RunRecord {
  readonly folder: string;
  readonly plan: RunPlan;
  /** The plan of the scoring pass, or `null` if the run was never scored. */
  readonly scoringPlan: ScoringPlan | null;
  /**
   * Reads the result of every case without its conversations, in the order of `cases`. For a case with a result, only
   * the line that contains it is read.
   */
  heads(): AsyncIterable<CaseHead>;
  /** The recorded outcome, or `undefined` if the run was never scored. */
  readonly outcome: KnownOutcome | undefined;
  /** Returns a call's request or answer by its hash. @throws CriteriaError if it is missing. */
  text(hash: string): string;
}

/** A case's result, without its conversations. */
export interface CaseHead extends Pick<RunCase, 'setId' | 'variant' | 'evalCase'> {
  readonly result: CompactCaseResult;
  /** How many of its repeats ran. */
  readonly inferred: number;
}

/**
 * Opens a run for reading, with one of its scorings, whether or not it has finished. Needs no plugins, agent or eval
 * set file.
 * @throws CriteriaError RUN_NOT_FOUND, INVALID_DATA for a damaged plan, or UNKNOWN_FORMAT for a run from a newer
 * version.
 */
export function openRun(folder: string, options: OpenRunOptions = {}): OpenedRun {
  const plan = readRunPlan(folder);
  const scorings = listScorings(folder);
  const scoring = options.scoring ?? scorings.at(-1) ?? 0;
  if (options.scoring !== undefined && !scorings.includes(scoring)) {
    const message = `the run has no scoring ${scoring}; it has ${scorings.join(', ') || 'none'}`;
    throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: folder, message });
  }
  const scoringPlan = scoring === 0 ? null : readScoringPlan(folder, scoring);
  return openScoring({ folder, plan, scoring, scoringPlan });
}

interface Opened {
  readonly folder: string;
  readonly plan: RunPlan;
  readonly scoring: number;
  readonly scoringPlan: ScoringPlan | null;
}

/** A variant's name, or `undefined` in a run without variants. */
type Variant = string | undefined;

function openScoring({ folder, plan, scoring, scoringPlan }: Opened): OpenedRun {
  const blobs = openBlobs(folder);
  const name = readRunName(folder);
  const sets = scoringPlan?.sets ?? plan.sets;
  const { selection } = scoringPlan ?? plan;
  const { believes, doubted } = doubts(scoringPlan);
  const index = indexRun(folder, scoring === 0 ? null : scoring, believes);
  const states = new Map([...unitStates(index)].map((state) => [keyText(state.key), state]));
  const redacted = new Set(sets.filter((set) => set.content !== set.hash).map((set) => set.id));
  const repeats = Array.from({ length: plan.repeats }, (_, repeat) => repeat);
  const mayStop = plan.auto !== undefined;
  const content = lazily((id: string) => readContent(sets.find((set) => set.id === id)?.content ?? '', blobs));
  const variants: readonly Variant[] = plan.variants?.map(({ variant }) => variant) ?? [undefined];
  const openReader = () => folderReader(folder, scoring === 0 ? null : scoring, index, blobs);
  const keysOf = (setId: string, caseId: string, variant: Variant) => {
    const ofVariant = variant === undefined ? {} : { variant };
    return repeats.map((repeat): UnitKey => ({ setId, caseId, repeat, ...ofVariant }));
  };
  const statusOf = (keys: readonly UnitKey[], seen: string | null) => {
    const known = keys.map((key) => states.get(keyText(key)));
    const status = caseStatus(known, seen, mayStop);
    const isUnscored = (): boolean =>
      scoring === 0 &&
      known.every((state, repeat) => status.units[repeat]?.inferred === true && state?.inferred?.failed === false);
    return { ...status, shown: status.verdict ?? (isUnscored() ? 'not-evaluated' : 'error') };
  };
  // Results refer to the sets as they were when scored. The hash of the agent's input is compared when a case is read.
  const byVariant = variants.map((variant) => {
    const statusesOf = (id: string) =>
      [...content(id).index().keys()].map((one) => statusOf(keysOf(id, one, variant), null));
    return new Map(sets.map(({ id }) => [id, statusesOf(id)]));
  });
  const statuses = new Map(sets.map(({ id }) => [id, byVariant.flatMap((own) => own.get(id) ?? [])]));
  const all = [...statuses.values()].flat();
  const summary = summaryOf(all);
  const finished = all.reduce((sum, { units }) => sum + units.filter(({ scored }) => scored).length, 0);
  // Until a case that may stop early has a result, it counts with all its repeats.
  const total = all.reduce((sum, { units }) => sum + units.length, 0);
  const isWhole = all.every(({ verdict }) => verdict !== null);
  let outcome: KnownOutcome | undefined;

  /** The hash of the agent's input, or `null` for redacted sets, whose cases hash differently. */
  const seenOf = (setId: string, evalCase: EvalCase) => (redacted.has(setId) ? null : seenHash(evalCase));
  const read = (reader: FolderReader, setId: string, line: string, variant: Variant): Promise<RunCase> => {
    const evalCase: EvalCase = parseJson(line);
    const seen = seenOf(setId, evalCase);
    const { prices } = plan;
    return readCase(reader, {
      setId,
      evalCase,
      variant,
      repeats,
      mayStop,
      seen,
      states,
      hasScoring: scoring > 0,
      prices,
    });
  };
  const readHead = async (reader: FolderReader, setId: string, line: string, variant: Variant): Promise<CaseHead> => {
    const evalCase: EvalCase = parseJson(line);
    const keys = keysOf(setId, evalCase.evalId, variant);
    const { completedBy, units } = statusOf(keys, seenOf(setId, evalCase));
    const completing = keys[completedBy ?? -1];
    const stored = completing === undefined ? undefined : reader.scores(completing)?.case?.result;
    // If the result is missing, the reason is in the inferences and calls.
    const result = stored ?? compactCaseResult((await read(reader, setId, line, variant)).result);
    const inferred = units.filter((unit) => unit.inferred).length;
    return { setId, ...(variant === undefined ? {} : { variant }), evalCase, result, inferred };
  };
  /** Reads each case of one set, or of all sets, with a single reader. */
  async function* readEach<T>(one: (...args: Parameters<typeof read>) => Promise<T>, setId?: string) {
    const reader = openReader();
    try {
      for (const { id } of sets) {
        if (setId !== undefined && id !== setId) continue;
        for (const line of content(id).lines) {
          for (const variant of variants) yield await one(reader, id, line, variant);
        }
      }
    } finally {
      reader.close();
    }
  }

  return {
    folder,
    plan,
    scoringPlan,
    info: {
      id: plan.id,
      ...(name === null ? {} : { name }),
      ...(plan.commit && { commit: plan.commit }),
      scoring,
      startedAt: plan.createdAt,
      endedAt: isWhole ? endOf(folder, scoring, index) : null,
      agent: agentText(plan),
      ...(plan.variants && {
        variants: plan.variants.map((one, index) => ({
          name: one.variant,
          agent: withExport(one),
          summary: summaryOf([...(byVariant[index]?.values() ?? [])].flat()),
        })),
      }),
      repeats: plan.repeats,
      ...(plan.auto && { auto: plan.auto }),
      compat: scoringPlan?.compat ?? plan.compat,
      units: { total, finished },
      packages: { ...plan.packages, ...scoringPlan?.packages },
      ...(selection === undefined ? {} : { selection }),
    },
    sets: sets.map((set) => ({
      id: set.id,
      ...('name' in set && set.name !== undefined ? { name: set.name } : {}),
      ...('description' in set && set.description !== undefined ? { description: set.description } : {}),
      file: set.file,
      configFile: 'configFile' in set ? set.configFile : null,
      criteria: 'criteria' in set ? set.criteria.map(({ options: _options, models: _models, ...plain }) => plain) : [],
      summary: summaryOf(statuses.get(set.id) ?? []),
    })),
    summary,
    // Lazy, because it reads all scores, which most readers do not need.
    get outcome() {
      if (scoringPlan === null) return undefined;
      const facts = { plan: { ...scoringPlan, scoring }, summary, finished: isWhole && finished >= total };
      outcome ??= readOutcome(folder, { ...facts, thorough: true });
      return outcome;
    },
    warnings: [...(scoringPlan?.warnings ?? []), ...contradictions(states, doubted, layout.scores(folder, scoring))],
    cases: (setId) => readEach(read, setId),
    heads: () => readEach(readHead),
    async case({ setId, caseId, variant = variants[0] }) {
      const { lines, index: byId } = content(setId);
      const line = lines[byId().get(caseId) ?? -1];
      if (line === undefined || !variants.includes(variant)) return undefined;
      const reader = openReader();
      try {
        return await read(reader, setId, line, variant);
      } finally {
        reader.close();
      }
    },
    text: readTexts(folder, blobs),
  };
}

/** Summarises cases. A case without a result counts as an error, or as not evaluated if there is no scoring pass. */
function summaryOf(cases: readonly { readonly shown: Verdict }[]): Summary {
  return summarise(cases.map(({ shown }) => ({ verdict: shown })));
}

/** Describes a run's agent, or all its variants, as the user named them. */
export function agentText({ agent, variants }: RunPlan): string {
  return variants?.map((one) => `${one.variant}=${withExport(one)}`).join(', ') ?? agent.path ?? agent.name;
}

/** Returns an agent in the format of `--variant`. */
function withExport({ path, name, agentName }: AgentRecord): string {
  if (path === null) return name;
  return agentName === undefined ? path : `${path}#${agentName}`;
}

/**
 * Rejects results that contradict themselves, which means that their file was changed. Collects the keys of their units
 * as strings.
 */
function doubts(scoringPlan: ScoringPlan | null) {
  const doubted = new Set<string>();
  const rules = new Map(
    scoringPlan?.sets.map(({ id, criteria }) => [id, { criteria, compat: scoringPlan.compat }] as const),
  );
  const believes: Believes = (key, result) => {
    const judgedBy = rules.get(key.setId);
    if (judgedBy === undefined || !contradictsItself(result, judgedBy)) return true;
    doubted.add(keyText(key));
    return false;
  };
  return { doubted, believes };
}

/** Warns about rejected results that no later result has replaced. */
function contradictions(states: ReadonlyMap<string, UnitState>, doubted: ReadonlySet<string>, file: string): Problem[] {
  const units = [...doubted].flatMap((text) => states.get(text) ?? []).filter(({ scored }) => scored?.case === null);
  return units.map(({ key: { setId, caseId, variant } }) => {
    const byWhom = variant === undefined ? '' : ` (${variant})`;
    const what = `the saved data of the case "${caseId}" of "${setId}"${byWhom} is inconsistent: it was changed after it was saved`;
    return {
      code: 'RUN_CHANGED',
      file,
      message: `${what}; resume the run to get its verdict from its scores again`,
    };
  });
}

/** Reads the contents of a set, stored one case per line. */
function readContent(hash: string, blobs: Blobs) {
  const lines = hash === '' ? [] : blobs.get(hash).split('\n').slice(1);
  let byId: Map<string, number> | undefined;
  const index = () => {
    byId ??= new Map(lines.map((line, place) => [(parseJson(line) as EvalCase).evalId, place]));
    return byId;
  };
  return { lines, index };
}

/** Returns when the run ended: according to its summary, or else when its last recorded inference ended. */
function endOf(folder: string, scoring: number, { inferences }: RunIndex): number | null {
  const summary = readSummary(folder, scoring);
  if (summary !== null) return summary.endedAt;
  // The index lists units in the order of their first attempts.
  let last: LinePlace | undefined;
  for (const { place } of inferences.values()) if (last === undefined || place.offset > last.offset) last = place;
  if (last === undefined) return null;
  const lines = readLines(layout.inferences(folder));
  try {
    return (lines.read(last) as InferenceLine).endedAt;
  } finally {
    lines.close();
  }
}

/** Caches the results of a function by key. */
function lazily<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Value;
  };
}

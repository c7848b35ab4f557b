import { CriteriaError, type EvalCase, type Problem, type UnitKey } from '@agent-criteria/core';
import { type Summary, summarise } from '@agent-criteria/core/host';
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
import { readLines } from './line-reader.ts';
import { readOutcome } from './outcome-file.ts';
import type { AgentRecord, RunPlan, ScoringPlan } from './plan-file.ts';
import { readRunPlan, readScoringPlan } from './plan-file.ts';
import type { InferenceLine } from './records.ts';
import { type Believes, indexRun, type RunIndex, unitStates } from './run-index.ts';
import { readSummary } from './summary-file.ts';

export interface OpenRunOptions {
  /** Which scoring, from 1. Default: the last. */
  readonly scoring?: number | undefined;
}

/** A run of a folder. It reads what is there now; whoever writes the run meanwhile is not disturbed. */
export interface OpenedRun extends RunRecord {
  readonly folder: string;
  readonly plan: RunPlan;
  /** `null`: it was never scored. */
  readonly scoringPlan: ScoringPlan | null;
  /**
   * What every case came to, in the order of `cases`, with as little reading as that needs: of a case with a result, only the line
   * that has it, and nothing of what the agent said.
   */
  heads(): AsyncIterable<CaseHead>;
  /** As it was recorded; `undefined`: the run was never judged. */
  readonly outcome: KnownOutcome | undefined;
  /** The text behind a hash: of a call's request or answer. @throws CriteriaError when it is not there. */
  text(hash: string): string;
}

/** What a case of a run came to, without its conversations. */
export interface CaseHead extends Pick<RunCase, 'setId' | 'variant' | 'evalCase'> {
  readonly result: CompactCaseResult;
  /** How many of its repeats ran. */
  readonly inferred: number;
}

/**
 * Opens a run to read it: one scoring of it, finished or not. Needs no plugin, no agent and no eval set file.
 * @throws CriteriaError RUN_NOT_FOUND, or UNKNOWN_FORMAT for a run of a newer version.
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

function openScoring({ folder, plan, scoring, scoringPlan }: Opened): OpenedRun {
  const blobs = openBlobs(folder);
  const sets = scoringPlan?.sets ?? plan.sets;
  const { selection } = scoringPlan ?? plan;
  const { believes, doubted } = doubts(scoringPlan);
  const index = indexRun(folder, scoring === 0 ? null : scoring, believes);
  const states = new Map([...unitStates(index)].map((state) => [keyText(state.key), state]));
  const redacted = new Set(sets.filter((set) => set.content !== set.hash).map((set) => set.id));
  const repeats = Array.from({ length: plan.repeats }, (_, repeat) => repeat);
  const mayStop = plan.auto !== undefined;
  const content = lazily((id: string) => readContent(sets.find((set) => set.id === id)?.content ?? '', blobs));
  const variants: readonly (string | undefined)[] = plan.variants?.map(({ variant }) => variant) ?? [undefined];
  // The results are of the sets as they were scored: what the agent sees there is compared when a case is read.
  const standingsOf = (setId: string, variant: string | undefined) => {
    const ofVariant = variant === undefined ? {} : { variant };
    return content(setId)
      .ids()
      .map((caseId) =>
        caseStatus(
          repeats.map((repeat) => states.get(keyText({ setId, caseId, repeat, ...ofVariant }))),
          null,
          mayStop,
        ),
      );
  };
  const byVariant = variants.map((variant) => new Map(sets.map(({ id }) => [id, standingsOf(id, variant)])));
  const standings = new Map(sets.map(({ id }) => [id, byVariant.flatMap((own) => own.get(id) ?? [])]));
  const verdictsOf = (id: string) => (standings.get(id) ?? []).map(({ verdict }) => ({ verdict: verdict ?? 'error' }));
  const summaries = new Map(sets.map((set) => [set.id, summarise(verdictsOf(set.id))]));
  const summary = summarise(sets.flatMap(({ id }) => verdictsOf(id)));
  const all = [...standings.values()].flat();
  const finished = all.reduce((sum, { units }) => sum + units.filter(({ scored }) => scored).length, 0);
  // Where a case may stop early, it has all its repeats until it has a result.
  const total = all.reduce((sum, { units }) => sum + units.length, 0);
  let outcome: KnownOutcome | undefined;
  const isWhole = all.every(({ verdict }) => verdict !== null);
  const summaryOf = (own: typeof standings) =>
    summarise([...own.values()].flat().map(({ verdict }) => ({ verdict: verdict ?? 'error' })));
  const read = (reader: FolderReader, setId: string, line: string, variant: string | undefined): Promise<RunCase> => {
    const evalCase: EvalCase = parseJson(line);
    // Of texts that were redacted, the hash is another one.
    const seen = redacted.has(setId) ? null : seenHash(evalCase);
    return readCase(reader, { setId, evalCase, variant, repeats, mayStop, seen, states });
  };
  const head = async (
    reader: FolderReader,
    setId: string,
    line: string,
    variant: string | undefined,
  ): Promise<CaseHead> => {
    const evalCase: EvalCase = parseJson(line);
    const seen = redacted.has(setId) ? null : seenHash(evalCase);
    const ofVariant = variant === undefined ? {} : { variant };
    const keys = repeats.map((repeat): UnitKey => ({ setId, caseId: evalCase.evalId, ...ofVariant, repeat }));
    const standing = caseStatus(
      keys.map((key) => states.get(keyText(key))),
      seen,
      mayStop,
    );
    const completedBy = keys[standing.completedBy ?? -1];
    const kept = completedBy === undefined ? undefined : reader.scores(completedBy)?.case?.result;
    // The reason for a missing result is in its inferences and calls.
    const result = kept ?? compactCaseResult((await read(reader, setId, line, variant)).result);
    const inferred = standing.units.filter((unit) => unit.inferred).length;
    return { setId, ...ofVariant, evalCase, result, inferred };
  };
  const reading = async <T>(work: (reader: FolderReader) => Promise<T>): Promise<T> => {
    const reader = folderReader(folder, scoring === 0 ? null : scoring, index, blobs);
    try {
      return await work(reader);
    } finally {
      reader.close();
    }
  };

  return {
    folder,
    plan,
    scoringPlan,
    info: {
      id: plan.id,
      scoring,
      startedAt: plan.createdAt,
      endedAt: !isWhole ? null : endOf(folder, scoring, index),
      agent: agentText(plan),
      ...(plan.variants && {
        variants: plan.variants.map((one, index) => ({
          name: one.variant,
          agent: withExport(one),
          summary: summaryOf(byVariant[index] ?? new Map()),
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
      summary: summaries.get(set.id) as Summary,
    })),
    summary,
    // Lazy: it reads all scores, and most readers do not need it.
    get outcome() {
      if (scoringPlan === null) return undefined;
      const isFinished = isWhole && finished >= total;
      outcome ??= readOutcome(folder, {
        plan: { ...scoringPlan, scoring },
        summary,
        finished: isFinished,
        thorough: true,
      });
      return outcome;
    },
    warnings: [...(scoringPlan?.warnings ?? []), ...contradictions(states, doubted, layout.scores(folder, scoring))],
    async *cases(setId) {
      const reader = folderReader(folder, scoring === 0 ? null : scoring, index, blobs);
      try {
        for (const set of sets) {
          if (setId !== undefined && set.id !== setId) continue;
          for (const line of content(set.id).lines) {
            for (const variant of variants) yield await read(reader, set.id, line, variant);
          }
        }
      } finally {
        reader.close();
      }
    },
    async *heads() {
      const reader = folderReader(folder, scoring === 0 ? null : scoring, index, blobs);
      try {
        for (const set of sets) {
          for (const line of content(set.id).lines) {
            for (const variant of variants) yield await head(reader, set.id, line, variant);
          }
        }
      } finally {
        reader.close();
      }
    },
    async case({ setId, caseId, variant = variants[0] }) {
      const { lines, index: byId } = content(setId);
      const line = lines[byId().get(caseId) ?? -1];
      if (line === undefined || !variants.includes(variant)) return undefined;
      return reading((reader) => read(reader, setId, line, variant));
    },
    text: readTexts(folder, blobs),
  };
}

/** The agent of a run as the user named it; of several, all of them. */
export function agentText({ agent, variants }: RunPlan): string {
  return variants?.map((one) => `${one.variant}=${withExport(one)}`).join(', ') ?? agent.path ?? agent.name;
}

/** As `--variant` takes it. */
function withExport({ path, name, agentName }: AgentRecord): string {
  if (path === null) return name;
  return agentName === undefined ? path : `${path}#${agentName}`;
}

/** Results that contradict themselves are not believed: somebody has changed them. By the text of the unit that has them. */
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

/** Of results that would still count. */
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

/** The content of a set, a case a line. */
function readContent(hash: string, blobs: Blobs) {
  const lines = hash === '' ? [] : blobs.get(hash).split('\n').slice(1);
  let byId: Map<string, number> | undefined;
  const index = () => {
    byId ??= new Map(lines.map((line, place) => [(parseJson(line) as EvalCase).evalId, place]));
    return byId;
  };
  return { lines, index, ids: () => [...index().keys()] };
}

/** When the run came to its end: as its summary says, else as its last inference does. */
function endOf(folder: string, scoring: number, { inferences }: RunIndex): number | null {
  const summary = readSummary(folder, scoring);
  if (summary !== null) return summary.endedAt;
  const last = [...inferences.values()].at(-1);
  if (last === undefined) return null;
  const lines = readLines(layout.inferences(folder));
  try {
    return (lines.read(last.place) as InferenceLine).endedAt;
  } finally {
    lines.close();
  }
}

/** Remembers what a function gave for a key. */
function lazily<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Value;
  };
}

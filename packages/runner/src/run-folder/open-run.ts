import { CriteriaError, type EvalCase, type Problem } from '@agent-criteria/core';
import { parseJson, type Summary, summarise, type Verdict } from '@agent-criteria/core/host';
import type { RunCall, RunCase, RunInference, RunRecord } from '@agent-criteria/results';
import { unfinishedCase } from '../unfinished.ts';
import { keyText, seenHash } from '../unit.ts';
import { type Blobs, openBlobs } from './blobs.ts';
import { isCall } from './check-lines.ts';
import { readRunPlan, readScoringPlan } from './create-run.ts';
import { layout } from './layout.ts';
import { type LinePlace, readLines, scanLines } from './line-reader.ts';
import { listScorings } from './list-scorings.ts';
import type { RunPlan, ScoringPlan } from './plan-file.ts';
import {
  decodeInference,
  decodeScores,
  type InferenceLine,
  type ScoreLine,
  unitScores,
  wholeResult,
} from './records.ts';
import {
  type CasePlace,
  caseText,
  type InferenceIndex,
  type InferencePlace,
  indexInferences,
  indexScores,
  type ScoreIndex,
} from './run-index.ts';
import { readSummary } from './summary-file.ts';
import { readTexts } from './texts.ts';

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
  /** The text behind a hash: of a call's request or answer. @throws CriteriaError when it is not there. */
  text(hash: string): string;
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
  const { repeats } = plan;
  const blobs = openBlobs(folder);
  const inferences = indexInferences(folder);
  const scores: ScoreIndex = scoring === 0 ? { units: new Map(), cases: new Map() } : indexScores(folder, scoring);
  const sets = scoringPlan?.sets ?? plan.sets;
  const redacted = new Set(sets.filter((set) => set.content !== set.hash).map((set) => set.id));
  const calls = lazily((_: 'all') => indexCalls(folder));
  const sources: CaseSources = {
    folder,
    scoring,
    repeats,
    blobs,
    inferences,
    scores,
    redacted,
    calls: () => calls('all'),
  };
  const content = lazily((id: string) => readContent(sets.find((set) => set.id === id)?.content ?? '', blobs));
  const current = (setId: string, caseId: string) => currentCase(setId, caseId, repeats, inferences, scores);
  const places = new Map(
    sets.map(({ id }) => [
      id,
      content(id)
        .ids()
        .map((caseId) => current(id, caseId)),
    ]),
  );
  const verdicts = new Map([...places].map(([id, all]) => [id, all.map((place) => place ?? unfinished)]));
  const summaries = new Map(sets.map((set) => [set.id, summarise(verdicts.get(set.id) ?? [])]));
  const summary = summarise([...verdicts.values()].flat());
  const finished = sets.reduce(
    (sum, { id }) => sum + countFinished(id, content(id).ids(), repeats, inferences, scores),
    0,
  );
  const total = summary.total * repeats;
  const isWhole = [...places.values()].every((all) => !all.includes(null));

  return {
    folder,
    plan,
    scoringPlan,
    info: {
      id: plan.id,
      scoring,
      startedAt: plan.createdAt,
      endedAt: !isWhole ? null : endOf(folder, scoring, inferences),
      agent: plan.agent.path ?? plan.agent.name,
      repeats,
      compat: scoringPlan?.compat ?? plan.compat,
      units: { total, finished },
      packages: { ...plan.packages, ...scoringPlan?.packages },
    },
    sets: sets.map((set) => ({
      id: set.id,
      name: 'name' in set ? set.name : undefined,
      description: 'description' in set ? set.description : undefined,
      file: set.file,
      configFile: 'configFile' in set ? set.configFile : null,
      criteria: 'criteria' in set ? set.criteria.map(({ options: _options, models: _models, ...plain }) => plain) : [],
      summary: summaries.get(set.id) as Summary,
    })),
    summary,
    warnings: scoringPlan?.warnings ?? ([] as readonly Problem[]),
    async *cases(setId) {
      const reader = caseReader(sources);
      try {
        for (const set of sets) {
          if (setId !== undefined && set.id !== setId) continue;
          for (const line of content(set.id).lines) yield reader.read(set.id, parseJson(line));
        }
      } finally {
        reader.close();
      }
    },
    async case(setId, caseId) {
      const { lines, index } = content(setId);
      const line = lines[index().get(caseId) ?? -1];
      if (line === undefined) return undefined;
      const reader = caseReader(sources);
      try {
        return reader.read(setId, parseJson(line));
      } finally {
        reader.close();
      }
    },
    text: readTexts(folder, blobs),
  };
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

/** What a case without a current result counts as. */
const unfinished: { readonly verdict: Verdict } = { verdict: 'error' };

/** Where the result of a case stands; `null`: it has none that was made from the last inference of each of its units. */
function currentCase(
  setId: string,
  caseId: string,
  repeats: number,
  inferences: InferenceIndex,
  scores: ScoreIndex,
): CasePlace | null {
  const found = scores.cases.get(caseText(setId, caseId));
  if (found === undefined || found.attempts.length !== repeats) return null;
  const isLast = (attempt: number, repeat: number) =>
    inferences.get(keyText({ setId, caseId, repeat }))?.attempt === attempt;
  return found.attempts.every(isLast) ? found : null;
}

/** How many units of a set are inferred and scored. */
function countFinished(
  setId: string,
  caseIds: readonly string[],
  repeats: number,
  inferences: InferenceIndex,
  scores: ScoreIndex,
): number {
  let count = 0;
  for (const caseId of caseIds) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      const text = keyText({ setId, caseId, repeat });
      const attempt = scores.units.get(text)?.attempt;
      if (attempt !== undefined && attempt === inferences.get(text)?.attempt) count += 1;
    }
  }
  return count;
}

interface CaseSources {
  readonly folder: string;
  readonly scoring: number;
  readonly repeats: number;
  readonly blobs: Blobs;
  readonly inferences: InferenceIndex;
  readonly scores: ScoreIndex;
  /** Sets whose kept content is not what was run, because texts were redacted. */
  readonly redacted: ReadonlySet<string>;
  calls(): ReadonlyMap<string, readonly LinePlace[]>;
}

interface CaseReader {
  read(setId: string, evalCase: EvalCase): RunCase;
  close(): void;
}

function caseReader(sources: CaseSources): CaseReader {
  const { folder, scoring, repeats, blobs, inferences, scores } = sources;
  const inferenceLines = readLines(layout.inferences(folder));
  const scoreLines = readLines(layout.scores(folder, scoring));
  const callLines = readLines(layout.calls(folder));

  const inferenceOf = (setId: string, evalCase: EvalCase, repeat: number): RunInference | undefined => {
    const key = { setId, caseId: evalCase.evalId, repeat };
    const found = inferences.get(keyText(key));
    if (found === undefined || isOfOther(found, setId, evalCase)) return undefined;
    const { inference, startedAt, endedAt } = decodeInference(inferenceLines.read(found.place) as InferenceLine, blobs);
    return { key, inference, startedAt, endedAt };
  };
  /** The case has changed in what the agent sees of it: what it did then is no answer to this. */
  const isOfOther = (found: InferencePlace, setId: string, evalCase: EvalCase): boolean =>
    !sources.redacted.has(setId) && found.seen !== seenHash(evalCase);
  const unitOf = (setId: string, caseId: string, repeat: number) => {
    const text = keyText({ setId, caseId, repeat });
    const found = scores.units.get(text);
    if (found === undefined || found.attempt !== inferences.get(text)?.attempt) return null;
    return unitScores(decodeScores(scoreLines.read(found.place) as ScoreLine, blobs));
  };
  const read = (setId: string, evalCase: EvalCase): RunCase => {
    const { evalId: caseId } = evalCase;
    const all = Array.from({ length: repeats }, (_, repeat) => repeat);
    const own = all.flatMap((repeat) => inferenceOf(setId, evalCase, repeat) ?? []);
    const places = sources.calls().get(caseText(setId, caseId)) ?? [];
    const made = places.map((place) => callLines.read(place) as RunCall);
    const judged = currentCase(setId, caseId, repeats, inferences, scores);
    const units = all.map((repeat) => unitOf(setId, caseId, repeat));
    const result = judged !== null ? resultAt(judged.place, units) : unfinishedCase(setId, caseId, own, repeats);
    return { setId, evalCase, result, inferences: own, ...(made.length === 0 ? {} : { calls: made }) };
  };
  return {
    read,
    close() {
      for (const lines of [inferenceLines, scoreLines, callLines]) lines.close();
    },
  };

  function resultAt(place: LinePlace, units: readonly ReturnType<typeof unitOf>[]) {
    const line = decodeScores(scoreLines.read(place) as ScoreLine, blobs);
    const kept = line.scores.case;
    if (kept === undefined) throw new CriteriaError({ code: 'INTERNAL', message: 'this line completes no case' });
    return wholeResult(
      kept.result,
      units.flatMap((unit) => unit ?? []),
    );
  }
}

function indexCalls(folder: string): ReadonlyMap<string, LinePlace[]> {
  const index = new Map<string, LinePlace[]>();
  scanLines(layout.calls(folder), (value, place) => {
    if (!isCall(value)) return;
    const { key } = value;
    const text = caseText(key.setId, key.caseId);
    const places = index.get(text);
    if (places === undefined) index.set(text, [place]);
    else places.push(place);
  });
  return index;
}

/** When the run came to its end: as its summary says, else as its last inference does. */
function endOf(folder: string, scoring: number, inferences: InferenceIndex): number | null {
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

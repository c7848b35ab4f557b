import { mkdirSync } from 'node:fs';
import { CriteriaError, type EvalCase, type Json, toErrorInfo, type UnitKey } from '@agent-criteria/core';
import { type CaseResult, parseJson, stringifyJson } from '@agent-criteria/core/host';
import type { Prices } from '@agent-criteria/results';
import type { Journal } from '../journal.ts';
import { toRunCall } from '../to-run-call.ts';
import { keyOf, keyText, seenHash } from '../unit.ts';
import type { Blobs } from './blobs.ts';
import { isInferenceLine, isScoreLine } from './check-lines.ts';
import { layout } from './layout.ts';
import { readLines } from './line-reader.ts';
import { type LineWriter, openLines } from './line-writer.ts';
import { listScorings } from './list-scorings.ts';
import {
  bareResult,
  type CaseLine,
  decodeInference,
  decodeScores,
  encodeLine,
  hasUnjudged,
  type InferenceLine,
  type ScoreLine,
  unitScores,
} from './records.ts';
import {
  type CasePlace,
  caseText,
  type InferenceIndex,
  indexInferences,
  indexScores,
  type ScoreIndex,
} from './run-index.ts';
import { writeTexts } from './texts.ts';

/** Changes what is kept before it is written: names, secrets. Gives JSON of the same shape. */
export type Redact = (value: Json, kind: RecordKind) => Json;
export type RecordKind = 'case' | 'inference' | 'scores' | 'call';

/** What is done again although it is finished: cases that failed, those that are an error or not evaluated, or all. */
export type Rerun = 'failed' | 'errored' | 'all';

export interface FolderJournal extends Journal {
  close(): void;
}

export interface FolderJournalOptions {
  readonly folder: string;
  /** `null`: inferences only. */
  readonly scoring: number | null;
  readonly repeats: number;
  readonly blobs: Blobs;
  readonly redact?: Redact | undefined;
  readonly prices?: Prices | undefined;
  readonly rerun?: Rerun | undefined;
}

/** The journal of a run folder. The caller holds the folder's lock. */
export function openFolderJournal(options: FolderJournalOptions): FolderJournal {
  const { folder, scoring, repeats, blobs, rerun } = options;
  const redact = redactor(options.redact);
  const files: LineWriter[] = [];
  const open = (file: string): LineWriter => {
    const writer = openLines(file);
    files.push(writer);
    return writer;
  };
  // Written lines are cut whole before they are read.
  const inferences = open(layout.inferences(folder));
  if (scoring !== null) mkdirSync(layout.scoring(folder, scoring), { recursive: true, mode: 0o700 });
  const scores = scoring === null ? null : open(layout.scores(folder, scoring));
  let calls: LineWriter | null = null;
  const texts = writeTexts(blobs, () => open(layout.texts(folder)));
  let closed = false;

  const earlier = indexInferences(folder);
  const earlierScores: ScoreIndex =
    scoring === null ? { units: new Map(), cases: new Map() } : indexScores(folder, scoring);
  const inferenceReader = readLines(layout.inferences(folder));
  const scoreReader = readLines(scoring === null ? '' : layout.scores(folder, scoring));
  const others = listScorings(folder).filter((other) => other !== scoring);
  const lost = lostAttempts(earlier, [earlierScores, ...others.map((other) => indexScores(folder, other))]);
  /** Of units that this start has run. */
  const attempts = new Map<string, number>();
  const again = new Set<string>();

  const attemptOf = (key: UnitKey): number => {
    // A run that was not begun before looks nothing up.
    if (earlier.size === 0) return 0;
    const text = keyText(key);
    return attempts.get(text) ?? earlier.get(text)?.attempt ?? 0;
  };
  const nextAttempt = (key: UnitKey): number => {
    if (earlier.size === 0 && lost.size === 0) return 0;
    const text = keyText(key);
    return Math.max(earlier.get(text)?.attempt ?? -1, lost.get(text) ?? -1) + 1;
  };
  const valid = (setId: string, caseId: string, found: CasePlace): boolean =>
    found.attempts.length === repeats &&
    found.attempts.every((attempt, repeat) => attempt === attemptOf({ setId, caseId, repeat }));

  const journal: FolderJournal = {
    finished(setId, evalCase) {
      if (earlierScores.cases.size === 0) return null;
      const { evalId } = evalCase;
      const text = caseText(setId, evalId);
      const found = earlierScores.cases.get(text);
      if (found === undefined || !valid(setId, evalId, found)) return null;
      if (isChosen(found.verdict, rerun)) {
        again.add(text);
        return null;
      }
      const redo = Array.from({ length: repeats }, (_, repeat) => journal.known({ setId, case: evalCase, repeat }));
      return redo.every((unit) => unit?.inferred === true && unit.scored) ? found.verdict : null;
    },
    known(unit) {
      if (earlier.size === 0) return null;
      const key = keyOf(unit);
      const text = keyText(key);
      const inferred = earlier.get(text);
      // What the agent saw has changed since: what it did then is no answer to this.
      if (inferred === undefined || inferred.seen !== seenHash(unit.case)) return null;
      const scored = earlierScores.units.get(text);
      const current = scored !== undefined && scored.attempt === inferred.attempt;
      return {
        inferred: !inferred.bad && rerun !== 'all' && !again.has(caseText(key.setId, key.caseId)),
        scored: current && !scored.unjudged,
        inference() {
          const line = decodeInference(inferenceReader.read(inferred.place) as InferenceLine, blobs);
          return { key, inference: line.inference, startedAt: line.startedAt, endedAt: line.endedAt };
        },
        scores() {
          if (scored === undefined) throw new CriteriaError({ code: 'INTERNAL', message: 'this unit has no scores' });
          return unitScores(decodeScores(scoreReader.read(scored.place) as ScoreLine, blobs));
        },
      };
    },
    keepInference(evalCase, recorded) {
      const { key, startedAt = 0, endedAt = 0 } = recorded;
      const attempt = nextAttempt(key);
      const inference = redact(recorded.inference, 'inference');
      const head = { ...key, attempt, seen: seenHash(evalCase), startedAt, endedAt };
      const isSame = () =>
        isInferenceLine({ ...head, inference }) && inference.ending.by === recorded.inference.ending.by;
      if (options.redact !== undefined && !isSame()) {
        throw redactionFailed('inference', 'it gave something else than an inference that ended in the same way');
      }
      inferences.append(encodeLine(head, 'inference', inference, blobs));
      if (attempt > 0) attempts.set(keyText(key), attempt);
      return { ...recorded, inference };
    },
    keepScores(unit, result) {
      if (scores === null) return;
      const { key, sessionId, ending, criteria } = unit;
      const value = { sessionId, ending, criteria, ...(result === null ? {} : { case: caseLine(result) }) };
      const head = { ...key, attempt: attemptOf(key), unjudged: hasUnjudged(unit) };
      const kept = withIds(redact(value, 'scores'), result);
      if (options.redact !== undefined && !isScoreLine({ ...head, scores: kept }))
        throw redactionFailed('scores', 'it gave something else than scores');
      scores.append(encodeLine(head, 'scores', kept, blobs));
    },
    keepCall({ error, ...call }, request, answer) {
      // Whoever did not heed the end of the run may still call; nobody waits for it.
      if (closed) return;
      const put = (value: unknown) => texts.put(stringifyJson(redact(value ?? null, 'call')));
      const told =
        error === undefined ? call : { ...call, error: { ...error, message: redact(error.message, 'call') } };
      const kept = toRunCall(told, request, answer, put, options.prices);
      calls ??= open(layout.calls(folder));
      calls.append(stringifyJson(kept));
    },
    close() {
      closed = true;
      inferenceReader.close();
      scoreReader.close();
      const failures: unknown[] = [];
      for (const file of files) {
        try {
          file.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
  return journal;

  function caseLine(result: CaseResult) {
    const { setId, caseId } = result;
    const all = Array.from({ length: repeats }, (_, repeat) => attemptOf({ setId, caseId, repeat }));
    return { attempts: all, result: bareResult(result) };
  }
}

/**
 * Attempts that only scores know of: a crash of the machine took their inferences. What comes next must have another
 * number, or it would be judged by what somebody else did.
 */
function lostAttempts(known: InferenceIndex, scorings: readonly ScoreIndex[]): ReadonlyMap<string, number> {
  const lost = new Map<string, number>();
  for (const { units } of scorings) {
    for (const [text, { attempt }] of units) {
      if (attempt > Math.max(known.get(text)?.attempt ?? -1, lost.get(text) ?? -1)) lost.set(text, attempt);
    }
  }
  return lost;
}

/** Ids find what belongs together, and a verdict is no text: a redaction leaves them alone. */
function withIds<T extends { readonly case?: CaseLine }>(value: T, result: CaseResult | null): T {
  if (value.case === undefined || result === null) return value;
  const { setId, caseId, verdict } = result;
  return { ...value, case: { ...value.case, result: { ...value.case.result, setId, caseId, verdict } } };
}

function isChosen(verdict: CaseResult['verdict'], rerun: Rerun | undefined): boolean {
  if (rerun === 'all') return true;
  if (rerun === 'failed') return verdict === 'failed';
  // What a criterion could not judge is an error of the judge, or of what the agent left.
  return rerun === 'errored' && (verdict === 'error' || verdict === 'not-evaluated');
}

/** Whatever goes wrong in somebody's redaction must end the run: nothing is written that was not redacted. */
function redactor(redact: Redact | undefined): <T>(value: T, kind: RecordKind) => T {
  if (redact === undefined) return (value) => value;
  return <T>(value: T, kind: RecordKind): T => {
    try {
      const redacted = parseJson(stringifyJson(redact(parseJson(stringifyJson(value)), kind)));
      if (kindOf(redacted) !== kindOf(value)) throw new Error(`it made ${kindOf(redacted)} of ${kindOf(value)}`);
      return redacted;
    } catch (cause) {
      throw redactionFailed(kind, toErrorInfo(cause).message, cause);
    }
  };
}

function redactionFailed(kind: RecordKind, why: string, cause?: unknown): CriteriaError {
  const message = `the redaction of ${kind} failed, so nothing was written: ${why}`;
  return new CriteriaError({ code: 'WRITE_FAILED', message }, { cause });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** A case as it is kept beside the run, under its own id. */
export function redactCase(evalCase: EvalCase, redact: Redact | undefined): EvalCase {
  return { ...redactor(redact)(evalCase, 'case'), evalId: evalCase.evalId };
}

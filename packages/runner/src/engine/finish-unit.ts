import type { Tools } from '@agent-criteria/core';
import { endedInError, summariseCase, type ToolsFor, type UnitScores } from '@agent-criteria/core/host';
import { compactCaseResult } from '@agent-criteria/results';
import type { CaseRecord, InferenceRecord } from '../journal/journal.ts';
import { timeNow } from '../own-globals.ts';
import { keyOf } from '../unit.ts';
import { lazyTools, toolsOf } from './call-tools.ts';
import { readKept } from './read-kept.ts';
import { maskScores, redactScores, referenceOf } from './redact.ts';
import { scoreOne } from './score-one.ts';
import type { CaseWork, Skipped, UnitWork, Work } from './work.ts';

const OURS = '@agent-criteria/';

/**
 * Scores a unit, and sums up its case when that is complete.
 * @returns whether the unit has its scores, and its case is not complete yet.
 */
export async function finishUnit(
  work: Work,
  next: UnitWork,
  record: InferenceRecord,
  isKept: boolean,
): Promise<boolean> {
  const { journal, redaction, auto, sink } = work.options;
  const { ofCase, unit, plan } = next;
  // An inference that the end of the run cut short is made again when the run is resumed.
  if (record.inference.ending.by === 'abort') return false;
  const key = keyOf(unit);
  const kept = isKept && plan.isScored ? await readKept(() => journal.scores(key)) : null;
  const scores = kept === null ? await scoresOf(work, next, record, isKept) : { key, ...kept.scores };
  if (scores === null) return false;
  if (auto !== undefined) ofCase.verdicts.push(summariseCase(ofCase.set.plan, ofCase.evalCase, [scores]).verdict);
  const isLast = ofCase.scored.length === ofCase.repeats.length - 1 || auto?.enough(ofCase.verdicts) === true;
  const isNew = kept === null || isLast;
  const ticket = isNew ? plan.scoreTicket : kept.ticket;
  ofCase.scored.push({ scores, ticket });
  const result = isLast ? resultOf(ofCase) : null;
  if (isNew) {
    const { sessionId, ending, criteria } = scores;
    const completed: CaseRecord | undefined =
      result === null ? undefined : { of: ofCase.scored.map((one) => one.ticket), result: compactCaseResult(result) };
    const made = { key, ticket, of: record.ticket, scores: { sessionId, ending, criteria }, case: completed };
    if ((await journal.keepScores(redactScores(made, redaction))) !== 'kept') {
      work.undone = true;
      return false;
    }
  }
  if (result !== null) sink({ type: 'case-finished', result });
  return result === null;
}

/** The repeats of a case in their order, whatever ended first. */
function resultOf({ set, evalCase, scored }: CaseWork) {
  scored.sort((a, b) => a.scores.key.repeat - b.scores.key.repeat);
  return summariseCase(
    set.plan,
    evalCase,
    scored.map(({ scores }) => scores),
  );
}

async function scoresOf(
  work: Work,
  { ofCase, unit }: UnitWork,
  record: InferenceRecord,
  isKept: boolean,
): Promise<UnitScores | null> {
  const { inference } = record;
  const { criterionTimeout, redaction } = work.options;
  const key = keyOf(unit);
  if (endedInError(inference.ending)) {
    return maskScores({ key, sessionId: inference.sessionId, ending: inference.ending, criteria: [] }, redaction, {
      isRedacted: !isKept,
      areOurs: true,
    });
  }
  // Whoever has to wait for judges is not begun any more when the run is to end: its answers are kept.
  const room = work.scoring.enter();
  if (room !== undefined) {
    await room;
    if (work.options.drain?.aborted || work.spent) {
      work.scoring.leave();
      work.undone = true;
      return null;
    }
  }
  const startedAt = timeNow();
  const skipped: Skipped = { any: false };
  const tools = ({ criterion: name, turn }: ToolsFor, plain: Tools): Tools =>
    lazyTools(plain, () => toolsOf(work, plain, { role: 'criterion', key, name, turn }, skipped));
  try {
    // What a journal gave may be its own.
    const options = { signal: work.end.signal, tools, isOwn: !isKept };
    const judged = { ...unit, case: referenceOf(unit.case, redaction.mask) };
    const scores = await scoreOne(ofCase.set.plan, judged, inference, criterionTimeout, options);
    if (scores === null || skipped.any) return null;
    work.options.sink({ type: 'unit-scored', key, startedAt });
    const areOurs = ofCase.set.plan.criteria.every(({ criterion }) => criterion.origin.package.startsWith(OURS));
    return maskScores(scores, redaction, { isRedacted: !isKept, areOurs });
  } finally {
    work.scoring.leave();
  }
}

import type { Tools } from '@agent-criteria/core';
import { endedInError, summariseCase, type ToolsFor, type UnitScores } from '@agent-criteria/core/host';
import { compactCaseResult } from '@agent-criteria/results';
import type { CaseRecord, InferenceRecord } from '../journal/journal.ts';
import { timeNow } from '../own-globals.ts';
import { keyOf } from '../unit-key.ts';
import { lazyTools, toolsFor } from './call-tools.ts';
import { scoreOne } from './limit-criteria.ts';
import { readIfIntact } from './recheck-cases.ts';
import { maskScores, redactScores, referenceOf } from './redact.ts';
import type { CaseWork, Skipped, UnitWork, Work } from './work.ts';

const OURS = '@agent-criteria/';

/**
 * Scores a unit, and summarises its case once the case is complete.
 * @param isStored Whether the inference comes from an earlier start of the run.
 * @returns whether the unit has scores but its case is not complete yet.
 */
export async function finishUnit(
  work: Work,
  next: UnitWork,
  record: InferenceRecord,
  isStored: boolean,
): Promise<boolean> {
  const { journal, redaction, sink, cases } = work.options;
  const { ofCase, unit, plan } = next;
  // An inference that was cut short by the end of the run is repeated when the run resumes.
  if (record.inference.ending.by === 'abort') return false;
  const key = keyOf(unit);
  const stored = isStored && plan.isScored ? await readIfIntact(() => journal.scores(key)) : null;
  const scores = stored === null ? await scoreUnitOf(work, next, record, isStored) : { key, ...stored.scores };
  if (scores === null) return false;
  const { auto } = cases;
  if (auto !== undefined) ofCase.verdicts.push(summariseCase(ofCase.set.plan, ofCase.evalCase, [scores]).verdict);
  const isLast = ofCase.scored.length === ofCase.repeats.length - 1 || auto?.enough(ofCase.verdicts) === true;
  const isNew = stored === null || isLast;
  const ticket = isNew ? plan.scoreTicket : stored.ticket;
  ofCase.scored.push({ scores, ticket });
  const result = isLast ? summarise(ofCase) : null;
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

/** Summarises a case from its repeats in order, regardless of which finished first. */
function summarise({ set, evalCase, scored }: CaseWork) {
  scored.sort((a, b) => a.scores.key.repeat - b.scores.key.repeat);
  return summariseCase(
    set.plan,
    evalCase,
    scored.map(({ scores }) => scores),
  );
}

async function scoreUnitOf(
  work: Work,
  { ofCase, unit }: UnitWork,
  { inference }: InferenceRecord,
  isStored: boolean,
): Promise<UnitScores | null> {
  const { limits, redaction, drain, sink } = work.options;
  const { plan } = ofCase.set;
  const key = keyOf(unit);
  if (endedInError(inference.ending)) {
    return maskScores({ key, sessionId: inference.sessionId, ending: inference.ending, criteria: [] }, redaction, {
      isRedacted: !isStored,
      areOurs: true,
    });
  }
  // Once the run is ending, units that would have to wait for judges are not scored. Their inferences are stored.
  const place = work.scoring.acquire();
  if (place !== undefined) {
    await place;
    if (drain?.aborted || work.spent) {
      work.scoring.release();
      work.undone = true;
      return null;
    }
  }
  const startedAt = timeNow();
  const skipped: Skipped = { any: false };
  const tools = ({ criterion: name, turn }: ToolsFor, plain: Tools): Tools =>
    lazyTools(plain, () => toolsFor(work, plain, { role: 'criterion', key, name, turn }, skipped));
  try {
    // The journal may still own an inference that it returned.
    const options = { signal: work.end.signal, tools, isOwn: !isStored };
    const judged = { ...unit, case: referenceOf(unit.case, redaction.mask) };
    const scores = await scoreOne(plan, judged, inference, limits.criterionTimeout, options);
    if (scores === null || skipped.any) return null;
    sink({ type: 'unit-scored', key, startedAt });
    const areOurs = plan.criteria.every(({ criterion }) => criterion.origin.package.startsWith(OURS));
    return maskScores(scores, redaction, { isRedacted: !isStored, areOurs });
  } finally {
    work.scoring.release();
  }
}

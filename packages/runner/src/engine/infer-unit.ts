import type { Agent } from '@agent-criteria/core';
import { counted, directTools, type Plan } from '@agent-criteria/core/host';
import { historyLength } from '@agent-criteria/formats/parse';
import { agentCost, type Prices } from '@agent-criteria/results';
import type { InferenceRecord } from '../journal/journal.ts';
import { timeNow } from '../own-globals.ts';
import { keyOf } from '../unit-key.ts';
import { toolsFor } from './call-tools.ts';
import { converse } from './converse.ts';
import { simulatorCaller } from './environment.ts';
import { maskEvent, redactInference } from './redact.ts';
import { userCaller } from './user.ts';
import type { Skipped, UnitWork, Work } from './work.ts';

/** Runs the agent on a unit. Returns `null` if there is no agent, or if the inference must not be stored. */
export async function inferUnit(
  work: Work,
  { ofCase, unit, plan: { ticket } }: UnitWork,
): Promise<InferenceRecord | null> {
  const { agent } = ofCase;
  const { limits, sink, journal, redaction } = work.options;
  if (agent === null) return null;
  const key = keyOf(unit);
  const { plan } = ofCase.set;
  const startedAt = timeNow();
  sink({ type: 'unit-started', key });
  const by = plan.simulator?.simulator.name ?? 'user';
  const { signal } = work.end;
  const skipped: Skipped = { any: false };
  const inference = await converse(plan, agent, unit, {
    turnTimeout: limits.turnTimeout,
    caseTimeout: limits.caseTimeout,
    signal,
    tools: (turn) => toolsFor(work, directTools(plan, signal), userCaller(key, by, turn), skipped),
    simulatorTools: (simulator, turn) =>
      toolsFor(work, directTools(plan, signal), simulatorCaller(key, simulator, turn), skipped),
    onTurn: (turn) => sink({ type: 'turn-finished', key, turn }),
    onAgentEvent(turn, event) {
      const shown = maskEvent(event, redaction);
      if (shown !== undefined) sink({ type: 'agent-event', key, turn, event: shown });
    },
  });
  if (inference.history === 'replayed') noteReplay(work, plan, agent);
  // The simulated user or a simulated tool was cut short, not the agent, so the conversation is repeated when the run resumes.
  if (skipped.any) return null;
  const record: InferenceRecord = {
    key,
    ticket,
    seen: ofCase.seen,
    inference: redactInference(inference, redaction),
    startedAt,
    endedAt: timeNow(),
  };
  if ((await journal.keepInference(record)) !== 'kept') {
    // A later request for this unit has already been answered, and takes precedence.
    work.undone = true;
    return null;
  }
  const cost = knownCost(record, work.options.calls.prices);
  sink({ type: 'unit-inferred', key, ending: record.inference.ending, startedAt, cost });
  return record;
}

function knownCost(record: InferenceRecord, prices: Prices | undefined): number | undefined {
  // Without prices, reading the trace of every unit would be for nothing.
  if (prices === undefined) return undefined;
  const cost = agentCost(record, prices);
  return typeof cost === 'number' ? cost : undefined;
}

/** Warns once per set and agent that replayed turns cost as much as any others, and may repeat side effects. */
function noteReplay({ warnings }: Work, { evalSet }: Plan, agent: Agent): void {
  const cases = evalSet.evalCases.filter((evalCase) => historyLength(evalCase) > 0).length;
  const message =
    `the agent "${agent.name}" takes no history, so the earlier turns of ${counted(cases, 'case')} of "${evalSet.evalSetId}" ` +
    'are sent to it again; they are not judged';
  if (!warnings.some((warning) => warning.message === message)) warnings.push({ code: 'NOT_SUPPORTED', message });
}

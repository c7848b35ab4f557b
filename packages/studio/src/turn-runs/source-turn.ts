import type { EvalCase, Invocation, Span, State } from '@agent-criteria/core';
import type { PreparedRun } from '@agent-criteria/project';
import type { RunInference } from '@agent-criteria/results';
import type { TurnPlace } from '../api.ts';
import type { App } from '../apps/app.ts';
import type { Studio } from '../studio.ts';
import type { HeadStart } from './head-start.ts';
import { turnOfChat } from './turn-of-chat.ts';
import { turnOfRun } from './turn-of-run.ts';

/** A turn as it was, with everything that is needed to run it again. */
export interface SourceTurn extends HeadStart {
  readonly of: TurnPlace;
  /** The app whose agent answered. */
  readonly app: App;
  readonly setId: string;
  /** Ends with the turn. Earlier turns are its history. */
  readonly evalCase: EvalCase;
  /** Position of the turn, from 0. */
  readonly turn: number;
  /** Only the user's message, if the agent gave no answer. */
  readonly original: Invocation;
  /** Why the agent gave no answer, or `null`. */
  readonly problem: string | null;
  /** The conversation up to the turn, with the calls to models that were reported. */
  readonly recorded: RecordedTurns;
  /** Why the state before the turn is unknown, in a complete sentence. `null` if it is known. */
  readonly unknown: string | null;
  /** Whether the case states what is expected of the turn. */
  readonly isExpected: boolean;
  /** The run that the case's conversation was taken from, prepared again, or `null` for a session. */
  readonly prepared: PreparedRun | null;
  /** Name of the agent among the variants of that run. */
  readonly variant: string | undefined;
  /** Remarks in complete sentences. */
  readonly notes: readonly string[];
}

/** As much of a conversation as usage is counted from. */
export interface RecordedTurns {
  readonly invocations: readonly Invocation[];
  readonly trace: readonly Span[];
}

/** Returns the recorded turns in the form in which usage is counted. */
export function inferenceOf({ invocations, trace }: RecordedTurns): RunInference {
  return {
    key: { setId: '', caseId: '', repeat: 0 },
    inference: {
      sessionId: '',
      invocations: [...invocations],
      trace: [...trace],
      state: { initial: null, final: null },
      ending: { by: 'end-of-case' },
    },
  };
}

/** Finds a turn. @throws A refusal with status 404 if there is none, or 409 if it cannot be run again. */
export function sourceTurn(studio: Studio, of: TurnPlace): Promise<SourceTurn> {
  return 'session' in of ? turnOfChat(studio, of) : turnOfRun(studio, of);
}

/** Marks the first turns of a case as history, and drops what belongs to turns after the last one. */
export function endingWith(
  evalCase: Pick<EvalCase, 'evalId'> & Partial<EvalCase>,
  conversation: readonly Invocation[],
): EvalCase {
  const { agentCriteria, conversationScenario: _, ...kept } = evalCase;
  const turn = conversation.length - 1;
  const { history: __, calls_not_stated: snake, callsNotStated: camel, ...criteria } = (agentCriteria ?? {}) as State;
  const notStated: unknown = snake ?? camel;
  const isNotStated = Array.isArray(notStated) && notStated.includes(turn);
  const marks = {
    ...criteria,
    ...(turn > 0 && { history: turn }),
    ...(isNotStated && { calls_not_stated: [turn] }),
  };
  return {
    ...kept,
    conversation: [...conversation],
    ...(Object.keys(marks).length > 0 && { agentCriteria: marks }),
  };
}

import type { Invocation } from '@agent-criteria/core';
import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';
import type { RunCriterion, TokenCounts } from '@agent-criteria/results';
import type { RunEstimate } from './run-dialog.ts';

/** A turn of a session, or of a conversation in a run. */
export type TurnPlace =
  | {
      readonly app: string;
      readonly session: string;
      /** Event id of the user's message. */
      readonly event: string;
    }
  | {
      readonly run: string;
      readonly set: string;
      readonly case: string;
      readonly variant?: string | undefined;
      /** From 0. */
      readonly repeat: number;
      /** From 0. */
      readonly turn: number;
    };

/** A single turn to run again, from the state before it. */
export interface NewTurnRun {
  readonly of: TurnPlace;
  /** From 1 to 20. */
  readonly times: number;
  /** Another agent that gets the same turn as often. Default: none. */
  readonly beside?: BesideAgent | undefined;
}

/** The agent of an app, or a variant in the project's config. */
export type BesideAgent =
  | { readonly app: string; readonly agentName?: string | undefined }
  | { readonly variant: string };

/** Expected cost of running a turn again. */
export interface TurnRunEstimate {
  readonly agents: readonly TurnRunAgentEstimate[];
  /** Estimated calls of the judges, or `null` if nothing is scored. */
  readonly judges: RunEstimate | null;
  /** Why nothing is scored, in a complete sentence, or `null` if the turn is scored or belongs to no case. */
  readonly unscored: string | null;
  /** Names of the variants in the project's config. */
  readonly variants: readonly string[];
  /** Remarks in complete sentences. */
  readonly notes: readonly string[];
}

/** How an agent gets to the turn. */
export interface TurnRunAgent {
  /** Name of the variant in results, or `null` for the only agent. */
  readonly variant: string | null;
  readonly name: string;
  /** The app in whose chat its answers can be opened, or `null` if there is none. */
  readonly app: string | null;
  /** Number of earlier messages that are sent again each time. 0 if the agent takes the conversation as it was. */
  readonly resent: number;
  /** Why they are sent again, in a complete sentence, or `null` if none are. */
  readonly why: string | null;
}

export interface TurnRunAgentEstimate extends TurnRunAgent {
  /** Usage each time, as measured before, or `null` if it is unknown. */
  readonly each: TurnUsage | null;
}

/** Usage of an agent's model calls. */
export interface TurnUsage {
  readonly modelCalls: number;
  /** `null` if no call reported its tokens. */
  readonly tokens: TokenCounts | null;
  /** In the currency of the prices, or `null` if unknown. */
  readonly cost: number | null;
}

/** A turn that was run again, with the answers so far. */
export interface TurnRunDetail {
  readonly id: string;
  readonly of: TurnPlace;
  /** The app whose agent gave the original answer. */
  readonly app: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** `ended`: the studio ended before the turn run had. */
  readonly state: 'running' | 'cancelling' | 'finished' | 'cancelled' | 'ended';
  /** Position of the turn in its conversation, from 0. */
  readonly turn: number;
  readonly times: number;
  readonly agents: readonly TurnRunAgent[];
  readonly original: TurnRunOriginal;
  /** The turn that the case expects, or `null` if it expects none. */
  readonly expected: Invocation | null;
  readonly criteria: readonly RunCriterion[];
  readonly unscored: string | null;
  readonly answers: readonly TurnAnswer[];
  /** Why it failed as a whole, or `null`. */
  readonly problem: string | null;
}

/** The turn as it was before. */
export interface TurnRunOriginal {
  /** Only the user's message, if the agent gave no answer. */
  readonly invocation: Invocation;
  /** Why there is no answer, or `null`. */
  readonly problem: string | null;
  readonly usage: TurnUsage | null;
}

/** Identifies an answer in a turn run. */
export interface TurnAnswerKey {
  readonly variant: string | null;
  /** From 0. */
  readonly repeat: number;
}

export interface TurnAnswer extends TurnAnswerKey, TurnProgress {
  /** `null` until the agent has answered. */
  readonly invocation: Invocation | null;
  /** Why there is no answer, or `null`. */
  readonly problem: string | null;
  /** Milliseconds, with messages that were sent again, or `null` if unknown. */
  readonly time: number | null;
  readonly usage: TurnUsage | null;
  readonly verdict: Verdict | null;
  readonly scores: readonly TurnScore[];
}

export interface TurnScore {
  readonly name: string;
  readonly verdict: CriterionVerdict;
  /** `null` if the score is missing. */
  readonly score: number | null;
  readonly reason: string | null;
}

export interface TurnProgress {
  readonly state: 'waiting' | 'running' | 'scoring' | 'done' | 'left';
  /** Number of earlier messages that have been sent again so far. */
  readonly resent: number;
  /** The agent's answer so far in the turn. */
  readonly text: string;
  /** Names of the tools that it has called so far. */
  readonly calls: readonly string[];
}

/** Server-sent change of a turn run: the answers that are under way. */
export interface TurnRunChange {
  readonly answers: readonly (TurnAnswerKey & TurnProgress)[];
  /** Grows whenever an answer or its scores are complete, and can be read. */
  readonly complete: number;
}

/** Turn run as listed. */
export interface TurnRunSummary {
  readonly id: string;
  readonly of: TurnPlace;
  readonly app: string;
  readonly startedAt: number;
  readonly times: number;
  readonly agents: readonly Pick<TurnRunAgent, 'name'>[];
  /** The user's message. */
  readonly message: string;
}

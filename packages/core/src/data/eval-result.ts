import type { State } from '../json.ts';
import type { Invocation } from './eval-set.ts';
import type { RubricScore } from './rubric.ts';

/** ADK's four statuses as its files number them: 1 passed, 2 failed, 3 not evaluated, 4 informational. */
export type AdkStatus = 1 | 2 | 3 | 4;

/** The content of an `.evalset_result.json` file. */
export interface EvalSetResult {
  evalSetResultId: string;
  evalSetResultName?: string | null;
  evalSetId: string;
  evalCaseResults?: EvalCaseResult[];
  /** Unix seconds. */
  creationTimestamp?: number;
}

export interface EvalCaseResult {
  /** Kept for old readers; ADK writes the set's id here. */
  evalSetFile?: string | null;
  evalSetId?: string;
  evalId?: string;
  finalEvalStatus: AdkStatus;
  /** Old form, pairs of metric and result; read, never written. */
  evalMetricResults?: unknown;
  overallEvalMetricResults: EvalMetricResult[];
  evalMetricResultPerInvocation: EvalMetricResultPerInvocation[];
  sessionId: string;
  /** Opaque: the whole session as ADK stored it. */
  sessionDetails?: unknown;
  userId?: string | null;
  /** Our own keys: the true verdict, coverage and reasons. ADK drops them. */
  agentCriteria?: State;
}

export interface EvalMetricResult {
  metricName: string;
  threshold?: number | null;
  /** The criterion's options as they were written. */
  criterion?: unknown;
  customFunctionPath?: string | null;
  score?: number | null;
  evalStatus: AdkStatus;
  details?: EvalMetricResultDetails | null;
}

export interface EvalMetricResultDetails {
  rubricScores?: RubricScore[] | null;
  tokenUsageDetails?: TokenUsageDetails | null;
}

export interface TokenUsageDetails {
  totalTokens?: number | null;
  inputTokens?: number | null;
  promptTokens?: number | null;
  cachedTokens?: number | null;
  toolUseTokens?: number | null;
  outputTokens?: number | null;
  candidatesTokens?: number | null;
  reasoningTokens?: number | null;
}

export interface EvalMetricResultPerInvocation {
  actualInvocation: Invocation;
  expectedInvocation?: Invocation | null;
  evalMetricResults?: EvalMetricResult[];
}

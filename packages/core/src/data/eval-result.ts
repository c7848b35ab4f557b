import type { State } from '../json.ts';
import type { Invocation } from './eval-set.ts';
import type { RubricScore } from './rubric.ts';

/** ADK's four statuses as its files number them: 1 passed, 2 failed, 3 not evaluated, 4 informational. */
export type AdkStatus = 1 | 2 | 3 | 4;

/** The content of an `.evalset_result.json` file. */
export interface EvalSetResult {
  evalSetResultId: string;
  evalSetResultName?: string | null | undefined;
  evalSetId: string;
  evalCaseResults?: EvalCaseResult[] | undefined;
  /** Unix seconds. */
  creationTimestamp?: number | undefined;
}

export interface EvalCaseResult {
  /** Kept for old readers; ADK writes the set's id here. */
  evalSetFile?: string | null | undefined;
  evalSetId?: string | undefined;
  evalId?: string | undefined;
  finalEvalStatus: AdkStatus;
  /** Old form, pairs of metric and result; read, never written. */
  evalMetricResults?: unknown;
  overallEvalMetricResults: EvalMetricResult[];
  evalMetricResultPerInvocation: EvalMetricResultPerInvocation[];
  sessionId: string;
  /** Opaque: the whole session as ADK stored it. */
  sessionDetails?: unknown;
  userId?: string | null | undefined;
  /** Our own keys: the true verdict, coverage and reasons. ADK drops them. */
  agentCriteria?: State | undefined;
}

export interface EvalMetricResult {
  metricName: string;
  threshold?: number | null | undefined;
  /** The criterion's options as they were written. */
  criterion?: unknown;
  customFunctionPath?: string | null | undefined;
  score?: number | null | undefined;
  evalStatus: AdkStatus;
  details?: EvalMetricResultDetails | null | undefined;
}

export interface EvalMetricResultDetails {
  rubricScores?: RubricScore[] | null | undefined;
  tokenUsageDetails?: TokenUsageDetails | null | undefined;
}

export interface TokenUsageDetails {
  totalTokens?: number | null | undefined;
  inputTokens?: number | null | undefined;
  promptTokens?: number | null | undefined;
  cachedTokens?: number | null | undefined;
  toolUseTokens?: number | null | undefined;
  outputTokens?: number | null | undefined;
  candidatesTokens?: number | null | undefined;
  reasoningTokens?: number | null | undefined;
}

export interface EvalMetricResultPerInvocation {
  actualInvocation: Invocation;
  expectedInvocation?: Invocation | null | undefined;
  evalMetricResults?: EvalMetricResult[] | undefined;
}

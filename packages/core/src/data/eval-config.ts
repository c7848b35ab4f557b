import type { State } from '../json.ts';
import type { ToolSimulationConfig } from './tool-simulation.ts';

/** The content of a `test_config.json` or `eval_config.json`: what a run is judged by. */
export interface EvalConfig {
  /** Where an editor finds the JSON Schema of this file. */
  $schema?: string | undefined;
  /** By criterion name: a threshold, or an object of `threshold` and the criterion's options. */
  criteria?: Record<string, number | CriterionConfig> | undefined;
  /** By metric name: where its function is. */
  customMetrics?: Record<string, CustomMetricConfig> | null | undefined;
  /** Options of the user simulator; `type` names it, default `llm_backed`. */
  userSimulatorConfig?: UserSimulatorConfig | null | undefined;
  /** Recognised and kept; live runs are refused. */
  liveModelConfig?: { timeoutSeconds?: number | undefined } | null | undefined;
  /** Our own keys, which ADK ignores. */
  agentCriteria?:
    | {
        /** Criteria that only measure and never gate. */
        measure?: readonly string[] | undefined;
        /** What answers instead of tools, in every case. */
        toolSimulationConfigs?: readonly ToolSimulationConfig[] | undefined;
      }
    | undefined;
  /** Packages to load criteria, models and simulators from, by name or path. */
  plugins?: readonly string[] | undefined;
}

/** What core reads of a criterion's entry; everything else is the criterion's own option. */
export interface CriterionConfig {
  /** The score that passes, inclusive. Required for criteria that gate. */
  threshold?: number | undefined;
  /** The least share of turns that must have been scored, above 0, at most 1. Default 1. */
  minCoverage?: number | undefined;
  /** What a case gets that the criterion cannot apply to. Default `"not-evaluated"`. */
  whenNotApplicable?: 'not-evaluated' | 'skip' | undefined;
  /** Our options, where the same object is also read by ADK. */
  agentCriteria?: State | undefined;
  readonly [option: string]: unknown;
}

export interface CustomMetricConfig {
  /** `"./file.ts#export"`, or a Python path (which is refused with a hint). */
  codeConfig: { name: string };
  metricInfo?: MetricInfo | null | undefined;
  description?: string | undefined;
}

/** What ADK tells of a metric. */
export interface MetricInfo {
  metricName: string;
  description?: string | null | undefined;
  metricValueInfo: { interval?: Interval | null | undefined };
  requiresThreshold?: boolean | undefined;
}

export interface Interval {
  minValue: number;
  maxValue: number;
  openAtMin?: boolean | undefined;
  openAtMax?: boolean | undefined;
}

export interface UserSimulatorConfig {
  /** Default `llm_backed`. */
  type?: string | null | undefined;
  readonly [option: string]: unknown;
}

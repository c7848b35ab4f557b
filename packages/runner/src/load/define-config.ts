import type { EvalConfig, Json, LanguageModel, Plugin, Prices } from '@agent-criteria/core';

/** What `agent-criteria.config.ts` says of a project. Flags and options beat it; it beats defaults. */
export interface ProjectConfig {
  /** Criteria, models, simulators and agent adapters: as values, or named by package or by path from this file. */
  readonly plugins?: readonly (string | Plugin)[];
  /** Models by the names that criteria and simulators ask for: a model, or a name that a registered provider understands. */
  readonly models?: Readonly<Record<string, LanguageModel | string>>;
  /** The model that judges: a name of `models`, or one that a registered provider understands. */
  readonly judge?: string;
  readonly limits?: ProjectLimits;
  /** What models cost: by the id of a model, then by the name under which it reports what was used. */
  readonly prices?: Prices;
  /** Where runs are kept, from this file. Default `.agent-criteria/runs` in the working folder. */
  readonly runsFolder?: string;
  /** Changes what is kept of a run before it is written: names, secrets. Gives JSON of the same shape. */
  readonly redact?: (value: Json, kind: 'case' | 'inference' | 'scores' | 'call') => Json;
  /** What eval sets are judged by that have no `test_config.json` beside them: a config, or the path of one from this file. */
  readonly config?: string | EvalConfig;
}

export interface ProjectLimits {
  /** How many sessions are open at once. Default 4. */
  readonly agents?: number;
  /** How many calls of criteria run at once. Default 16. */
  readonly scoring?: number;
  /** Milliseconds that one turn may take. Default 300,000. */
  readonly turnTimeout?: number;
  /** Milliseconds that one case may take, all its turns together. Default: no limit. */
  readonly caseTimeout?: number;
  /** Milliseconds that the whole run may take. Default: no limit. */
  readonly runTimeout?: number;
}

/** The content of `agent-criteria.config.ts`, completed and checked by the compiler. Gives back what it is given. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}

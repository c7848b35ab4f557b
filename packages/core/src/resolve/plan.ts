import type { EvalConfig, EvalSet, Json, Problem, ToolSimulationConfig } from '@agent-criteria/formats';
import type { Criterion } from '../contracts/criterion.ts';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { UserSimulator } from '../contracts/user-simulator.ts';

/** A model by name; `undefined` where there is none. The name `judge` is a role. */
export type ModelLookup = (name: string) => LanguageModel | undefined;

/** One eval set and the criteria it is judged by: checked, complete, ready to run. Made by `resolveEvalConfig`. */
export interface Plan {
  readonly evalSet: EvalSet;
  /** The config as parsed, `null` when ADK's defaults stand in. */
  readonly config: EvalConfig | null;
  /** In the order of the config. */
  readonly criteria: readonly PlannedCriterion[];
  /** Leads the set's scenarios; `null` when it has none. */
  readonly simulator: { readonly simulator: UserSimulator; readonly options: unknown } | null;
  /** By case id: what answers instead of tools. Cases without stubs are left out. */
  readonly stubs: ReadonlyMap<string, readonly ToolSimulationConfig[]>;
  readonly models: ModelLookup;
  readonly compat: 'adk' | null;
  /** What is odd, but no reason to stop. */
  readonly warnings: readonly Problem[];
}

/** A criterion with everything that the config says of it. */
export interface PlannedCriterion {
  readonly name: string;
  readonly criterion: Criterion;
  /** `false`: measured, never decides. */
  readonly decides: boolean;
  /** The config does not name it: it is measured in every run. Default `false`. */
  readonly byDefault?: boolean | undefined;
  /** `null` exactly where it is not deciding. */
  readonly threshold: number | null;
  readonly minCoverage: number;
  readonly whenNotApplicable: 'not-evaluated' | 'skip';
  /** Validated, with defaults. */
  readonly options: unknown;
  /** By case id, where a case brings options of its own; validated. */
  readonly caseOptions: ReadonlyMap<string, unknown>;
  /** By case id: why the criterion cannot apply to that case. */
  readonly inapplicable: ReadonlyMap<string, string>;
  /** The entry as the config has it, for result files. */
  readonly written: Json;
}

/** The options of a criterion for one case. */
export function optionsFor(planned: PlannedCriterion, caseId: string): unknown {
  return planned.caseOptions.has(caseId) ? planned.caseOptions.get(caseId) : planned.options;
}

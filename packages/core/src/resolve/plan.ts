import type {
  EnvironmentSimulationConfig,
  EvalConfig,
  EvalSet,
  Json,
  Problem,
  ToolSimulationConfig,
} from '@agent-criteria/formats';
import type { Criterion } from '../contracts/criterion.ts';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { ToolSimulator } from '../contracts/tool-simulator.ts';
import type { UserSimulator } from '../contracts/user-simulator.ts';

/** Returns a model by name, or `undefined` if there is none. The name `judge` refers to the run's judge. */
export type ModelLookup = (name: string) => LanguageModel | undefined;

/** An eval set and its criteria, checked and ready to run. Created by `resolveEvalConfig`. */
export interface Plan {
  readonly evalSet: EvalSet;
  /** The parsed config, or `null` if ADK's default criteria are used. */
  readonly config: EvalConfig | null;
  /** In the order of the config. */
  readonly criteria: readonly PlannedCriterion[];
  /** The simulated user for the set's scenarios, or `null` if none is needed. */
  readonly simulator: { readonly simulator: UserSimulator; readonly options: unknown } | null;
  /** Stubs that answer instead of tools, by case id. Cases without stubs are absent, unless unlisted tools are errors. */
  readonly stubs: ReadonlyMap<string, readonly ToolSimulationConfig[]>;
  /** The simulations that decide the calls that no injection decides, by case id. Cases where tools do are absent. */
  readonly environments: ReadonlyMap<string, PlannedEnvironment>;
  readonly models: ModelLookup;
  readonly compat: 'adk' | null;
  readonly warnings: readonly Problem[];
}

/** A simulated environment as configured for a case. */
export interface PlannedEnvironment {
  /** The keys of the config and of the case, which take precedence. */
  readonly config: EnvironmentSimulationConfig;
  /** The simulators by the name of the tool for which they answer. */
  readonly simulators: ReadonlyMap<string, ToolSimulator>;
}

/** A criterion as configured. */
export interface PlannedCriterion {
  readonly name: string;
  readonly criterion: Criterion;
  /** Whether it counts towards verdicts. */
  readonly decides: boolean;
  /** Whether it is measured in every run without being in the config. Default `false`. */
  readonly byDefault?: boolean | undefined;
  /** The threshold, or `null` if (and only if) the criterion is not deciding. */
  readonly threshold: number | null;
  readonly minCoverage: number;
  readonly whenNotApplicable: 'not-evaluated' | 'skip';
  /** Validated, with defaults. */
  readonly options: unknown;
  /** Validated options by case id, for cases that have their own. */
  readonly caseOptions: ReadonlyMap<string, unknown>;
  /** The reason why it does not apply, by case id. Cases to which it applies are absent. */
  readonly inapplicable: ReadonlyMap<string, string>;
  /** The config's entry, for result files. */
  readonly written: Json;
}

/** Returns the options of a criterion for one case. */
export function optionsFor(planned: PlannedCriterion, caseId: string): unknown {
  return planned.caseOptions.has(caseId) ? planned.caseOptions.get(caseId) : planned.options;
}

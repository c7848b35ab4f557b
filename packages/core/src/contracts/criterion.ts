import type { EvalCase, Problem, State } from '@agent-criteria/formats';
import type { ModelAccess } from './language-model.ts';
import type { OptionsSchema, StandardSchema } from './options-schema.ts';
import type { Origin, Registered } from './registered.ts';
import type { Score } from './score.ts';
import type { Tools } from './tools.ts';
import type { Transcript, Turn, Unit } from './transcript.ts';

// Methods, never function-valued properties: Criterion<'x', I, O> must be assignable to Criterion without `any`.

/** The numbers that a criterion can give, and which end is better. */
export interface Range {
  readonly min: number;
  /** The upper end, or `null` if there is none, as for counts. */
  readonly max: number | null;
  readonly better: 'higher' | 'lower';
}

/** Requirements that a case must meet for the criterion to apply to it. */
export interface Needs {
  /** The part of the expected turns that is read: the answer, the tool calls, or either. */
  readonly reference?: 'response' | 'tools' | 'either' | undefined;
  /** A conversation led by a simulated user. */
  readonly scenario?: boolean | undefined;
  /** An expected final session state. */
  readonly finalState?: boolean | undefined;
  /** Rubrics of this type, from the criterion's own `rubrics` option, the case, or its turns. */
  readonly rubrics?: { readonly type: string } | undefined;
}

/** The range of the number of model or service calls per unit. */
export interface CallEstimate {
  readonly min: number;
  readonly max: number;
  /** Tokens sent and received by all these calls, estimated from the case. */
  readonly tokens?: { readonly min: number; readonly max: number } | undefined;
}

/** How turn scores are aggregated into a case's score. */
export type Aggregate = 'turns' | 'parts' | ((values: readonly number[]) => number);

/** Other parts of the plan that a criterion may depend on. */
export interface CheckContext {
  /** The simulated user and its options, or `null` if no case has one. */
  readonly simulator: { readonly name: string; readonly options: unknown } | null;
}

interface CriterionHead<Name extends string, Input, Options, Decides extends boolean>
  extends Registered<'criterion', Name> {
  /** One sentence that explains what a good score means. */
  readonly description: string;
  /**
   * Whether the criterion is deciding: it counts towards a case's verdict, and needs a threshold. If `false`, it only
   * measures, and has no threshold. A literal type, so that a threshold can be rejected at compile time.
   */
  readonly decides: Decides;
  /**
   * Whether it is measured wherever it is registered, even if no config names it. It decides only if a config names it
   * with a threshold. Default `false`.
   */
  readonly measuredByDefault?: boolean | undefined;
  readonly range: Range;
  readonly needs?: Needs | undefined;
  /**
   * Returns why the criterion cannot apply to a case with these options, or `null` if it can. Called before the run,
   * after `needs` is checked. Default: it always can.
   */
  unmetNeed?(evalCase: EvalCase, options: Options): string | null;
  /**
   * Whether it reads the agent's answers. If it does, a truncated answer is could-not-judge, except in compat mode.
   * Default: `false` if `needs.reference` is `'tools'`, else `true`.
   */
  readonly readsAnswer?: boolean | undefined;
  /** Keys in camelCase. `threshold`, `minCoverage`, `whenNotApplicable` and `agentCriteria` are reserved by core. */
  readonly options: OptionsSchema<Input, Options>;
  /** Default `'turns'`. A function's result must never improve when an input gets worse. */
  readonly aggregate?: Aggregate | undefined;
  /**
   * How numbers are computed in compat mode: the kind of mean that ADK's metric takes (left-to-right sum over count, or
   * exact), how it treats missing scores, and how it aggregates if that differs from `aggregate`. Default: sum; missing
   * scores are dropped; as `aggregate`.
   */
  readonly adk?:
    | {
        readonly mean: 'sum' | 'exact';
        readonly missing: 'dropped' | 'zero';
        readonly aggregate?: 'turns' | 'parts' | undefined;
      }
    | undefined;
  /** Returns the names of the models that these options need. `'judge'` is the run's judge. */
  models?(options: Options): readonly string[];
  /** Returns the settings of these models, which the models check before the run. Default: none. */
  modelSettings?(options: Options): State;
  /**
   * Finds missing requirements, such as environment variables, and contradictory options before the run. Returns
   * sentences, or problems with a code and a path.
   */
  check?(
    options: Options,
    environment: Readonly<Record<string, string | undefined>>,
    context: CheckContext,
  ): readonly (Problem | string)[];
  /**
   * Describes the paid service that the criterion uses besides models, and its credentials, as far as they can be
   * determined without a call. Missing requirements are reported before the run, unless all answers come from a
   * recording.
   */
  access?(options: Options, environment: Readonly<Record<string, string | undefined>>): ModelAccess;
  estimate?(unit: Unit, turns: number, options: Options): CallEstimate;
}

/**
 * The second argument of `evaluate`. Reading any other key throws, and so does spreading the object, so pass keys on by
 * name.
 */
export interface EvaluateContext<Options> {
  readonly options: Options;
  readonly tools: Tools;
  readonly transcript: Transcript;
}

/**
 * Evaluates a turn or a conversation. An error becomes could-not-judge with its message; only an abort propagates. The
 * unit and the inference are frozen, because other criteria read them too: modify a copy.
 */
export type Evaluate<Options> =
  | {
      /** `evaluate` is called once per turn; an error affects only that turn. */
      readonly scope: 'turn';
      evaluate(turn: Turn, context: EvaluateContext<Options>): Score | Promise<Score>;
    }
  | {
      /** `evaluate` is called once per conversation; remarks on single turns are evidence. */
      readonly scope: 'conversation';
      evaluate(transcript: Transcript, context: EvaluateContext<Options>): Score | Promise<Score>;
    };

/** One way to score an agent's work. It returns only scores: no mean, no threshold, no verdict. */
export type Criterion<
  Name extends string = string,
  Input = unknown,
  Options = unknown,
  Decides extends boolean = boolean,
> = CriterionHead<Name, Input, Options, Decides> & Evaluate<Options>;

/** The argument of `defineCriterion`: `name`, `description` and `evaluate` are enough. */
export type CriterionDefinition<Name extends string, Input, Options, Decides extends boolean> = Omit<
  CriterionHead<Name, Input, Options, Decides>,
  'kind' | 'specVersion' | 'origin' | 'decides' | 'range' | 'options'
> & {
  /** The criterion's package. Default: the project that defines it. */
  readonly origin?: Origin | undefined;
  /**
   * Whether the criterion is deciding: it counts towards a case's verdict, and needs a threshold. If `false`, it only
   * measures, and has no threshold. Default `true`.
   */
  readonly decides?: Decides | undefined;
  /** Default: 0 to 1, higher is better. */
  readonly range?: Range | undefined;
  /**
   * The result of `optionsSchema`, or a Standard Schema that can produce its JSON Schema, such as zod's `z.object`.
   * Default: none. Keys in camelCase; `threshold`, `minCoverage`, `whenNotApplicable` and `agentCriteria` are reserved
   * by core.
   */
  readonly options?: StandardSchema<Input, Options> | undefined;
} & (OncePerTurn<Options> | Extract<Evaluate<Options>, { readonly scope: 'conversation' }>);

interface OncePerTurn<Options> {
  /** Default `'turn'`. */
  readonly scope?: 'turn' | undefined;
  evaluate(turn: Turn, context: EvaluateContext<Options>): Score | Promise<Score>;
}

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
  /** `null`: no upper end, as for counts. */
  readonly max: number | null;
  readonly better: 'higher' | 'lower';
}

/** What a case must hold for the criterion to apply to it. */
export interface Needs {
  /** What of the expected turns is read: the answer, the tool calls, or whichever is there. */
  readonly reference?: 'response' | 'tools' | 'either' | undefined;
  /** A conversation led by a simulated user. */
  readonly scenario?: boolean | undefined;
  /** An expected final session state. */
  readonly finalState?: boolean | undefined;
  /** Rubrics of this type: from the criterion's own `rubrics` option, the case, or its turns. */
  readonly rubrics?: { readonly type: string } | undefined;
}

/** How many model or service calls a unit will take: a range, because nothing has run yet. */
export interface CallEstimate {
  readonly min: number;
  readonly max: number;
  /** Tokens that all these calls send and get together, as far as the case shows. */
  readonly tokens?: { readonly min: number; readonly max: number } | undefined;
}

/** How the numbers of turns become the number of a case. */
export type Aggregate = 'turns' | 'parts' | ((values: readonly number[]) => number);

/** What else of the plan a criterion may have to agree with. */
export interface CheckContext {
  /** The simulated user and its options; `null` where no case has one. */
  readonly simulator: { readonly name: string; readonly options: unknown } | null;
}

interface CriterionHead<Name extends string, Input, Options, Decides extends boolean>
  extends Registered<'criterion', Name> {
  /** One sentence: what a good score means. */
  readonly description: string;
  /**
   * Whether it is deciding: it counts towards a case's verdict, and needs a threshold. `false`: it only measures, and takes
   * no threshold. A literal, so that types can refuse one.
   */
  readonly decides: Decides;
  /**
   * Whether it is measured wherever it is registered, without being named in a config. It decides only where a config names
   * it with a threshold. Default `false`.
   */
  readonly measuredByDefault?: boolean | undefined;
  readonly range: Range;
  readonly needs?: Needs | undefined;
  /**
   * A need that depends on the options: why the criterion cannot apply to a case with these options, or `null` when it can.
   * Asked before anything runs, after `needs`. Default: it can.
   */
  unmetNeed?(evalCase: EvalCase, options: Options): string | null;
  /**
   * Whether it reads the agent's answers. If it does, an answer that was cut off could not be judged. Default: `false` where
   * `needs.reference` is `'tools'`, else `true`.
   */
  readonly readsAnswer?: boolean | undefined;
  /** camelCase. `threshold`, `minCoverage`, `whenNotApplicable` and `agentCriteria` are core's and must not occur. */
  readonly options: OptionsSchema<Input, Options>;
  /** Default `'turns'`. A function must never improve when an input worsens. */
  readonly aggregate?: Aggregate | undefined;
  /**
   * The numbers of compat mode: how ADK's metric takes its mean (left-to-right sum over count, or exact), what it does
   * with missing scores, and how it aggregates where that differs from ours. Default sum, dropped, as `aggregate`.
   */
  readonly adk?:
    | {
        readonly mean: 'sum' | 'exact';
        readonly missing: 'dropped' | 'zero';
        readonly aggregate?: 'turns' | 'parts' | undefined;
      }
    | undefined;
  /** Names of the models that these options ask for; `'judge'` always is one. */
  models?(options: Options): readonly string[];
  /** How these models are to be set: looked at by them before anything runs. Default: not at all. */
  modelSettings?(options: Options): State;
  /**
   * What is missing (environment variables and the like) or does not go together, found before anything runs: as sentences, or
   * as problems with a code and a path.
   */
  check?(
    options: Options,
    environment: Readonly<Record<string, string | undefined>>,
    context: CheckContext,
  ): readonly (Problem | string)[];
  /**
   * Where the paid service is that it asks beside models, and with which credentials, as far as that shows without a call. What is
   * missing is found before anything runs, unless all answers come from a recording.
   */
  access?(options: Options, environment: Readonly<Record<string, string | undefined>>): ModelAccess;
  estimate?(unit: Unit, turns: number, options: Options): CallEstimate;
}

/** The second argument of `evaluate`. Any other key throws; to pass all of it on, name the keys. */
export interface EvaluateContext<Options> {
  readonly options: Options;
  readonly tools: Tools;
  readonly transcript: Transcript;
}

/**
 * Evaluates a turn or a conversation. A throw is could-not-judge with its message; only an abort passes through. The arguments are
 * frozen, because other criteria read them too: change a copy.
 */
export type Evaluate<Options> =
  | {
      /** Calls `evaluate` once per turn; a throw costs that turn only. */
      readonly scope: 'turn';
      evaluate(turn: Turn, context: EvaluateContext<Options>): Score | Promise<Score>;
    }
  | {
      /** Calls `evaluate` once per conversation; remarks on single turns are evidence. */
      readonly scope: 'conversation';
      evaluate(transcript: Transcript, context: EvaluateContext<Options>): Score | Promise<Score>;
    };

/** One way to score what an agent did. It gives scores and nothing else: no mean, no threshold, no verdict. */
export type Criterion<
  Name extends string = string,
  Input = unknown,
  Options = unknown,
  Decides extends boolean = boolean,
> = CriterionHead<Name, Input, Options, Decides> & Evaluate<Options>;

/** What `defineCriterion` takes: `name`, `description` and `evaluate` are enough. */
export type CriterionDefinition<Name extends string, Input, Options, Decides extends boolean> = Omit<
  CriterionHead<Name, Input, Options, Decides>,
  'kind' | 'specVersion' | 'origin' | 'decides' | 'range' | 'options'
> & {
  /** The package that the criterion comes from. Default: the project that defines it. */
  readonly origin?: Origin | undefined;
  /**
   * Whether it is deciding: it counts towards a case's verdict, and needs a threshold. `false`: it only measures, and takes
   * no threshold. Default true.
   */
  readonly decides?: Decides | undefined;
  /** Default: 0 to 1, higher is better. */
  readonly range?: Range | undefined;
  /**
   * What `optionsSchema` gives, or a Standard Schema that can give its JSON Schema, as `z.object` of zod. Default: none.
   * Keys in camelCase; `threshold`, `minCoverage`, `whenNotApplicable` and `agentCriteria` are core's and must not occur.
   */
  readonly options?: StandardSchema<Input, Options> | undefined;
} & (OncePerTurn<Options> | Extract<Evaluate<Options>, { readonly scope: 'conversation' }>);

interface OncePerTurn<Options> {
  /** Default `'turn'`. */
  readonly scope?: 'turn' | undefined;
  evaluate(turn: Turn, context: EvaluateContext<Options>): Score | Promise<Score>;
}

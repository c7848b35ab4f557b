// Written by scripts/write-models.ts from scripts/models.ts: change those, not this file.
import type { State } from '../json.ts';

/** A tool call that the agent made, or is expected to make. Only its name and arguments are compared. */
export interface FunctionCall {
  /** Pairs the call with its response; absent in hand-written data. Never compared. */
  id?: string | null | undefined;
  name?: string | null | undefined;
  /** The arguments: the tool's own keys, never re-spelt. */
  args?: Record<string, unknown> | null | undefined;
  /** Of calls that are still being streamed. */
  willContinue?: boolean | null | undefined;
  /** Opaque: kept unchanged. */
  partialArgs?: unknown;
}

/** What a tool answered. */
export interface FunctionResponse {
  id?: string | null | undefined;
  name?: string | null | undefined;
  /** The tool's own keys, never re-spelt. */
  response?: Record<string, unknown> | null | undefined;
  willContinue?: boolean | null | undefined;
  scheduling?: string | null | undefined;
  /** Opaque: media that the tool returned. */
  parts?: unknown;
}

/** One piece of a message: text, a tool call or another kind. Normally, exactly one kind is set. */
export interface Part {
  text?: string | null | undefined;
  /** True for the model's private reasoning, which is not part of an answer. */
  thought?: boolean | null | undefined;
  functionCall?: FunctionCall | null | undefined;
  functionResponse?: FunctionResponse | null | undefined;
  inlineData?:
    | {
        data?: string | null | undefined;
        mimeType?: string | null | undefined;
        displayName?: string | null | undefined;
      }
    | null
    | undefined;
  fileData?:
    | {
        fileUri?: string | null | undefined;
        mimeType?: string | null | undefined;
        displayName?: string | null | undefined;
      }
    | null
    | undefined;
  executableCode?:
    | {
        id?: string | null | undefined;
        code?: string | null | undefined;
        language?: string | null | undefined;
      }
    | null
    | undefined;
  codeExecutionResult?:
    | {
        id?: string | null | undefined;
        outcome?: string | null | undefined;
        output?: string | null | undefined;
      }
    | null
    | undefined;
  /** Opaque: lets the model continue an earlier thought. */
  thoughtSignature?: string | null | undefined;
  videoMetadata?:
    | {
        fps?: number | null | undefined;
        startOffset?: string | null | undefined;
        endOffset?: string | null | undefined;
      }
    | null
    | undefined;
  /** Your own keys, never changed. */
  partMetadata?: Record<string, unknown> | null | undefined;
  /** Opaque: kept unchanged. */
  mediaResolution?: unknown;
  /** Opaque: kept unchanged. */
  mediaProcessing?: unknown;
  /** Opaque: kept unchanged. */
  toolCall?: unknown;
  /** Opaque: kept unchanged. */
  toolResponse?: unknown;
  /** Opaque: kept unchanged. */
  audioTranscription?: unknown;
  /** Opaque: kept unchanged. */
  speechMetadata?: unknown;
}

/**
 * A message: a role and its parts. Structurally assignable from `Content` of `@google/genai`; fields that
 * evaluation never reads are opaque and kept unchanged.
 */
export interface Content {
  /** `"user"` or `"model"`. */
  role?: string | null | undefined;
  parts?: Part[] | null | undefined;
}

/** One property that an answer or a conversation is judged by. */
export interface Rubric {
  /** Names the rubric in scores; unique among the rubrics of one turn. */
  rubricId: string;
  rubricContent: {
    /** What must be true, as one plain statement. */
    textProperty: string | null;
  };
  description?: string | null | undefined;
  /**
   * Which criterion it belongs to: `FINAL_RESPONSE_QUALITY`, `TOOL_USE_QUALITY`, `INSTRUCTION_ADHERENCE` or your
   * own name.
   */
  type?: string | null | undefined;
}

/** The score that one rubric got, as ADK's result files hold it. */
export interface RubricScore {
  rubricId: string;
  rationale?: string | null | undefined;
  score?: number | null | undefined;
}

/** One agent of the app, as it was during a turn. */
export interface AgentDetails {
  name: string;
  instructions?: string | undefined;
  /** Opaque: tool declarations, as sent to the model. */
  toolDeclarations?: unknown[] | undefined;
}

/** The agents of an app, as they were during a turn. */
export interface AppDetails {
  /** By agent name. */
  agentDetails?: Record<string, AgentDetails> | undefined;
}

/** The steps between question and answer, as people write them, and as ADK recorded them before 1.8. */
export interface IntermediateData {
  /** The tool calls that are expected, in order. None listed: none expected. */
  toolUses?: FunctionCall[] | undefined;
  toolResponses?: FunctionResponse[] | undefined;
  /** Intermediate texts, as pairs of author and parts. */
  intermediateResponses?: [string, Part[]][] | undefined;
}

/** One event of a recorded turn. */
export interface InvocationEvent {
  /** The name of the agent that emitted it. */
  author: string;
  content?: Content | null | undefined;
  /** Opaque: grounding as the model reported it. */
  groundingMetadata?: unknown;
  /** Opaque: token counts as the model reported them. */
  usageMetadata?: unknown;
  modelVersion?: string | null | undefined;
}

/** The steps between question and answer, as ADK records them: every event of the turn, in order. */
export interface InvocationEvents {
  invocationEvents?: InvocationEvent[] | undefined;
}

/** One user turn and all that the agent did for it. In a case: what is expected. In an inference: what happened. */
export interface Invocation {
  invocationId?: string | undefined;
  userContent: Content;
  /** The agent's last answer in this turn. */
  finalResponse?: Content | null | undefined;
  /**
   * The steps between question and answer, in one of two formats. Read them with `toolCalls`, `toolResponses` and
   * `toolSteps`.
   */
  intermediateData?: IntermediateData | InvocationEvents | null | undefined;
  /** Unix seconds. */
  creationTimestamp?: number | undefined;
  /** Seconds; only of recorded turns. ADK writes `null` where it measured none. */
  duration?: number | null | undefined;
  /** How many model calls the turn took. */
  inferenceCallCount?: number | null | undefined;
  /** Apply to this turn only. */
  rubrics?: Rubric[] | null | undefined;
  appDetails?: AppDetails | null | undefined;
}

/**
 * A turn in short: what the user says, and what is expected of the agent. ADK does not read it; `agent-criteria
 * migrate FILE` writes the file in the form of ADK.
 */
export interface ShortTurn {
  /** What the user says. */
  user: string;
  /** The text of the expected answer. Default: none, and criteria that compare answers do not apply to the turn. */
  answer?: string | null | undefined;
  /** The expected tool calls, in order. Default: none are expected. */
  calls?: FunctionCall[] | undefined;
  /** Apply to this turn only. */
  rubrics?: Rubric[] | undefined;
}

/** One habit of a simulated user. */
export interface UserBehavior {
  name: string;
  description: string;
  behaviorInstructions: string[];
  /** What shows that the behaviour was violated; read by the quality criterion. */
  violationRubrics: string[];
}

/** How a simulated user behaves. */
export interface UserPersona {
  id: string;
  description: string;
  behaviors: UserBehavior[];
}

/** A conversation that a simulated user leads: what the user wants. */
export interface ConversationScenario {
  /** The first message, sent unchanged. */
  startingPrompt: string;
  /** What the user does after that, in prose. */
  conversationPlan: string;
  /** A persona, or the id of a registered one. */
  userPersona?: string | UserPersona | null | undefined;
}

/** The content of a scenarios file. */
export interface ConversationScenarios {
  scenarios?: ConversationScenario[] | undefined;
}

/** How many scenarios a model should write, and about what: the content of a user simulation config file. */
export interface ConversationGenerationConfig {
  /** How many scenarios. */
  count: number;
  modelName: string;
  /** What the scenarios should test. */
  generationInstruction?: string | null | undefined;
  /** What the agent's tools find: facts that scenarios may rely on. */
  environmentContext?: string | null | undefined;
}

/** The session that a case starts from. */
export interface SessionInput {
  appName: string;
  userId: string;
  /** The initial state. Its keys are never changed. */
  state?: State | undefined;
  /** Sets the session's id. */
  sessionId?: string | null | undefined;
}

/** The tool answers `{ error_code, error_message }`, as in ADK. */
export interface InjectedError {
  readonly injectedHttpErrorCode: number;
  readonly errorMessage: string;
}

/** A fixed answer, an error, or a delay. With neither answer nor error, the tool itself answers, after the delay. */
export interface InjectionConfig {
  /** The probability that it applies, from 0 to 1. Default 1. */
  readonly injectionProbability?: number | undefined;
  /**
   * Arguments that a call must have, each with an equal value; others do not matter. Default: applies to every
   * call.
   */
  readonly matchArgs?: State | null | undefined;
  /** Seconds that the answer takes, at most 120. Default 0. */
  readonly injectedLatencySeconds?: number | undefined;
  /** The seed for the probability. Default: the ids of case and repeat. */
  readonly randomSeed?: number | null | undefined;
  readonly injectedError?: InjectedError | null | undefined;
  /** What the tool answers. */
  readonly injectedResponse?: State | null | undefined;
}

/** What happens to calls of one tool instead of the tool. The shape is that of ADK's environment simulation. */
export interface ToolSimulationConfig {
  readonly toolName: string;
  /** The first that applies to a call decides. */
  readonly injectionConfigs: readonly InjectionConfig[];
  /** Recognised and refused, other than as `MOCK_STRATEGY_UNSPECIFIED`: no model invents answers. */
  readonly mockStrategyType?: string | number | null | undefined;
}

/** One conversation to run and judge. It is either fixed or led by a simulated user, never both. */
export interface EvalCase {
  /** Unique in its set; may contain spaces and slashes. */
  evalId: string;
  /** A fixed conversation of at least one turn: user messages, and what is expected of the agent. */
  conversation?: Invocation[] | null | undefined;
  /** A conversation that a simulated user leads. */
  conversationScenario?: ConversationScenario | null | undefined;
  sessionInput?: SessionInput | null | undefined;
  /** Unix seconds. */
  creationTimestamp?: number | undefined;
  /** Apply to every turn of the case. */
  rubrics?: Rubric[] | null | undefined;
  /** The session state expected after the last turn. `null` and `{}` differ: `null` says that nothing is expected. */
  finalSessionState?: State | null | undefined;
  /**
   * Keys of agent-criteria, for this case only: options by criterion name; `tags`, a list of names to select cases
   * for a run; `group`, a name shared by cases that pass and fail together; `history`, how many of the first turns
   * are history, which is given to the agent and not judged; `calls_not_stated`, the turns that do not state which
   * calls are expected; `toolSimulationConfigs` in either spelling, answers that replace those of tools.
   */
  agentCriteria?: State | undefined;
}

/** A named list of eval cases: the content of an `.evalset.json` or `.test.json` file. */
export interface EvalSet {
  /** Where an editor finds the JSON Schema of this file. */
  $schema?: string | undefined;
  /** Letters, digits and underscores, so that ADK can also create it. */
  evalSetId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  evalCases: EvalCase[];
  /** Unix seconds. */
  creationTimestamp?: number | undefined;
  /** Keys of agent-criteria; ADK drops them when it rewrites the file. */
  agentCriteria?: State | undefined;
}

/** The range of a metric's values. */
export interface Interval {
  minValue: number;
  maxValue: number;
  openAtMin?: boolean | undefined;
  openAtMax?: boolean | undefined;
}

/** What ADK says about a metric. */
export interface MetricInfo {
  metricName: string;
  description?: string | null | undefined;
  metricValueInfo: {
    interval?: Interval | null | undefined;
  };
  requiresThreshold?: boolean | undefined;
}

/** Where to find the function of a metric. */
export interface CustomMetricConfig {
  codeConfig: {
    /** `"./file.ts#export"`. A Python path is refused, with a hint. */
    name: string;
  };
  metricInfo?: MetricInfo | null | undefined;
  description?: string | undefined;
}

/** What every criterion takes. Every other key is an option of that criterion. */
export interface CriterionConfig {
  /** The score that passes, inclusive. Required, except for criteria that only measure. */
  threshold?: number | undefined;
  /** The least share of turns that must have been scored, above 0, at most 1. Default 1. */
  minCoverage?: number | undefined;
  /** The verdict of a case to which the criterion does not apply. Default `"not-evaluated"`. */
  whenNotApplicable?: 'not-evaluated' | 'skip' | undefined;
  /** Options of agent-criteria, where ADK reads the same object. */
  agentCriteria?: State | undefined;
  readonly [option: string]: unknown;
}

/** The user simulator and its options. */
export interface UserSimulatorConfig {
  /** Names the simulator. Default `llm_backed`. */
  type?: string | null | undefined;
  readonly [option: string]: unknown;
}

/** What a run is judged by: the content of a `test_config.json` or `eval_config.json`. */
export interface EvalConfig {
  /** Where an editor finds the JSON Schema of this file. */
  $schema?: string | undefined;
  /** By criterion name: a threshold, or an object of threshold and options. */
  criteria?: Record<string, number | CriterionConfig> | undefined;
  /** By metric name: where to find its function. */
  customMetrics?: Record<string, CustomMetricConfig> | null | undefined;
  /** The simulated user of scenarios: `type` names it (default `llm_backed`), the rest are its options. */
  userSimulatorConfig?: UserSimulatorConfig | null | undefined;
  /** ADK's live runs, which are not supported: the key is read and kept, but a run with it is refused. */
  liveModelConfig?:
    | {
        timeoutSeconds?: number | undefined;
      }
    | null
    | undefined;
  /**
   * Keys of agent-criteria, which ADK ignores. `measure`: a list of criteria that only measure, take no threshold
   * and decide nothing. `gates`: what a whole run has to show.
   */
  agentCriteria?:
    | {
        /** Criteria that only measure. They take no threshold and decide nothing. */
        measure?: readonly string[] | undefined;
        /** What a whole run has to show, such as a pass rate. Read by the command and the project layer. */
        gates?: Record<string, unknown> | undefined;
        /** Answers that replace those of tools, in every case. */
        toolSimulationConfigs?: readonly ToolSimulationConfig[] | undefined;
      }
    | undefined;
  /**
   * Packages or files to load criteria, models and simulators from: `"their-package"`, `"./my-criterion.ts"`. ADK
   * ignores it.
   */
  plugins?: readonly string[] | undefined;
}

/** ADK's four statuses as its files number them: 1 passed, 2 failed, 3 not evaluated, 4 informational. */
export type AdkStatus = 1 | 2 | 3 | 4;

/** The tokens that a metric used. */
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

/** What led to the score of a metric. */
export interface EvalMetricResultDetails {
  rubricScores?: RubricScore[] | null | undefined;
  tokenUsageDetails?: TokenUsageDetails | null | undefined;
}

/** The score and status of one metric. */
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

/** The results of one turn. */
export interface EvalMetricResultPerInvocation {
  actualInvocation: Invocation;
  expectedInvocation?: Invocation | null | undefined;
  evalMetricResults?: EvalMetricResult[] | undefined;
}

/** The result of one case. */
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
  /** Keys of agent-criteria: the true verdict, coverage and reasons. ADK drops them. */
  agentCriteria?: State | undefined;
}

/** The results of one run of a set: the content of an `.evalset_result.json` file. */
export interface EvalSetResult {
  evalSetResultId: string;
  evalSetResultName?: string | null | undefined;
  evalSetId: string;
  evalCaseResults?: EvalCaseResult[] | undefined;
  /** Unix seconds. */
  creationTimestamp?: number | undefined;
}

/** One turn of a test file before eval sets. */
export interface OldTurn {
  query: string;
  reference?: string | null | undefined;
  expectedToolUse?:
    | {
        toolName: string;
        toolInput: Record<string, unknown>;
      }[]
    | undefined;
  expectedIntermediateAgentResponses?:
    | {
        author: string;
        text: string;
      }[]
    | undefined;
}

/** What is used of a session that old data starts from, such as a session dump. */
export interface InitialSession {
  appName?: string | undefined;
  userId?: string | undefined;
  state?: State | undefined;
}

/** One case of an eval set file before eval sets had a schema. */
export interface OldCase {
  name: string;
  data: OldTurn[];
  initialSession?: InitialSession | null | undefined;
}

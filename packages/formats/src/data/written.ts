// Written by scripts/write-models.ts from scripts/models.ts: change those, not this file.
import type { State } from '../json.ts';
import type { WrittenCaseKeys } from './written-case-keys.ts';

// What code may pass where a file could stand: each object with the keys of TypeScript or with those of ADK's files, and
// with no others. Unions of two interfaces, for completion and short messages: mapped types lose the descriptions.

/** One agent of the app, as it was during a turn. */
export type WrittenAgentDetails = WrittenAgentDetailsCamel | WrittenAgentDetailsSnake;

/** `WrittenAgentDetails` in camelCase. */
export interface WrittenAgentDetailsCamel {
  readonly name: string;
  readonly instructions?: string | undefined;
  /** Opaque: tool declarations, as sent to the model. */
  readonly toolDeclarations?: readonly unknown[] | undefined;
}

/** `WrittenAgentDetails` in snake_case. */
export interface WrittenAgentDetailsSnake {
  readonly name: string;
  readonly instructions?: string | undefined;
  /** Opaque: tool declarations, as sent to the model. */
  readonly tool_declarations?: readonly unknown[] | undefined;
}

/** The agents of an app, as they were during a turn. */
export type WrittenAppDetails = WrittenAppDetailsCamel | WrittenAppDetailsSnake;

/** `WrittenAppDetails` in camelCase. */
export interface WrittenAppDetailsCamel {
  /** By agent name. */
  readonly agentDetails?: Readonly<Record<string, WrittenAgentDetails>> | undefined;
}

/** `WrittenAppDetails` in snake_case. */
export interface WrittenAppDetailsSnake {
  /** By agent name. */
  readonly agent_details?: Readonly<Record<string, WrittenAgentDetails>> | undefined;
}

/**
 * A message: a role and its parts. Structurally assignable from `Content` of `@google/genai`; fields that
 * evaluation never reads are opaque and kept unchanged.
 */
export interface WrittenContent {
  /** `"user"` or `"model"`. */
  readonly role?: string | null | undefined;
  readonly parts?: readonly WrittenPart[] | null | undefined;
}

/** A conversation that a simulated user leads: what the user wants. */
export type WrittenConversationScenario = WrittenConversationScenarioCamel | WrittenConversationScenarioSnake;

/** `WrittenConversationScenario` in camelCase. */
export interface WrittenConversationScenarioCamel {
  /** The first message, sent unchanged. */
  readonly startingPrompt: string;
  /** What the user does after that, in prose. */
  readonly conversationPlan: string;
  /** A persona, or the id of a registered one. */
  readonly userPersona?: string | WrittenUserPersona | null | undefined;
}

/** `WrittenConversationScenario` in snake_case. */
export interface WrittenConversationScenarioSnake {
  /** The first message, sent unchanged. */
  readonly starting_prompt: string;
  /** What the user does after that, in prose. */
  readonly conversation_plan: string;
  /** A persona, or the id of a registered one. */
  readonly user_persona?: string | WrittenUserPersona | null | undefined;
}

/** What every criterion takes. Every other key is an option of that criterion. */
export type WrittenCriterionConfig = WrittenCriterionConfigCamel | WrittenCriterionConfigSnake;

/** `WrittenCriterionConfig` in camelCase. */
export interface WrittenCriterionConfigCamel {
  /** The score that passes, inclusive. Required, except for criteria that only measure. */
  readonly threshold: number;
  /** The least share of turns that must have been scored, above 0, at most 1. Default 1. */
  readonly minCoverage?: number | undefined;
  /** The verdict of a case to which the criterion does not apply. Default `"not-evaluated"`. */
  readonly whenNotApplicable?: 'not-evaluated' | 'skip' | undefined;
  /** Options of agent-criteria, where ADK reads the same object. */
  readonly agentCriteria?: State | undefined;
  readonly [option: string]: unknown;
}

/** `WrittenCriterionConfig` in snake_case. */
export interface WrittenCriterionConfigSnake {
  /** The score that passes, inclusive. Required, except for criteria that only measure. */
  readonly threshold: number;
  /** The least share of turns that must have been scored, above 0, at most 1. Default 1. */
  readonly min_coverage?: number | undefined;
  /** The verdict of a case to which the criterion does not apply. Default `"not-evaluated"`. */
  readonly when_not_applicable?: 'not-evaluated' | 'skip' | undefined;
  /** Options of agent-criteria, where ADK reads the same object. */
  readonly agent_criteria?: State | undefined;
  readonly [option: string]: unknown;
}

/** Where to find the function of a metric. */
export type WrittenCustomMetricConfig = WrittenCustomMetricConfigCamel | WrittenCustomMetricConfigSnake;

/** `WrittenCustomMetricConfig` in camelCase. */
export interface WrittenCustomMetricConfigCamel {
  readonly codeConfig: {
    /** `"./file.ts#export"`. A Python path is refused, with a hint. */
    readonly name: string;
  };
  readonly metricInfo?: WrittenMetricInfo | null | undefined;
  readonly description?: string | undefined;
}

/** `WrittenCustomMetricConfig` in snake_case. */
export interface WrittenCustomMetricConfigSnake {
  readonly code_config: {
    /** `"./file.ts#export"`. A Python path is refused, with a hint. */
    readonly name: string;
  };
  readonly metric_info?: WrittenMetricInfo | null | undefined;
  readonly description?: string | undefined;
}

/** One conversation to run and judge. It is either fixed or led by a simulated user, never both. */
export type WrittenEvalCase = WrittenEvalCaseCamel | WrittenEvalCaseSnake;

/** `WrittenEvalCase` in camelCase. */
export interface WrittenEvalCaseCamel {
  /** Unique in its set; may contain spaces and slashes. */
  readonly evalId: string;
  /** A fixed conversation of at least one turn: user messages, and what is expected of the agent. */
  readonly conversation?: readonly (WrittenInvocation | WrittenShortTurn)[] | null | undefined;
  /** A conversation that a simulated user leads. */
  readonly conversationScenario?: WrittenConversationScenario | null | undefined;
  readonly sessionInput?: WrittenSessionInput | null | undefined;
  /** Unix seconds. */
  readonly creationTimestamp?: number | undefined;
  /** Apply to every turn of the case. */
  readonly rubrics?: readonly WrittenRubric[] | null | undefined;
  /** The session state expected after the last turn. `null` and `{}` differ: `null` says that nothing is expected. */
  readonly finalSessionState?: State | null | undefined;
  /**
   * Keys of agent-criteria, for this case only: options by criterion name; `tags`, a list of names to select cases
   * for a run; `group`, a name shared by cases that pass and fail together; `history`, how many of the first turns
   * are history, which is given to the agent and not judged; `calls_not_stated`, the turns that do not state which
   * calls are expected; `toolSimulationConfigs` in either spelling, answers that replace those of tools.
   */
  readonly agentCriteria?: WrittenCaseKeys | undefined;
}

/** `WrittenEvalCase` in snake_case. */
export interface WrittenEvalCaseSnake {
  /** Unique in its set; may contain spaces and slashes. */
  readonly eval_id: string;
  /** A fixed conversation of at least one turn: user messages, and what is expected of the agent. */
  readonly conversation?: readonly (WrittenInvocation | WrittenShortTurn)[] | null | undefined;
  /** A conversation that a simulated user leads. */
  readonly conversation_scenario?: WrittenConversationScenario | null | undefined;
  readonly session_input?: WrittenSessionInput | null | undefined;
  /** Unix seconds. */
  readonly creation_timestamp?: number | undefined;
  /** Apply to every turn of the case. */
  readonly rubrics?: readonly WrittenRubric[] | null | undefined;
  /** The session state expected after the last turn. `null` and `{}` differ: `null` says that nothing is expected. */
  readonly final_session_state?: State | null | undefined;
  /**
   * Keys of agent-criteria, for this case only: options by criterion name; `tags`, a list of names to select cases
   * for a run; `group`, a name shared by cases that pass and fail together; `history`, how many of the first turns
   * are history, which is given to the agent and not judged; `calls_not_stated`, the turns that do not state which
   * calls are expected; `toolSimulationConfigs` in either spelling, answers that replace those of tools.
   */
  readonly agent_criteria?: WrittenCaseKeys | undefined;
}

/** What a run is judged by: the content of a `test_config.json` or `eval_config.json`. */
export type WrittenEvalConfig = WrittenEvalConfigCamel | WrittenEvalConfigSnake;

/** `WrittenEvalConfig` in camelCase. */
export interface WrittenEvalConfigCamel {
  /** Where an editor finds the JSON Schema of this file. */
  readonly $schema?: string | undefined;
  /** By criterion name: a threshold, or an object of threshold and options. */
  readonly criteria?: Readonly<Record<string, number | WrittenCriterionConfig>> | undefined;
  /** By metric name: where to find its function. */
  readonly customMetrics?: Readonly<Record<string, WrittenCustomMetricConfig>> | null | undefined;
  /** The simulated user of scenarios: `type` names it (default `llm_backed`), the rest are its options. */
  readonly userSimulatorConfig?: WrittenUserSimulatorConfig | null | undefined;
  /** ADK's live runs, which are not supported: the key is read and kept, but a run with it is refused. */
  readonly liveModelConfig?:
    | {
        readonly timeoutSeconds?: number | undefined;
      }
    | {
        readonly timeout_seconds?: number | undefined;
      }
    | null
    | undefined;
  /**
   * Keys of agent-criteria, which ADK ignores. `measure`: a list of criteria that only measure, take no threshold
   * and decide nothing. `gates`: what a whole run has to show.
   */
  readonly agentCriteria?:
    | {
        /** Criteria that only measure. They take no threshold and decide nothing. */
        readonly measure?: readonly string[] | undefined;
        /** What a whole run has to show, such as a pass rate. Read by the command and the project layer. */
        readonly gates?: Readonly<Record<string, unknown>> | undefined;
        /** Answers that replace those of tools, in every case. */
        readonly toolSimulationConfigs?: readonly WrittenToolSimulationConfig[] | undefined;
      }
    | {
        /** Criteria that only measure. They take no threshold and decide nothing. */
        readonly measure?: readonly string[] | undefined;
        /** What a whole run has to show, such as a pass rate. Read by the command and the project layer. */
        readonly gates?: Readonly<Record<string, unknown>> | undefined;
        /** Answers that replace those of tools, in every case. */
        readonly tool_simulation_configs?: readonly WrittenToolSimulationConfig[] | undefined;
      }
    | undefined;
  /**
   * Packages or files to load criteria, models and simulators from: `"their-package"`, `"./my-criterion.ts"`. ADK
   * ignores it.
   */
  readonly plugins?: readonly string[] | undefined;
}

/** `WrittenEvalConfig` in snake_case. */
export interface WrittenEvalConfigSnake {
  /** Where an editor finds the JSON Schema of this file. */
  readonly $schema?: string | undefined;
  /** By criterion name: a threshold, or an object of threshold and options. */
  readonly criteria?: Readonly<Record<string, number | WrittenCriterionConfig>> | undefined;
  /** By metric name: where to find its function. */
  readonly custom_metrics?: Readonly<Record<string, WrittenCustomMetricConfig>> | null | undefined;
  /** The simulated user of scenarios: `type` names it (default `llm_backed`), the rest are its options. */
  readonly user_simulator_config?: WrittenUserSimulatorConfig | null | undefined;
  /** ADK's live runs, which are not supported: the key is read and kept, but a run with it is refused. */
  readonly live_model_config?:
    | {
        readonly timeoutSeconds?: number | undefined;
      }
    | {
        readonly timeout_seconds?: number | undefined;
      }
    | null
    | undefined;
  /**
   * Keys of agent-criteria, which ADK ignores. `measure`: a list of criteria that only measure, take no threshold
   * and decide nothing. `gates`: what a whole run has to show.
   */
  readonly agent_criteria?:
    | {
        /** Criteria that only measure. They take no threshold and decide nothing. */
        readonly measure?: readonly string[] | undefined;
        /** What a whole run has to show, such as a pass rate. Read by the command and the project layer. */
        readonly gates?: Readonly<Record<string, unknown>> | undefined;
        /** Answers that replace those of tools, in every case. */
        readonly toolSimulationConfigs?: readonly WrittenToolSimulationConfig[] | undefined;
      }
    | {
        /** Criteria that only measure. They take no threshold and decide nothing. */
        readonly measure?: readonly string[] | undefined;
        /** What a whole run has to show, such as a pass rate. Read by the command and the project layer. */
        readonly gates?: Readonly<Record<string, unknown>> | undefined;
        /** Answers that replace those of tools, in every case. */
        readonly tool_simulation_configs?: readonly WrittenToolSimulationConfig[] | undefined;
      }
    | undefined;
  /**
   * Packages or files to load criteria, models and simulators from: `"their-package"`, `"./my-criterion.ts"`. ADK
   * ignores it.
   */
  readonly plugins?: readonly string[] | undefined;
}

/** A named list of eval cases: the content of an `.evalset.json` or `.test.json` file. */
export type WrittenEvalSet = WrittenEvalSetCamel | WrittenEvalSetSnake;

/** `WrittenEvalSet` in camelCase. */
export interface WrittenEvalSetCamel {
  /** Where an editor finds the JSON Schema of this file. */
  readonly $schema?: string | undefined;
  /** Letters, digits and underscores, so that ADK can also create it. */
  readonly evalSetId: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly evalCases: readonly WrittenEvalCase[];
  /** Unix seconds. */
  readonly creationTimestamp?: number | undefined;
  /** Keys of agent-criteria; ADK drops them when it rewrites the file. */
  readonly agentCriteria?: State | undefined;
}

/** `WrittenEvalSet` in snake_case. */
export interface WrittenEvalSetSnake {
  /** Where an editor finds the JSON Schema of this file. */
  readonly $schema?: string | undefined;
  /** Letters, digits and underscores, so that ADK can also create it. */
  readonly eval_set_id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly eval_cases: readonly WrittenEvalCase[];
  /** Unix seconds. */
  readonly creation_timestamp?: number | undefined;
  /** Keys of agent-criteria; ADK drops them when it rewrites the file. */
  readonly agent_criteria?: State | undefined;
}

/** A tool call that the agent made, or is expected to make. Only its name and arguments are compared. */
export type WrittenFunctionCall = WrittenFunctionCallCamel | WrittenFunctionCallSnake;

/** `WrittenFunctionCall` in camelCase. */
export interface WrittenFunctionCallCamel {
  /** Pairs the call with its response; absent in hand-written data. Never compared. */
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** The arguments: the tool's own keys, never re-spelt. */
  readonly args?: Readonly<Record<string, unknown>> | null | undefined;
  /** Of calls that are still being streamed. */
  readonly willContinue?: boolean | null | undefined;
  /** Opaque: kept unchanged. */
  readonly partialArgs?: unknown;
}

/** `WrittenFunctionCall` in snake_case. */
export interface WrittenFunctionCallSnake {
  /** Pairs the call with its response; absent in hand-written data. Never compared. */
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** The arguments: the tool's own keys, never re-spelt. */
  readonly args?: Readonly<Record<string, unknown>> | null | undefined;
  /** Of calls that are still being streamed. */
  readonly will_continue?: boolean | null | undefined;
  /** Opaque: kept unchanged. */
  readonly partial_args?: unknown;
}

/** What a tool answered. */
export type WrittenFunctionResponse = WrittenFunctionResponseCamel | WrittenFunctionResponseSnake;

/** `WrittenFunctionResponse` in camelCase. */
export interface WrittenFunctionResponseCamel {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** The tool's own keys, never re-spelt. */
  readonly response?: Readonly<Record<string, unknown>> | null | undefined;
  readonly willContinue?: boolean | null | undefined;
  readonly scheduling?: string | null | undefined;
  /** Opaque: media that the tool returned. */
  readonly parts?: unknown;
}

/** `WrittenFunctionResponse` in snake_case. */
export interface WrittenFunctionResponseSnake {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** The tool's own keys, never re-spelt. */
  readonly response?: Readonly<Record<string, unknown>> | null | undefined;
  readonly will_continue?: boolean | null | undefined;
  readonly scheduling?: string | null | undefined;
  /** Opaque: media that the tool returned. */
  readonly parts?: unknown;
}

/** The tool answers `{ error_code, error_message }`, as in ADK. */
export type WrittenInjectedError = WrittenInjectedErrorCamel | WrittenInjectedErrorSnake;

/** `WrittenInjectedError` in camelCase. */
export interface WrittenInjectedErrorCamel {
  readonly injectedHttpErrorCode: number;
  readonly errorMessage: string;
}

/** `WrittenInjectedError` in snake_case. */
export interface WrittenInjectedErrorSnake {
  readonly injected_http_error_code: number;
  readonly error_message: string;
}

/** A fixed answer, an error, or a delay. With neither answer nor error, the tool itself answers, after the delay. */
export type WrittenInjectionConfig = WrittenInjectionConfigCamel | WrittenInjectionConfigSnake;

/** `WrittenInjectionConfig` in camelCase. */
export interface WrittenInjectionConfigCamel {
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
  readonly injectedError?: WrittenInjectedError | null | undefined;
  /** What the tool answers. */
  readonly injectedResponse?: State | null | undefined;
}

/** `WrittenInjectionConfig` in snake_case. */
export interface WrittenInjectionConfigSnake {
  /** The probability that it applies, from 0 to 1. Default 1. */
  readonly injection_probability?: number | undefined;
  /**
   * Arguments that a call must have, each with an equal value; others do not matter. Default: applies to every
   * call.
   */
  readonly match_args?: State | null | undefined;
  /** Seconds that the answer takes, at most 120. Default 0. */
  readonly injected_latency_seconds?: number | undefined;
  /** The seed for the probability. Default: the ids of case and repeat. */
  readonly random_seed?: number | null | undefined;
  readonly injected_error?: WrittenInjectedError | null | undefined;
  /** What the tool answers. */
  readonly injected_response?: State | null | undefined;
}

/** The steps between question and answer, as people write them, and as ADK recorded them before 1.8. */
export type WrittenIntermediateData = WrittenIntermediateDataCamel | WrittenIntermediateDataSnake;

/** `WrittenIntermediateData` in camelCase. */
export interface WrittenIntermediateDataCamel {
  /** The tool calls that are expected, in order. None listed: none expected. */
  readonly toolUses?: readonly WrittenFunctionCall[] | undefined;
  readonly toolResponses?: readonly WrittenFunctionResponse[] | undefined;
  /** Intermediate texts, as pairs of author and parts. */
  readonly intermediateResponses?: readonly (readonly [string, readonly WrittenPart[]])[] | undefined;
}

/** `WrittenIntermediateData` in snake_case. */
export interface WrittenIntermediateDataSnake {
  /** The tool calls that are expected, in order. None listed: none expected. */
  readonly tool_uses?: readonly WrittenFunctionCall[] | undefined;
  readonly tool_responses?: readonly WrittenFunctionResponse[] | undefined;
  /** Intermediate texts, as pairs of author and parts. */
  readonly intermediate_responses?: readonly (readonly [string, readonly WrittenPart[]])[] | undefined;
}

/** The range of a metric's values. */
export type WrittenInterval = WrittenIntervalCamel | WrittenIntervalSnake;

/** `WrittenInterval` in camelCase. */
export interface WrittenIntervalCamel {
  readonly minValue: number;
  readonly maxValue: number;
  readonly openAtMin?: boolean | undefined;
  readonly openAtMax?: boolean | undefined;
}

/** `WrittenInterval` in snake_case. */
export interface WrittenIntervalSnake {
  readonly min_value: number;
  readonly max_value: number;
  readonly open_at_min?: boolean | undefined;
  readonly open_at_max?: boolean | undefined;
}

/** One user turn and all that the agent did for it. In a case: what is expected. In an inference: what happened. */
export type WrittenInvocation = WrittenInvocationCamel | WrittenInvocationSnake;

/** `WrittenInvocation` in camelCase. */
export interface WrittenInvocationCamel {
  readonly invocationId?: string | undefined;
  readonly userContent: WrittenContent;
  /** The agent's last answer in this turn. */
  readonly finalResponse?: WrittenContent | null | undefined;
  /**
   * The steps between question and answer, in one of two formats. Read them with `toolCalls`, `toolResponses` and
   * `toolSteps`.
   */
  readonly intermediateData?: WrittenIntermediateData | WrittenInvocationEvents | null | undefined;
  /** Unix seconds. */
  readonly creationTimestamp?: number | undefined;
  /** Seconds; only of recorded turns. ADK writes `null` where it measured none. */
  readonly duration?: number | null | undefined;
  /** How many model calls the turn took. */
  readonly inferenceCallCount?: number | null | undefined;
  /** Apply to this turn only. */
  readonly rubrics?: readonly WrittenRubric[] | null | undefined;
  readonly appDetails?: WrittenAppDetails | null | undefined;
}

/** `WrittenInvocation` in snake_case. */
export interface WrittenInvocationSnake {
  readonly invocation_id?: string | undefined;
  readonly user_content: WrittenContent;
  /** The agent's last answer in this turn. */
  readonly final_response?: WrittenContent | null | undefined;
  /**
   * The steps between question and answer, in one of two formats. Read them with `toolCalls`, `toolResponses` and
   * `toolSteps`.
   */
  readonly intermediate_data?: WrittenIntermediateData | WrittenInvocationEvents | null | undefined;
  /** Unix seconds. */
  readonly creation_timestamp?: number | undefined;
  /** Seconds; only of recorded turns. ADK writes `null` where it measured none. */
  readonly duration?: number | null | undefined;
  /** How many model calls the turn took. */
  readonly inference_call_count?: number | null | undefined;
  /** Apply to this turn only. */
  readonly rubrics?: readonly WrittenRubric[] | null | undefined;
  readonly app_details?: WrittenAppDetails | null | undefined;
}

/** One event of a recorded turn. */
export type WrittenInvocationEvent = WrittenInvocationEventCamel | WrittenInvocationEventSnake;

/** `WrittenInvocationEvent` in camelCase. */
export interface WrittenInvocationEventCamel {
  /** The name of the agent that emitted it. */
  readonly author: string;
  readonly content?: WrittenContent | null | undefined;
  /** Opaque: grounding as the model reported it. */
  readonly groundingMetadata?: unknown;
  /** Opaque: token counts as the model reported them. */
  readonly usageMetadata?: unknown;
  readonly modelVersion?: string | null | undefined;
}

/** `WrittenInvocationEvent` in snake_case. */
export interface WrittenInvocationEventSnake {
  /** The name of the agent that emitted it. */
  readonly author: string;
  readonly content?: WrittenContent | null | undefined;
  /** Opaque: grounding as the model reported it. */
  readonly grounding_metadata?: unknown;
  /** Opaque: token counts as the model reported them. */
  readonly usage_metadata?: unknown;
  readonly model_version?: string | null | undefined;
}

/** The steps between question and answer, as ADK records them: every event of the turn, in order. */
export type WrittenInvocationEvents = WrittenInvocationEventsCamel | WrittenInvocationEventsSnake;

/** `WrittenInvocationEvents` in camelCase. */
export interface WrittenInvocationEventsCamel {
  readonly invocationEvents?: readonly WrittenInvocationEvent[] | undefined;
}

/** `WrittenInvocationEvents` in snake_case. */
export interface WrittenInvocationEventsSnake {
  readonly invocation_events?: readonly WrittenInvocationEvent[] | undefined;
}

/** What ADK says about a metric. */
export type WrittenMetricInfo = WrittenMetricInfoCamel | WrittenMetricInfoSnake;

/** `WrittenMetricInfo` in camelCase. */
export interface WrittenMetricInfoCamel {
  readonly metricName: string;
  readonly description?: string | null | undefined;
  readonly metricValueInfo: {
    readonly interval?: WrittenInterval | null | undefined;
  };
  readonly requiresThreshold?: boolean | undefined;
}

/** `WrittenMetricInfo` in snake_case. */
export interface WrittenMetricInfoSnake {
  readonly metric_name: string;
  readonly description?: string | null | undefined;
  readonly metric_value_info: {
    readonly interval?: WrittenInterval | null | undefined;
  };
  readonly requires_threshold?: boolean | undefined;
}

/** One piece of a message: text, a tool call or another kind. Normally, exactly one kind is set. */
export type WrittenPart = WrittenPartCamel | WrittenPartSnake;

/** `WrittenPart` in camelCase. */
export interface WrittenPartCamel {
  readonly text?: string | null | undefined;
  /** True for the model's private reasoning, which is not part of an answer. */
  readonly thought?: boolean | null | undefined;
  readonly functionCall?: WrittenFunctionCall | null | undefined;
  readonly functionResponse?: WrittenFunctionResponse | null | undefined;
  readonly inlineData?:
    | {
        readonly data?: string | null | undefined;
        readonly mimeType?: string | null | undefined;
        readonly displayName?: string | null | undefined;
      }
    | {
        readonly data?: string | null | undefined;
        readonly mime_type?: string | null | undefined;
        readonly display_name?: string | null | undefined;
      }
    | null
    | undefined;
  readonly fileData?:
    | {
        readonly fileUri?: string | null | undefined;
        readonly mimeType?: string | null | undefined;
        readonly displayName?: string | null | undefined;
      }
    | {
        readonly file_uri?: string | null | undefined;
        readonly mime_type?: string | null | undefined;
        readonly display_name?: string | null | undefined;
      }
    | null
    | undefined;
  readonly executableCode?:
    | {
        readonly id?: string | null | undefined;
        readonly code?: string | null | undefined;
        readonly language?: string | null | undefined;
      }
    | null
    | undefined;
  readonly codeExecutionResult?:
    | {
        readonly id?: string | null | undefined;
        readonly outcome?: string | null | undefined;
        readonly output?: string | null | undefined;
      }
    | null
    | undefined;
  /** Opaque: lets the model continue an earlier thought. */
  readonly thoughtSignature?: string | null | undefined;
  readonly videoMetadata?:
    | {
        readonly fps?: number | null | undefined;
        readonly startOffset?: string | null | undefined;
        readonly endOffset?: string | null | undefined;
      }
    | {
        readonly fps?: number | null | undefined;
        readonly start_offset?: string | null | undefined;
        readonly end_offset?: string | null | undefined;
      }
    | null
    | undefined;
  /** Your own keys, never changed. */
  readonly partMetadata?: Readonly<Record<string, unknown>> | null | undefined;
  /** Opaque: kept unchanged. */
  readonly mediaResolution?: unknown;
  /** Opaque: kept unchanged. */
  readonly mediaProcessing?: unknown;
  /** Opaque: kept unchanged. */
  readonly toolCall?: unknown;
  /** Opaque: kept unchanged. */
  readonly toolResponse?: unknown;
  /** Opaque: kept unchanged. */
  readonly audioTranscription?: unknown;
  /** Opaque: kept unchanged. */
  readonly speechMetadata?: unknown;
}

/** `WrittenPart` in snake_case. */
export interface WrittenPartSnake {
  readonly text?: string | null | undefined;
  /** True for the model's private reasoning, which is not part of an answer. */
  readonly thought?: boolean | null | undefined;
  readonly function_call?: WrittenFunctionCall | null | undefined;
  readonly function_response?: WrittenFunctionResponse | null | undefined;
  readonly inline_data?:
    | {
        readonly data?: string | null | undefined;
        readonly mimeType?: string | null | undefined;
        readonly displayName?: string | null | undefined;
      }
    | {
        readonly data?: string | null | undefined;
        readonly mime_type?: string | null | undefined;
        readonly display_name?: string | null | undefined;
      }
    | null
    | undefined;
  readonly file_data?:
    | {
        readonly fileUri?: string | null | undefined;
        readonly mimeType?: string | null | undefined;
        readonly displayName?: string | null | undefined;
      }
    | {
        readonly file_uri?: string | null | undefined;
        readonly mime_type?: string | null | undefined;
        readonly display_name?: string | null | undefined;
      }
    | null
    | undefined;
  readonly executable_code?:
    | {
        readonly id?: string | null | undefined;
        readonly code?: string | null | undefined;
        readonly language?: string | null | undefined;
      }
    | null
    | undefined;
  readonly code_execution_result?:
    | {
        readonly id?: string | null | undefined;
        readonly outcome?: string | null | undefined;
        readonly output?: string | null | undefined;
      }
    | null
    | undefined;
  /** Opaque: lets the model continue an earlier thought. */
  readonly thought_signature?: string | null | undefined;
  readonly video_metadata?:
    | {
        readonly fps?: number | null | undefined;
        readonly startOffset?: string | null | undefined;
        readonly endOffset?: string | null | undefined;
      }
    | {
        readonly fps?: number | null | undefined;
        readonly start_offset?: string | null | undefined;
        readonly end_offset?: string | null | undefined;
      }
    | null
    | undefined;
  /** Your own keys, never changed. */
  readonly part_metadata?: Readonly<Record<string, unknown>> | null | undefined;
  /** Opaque: kept unchanged. */
  readonly media_resolution?: unknown;
  /** Opaque: kept unchanged. */
  readonly media_processing?: unknown;
  /** Opaque: kept unchanged. */
  readonly tool_call?: unknown;
  /** Opaque: kept unchanged. */
  readonly tool_response?: unknown;
  /** Opaque: kept unchanged. */
  readonly audio_transcription?: unknown;
  /** Opaque: kept unchanged. */
  readonly speech_metadata?: unknown;
}

/** One property that an answer or a conversation is judged by. */
export type WrittenRubric = WrittenRubricCamel | WrittenRubricSnake;

/** `WrittenRubric` in camelCase. */
export interface WrittenRubricCamel {
  /** Names the rubric in scores; unique among the rubrics of one turn. */
  readonly rubricId: string;
  readonly rubricContent:
    | {
        /** What must be true, as one plain statement. */
        readonly textProperty: string | null;
      }
    | {
        /** What must be true, as one plain statement. */
        readonly text_property: string | null;
      };
  readonly description?: string | null | undefined;
  /**
   * Which criterion it belongs to: `FINAL_RESPONSE_QUALITY`, `TOOL_USE_QUALITY`, `INSTRUCTION_ADHERENCE` or your
   * own name.
   */
  readonly type?: string | null | undefined;
}

/** `WrittenRubric` in snake_case. */
export interface WrittenRubricSnake {
  /** Names the rubric in scores; unique among the rubrics of one turn. */
  readonly rubric_id: string;
  readonly rubric_content:
    | {
        /** What must be true, as one plain statement. */
        readonly textProperty: string | null;
      }
    | {
        /** What must be true, as one plain statement. */
        readonly text_property: string | null;
      };
  readonly description?: string | null | undefined;
  /**
   * Which criterion it belongs to: `FINAL_RESPONSE_QUALITY`, `TOOL_USE_QUALITY`, `INSTRUCTION_ADHERENCE` or your
   * own name.
   */
  readonly type?: string | null | undefined;
}

/** The session that a case starts from. */
export type WrittenSessionInput = WrittenSessionInputCamel | WrittenSessionInputSnake;

/** `WrittenSessionInput` in camelCase. */
export interface WrittenSessionInputCamel {
  readonly appName: string;
  readonly userId: string;
  /** The initial state. Its keys are never changed. */
  readonly state?: State | undefined;
  /** Sets the session's id. */
  readonly sessionId?: string | null | undefined;
}

/** `WrittenSessionInput` in snake_case. */
export interface WrittenSessionInputSnake {
  readonly app_name: string;
  readonly user_id: string;
  /** The initial state. Its keys are never changed. */
  readonly state?: State | undefined;
  /** Sets the session's id. */
  readonly session_id?: string | null | undefined;
}

/**
 * A turn in short: what the user says, and what is expected of the agent. ADK does not read it; `agent-criteria
 * migrate FILE` writes the file in the form of ADK.
 */
export interface WrittenShortTurn {
  /** What the user says. */
  readonly user: string;
  /** The text of the expected answer. Default: none, and criteria that compare answers do not apply to the turn. */
  readonly answer?: string | null | undefined;
  /** The expected tool calls, in order. Default: none are expected. */
  readonly calls?: readonly WrittenFunctionCall[] | undefined;
  /** Apply to this turn only. */
  readonly rubrics?: readonly WrittenRubric[] | undefined;
}

/** What happens to calls of one tool instead of the tool. The shape is that of ADK's environment simulation. */
export type WrittenToolSimulationConfig = WrittenToolSimulationConfigCamel | WrittenToolSimulationConfigSnake;

/** `WrittenToolSimulationConfig` in camelCase. */
export interface WrittenToolSimulationConfigCamel {
  readonly toolName: string;
  /** The first that applies to a call decides. */
  readonly injectionConfigs: readonly WrittenInjectionConfig[];
  /** Recognised and refused, other than as `MOCK_STRATEGY_UNSPECIFIED`: no model invents answers. */
  readonly mockStrategyType?: string | number | null | undefined;
}

/** `WrittenToolSimulationConfig` in snake_case. */
export interface WrittenToolSimulationConfigSnake {
  readonly tool_name: string;
  /** The first that applies to a call decides. */
  readonly injection_configs: readonly WrittenInjectionConfig[];
  /** Recognised and refused, other than as `MOCK_STRATEGY_UNSPECIFIED`: no model invents answers. */
  readonly mock_strategy_type?: string | number | null | undefined;
}

/** One habit of a simulated user. */
export type WrittenUserBehavior = WrittenUserBehaviorCamel | WrittenUserBehaviorSnake;

/** `WrittenUserBehavior` in camelCase. */
export interface WrittenUserBehaviorCamel {
  readonly name: string;
  readonly description: string;
  readonly behaviorInstructions: readonly string[];
  /** What shows that the behaviour was violated; read by the quality criterion. */
  readonly violationRubrics: readonly string[];
}

/** `WrittenUserBehavior` in snake_case. */
export interface WrittenUserBehaviorSnake {
  readonly name: string;
  readonly description: string;
  readonly behavior_instructions: readonly string[];
  /** What shows that the behaviour was violated; read by the quality criterion. */
  readonly violation_rubrics: readonly string[];
}

/** How a simulated user behaves. */
export interface WrittenUserPersona {
  readonly id: string;
  readonly description: string;
  readonly behaviors: readonly WrittenUserBehavior[];
}

/** The user simulator and its options. */
export interface WrittenUserSimulatorConfig {
  /** Names the simulator. Default `llm_backed`. */
  readonly type?: string | null | undefined;
  readonly [option: string]: unknown;
}

import type { State } from '../json.ts';
import type { Content, FunctionCall, FunctionResponse, Part } from './content.ts';
import type { Rubric } from './rubric.ts';

// Fields are optional where ADK's files may leave them out: parsing adds no defaults, so that a file survives a round trip.

/** A named list of eval cases: the content of an `.evalset.json` or `.test.json` file. */
export interface EvalSet {
  /** Where an editor finds the JSON Schema of this file. */
  $schema?: string | undefined;
  evalSetId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  evalCases: EvalCase[];
  /** Unix seconds. */
  creationTimestamp?: number | undefined;
  /** Our own keys; ADK drops them when it rewrites the file. */
  agentCriteria?: State | undefined;
}

/** One conversation to run and judge. Exactly one of `conversation` and `conversationScenario` is given. */
export interface EvalCase {
  /** Unique in its set; may hold spaces and slashes. */
  evalId: string;
  /** A fixed conversation: user messages, and what is expected of the agent. */
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
  /** Our own keys, for this case only: options by criterion name; `toolSimulationConfigs`, what answers instead of tools. */
  agentCriteria?: State | undefined;
}

/** One user turn and all that the agent did for it. In a case: what is expected. In an inference: what happened. */
export interface Invocation {
  invocationId?: string | undefined;
  userContent: Content;
  /** The agent's last answer in this turn. */
  finalResponse?: Content | null | undefined;
  /** The steps between question and answer, in one of two forms: read them with `toolCalls`, `toolResponses`, `toolSteps`. */
  intermediateData?: IntermediateData | InvocationEvents | null | undefined;
  /** Unix seconds. */
  creationTimestamp?: number | undefined;
  /** Seconds; only of recorded turns. */
  duration?: number | null | undefined;
  /** How many model calls the turn took. */
  inferenceCallCount?: number | null | undefined;
  /** Apply to this turn only. */
  rubrics?: Rubric[] | null | undefined;
  appDetails?: AppDetails | null | undefined;
}

/** Intermediate data as people write it, and as ADK recorded it before 1.8. */
export interface IntermediateData {
  toolUses?: FunctionCall[] | undefined;
  toolResponses?: FunctionResponse[] | undefined;
  /** Pairs of author and parts. */
  intermediateResponses?: [author: string, parts: Part[]][] | undefined;
}

/** Intermediate data as ADK records it: every event of the turn, in order. */
export interface InvocationEvents {
  invocationEvents?: InvocationEvent[] | undefined;
}

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

/** The session that a case starts from. */
export interface SessionInput {
  appName: string;
  userId: string;
  /** The user's own map, whose keys are never re-spelt. */
  state?: State | undefined;
  /** Pins the id of the session. */
  sessionId?: string | null | undefined;
}

/** What a simulated user wants. */
export interface ConversationScenario {
  /** The first message, sent as it is. */
  startingPrompt: string;
  /** What the user does after that, in prose. */
  conversationPlan: string;
  /** A persona, or the id of a registered one. */
  userPersona?: UserPersona | string | null | undefined;
}

/** The content of a scenarios file. */
export interface ConversationScenarios {
  scenarios?: ConversationScenario[] | undefined;
}

/** How many scenarios a model is to write, and of what: the content of a user simulation config file. */
export interface ConversationGenerationConfig {
  /** How many scenarios. */
  count: number;
  modelName: string;
  /** What the scenarios are to test. */
  generationInstruction?: string | null | undefined;
  /** What the agent's tools find: facts that scenarios may rely on. */
  environmentContext?: string | null | undefined;
}

/** How a simulated user behaves. */
export interface UserPersona {
  id: string;
  description: string;
  behaviors: UserBehavior[];
}

export interface UserBehavior {
  name: string;
  description: string;
  behaviorInstructions: string[];
  /** What shows that the behaviour was violated; read by the quality criterion. */
  violationRubrics: string[];
}

/** The agents of an app, as they were during a turn. */
export interface AppDetails {
  /** By agent name. */
  agentDetails?: Record<string, AgentDetails> | undefined;
}

export interface AgentDetails {
  name: string;
  instructions?: string | undefined;
  /** Opaque: tool declarations as the model got them. */
  toolDeclarations?: unknown[] | undefined;
}

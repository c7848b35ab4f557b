import * as z from 'zod/mini';
import type { InitialSession, OldCase, OldTurn } from '../adk/migrate.ts';
import type { Json, JsonSchema } from '../json.ts';
import type { Content, FunctionCall, FunctionResponse, Part } from './content.ts';
import type {
  CriterionConfig,
  CustomMetricConfig,
  EvalConfig,
  MetricInfo,
  UserSimulatorConfig,
} from './eval-config.ts';
import type { EvalCaseResult, EvalMetricResult, EvalMetricResultPerInvocation, EvalSetResult } from './eval-result.ts';
import type {
  AppDetails,
  ConversationGenerationConfig,
  ConversationScenario,
  ConversationScenarios,
  EvalCase,
  EvalSet,
  Invocation,
  SessionInput,
  UserPersona,
} from './eval-set.ts';
import type { Rubric } from './rubric.ts';

// The source of `models.json` and of the JSON Schemas for editors: `scripts/write-schemas.ts` writes both, so that a
// running program needs no zod to read a file. After a change, run that script; a test fails until then.
//
// How an object is declared says what ADK does with a key it does not know:
//   z.strictObject  it refuses the file
//   z.object        it drops the key
//   z.looseObject   it keeps the key
// Only what JSON Schema can say belongs here; what it cannot say (unique ids, exactly one of two keys) is in the parsers.

/** What the JSON Schemas hold beside the shape. */
interface Notes {
  id?: string;
  description?: string;
  /** ADK's Python reads only snake_case here. */
  'x-snake-only'?: true;
}
const notes = z.registry<Notes>();

function about<S extends z.ZodMiniType>(description: string, schema: S): S {
  notes.add(schema, { description });
  return schema;
}

function model<S extends z.ZodMiniType>(id: string, description: string, schema: S, more: Notes = {}): S {
  notes.add(schema, { id, description, ...more });
  return schema;
}

const maybe = z.exactOptional;
const orNull = <S extends z.ZodMiniType>(schema: S) => z.exactOptional(z.nullable(schema));
const opaque = () => z.exactOptional(z.unknown());
const text = () => orNull(z.string());
const seconds = () => maybe(about('Unix seconds.', z.number()));

const json = z.unknown() as z.ZodMiniType<Json>;
const userMap = () => z.record(z.string(), z.unknown());
const state = () => z.record(z.string(), json);
const ownKeys = (description: string) => maybe(about(description, state()));
const schemaKey = () => maybe(about('Where an editor finds the JSON Schema of this file.', z.string()));

// ---- messages

const functionCall = model(
  'FunctionCall',
  'A tool call. Only name and args are compared.',
  z.strictObject({
    id: text(),
    name: text(),
    args: about("The arguments: the tool's own keys, never re-spelt.", orNull(userMap())),
    willContinue: orNull(z.boolean()),
    partialArgs: opaque(),
  }),
);

const functionResponse = model(
  'FunctionResponse',
  'What a tool answered.',
  z.strictObject({
    id: text(),
    name: text(),
    response: about("The tool's own keys, never re-spelt.", orNull(userMap())),
    willContinue: orNull(z.boolean()),
    scheduling: text(),
    parts: opaque(),
  }),
);

const part = model(
  'Part',
  'One piece of a message: normally text.',
  z.strictObject({
    text: text(),
    thought: about('True for private reasoning, which is no part of an answer.', orNull(z.boolean())),
    functionCall: orNull(functionCall),
    functionResponse: orNull(functionResponse),
    inlineData: orNull(z.strictObject({ data: text(), mimeType: text(), displayName: text() })),
    fileData: orNull(z.strictObject({ fileUri: text(), mimeType: text(), displayName: text() })),
    executableCode: orNull(z.strictObject({ id: text(), code: text(), language: text() })),
    codeExecutionResult: orNull(z.strictObject({ id: text(), outcome: text(), output: text() })),
    thoughtSignature: text(),
    videoMetadata: orNull(z.strictObject({ fps: orNull(z.number()), startOffset: text(), endOffset: text() })),
    partMetadata: orNull(userMap()),
    mediaResolution: opaque(),
    mediaProcessing: opaque(),
    toolCall: opaque(),
    toolResponse: opaque(),
    audioTranscription: opaque(),
    speechMetadata: opaque(),
  }),
);

const content = model(
  'Content',
  'A message: a role and its parts.',
  z.strictObject({ role: about('"user" or "model".', orNull(z.string())), parts: orNull(z.array(part)) }),
);

// ---- rubrics and agents

const rubric = model(
  'Rubric',
  'One property that an answer or a conversation is judged by.',
  z.strictObject({
    rubricId: about('Names the rubric in scores; unique among the rubrics of one turn.', z.string()),
    rubricContent: z.strictObject({
      textProperty: z.nullable(about('What must hold, as one plain statement.', z.string())),
    }),
    description: text(),
    type: about(
      'Which criterion it belongs to: FINAL_RESPONSE_QUALITY, TOOL_USE_QUALITY, INSTRUCTION_ADHERENCE or a name of your own.',
      orNull(z.string()),
    ),
  }),
);

const rubricScore = model(
  'RubricScore',
  'The score that one rubric got.',
  z.strictObject({ rubricId: z.string(), rationale: text(), score: orNull(z.number()) }),
);

const agentDetails = model(
  'AgentDetails',
  'One agent of the app, as it was during a turn.',
  z.strictObject({
    name: z.string(),
    instructions: maybe(z.string()),
    toolDeclarations: maybe(z.array(z.unknown())),
  }),
);

const appDetails = model(
  'AppDetails',
  'The agents of an app, as they were during a turn.',
  z.strictObject({ agentDetails: maybe(about('By agent name.', z.record(z.string(), agentDetails))) }),
);

// ---- eval sets

const intermediateData = model(
  'IntermediateData',
  'The steps between question and answer, as people write them.',
  z.strictObject({
    toolUses: maybe(
      about('The tool calls that are expected, in order. None listed: none expected.', z.array(functionCall)),
    ),
    toolResponses: maybe(z.array(functionResponse)),
    intermediateResponses: maybe(
      about(
        'Texts on the way to the answer: pairs of author and parts.',
        z.array(z.tuple([z.string(), z.array(part)])),
      ),
    ),
  }),
);

const invocationEvent = model(
  'InvocationEvent',
  'One event of a recorded turn.',
  z.object({
    author: about('The name of the agent that emitted it.', z.string()),
    content: orNull(content),
    groundingMetadata: opaque(),
    usageMetadata: opaque(),
    modelVersion: text(),
  }),
);

const invocationEvents = model(
  'InvocationEvents',
  'The steps between question and answer, as they are recorded.',
  z.strictObject({ invocationEvents: maybe(z.array(invocationEvent)) }),
);

const invocation = model(
  'Invocation',
  'One user turn and what is expected of the agent.',
  z.strictObject({
    invocationId: maybe(z.string()),
    userContent: content,
    finalResponse: orNull(content),
    intermediateData: orNull(z.union([intermediateData, invocationEvents])),
    creationTimestamp: seconds(),
    duration: about('Seconds; only of recorded turns.', orNull(z.number())),
    inferenceCallCount: about('How many model calls the turn took.', orNull(z.int().check(z.gte(0)))),
    rubrics: about('Apply to this turn only.', orNull(z.array(rubric))),
    appDetails: orNull(appDetails),
  }),
);

const userPersona = model(
  'UserPersona',
  'How a simulated user behaves.',
  z.object({
    id: z.string(),
    description: z.string(),
    behaviors: z.array(
      model(
        'UserBehavior',
        'One habit of a simulated user.',
        z.object({
          name: z.string(),
          description: z.string(),
          behaviorInstructions: z.array(z.string()),
          violationRubrics: about('What shows that the behaviour was violated.', z.array(z.string())),
        }),
        { 'x-snake-only': true },
      ),
    ),
  }),
  { 'x-snake-only': true },
);

const conversationScenario = model(
  'ConversationScenario',
  'A conversation that a simulated user leads.',
  z.strictObject({
    startingPrompt: about('The first message, sent as it is.', z.string()),
    conversationPlan: about('What the user does after that, in prose.', z.string()),
    userPersona: orNull(
      z.union([about('The id of a known persona: EXPERT, NOVICE or EVALUATOR.', z.string()), userPersona]),
    ),
  }),
);

const conversationScenarios = model(
  'ConversationScenarios',
  'The content of a scenarios file.',
  z.strictObject({ scenarios: maybe(z.array(conversationScenario)) }),
);

const conversationGenerationConfig = model(
  'ConversationGenerationConfig',
  'How many scenarios a model is to write, and of what.',
  z.strictObject({
    count: z.int(),
    modelName: z.string(),
    generationInstruction: text(),
    environmentContext: text(),
  }),
);

const sessionInput = model(
  'SessionInput',
  'The session that a case starts from.',
  z.looseObject({
    appName: z.string(),
    userId: z.string(),
    state: maybe(about('The start state: your own keys, never re-spelt.', state())),
    sessionId: about('Pins the id of the session.', orNull(z.string())),
  }),
);

const injectionConfig = model(
  'InjectionConfig',
  'A fixed answer, an error or a delay, for calls with these arguments.',
  z.strictObject({
    injectionProbability: maybe(about('From 0 to 1. Default 1.', z.number().check(z.gte(0), z.lte(1)))),
    matchArgs: about('Arguments that a call must have; others do not matter.', orNull(state())),
    injectedLatencySeconds: maybe(about('Default 0.', z.number().check(z.gte(0), z.lte(120)))),
    randomSeed: about('What the chance is drawn with. Default: the ids of case and repeat.', orNull(z.int())),
    injectedError: orNull(z.strictObject({ injectedHttpErrorCode: z.int(), errorMessage: z.string() })),
    injectedResponse: about('What the tool answers.', orNull(state())),
  }),
);

const toolSimulationConfig = model(
  'ToolSimulationConfig',
  'What happens to calls of one tool instead of the tool.',
  z.strictObject({
    toolName: z.string(),
    injectionConfigs: about('The first that applies decides.', z.array(injectionConfig)),
    mockStrategyType: maybe(z.nullable(z.union([z.string(), z.int()]))),
  }),
);

const toolSimulationConfigs = () => maybe(about('What answers instead of tools.', z.array(toolSimulationConfig)));

const evalCase = model(
  'EvalCase',
  'One conversation to run and judge, with exactly one of conversation and conversation_scenario.',
  z.looseObject({
    evalId: about('Unique in its set.', z.string()),
    conversation: about('A fixed conversation, at least one turn.', orNull(z.array(invocation))),
    conversationScenario: orNull(conversationScenario),
    sessionInput: orNull(sessionInput),
    creationTimestamp: seconds(),
    rubrics: about('Apply to every turn of the case.', orNull(z.array(rubric))),
    finalSessionState: about('The session state expected after the last turn.', orNull(state())),
    agentCriteria: ownKeys('Options of agent-criteria for this case, by criterion name; tool_simulation_configs.'),
  }),
);

const evalSet = model(
  'EvalSet',
  'A named list of eval cases.',
  z.object({
    $schema: schemaKey(),
    evalSetId: about('Letters, digits and underscores, so that ADK can also create it.', z.string()),
    name: text(),
    description: text(),
    evalCases: z.array(evalCase),
    creationTimestamp: seconds(),
    agentCriteria: ownKeys('Keys of agent-criteria; ADK drops them when it rewrites the file.'),
  }),
  { 'x-snake-only': true },
);

// ---- configs

const metricInfo = model(
  'MetricInfo',
  'What is told of a metric.',
  z.strictObject({
    metricName: z.string(),
    description: text(),
    metricValueInfo: z.strictObject({
      interval: orNull(
        z.strictObject({
          minValue: z.number(),
          maxValue: z.number(),
          openAtMin: maybe(z.boolean()),
          openAtMax: maybe(z.boolean()),
        }),
      ),
    }),
    requiresThreshold: maybe(z.boolean()),
  }),
);

const customMetricConfig = model(
  'CustomMetricConfig',
  'Where the function of a metric is.',
  z.object({
    codeConfig: z.strictObject({ name: about('"./file.ts#export".', z.string()) }),
    metricInfo: orNull(metricInfo),
    description: maybe(z.string()),
  }),
);

const criterionConfig = model(
  'CriterionConfig',
  'A threshold and the options of the criterion.',
  z.looseObject({
    threshold: maybe(about('The score that passes, inclusive.', z.number())),
    minCoverage: maybe(
      about('The least share of turns that must have been scored. Default 1.', z.number().check(z.gt(0), z.lte(1))),
    ),
    whenNotApplicable: maybe(
      about(
        'What a case gets that the criterion cannot apply to. Default "not-evaluated".',
        z.enum(['not-evaluated', 'skip']),
      ),
    ),
    agentCriteria: ownKeys('Options of agent-criteria, where ADK reads the same object.'),
  }),
);

const userSimulatorConfig = model(
  'UserSimulatorConfig',
  'The user simulator and its options.',
  z.looseObject({ type: about('Names the simulator. Default "llm_backed".', orNull(z.string())) }),
);

const evalConfig = model(
  'EvalConfig',
  'What a run is judged by.',
  z.object({
    $schema: schemaKey(),
    criteria: maybe(
      about(
        'By criterion name: a threshold, or an object of threshold and options.',
        z.record(
          z.string(),
          z.union([about('The threshold: the score that passes, inclusive.', z.number()), criterionConfig]),
        ),
      ),
    ),
    customMetrics: about('By metric name: where its function is.', orNull(z.record(z.string(), customMetricConfig))),
    userSimulatorConfig: orNull(userSimulatorConfig),
    liveModelConfig: orNull(z.object({ timeoutSeconds: maybe(z.int()) })),
    agentCriteria: maybe(
      z.strictObject({
        measure: maybe(about('Criteria that only measure and never gate.', z.array(z.string()))),
        toolSimulationConfigs: toolSimulationConfigs(),
      }),
    ),
    plugins: maybe(about('Packages to load criteria, models and simulators from.', z.array(z.string()))),
  }),
);

// ---- results

const adkStatus = () => z.literal([1, 2, 3, 4]);
const count = () => orNull(z.number());

const evalMetricResult = model(
  'EvalMetricResult',
  'The score and status of one metric.',
  z.strictObject({
    metricName: z.string(),
    threshold: orNull(z.number()),
    criterion: opaque(),
    customFunctionPath: text(),
    score: orNull(z.number()),
    evalStatus: adkStatus(),
    details: orNull(
      z.strictObject({
        rubricScores: orNull(z.array(rubricScore)),
        tokenUsageDetails: orNull(
          z.strictObject({
            totalTokens: count(),
            inputTokens: count(),
            promptTokens: count(),
            cachedTokens: count(),
            toolUseTokens: count(),
            outputTokens: count(),
            candidatesTokens: count(),
            reasoningTokens: count(),
          }),
        ),
      }),
    ),
  }),
);

const evalMetricResultPerInvocation = model(
  'EvalMetricResultPerInvocation',
  'The results of one turn.',
  z.strictObject({
    actualInvocation: invocation,
    expectedInvocation: orNull(invocation),
    evalMetricResults: maybe(z.array(evalMetricResult)),
  }),
);

const evalCaseResult = model(
  'EvalCaseResult',
  'The result of one case.',
  z.object({
    evalSetFile: text(),
    evalSetId: maybe(z.string()),
    evalId: maybe(z.string()),
    finalEvalStatus: adkStatus(),
    evalMetricResults: opaque(),
    overallEvalMetricResults: z.array(evalMetricResult),
    evalMetricResultPerInvocation: z.array(evalMetricResultPerInvocation),
    sessionId: z.string(),
    sessionDetails: opaque(),
    userId: text(),
    agentCriteria: ownKeys('The true verdict, coverage and reasons.'),
  }),
);

const evalSetResult = model(
  'EvalSetResult',
  'The results of one run of a set.',
  z.object({
    evalSetResultId: z.string(),
    evalSetResultName: text(),
    evalSetId: z.string(),
    evalCaseResults: maybe(z.array(evalCaseResult)),
    creationTimestamp: seconds(),
  }),
);

// ---- the two formats before eval sets

const oldTurn = model(
  'OldTurn',
  'One turn of an old test file.',
  z.object({
    query: z.string(),
    reference: text(),
    expectedToolUse: maybe(z.array(z.object({ toolName: z.string(), toolInput: userMap() }))),
    expectedIntermediateAgentResponses: maybe(z.array(z.object({ author: z.string(), text: z.string() }))),
  }),
);

const initialSession = model(
  'InitialSession',
  'The session that old data starts from; of a session dump only these keys are used.',
  z.looseObject({ appName: maybe(z.string()), userId: maybe(z.string()), state: maybe(state()) }),
);

const oldCase = model(
  'OldCase',
  'One case of an old eval set.',
  z.object({ name: z.string(), data: z.array(oldTurn), initialSession: orNull(initialSession) }),
);

const models = z.object({
  EvalSet: evalSet,
  EvalCase: evalCase,
  SessionInput: sessionInput,
  ConversationScenarios: conversationScenarios,
  ConversationGenerationConfig: conversationGenerationConfig,
  EvalConfig: evalConfig,
  EvalSetResult: evalSetResult,
  OldTurns: z.array(oldTurn),
  OldCases: z.array(oldCase),
  InitialSession: initialSession,
});

/** Every model as a JSON Schema with camelCase keys, by name. Models refer to each other as `#/$defs/Name`. */
export function modelSchemas(): Record<string, JsonSchema> {
  const { $defs, properties } = z.toJSONSchema(models, { io: 'input', metadata: notes });
  return { ...properties, ...$defs } as Record<string, JsonSchema>;
}

/** The zod object of a model, to compare our reading with zod's. */
export const zodModels = models.shape;

// ---- the schemas and the documented interfaces agree, or this file does not compile

/** A type without index signatures and `readonly`, all the way down. A pure map keeps its index signature. */
type Bare<T> = Json extends T
  ? unknown
  : T extends readonly unknown[]
    ? { -readonly [K in keyof T]: Bare<T[K]> }
    : T extends object
      ? [KnownKey<T>] extends [never]
        ? { [key: string]: Bare<T[keyof T]> }
        : { -readonly [K in keyof T as K extends KnownKey<T> ? K : never]: Bare<T[K]> }
      : T;
type KnownKey<T> = keyof { [K in keyof T as string extends K ? never : K]: true };
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Agree<Schema extends z.ZodMiniType, Interface> = Same<Bare<z.input<Schema>>, Bare<Interface>>;

export type Agreements = Assert<
  [
    Agree<typeof functionCall, FunctionCall>,
    Agree<typeof functionResponse, FunctionResponse>,
    Agree<typeof part, Part>,
    Agree<typeof content, Content>,
    Agree<typeof rubric, Rubric>,
    Agree<typeof appDetails, AppDetails>,
    Agree<typeof invocation, Invocation>,
    Agree<typeof userPersona, UserPersona>,
    Agree<typeof conversationScenario, ConversationScenario>,
    Agree<typeof conversationScenarios, ConversationScenarios>,
    Agree<typeof conversationGenerationConfig, ConversationGenerationConfig>,
    Agree<typeof sessionInput, SessionInput>,
    Agree<typeof evalCase, EvalCase>,
    Agree<typeof evalSet, EvalSet>,
    Agree<typeof metricInfo, MetricInfo>,
    Agree<typeof customMetricConfig, CustomMetricConfig>,
    Agree<typeof criterionConfig, CriterionConfig>,
    Agree<typeof userSimulatorConfig, UserSimulatorConfig>,
    Agree<typeof evalConfig, EvalConfig>,
    Agree<typeof evalMetricResult, EvalMetricResult>,
    Agree<typeof evalMetricResultPerInvocation, EvalMetricResultPerInvocation>,
    Agree<typeof evalCaseResult, EvalCaseResult>,
    Agree<typeof evalSetResult, EvalSetResult>,
    Agree<typeof oldTurn, OldTurn>,
    Agree<typeof oldCase, OldCase>,
    Agree<typeof initialSession, InitialSession>,
  ]
>;
type Assert<T extends readonly true[]> = T;

import * as z from 'zod/mini';
import type { Json, JsonSchema } from '../src/json.ts';

// The data model: the source of `models.json`, of the TypeScript types in `model.ts` and of the JSON Schemas for
// editors. `pnpm models` writes them all, so that a program can read files without zod. After a change, run that
// script; until then, a test fails.
//
// Keys are optional where ADK's files may leave them out: parsing adds no defaults, so that a file survives a round trip.
// Descriptions appear in code, in editors and in the guide.
//
// The kind of an object states how ADK treats an unknown key:
//   z.strictObject  rejects the file
//   z.object        drops the key
//   z.looseObject   keeps the key
// Rules that JSON Schema cannot express, such as unique ids or exactly one of two keys, are in the parsers.

/** Additional entries of the JSON Schemas. */
interface Notes {
  id?: string;
  description?: string;
  /** Whether ADK for Python reads only snake_case here. */
  'x-snake-only'?: true;
  /** Whether only this project writes this form, so that an unknown key in it is a mistake. */
  'x-own'?: true;
}
const notes = z.registry<Notes>();

/** Additional information for generating the TypeScript types. */
interface TypeNotes {
  /** The name of the type, if it does not follow from the schema. */
  type?: string;
  /** The name of the unknown keys in the index signature. Without it, the type has none. */
  index?: string;
  /** Text to append to the description. */
  also?: string;
  /** The name of the model that parsing returns for it. */
  readAs?: string;
}
export const inTypeScript = z.registry<TypeNotes>();

/** The models by name, each listed after the models that it uses. */
export const namedModels = new Map<string, z.ZodMiniType>();

/** The notes on a schema; empty if there are none. */
export function notesOf(schema: z.core.$ZodType): Notes {
  return notes.get(schema) ?? {};
}

function about<S extends z.ZodMiniType>(description: string, schema: S): S {
  notes.add(schema, { description });
  return schema;
}

function model<S extends z.ZodMiniType>(id: string, description: string, schema: S, more: Notes = {}): S {
  notes.add(schema, { id, description, ...more });
  namedModels.set(id, schema);
  return schema;
}

function forCode<S extends z.ZodMiniType>(more: TypeNotes, schema: S): S {
  inTypeScript.add(schema, more);
  return schema;
}

const maybe = z.exactOptional;
const orNull = <S extends z.ZodMiniType>(schema: S) => z.exactOptional(z.nullable(schema));
const opaque = (description = 'Opaque: kept unchanged.') => about(description, maybe(z.unknown()));
const text = () => orNull(z.string());
const seconds = () => maybe(about('Unix seconds.', z.number()));

const json = z.unknown() as z.ZodMiniType<Json>;
const userMap = () => z.record(z.string(), z.unknown());
const state = () => forCode({ type: 'State' }, z.record(z.string(), json));
const ownKeys = (description: string) => maybe(about(description, state()));
const schemaKey = () => maybe(about('Where an editor finds the JSON Schema of this file.', z.string()));

// ---- messages

const functionCall = model(
  'FunctionCall',
  'A tool call that the agent made, or is expected to make. Only its name and arguments are compared.',
  z.strictObject({
    id: about('Pairs the call with its response; absent in hand-written data. Never compared.', text()),
    name: text(),
    args: about("The arguments: the tool's own keys, never re-spelt.", orNull(userMap())),
    willContinue: about('Of calls that are still being streamed.', orNull(z.boolean())),
    partialArgs: opaque(),
  }),
);

const functionResponse = model(
  'FunctionResponse',
  'The answer of a tool.',
  z.strictObject({
    id: text(),
    name: text(),
    response: about("The tool's own keys, never re-spelt.", orNull(userMap())),
    willContinue: orNull(z.boolean()),
    scheduling: text(),
    parts: opaque('Opaque: media that the tool returned.'),
  }),
);

const part = model(
  'Part',
  'One piece of a message: text, a tool call or another kind. Normally, exactly one kind is set.',
  z.strictObject({
    text: text(),
    thought: about("True for the model's private reasoning, which is not part of an answer.", orNull(z.boolean())),
    functionCall: orNull(functionCall),
    functionResponse: orNull(functionResponse),
    inlineData: orNull(z.strictObject({ data: text(), mimeType: text(), displayName: text() })),
    fileData: orNull(z.strictObject({ fileUri: text(), mimeType: text(), displayName: text() })),
    executableCode: orNull(z.strictObject({ id: text(), code: text(), language: text() })),
    codeExecutionResult: orNull(z.strictObject({ id: text(), outcome: text(), output: text() })),
    thoughtSignature: about('Opaque: lets the model continue an earlier thought.', text()),
    videoMetadata: orNull(z.strictObject({ fps: orNull(z.number()), startOffset: text(), endOffset: text() })),
    partMetadata: about('Your own keys, never changed.', orNull(userMap())),
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
  forCode(
    {
      also: 'Structurally assignable from `Content` of `@google/genai`; fields that evaluation never reads are opaque and kept unchanged.',
    },
    z.strictObject({ role: about('`"user"` or `"model"`.', orNull(z.string())), parts: orNull(z.array(part)) }),
  ),
);

// ---- rubrics and agents

const rubric = model(
  'Rubric',
  'One property that an answer or a conversation is judged by.',
  z.strictObject({
    rubricId: about('Names the rubric in scores; unique among the rubrics of one turn.', z.string()),
    rubricContent: z.strictObject({
      textProperty: z.nullable(about('The plain statement that must be true.', z.string())),
    }),
    description: text(),
    type: about(
      'Which criterion it belongs to: `FINAL_RESPONSE_QUALITY`, `TOOL_USE_QUALITY`, `INSTRUCTION_ADHERENCE` or your own name.',
      orNull(z.string()),
    ),
  }),
);

const rubricScore = model(
  'RubricScore',
  "The score that one rubric got, as ADK's result files hold it.",
  z.strictObject({ rubricId: z.string(), rationale: text(), score: orNull(z.number()) }),
);

const agentDetails = model(
  'AgentDetails',
  'One agent of the app, as it was during a turn.',
  z.strictObject({
    name: z.string(),
    instructions: maybe(z.string()),
    toolDeclarations: about('Opaque: tool declarations, as sent to the model.', maybe(z.array(z.unknown()))),
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
  'The steps between question and answer, as people write them, and as ADK recorded them before 1.8.',
  z.strictObject({
    toolUses: maybe(
      about('The tool calls that are expected, in order. None listed: none expected.', z.array(functionCall)),
    ),
    toolResponses: maybe(z.array(functionResponse)),
    intermediateResponses: maybe(
      about('Intermediate texts, as pairs of author and parts.', z.array(z.tuple([z.string(), z.array(part)]))),
    ),
  }),
);

const invocationEvent = model(
  'InvocationEvent',
  'One event of a recorded turn.',
  z.object({
    author: about('The name of the agent that emitted it.', z.string()),
    content: orNull(content),
    groundingMetadata: opaque('Opaque: grounding as the model reported it.'),
    usageMetadata: opaque('Opaque: token counts as the model reported them.'),
    modelVersion: text(),
  }),
);

const invocationEvents = model(
  'InvocationEvents',
  'The steps between question and answer, as ADK records them: every event of the turn, in order.',
  z.strictObject({ invocationEvents: maybe(z.array(invocationEvent)) }),
);

const invocation = model(
  'Invocation',
  'One user turn and all that the agent did for it. In a case: what is expected. In an inference: what happened.',
  z.strictObject({
    invocationId: maybe(z.string()),
    userContent: content,
    finalResponse: about("The agent's last answer in this turn.", orNull(content)),
    intermediateData: about(
      'The steps between question and answer, in one of two formats.',
      forCode(
        { also: 'Read them with `toolCalls`, `toolResponses` and `toolSteps`.' },
        orNull(z.union([intermediateData, invocationEvents])),
      ),
    ),
    creationTimestamp: seconds(),
    duration: about('Seconds; only of recorded turns. ADK writes `null` where it measured none.', orNull(z.number())),
    inferenceCallCount: about('How many model calls the turn took.', orNull(z.int().check(z.gte(0)))),
    rubrics: about('Apply to this turn only.', orNull(z.array(rubric))),
    appDetails: orNull(appDetails),
  }),
);

const shortTurn = model(
  'ShortTurn',
  'A turn in short: what the user says, and what is expected of the agent. ADK does not read it; `agent-criteria migrate FILE` writes the file in the form of ADK.',
  z.strictObject({
    user: about("The user's message.", z.string()),
    answer: about(
      'The text of the expected answer. Default: none, and criteria that compare answers do not apply to the turn.',
      orNull(z.string()),
    ),
    calls: maybe(about('The expected tool calls, in order. Default: none are expected.', z.array(functionCall))),
    rubrics: maybe(about('Apply to this turn only.', z.array(rubric))),
  }),
  { 'x-own': true },
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
          violationRubrics: about(
            'Signs that the behaviour was violated; read by the quality criterion.',
            z.array(z.string()),
          ),
        }),
        { 'x-snake-only': true },
      ),
    ),
  }),
  { 'x-snake-only': true },
);

const conversationScenario = model(
  'ConversationScenario',
  'A conversation that a simulated user leads: what the user wants.',
  z.strictObject({
    startingPrompt: about('The first message, sent unchanged.', z.string()),
    conversationPlan: about("The user's behaviour after that, in prose.", z.string()),
    userPersona: about(
      'A persona, or the id of a registered one.',
      orNull(
        z.union([
          about('The id of a registered persona, such as EXPERT, NOVICE, EVALUATOR or ATTACKER.', z.string()),
          userPersona,
        ]),
      ),
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
  'How many scenarios a model should write, and about what: the content of a user simulation config file.',
  z.strictObject({
    count: about('How many scenarios.', z.int()),
    modelName: z.string(),
    generationInstruction: about('The behaviour that the scenarios should test.', text()),
    environmentContext: about("Facts that the agent's tools find, and that scenarios may rely on.", text()),
  }),
);

const sessionInput = model(
  'SessionInput',
  'The session that a case starts from.',
  z.looseObject({
    appName: z.string(),
    userId: z.string(),
    state: maybe(about('The initial state. Its keys are never changed.', state())),
    sessionId: about("Sets the session's id.", orNull(z.string())),
  }),
);

const injectedError = model(
  'InjectedError',
  'The tool answers `{ error_code, error_message }`, as in ADK.',
  z.strictObject({ injectedHttpErrorCode: z.int(), errorMessage: z.string() }),
);

const injectionConfig = model(
  'InjectionConfig',
  'A fixed answer, an error, or a delay. With neither answer nor error, the tool itself answers, after the delay.',
  z.strictObject({
    injectionProbability: maybe(
      about('The probability that it applies, from 0 to 1. Default 1.', z.number().check(z.gte(0), z.lte(1))),
    ),
    matchArgs: about(
      'Arguments that a call must have, each with an equal value; others do not matter. Default: applies to every call.',
      orNull(state()),
    ),
    injectedLatencySeconds: maybe(
      about('Seconds that the answer takes, at most 120. Default 0.', z.number().check(z.gte(0), z.lte(120))),
    ),
    randomSeed: about('The seed for the probability. Default: the ids of case and repeat.', orNull(z.int())),
    injectedError: orNull(injectedError),
    injectedResponse: about("The tool's answer.", orNull(state())),
  }),
);

const toolSimulationConfig = model(
  'ToolSimulationConfig',
  "The treatment of calls of one tool, in place of the tool. The shape is that of ADK's environment simulation.",
  z.strictObject({
    toolName: z.string(),
    injectionConfigs: maybe(
      about('The first that applies to a call decides. Default: none.', z.array(injectionConfig)),
    ),
    mockStrategyType: about(
      "The simulator for calls that no injection decides: `MOCK_STRATEGY_TOOL_SPEC`, a model that plays the tool; `recorded`, the answers recorded in the case; or the name of a tool simulator. ADK's numbers for its names are read too. Default: nothing.",
      orNull(z.union([z.string(), z.int()])),
    ),
  }),
);

/** The keys of a simulated environment, which a config and each case may have. */
const environmentKeys = {
  toolSimulationConfigs: maybe(about('Answers that replace those of tools.', z.array(toolSimulationConfig))),
  simulationModel: maybe(
    about('The model that plays tools, by name. Default `gemini-2.5-flash`, as in ADK.', z.string()),
  ),
  simulationModelConfiguration: about(
    "Generation settings of that model, named as in Gemini's GenerateContentConfig. Default: thinking with a budget of 10,240 tokens for Gemini models.",
    orNull(state()),
  ),
  environmentData: about('The knowledge of simulated tools: text, or JSON as text.', orNull(z.string())),
  tracing: about('Earlier calls and answers, as text, which simulated tools imitate.', orNull(z.string())),
  unlistedTools: maybe(
    about(
      'The treatment of a call of a tool without a config: `real`, the tool answers, or `error`, the case is an error and the tool is not called. Default `real`, as in ADK.',
      z.enum(['real', 'error']),
    ),
  ),
};

const environmentSimulationConfig = model(
  'EnvironmentSimulationConfig',
  "The simulation that answers in place of tools. The shape is that of ADK's environment simulation, except for `unlistedTools`.",
  z.strictObject(environmentKeys),
);

const evalCase = model(
  'EvalCase',
  'One conversation to run and judge. It is either fixed or led by a simulated user, never both.',
  z.looseObject({
    evalId: about('Unique in its set; may contain spaces and slashes.', z.string()),
    conversation: about(
      'A fixed conversation of at least one turn: user messages, and what is expected of the agent.',
      orNull(z.array(forCode({ readAs: 'Invocation' }, z.union([invocation, shortTurn])))),
    ),
    conversationScenario: about('A conversation that a simulated user leads.', orNull(conversationScenario)),
    sessionInput: orNull(sessionInput),
    creationTimestamp: seconds(),
    rubrics: about('Apply to every turn of the case.', orNull(z.array(rubric))),
    finalSessionState: about(
      'The session state expected after the last turn. `null` and `{}` differ: `null` says that nothing is expected.',
      orNull(state()),
    ),
    agentCriteria: maybe(
      about(
        'Keys of agent-criteria, for this case only: options by criterion name; `tags`, a list of names to select cases for a run; `group`, a name shared by cases that pass and fail together; `history`, how many of the first turns are history, which is given to the agent and not judged; `calls_not_stated`, the turns that do not state which calls are expected; the keys of `EnvironmentSimulationConfig`, such as `toolSimulationConfigs`, in either spelling: what answers in place of tools.',
        state(),
      ),
    ),
  }),
);

const evalSet = model(
  'EvalSet',
  'A named list of eval cases: the content of an `.evalset.json` or `.test.json` file.',
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

const interval = model(
  'Interval',
  "The range of a metric's values.",
  z.strictObject({
    minValue: z.number(),
    maxValue: z.number(),
    openAtMin: maybe(z.boolean()),
    openAtMax: maybe(z.boolean()),
  }),
);

const metricInfo = model(
  'MetricInfo',
  "ADK's description of a metric.",
  z.strictObject({
    metricName: z.string(),
    description: text(),
    metricValueInfo: z.strictObject({ interval: orNull(interval) }),
    requiresThreshold: maybe(z.boolean()),
  }),
);

const customMetricConfig = model(
  'CustomMetricConfig',
  'Where to find the function of a metric.',
  z.object({
    codeConfig: z.strictObject({
      name: about('`"./file.ts#export"`. A Python path is refused, with a hint.', z.string()),
    }),
    metricInfo: orNull(metricInfo),
    description: maybe(z.string()),
  }),
);

const criterionConfig = model(
  'CriterionConfig',
  'Keys that every criterion takes. Every other key is an option of that criterion.',
  forCode(
    { index: 'option' },
    z.looseObject({
      threshold: maybe(
        about('The score that passes, inclusive. Required, except for criteria that only measure.', z.number()),
      ),
      minCoverage: maybe(
        about(
          'The least share of turns that must have been scored, above 0, at most 1. Default 1.',
          z.number().check(z.gt(0), z.lte(1)),
        ),
      ),
      whenNotApplicable: maybe(
        about(
          'The verdict of a case to which the criterion does not apply. Default `"not-evaluated"`.',
          z.enum(['not-evaluated', 'skip']),
        ),
      ),
      agentCriteria: ownKeys('Options of agent-criteria, where ADK reads the same object.'),
    }),
  ),
);

const userSimulatorConfig = model(
  'UserSimulatorConfig',
  'The user simulator and its options.',
  forCode(
    { index: 'option' },
    z.looseObject({ type: about('Names the simulator. Default `llm_backed`.', orNull(z.string())) }),
  ),
);

const evalConfig = model(
  'EvalConfig',
  'The basis on which a run is judged: the content of a `test_config.json` or `eval_config.json`.',
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
    customMetrics: about(
      'By metric name: where to find its function.',
      orNull(z.record(z.string(), customMetricConfig)),
    ),
    userSimulatorConfig: about(
      'The simulated user of scenarios: `type` names it (default `llm_backed`), the rest are its options.',
      orNull(userSimulatorConfig),
    ),
    liveModelConfig: about(
      "ADK's live runs, which are not supported: the key is read and kept, but a run with it is refused.",
      orNull(z.object({ timeoutSeconds: maybe(z.int()) })),
    ),
    agentCriteria: about(
      'Keys of agent-criteria, which ADK ignores. `measure`: a list of criteria that only measure, take no threshold and decide nothing. `gates`: what a whole run has to show. The other keys: what answers in place of tools, in every case.',
      maybe(
        z.strictObject({
          measure: maybe(
            about('Criteria that only measure. They take no threshold and decide nothing.', z.array(z.string())),
          ),
          gates: maybe(
            about(
              'Requirements that a whole run must meet, such as a pass rate. Read by the command and the project layer.',
              z.record(z.string(), json),
            ),
          ),
          ...environmentKeys,
        }),
      ),
    ),
    plugins: maybe(
      about(
        'Packages or files to load criteria, models and simulators from: `"their-package"`, `"./my-criterion.ts"`. ADK ignores it.',
        z.array(z.string()),
      ),
    ),
  }),
);

// ---- results

const adkStatus = model(
  'AdkStatus',
  "ADK's four statuses as its files number them: 1 passed, 2 failed, 3 not evaluated, 4 informational.",
  z.literal([1, 2, 3, 4]),
);
const count = () => orNull(z.number());

const tokenUsageDetails = model(
  'TokenUsageDetails',
  'The tokens that a metric used.',
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
);

const evalMetricResultDetails = model(
  'EvalMetricResultDetails',
  'Reasons for the score of a metric.',
  z.strictObject({ rubricScores: orNull(z.array(rubricScore)), tokenUsageDetails: orNull(tokenUsageDetails) }),
);

const evalMetricResult = model(
  'EvalMetricResult',
  'The score and status of one metric.',
  z.strictObject({
    metricName: z.string(),
    threshold: orNull(z.number()),
    criterion: opaque("The criterion's options as they were written."),
    customFunctionPath: text(),
    score: orNull(z.number()),
    evalStatus: adkStatus,
    details: orNull(evalMetricResultDetails),
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
    evalSetFile: about("Kept for old readers; ADK writes the set's id here.", text()),
    evalSetId: maybe(z.string()),
    evalId: maybe(z.string()),
    finalEvalStatus: adkStatus,
    evalMetricResults: opaque('Old form, pairs of metric and result; read, never written.'),
    overallEvalMetricResults: z.array(evalMetricResult),
    evalMetricResultPerInvocation: z.array(evalMetricResultPerInvocation),
    sessionId: z.string(),
    sessionDetails: opaque('Opaque: the whole session as ADK stored it.'),
    userId: text(),
    agentCriteria: ownKeys('Keys of agent-criteria: the true verdict, coverage and reasons. ADK drops them.'),
  }),
);

const evalSetResult = model(
  'EvalSetResult',
  'The results of one run of a set: the content of an `.evalset_result.json` file.',
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
  'One turn of a test file before eval sets.',
  z.object({
    query: z.string(),
    reference: text(),
    expectedToolUse: maybe(z.array(z.object({ toolName: z.string(), toolInput: userMap() }))),
    expectedIntermediateAgentResponses: maybe(z.array(z.object({ author: z.string(), text: z.string() }))),
  }),
);

const initialSession = model(
  'InitialSession',
  'The parts that are read of a session from which old data starts, such as a session dump.',
  z.looseObject({ appName: maybe(z.string()), userId: maybe(z.string()), state: maybe(state()) }),
);

const oldCase = model(
  'OldCase',
  'One case of an eval set file before eval sets had a schema.',
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
  EnvironmentSimulationConfig: environmentSimulationConfig,
  OldTurns: z.array(oldTurn),
  OldCases: z.array(oldCase),
  InitialSession: initialSession,
});

/** Every model as a JSON Schema with camelCase keys, by name. Models refer to each other as `#/$defs/Name`. */
export function modelSchemas(): Record<string, JsonSchema> {
  const { $defs, properties } = z.toJSONSchema(models, {
    io: 'input',
    metadata: notes,
  });
  return { ...properties, ...$defs } as Record<string, JsonSchema>;
}

/** The zod schemas of the models, which tests compare with our parsers. */
export const zodModels = models.shape;

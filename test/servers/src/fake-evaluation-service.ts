import { type Fault, googleError } from './faults.ts';
import { type FakeServer, type SeenRequest, type ServerOptions, startServer } from './http-server.ts';

/** A request for one metric, as the service understands it. */
export interface EvaluationAsked {
  /** Such as `safety_v1`, or `coherence`. */
  readonly metric: string;
  /** The texts of the prompt, or `""`. */
  readonly prompt: string;
  readonly response: string;
  readonly reference: string;
  /** The texts of each turn in a conversation, one line per event, such as `user: Hello`. */
  readonly turns: readonly string[];
}

/** The service's response: a score, a whole metric result, a whole answer, or a fault. */
export type Evaluation = number | { readonly result: object } | { readonly answer: object } | Fault;

export interface FakeEvaluationServiceOptions extends ServerOptions {
  /** Returns the evaluation. Default: 1, or 5 for coherence. */
  readonly evaluate?: (asked: EvaluationAsked) => Evaluation | Promise<Evaluation>;
  /** The API key required in express mode. Default `test-key`. */
  readonly key?: string;
  /** The bearer token required with project and location. Default `test-token`. */
  readonly token?: string;
  /** The metrics that it supports. */
  readonly metrics?: readonly string[];
  /** The locations of the service. Default `us-central1` and `europe-west4`. */
  readonly locations?: readonly string[];
}

const METRICS = [
  ...['safety_v1', 'multi_turn_task_success_v1', 'multi_turn_trajectory_quality_v1'],
  ...['multi_turn_tool_use_quality_v1'],
];

const route = /^\/(v1beta1|v1)(?:\/projects\/([^/]+)\/locations\/([^/:]+))?\/?:evaluateInstances$/;

/**
 * Starts a fake of Vertex AI's evaluation service, by project and location or in express mode. It rejects the same
 * requests as the service: a wrong key or token, a region or metric that it does not have, and unknown fields, which in
 * `v1` include `metrics` and `instance`.
 */
export function startFakeEvaluationService(options: FakeEvaluationServiceOptions = {}): Promise<FakeServer> {
  const { evaluate, metrics = METRICS, locations = ['us-central1', 'europe-west4'] } = options;
  return startServer(options, async (request): Promise<Fault> => {
    const [, version, project, location] = route.exec(request.path) ?? [];
    if (request.method !== 'POST' || version === undefined) {
      return { status: 404, body: `<html><title>Error 404 (Not Found)!!1</title>${request.path}</html>` };
    }
    const refused = notAllowed(request, project, options) ?? notUnderstood(request.body, version);
    if (refused !== null) return refused;
    if (location !== undefined && !locations.includes(location)) {
      return googleError(404, 'NOT_FOUND', `The evaluation service is not found in ${location}.`);
    }
    const asked = question(request.body as Fields);
    if (asked.metric !== 'coherence' && !metrics.includes(asked.metric)) {
      return googleError(400, 'INVALID_ARGUMENT', `Unsupported predefined metric: ${asked.metric}.`);
    }
    const made = (await evaluate?.(asked)) ?? (asked.metric === 'coherence' ? 5 : 1);
    if (typeof made === 'number') return { status: 200, body: answerOf(asked.metric, { score: made }) };
    if ('result' in made) return { status: 200, body: answerOf(asked.metric, made.result) };
    return 'answer' in made ? { status: 200, body: made.answer } : made;
  });
}

type Fields = Readonly<Record<string, unknown>>;

function answerOf(metric: string, result: object): object {
  return metric === 'coherence' ? { coherenceResult: result } : { metricResults: [result] };
}

function notAllowed(
  { headers }: SeenRequest,
  project: string | undefined,
  { key = 'test-key', token = 'test-token' }: FakeEvaluationServiceOptions,
): Fault | null {
  if (project === undefined) {
    const given = headers['x-goog-api-key'];
    if (given === key) return null;
    if (given === undefined) return googleError(401, 'UNAUTHENTICATED', 'Request is missing required authentication.');
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
    return googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [info]);
  }
  if (headers.authorization === `Bearer ${token}`) return null;
  return googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
}

/** A message type of the service: its fields, each `null` if its content is not checked. */
interface Message {
  readonly [field: string]: Message | null;
}

const part: Message = {
  text: null,
  thought: null,
  thoughtSignature: null,
  videoMetadata: null,
  mediaResolution: null,
  inlineData: { mimeType: null, data: null, displayName: null },
  fileData: { mimeType: null, fileUri: null, displayName: null },
  functionCall: { id: null, name: null, args: null },
  functionResponse: { id: null, name: null, response: null },
  executableCode: { language: null, code: null },
  codeExecutionResult: { outcome: null, output: null },
};
const content: Message = { role: null, parts: part };
const instanceData: Message = { text: null, contents: { contents: content } };
const agentData: Message = {
  agents: {
    '*': { agentId: null, agentType: null, description: null, instruction: null, tools: null, subAgents: null },
  },
  turns: {
    turnIndex: null,
    turnId: null,
    events: { author: null, content, eventTime: null, stateDelta: null, activeTools: null },
  },
};
const older: Message = { coherenceInput: { metricSpec: { version: null }, instance: { prediction: null } } };
const requests: Readonly<Record<string, Message>> = {
  v1: older,
  v1beta1: {
    ...older,
    location: null,
    metrics: { predefinedMetricSpec: { metricSpecName: null, metricSpecParameters: null } },
    instance: {
      prompt: instanceData,
      response: instanceData,
      reference: instanceData,
      rubricGroups: null,
      otherData: null,
      agentEvalData: agentData,
    },
  },
};

function notUnderstood(body: unknown, version: string): Fault | null {
  const invalid = (message: string): Fault => googleError(400, 'INVALID_ARGUMENT', message);
  if (!isFields(body)) return invalid('Invalid JSON payload received. Unexpected token.');
  const unknown = unknownIn(body, requests[version] ?? {}, '');
  if (unknown !== null) return invalid(`Invalid JSON payload received. Unknown name ${unknown}: Cannot find field.`);
  return question(body).metric === '' ? invalid('Metric is required.') : null;
}

/** Finds an unknown field. Proto JSON accepts either spelling, and lists are checked item by item. */
function unknownIn(value: unknown, message: Message, place: string): string | null {
  if (Array.isArray(value)) {
    return (
      value.map((item, index) => unknownIn(item, message, `${place}[${index}]`)).find((found) => found !== null) ?? null
    );
  }
  if (!isFields(value)) return null;
  for (const [name, inner] of Object.entries(value)) {
    const known = message['*'] ?? message[camelCase(name)];
    if (known === undefined) return `"${name}"${place === '' ? '' : ` at '${place}'`}`;
    const found = known === null ? null : unknownIn(inner, known, place === '' ? name : `${place}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function field(value: unknown, name: string): unknown {
  if (!isFields(value)) return undefined;
  return Object.entries(value).find(([key]) => camelCase(key) === name)?.[1];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(content: unknown): string {
  return listOf(field(content, 'parts'))
    .map((one) => field(one, 'text') ?? JSON.stringify(one))
    .join(' ');
}

function question(body: Fields): EvaluationAsked {
  const instance = field(body, 'instance');
  const texts = (name: string): string =>
    listOf(field(field(field(instance, name), 'contents'), 'contents'))
      .map(textsOf)
      .join('\n');
  const spec = field(listOf(field(body, 'metrics'))[0], 'predefinedMetricSpec');
  const coherence = field(body, 'coherenceInput');
  const turns = listOf(field(field(instance, 'agentEvalData'), 'turns'));
  return {
    metric: coherence === undefined ? String(field(spec, 'metricSpecName') ?? '') : 'coherence',
    prompt: texts('prompt'),
    response:
      coherence === undefined ? texts('response') : String(field(field(coherence, 'instance'), 'prediction') ?? ''),
    reference: texts('reference'),
    turns: turns.map((turn) =>
      listOf(field(turn, 'events'))
        .map((event) => `${field(event, 'author')}: ${textsOf(field(event, 'content'))}`)
        .join('\n'),
    ),
  };
}

/**
 * A judge on 127.0.0.1 that answers every request after 200 ms, and counts the requests. It implements OpenAI's chat
 * completions and Gemini's generateContent, with any requested answer format. `startJudge` starts it as a separate
 * process, so that its clients do not slow it down.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LATENCY, ordersOf, type Split } from './judge-cases.ts';

/** The requests between two counts. */
export interface Counted {
  readonly calls: number;
  /** The maximum number of concurrent calls. */
  readonly atOnce: number;
  readonly connections: number;
  /** The total size of all requests in bytes, without headers. */
  readonly bytes: number;
  /** The milliseconds from the first request to the last answer. */
  readonly span: number;
  /** The mean milliseconds per answer; timers never fire early. */
  readonly latency: number;
}

export interface Judge {
  readonly address: string;
  /** Resets the counts; subsequent cases have this split of opinions. */
  begin(split: Split): Promise<void>;
  count(): Promise<Counted>;
  stop(): void;
}

const file = fileURLToPath(import.meta.url);

export async function startJudge(): Promise<Judge> {
  const child = fork(file);
  const [port] = await once(child, 'message');
  return {
    address: `http://127.0.0.1:${port}`,
    begin: async (split) => void (await ask(child, { begin: split })),
    count: async () => (await ask(child, 'count')) as Counted,
    stop: () => void child.kill(),
  };
}

async function ask(child: ChildProcess, question: object | string): Promise<unknown> {
  const answer = once(child, 'message');
  child.send(question);
  return (await answer)[0];
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Question {
  readonly tools?: readonly [{ readonly function: { readonly name: string; readonly parameters: Schema } }];
  readonly response_format?: { readonly json_schema?: { readonly schema: Schema } };
  readonly generationConfig?: { readonly responseJsonSchema?: Schema };
}

/** The answer format that promptfoo requests in its prompt. */
const inWords: Schema = {
  properties: { reason: { type: 'string' }, pass: { type: 'boolean' }, score: { type: 'number' } },
};

/** Returns a yes or a no in that format; of two choices, yes is the first. */
function verdict(schema: Schema, yes: boolean, reason: string): unknown {
  if (schema.enum !== undefined) return schema.enum[yes ? 0 : 1];
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, part]) => [key, verdict(part, yes, reason)]),
    );
  }
  if (schema.type === 'boolean') return yes;
  if (schema.type === 'number') return yes ? 1 : 0;
  return reason;
}

function answerTo(question: Question, yes: boolean, number: number): object {
  // A real judge's answers are all different.
  const reason = `Looking at it for the ${number}th time: the answer ${yes ? 'says' : 'does not say'} what the reference says.`;
  if (question.generationConfig !== undefined) {
    const text = JSON.stringify(verdict(question.generationConfig.responseJsonSchema ?? inWords, yes, reason));
    return {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 40, totalTokenCount: 1040 },
    };
  }
  const tool = question.tools?.[0].function;
  const schema = tool?.parameters ?? question.response_format?.json_schema?.schema ?? inWords;
  const said = JSON.stringify(verdict(schema, yes, reason));
  const call = { id: 'call-1', type: 'function', function: { name: tool?.name, arguments: said } };
  const message = tool === undefined ? { content: said } : { content: null, tool_calls: [call] };
  return {
    id: 'completion-1',
    object: 'chat.completion',
    created: 0,
    model: 'judge',
    choices: [{ index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1000, completion_tokens: 40, total_tokens: 1040 },
  };
}

function serve(): void {
  let orders = ordersOf('unanimous');
  let asked = new Map<number, number>();
  let counted = { calls: 0, atOnce: 0, connections: 0, bytes: 0, span: 0, latency: 0 };
  let waiting = 0;
  let waited = 0;
  let first = 0;

  const server = createServer((request, response) => {
    waiting += 1;
    counted.atOnce = Math.max(counted.atOnce, waiting);
    if (counted.calls === 0) first = performance.now();
    counted.calls += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => take(request, response, Buffer.concat(chunks)));
  });

  function take(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const began = performance.now();
    counted.bytes += body.length;
    const text = body.toString();
    const number = Number(/case-(\d+)/.exec(text)?.[1]);
    const isKnown = /^\/v1\/chat\/completions$|:generateContent$/.test(request.url ?? '');
    if (!isKnown || Number.isNaN(number)) {
      response.writeHead(404).end(`nobody is asked that: ${request.url}`);
      waiting -= 1;
      return;
    }
    const sample = asked.get(number) ?? 0;
    asked.set(number, sample + 1);
    const yes = orders[number % orders.length]?.[sample] ?? true;
    const answer = JSON.stringify(answerTo(JSON.parse(text), yes, counted.calls));
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
      response.end(answer);
      waiting -= 1;
      const now = performance.now();
      waited += now - began;
      counted.span = now - first;
    }, LATENCY);
  }

  server.on('connection', () => {
    counted.connections += 1;
  });
  process.on('message', (message: { readonly begin: Split } | 'count') => {
    if (message === 'count') {
      process.send?.({ ...counted, latency: waited / counted.calls });
      return;
    }
    orders = ordersOf(message.begin);
    asked = new Map();
    counted = { calls: 0, atOnce: 0, connections: 0, bytes: 0, span: 0, latency: 0 };
    waited = 0;
    process.send?.('begun');
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

if (process.argv[1] === file) serve();

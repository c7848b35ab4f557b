/**
 * Runs one contestant in a separate process: `judge-client.ts WHO CONCURRENCY ADDRESS FOLDER` requests five opinions on
 * every case from the judge at that address. Prints the costs as JSON.
 */
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { agent, cases, evalSet, instructions, type JudgedCase, SAMPLES } from './judge-cases.ts';

/** The costs of judging all cases. */
export interface Taken {
  readonly wall: number;
  /** Milliseconds of processor time, on all processors. */
  readonly cpu: number;
  /** The number of cases with more yes than no. */
  readonly passed: number;
}

const [who = '', count = '', address = '', folder = ''] = process.argv.slice(2);
const concurrency = Number(count);

/** Loads everything before the measurement. Returns a function that judges all cases and returns how many passed. */
type Contestant = () => Promise<() => Promise<number>>;

const contestants: Readonly<Record<string, Contestant>> = {
  fetch: async () => () => votes(viaFetch),
  http: async () => () => votes(viaHttp),
  run: () => ours({ compat: 'adk' }),
  'run-gemini': () => ours({ compat: 'adk', gemini: true }),
  'run-unkept': () => ours({ compat: 'adk', kept: false }),
  'run-early': () => ours({ compat: null }),
  evaluate: () => ours({ compat: 'adk', evaluate: true }),
  async autoevals() {
    const { LLMClassifierFromTemplate } = await import('autoevals');
    const { default: OpenAI } = await import('openai');
    // Its types refer to the class of the CommonJS build, which is identical.
    const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: 'none' }) as never;
    const judge = LLMClassifierFromTemplate<{ input: string }>({
      name: 'Match',
      model: 'judge',
      promptTemplate: `${instructions}\n\nQuestion: {{input}}\n\nAnswer: {{output}}\n\nReference: {{expected}}`,
      choiceScores: { Yes: 1, No: 0 },
      useCoT: true,
    });
    return () => votes(async (one) => (await judge({ ...one, client })).score === 1);
  },
  async openevals() {
    const { createLLMAsJudge } = await import('openevals');
    const { default: OpenAI } = await import('openai');
    const judge = createLLMAsJudge({
      prompt: `${instructions}\n\nQuestion: {inputs}\n\nAnswer: {outputs}\n\nReference: {reference_outputs}`,
      judge: new OpenAI({ baseURL: `${address}/v1`, apiKey: 'none' }),
      model: 'judge',
    });
    return () =>
      votes(async ({ input, output, expected }) => {
        const { score } = await judge({ inputs: input, outputs: output, referenceOutputs: expected });
        return score === true;
      });
  },
};

/** Wraps a judge that gives one opinion: requests all opinions with this concurrency and takes the majority. */
async function votes(opinion: (one: JudgedCase) => Promise<boolean>): Promise<number> {
  const yes = new Map<string, number>();
  const asked = cases.flatMap((one) => Array.from({ length: SAMPLES }, () => one)).values();
  const worker = async (): Promise<void> => {
    for (const one of asked) if (await opinion(one)) yes.set(one.id, (yes.get(one.id) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return [...yes.values()].filter((number) => number > SAMPLES / 2).length;
}

function bareQuestion({ input, output, expected }: JudgedCase): string {
  return JSON.stringify({
    model: 'judge',
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: `Question: ${input}\n\nAnswer: ${output}\n\nReference: ${expected}` },
    ],
  });
}

function bareOpinion(answer: unknown): boolean {
  const { choices } = answer as { choices: [{ message: { content: string } }] };
  return JSON.parse(choices[0].message.content).pass;
}

/** The minimum with `fetch`. */
async function viaFetch(one: JudgedCase): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${address}/v1/chat/completions`, { method: 'POST', headers, body: bareQuestion(one) });
  return bareOpinion(await response.json());
}

/** The minimum without `fetch`. */
function viaHttp(one: JudgedCase): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const body = bareQuestion(one);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const asking = request(`${address}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
      text(response).then((answer) => resolve(bareOpinion(JSON.parse(answer))), reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

interface Ours {
  readonly compat: 'adk' | null;
  readonly gemini?: boolean;
  /** Whether to write a run folder and a cache. */
  readonly kept?: boolean;
  readonly evaluate?: boolean;
}

async function ours({ compat, gemini = false, kept = true, evaluate: inMemory = false }: Ours) {
  const { createRegistry, resolveEvalConfig } = await import('../packages/core/dist/host.js');
  const { finalResponseMatch } = await import('../packages/criteria-llm-judge/dist/pure.js');
  const { callPolicies } = await import('../packages/models/dist/index.js');
  const { evaluate, run } = await import('../packages/runner/dist/index.js');
  const { geminiModel } = await import('../packages/model-gemini/dist/pure.js');
  const { openAiCompatible } = await import('../packages/models/dist/openai-compatible.js');
  const model = gemini
    ? geminiModel({ model: 'judge', apiKey: 'none', vertex: false, baseUrl: address })
    : openAiCompatible({ model: 'judge', baseUrl: `${address}/v1` });
  const judging = {
    evalSet,
    registry: createRegistry([finalResponseMatch]),
    compat,
    models: () => model,
    config: {
      criteria: {
        final_response_match_v2: { threshold: 1, judge_model_options: { judge_model: 'judge', num_samples: SAMPLES } },
      },
    },
  };
  return async () => {
    const policies = await callPolicies({ concurrency: { calls: concurrency }, cache: kept && join(folder, 'cache') });
    const going = {
      agent,
      policies,
      concurrency: { scoring: concurrency },
      ...(kept ? { folder: join(folder, `run-${process.pid}`) } : {}),
    };
    const { verdicts } = inMemory
      ? await evaluate({ ...judging, ...going })
      : (await run({ ...going, sets: [{ plan: resolveEvalConfig(judging), file: null, configFile: null }] })).summary;
    await policies.close();
    return verdicts.passed;
  };
}

const judge = await contestants[who]?.();
if (judge === undefined) throw new Error(`there is no contestant named ${who}`);
const cpuBefore = process.cpuUsage();
const start = performance.now();
const passed = await judge();
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ wall, cpu: (user + system) / 1e3, passed } satisfies Taken));

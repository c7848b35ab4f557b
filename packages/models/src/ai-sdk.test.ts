import { CriteriaError, type ModelRequest } from '@agent-criteria/core';
import { tokenCounts } from '@agent-criteria/results';
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AiSdkCall, AiSdkModel, AiSdkResult } from './ai-sdk/specification.ts';
import { fromAiSdk } from './ai-sdk.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const never = new AbortController().signal;
const asking = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', parts: [{ text: 'Is it so?' }] }],
  sample: 0,
  ...more,
});
const schema = { type: 'object', properties: { verdict: { enum: ['yes', 'no'] } } } as const;

const noStream = async (): Promise<never> => expect.fail('nobody asked for a stream');
const common = { provider: 'test.chat', modelId: 'model-1', supportedUrls: {}, doStream: noStream };

type GenerateV2 = LanguageModelV2['doGenerate'];
type GenerateV3 = LanguageModelV3['doGenerate'];
type GenerateV4 = LanguageModelV4['doGenerate'];

// The type checker verifies that these are models of the SDK, and that `fromAiSdk()` accepts them.
const v2 = (doGenerate: GenerateV2): LanguageModelV2 => ({ specificationVersion: 'v2', ...common, doGenerate });
const v3 = (doGenerate: GenerateV3): LanguageModelV3 => ({ specificationVersion: 'v3', ...common, doGenerate });
const v4 = (doGenerate: GenerateV4): LanguageModelV4 => ({ specificationVersion: 'v4', ...common, doGenerate });

const textPart = (text: string) => ({ type: 'text' as const, text });
const reasoningPart = (text: string) => ({ type: 'reasoning' as const, text });
const flat = { inputTokens: 100, outputTokens: 30, totalTokens: 130, reasoningTokens: 20, cachedInputTokens: 40 };
const nested = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 40, cacheWrite: 0 },
  outputTokens: { total: 30, text: 10, reasoning: 20 },
};
const content = [reasoningPart('Hm. no'), textPart('ye'), textPart('s')];

/** Creates a model for each specification, all with the same answer. `calls` records their calls. */
function models(calls: AiSdkCall[] = []): AiSdkModel[] {
  const kept =
    <Result>(result: Result) =>
    async (call: unknown): Promise<Result> => {
      calls.push(call as AiSdkCall);
      return result;
    };
  const stopped = { unified: 'stop' as const, raw: 'end_turn' };
  return [
    v2(kept({ content, finishReason: 'stop' as const, usage: flat, warnings: [] })),
    v3(kept({ content, finishReason: stopped, usage: nested, warnings: [] })),
    v4(kept({ content, finishReason: stopped, usage: nested, warnings: [] })),
  ];
}

/** Creates a v4 model with the given answer. */
const saying = (result: Partial<AiSdkResult>): AiSdkModel => ({
  specificationVersion: 'v4',
  provider: 'test.chat',
  modelId: 'model-1',
  doGenerate: async () => ({ content: [], finishReason: { unified: 'stop' }, usage: {}, ...result }),
});

describe('fromAiSdk() requests', () => {
  it('make the same call in every specification', async () => {
    const calls: AiSdkCall[] = [];
    const request = asking({
      system: 'You judge.',
      messages: [
        { role: 'user', parts: [{ text: 'a' }, { text: 'hm', thought: true }, { text: 'b' }] },
        { role: 'model', parts: [{ text: 'c' }] },
        { parts: [{ text: 'd' }] },
      ],
      schema,
      temperature: 0,
      seed: 7,
      maxOutputTokens: 100,
      settings: {
        temperature: 0.5,
        top_p: 0.9,
        stopSequences: ['END'],
        top_k: null,
        topP: undefined,
        provider_options: { x: { a_b: 1 } },
      },
    });
    const frozen = structuredClone(request);
    for (const model of models(calls)) await fromAiSdk(model).generate(request, never);
    expect(request).toEqual(frozen);
    expect(calls).toEqual(
      Array(3).fill({
        prompt: [
          { role: 'system', content: 'You judge.' },
          { role: 'user', content: [{ type: 'text', text: 'a\nb' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'c' }] },
          { role: 'user', content: [{ type: 'text', text: 'd' }] },
        ],
        temperature: 0.5,
        seed: 7,
        maxOutputTokens: 100,
        topP: 0.9,
        stopSequences: ['END'],
        providerOptions: { x: { a_b: 1 } },
        responseFormat: { type: 'json', schema, name: 'answer' },
        abortSignal: never,
      }),
    );
  });

  it('contain only the fields of the request', async () => {
    const calls: AiSdkCall[] = [];
    for (const model of models(calls)) await fromAiSdk(model).generate(asking(), never);
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Is it so?' }] }];
    expect(calls).toEqual(Array(3).fill({ prompt, abortSignal: never }));
  });

  it.each([
    [{ temprature: 0 }, 'INVALID_OPTION', 'did you mean "temperature"?'],
    [{ thinking_config: {} }, 'INVALID_OPTION', 'into "providerOptions"'],
    [{ abort_signal: 1 }, 'INVALID_OPTION', 'not a setting of the AI SDK'],
    [{ topP: 1, top_p: 1 }, 'KEY_SPELT_TWICE', 'in both spellings'],
  ])('reject the settings %j', async (settings, code, message) => {
    const generate = fromAiSdk(saying({})).generate(asking({ settings }), never);
    await expect(generate).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe('fromAiSdk() answers', () => {
  it('are the same in every specification', async () => {
    for (const model of models()) {
      const answer = await fromAiSdk(model).generate(asking(), never);
      expect(answer).toMatchObject({ text: 'yes', finish: 'stop', from: 'live' });
      expect(tokenCounts(answer.usage)).toEqual({
        inputTokens: 100,
        cachedInputTokens: 40,
        outputTokens: 30,
        reasoningTokens: 20,
      });
    }
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['interrupted', 'length'],
    ['content-filter', 'blocked'],
    ['tool-calls', 'other'],
    ['error', 'other'],
    ['unknown', 'other'],
    ['constructor', 'other'],
  ])('map the finish reason %s', async (reason, finish) => {
    for (const finishReason of [reason, { unified: reason, raw: undefined }]) {
      expect(await fromAiSdk(saying({ finishReason })).generate(asking(), never)).toMatchObject({ finish });
    }
  });

  it('use the model’s JSON text if a schema was requested', async () => {
    const model = fromAiSdk(saying({ content: [textPart('draft'), textPart('{}')], structuredOutputText: '{}' }));
    expect(await model.generate(asking({ schema }), never)).toMatchObject({ text: '{}' });
    expect(await model.generate(asking(), never)).toMatchObject({ text: 'draft{}' });
    const none = fromAiSdk(saying({ content: [textPart('draft')], structuredOutputText: '' }));
    expect(await none.generate(asking({ schema }), never)).toMatchObject({ text: '' });
  });

  it('count reasoning as output once, for every provider', async () => {
    const used = async (usage: AiSdkResult['usage']) =>
      (await fromAiSdk(saying({ usage })).generate(asking(), never)).usage;
    const beside = { inputTokens: 100, outputTokens: 10, reasoningTokens: 20, totalTokens: 130 };
    expect(await used(beside)).toEqual({ ...beside, outputTokens: 30 });
    const inside = { inputTokens: 100, outputTokens: 30, reasoningTokens: 20, totalTokens: 130 };
    expect(await used(inside)).toEqual(inside);
  });

  it('omit unreported usage', async () => {
    const unknown = { total: undefined, cacheRead: undefined, reasoning: undefined };
    for (const usage of [
      {},
      { inputTokens: undefined, outputTokens: undefined },
      { inputTokens: unknown, outputTokens: unknown },
    ]) {
      expect((await fromAiSdk(saying({ usage })).generate(asking(), never)).usage).toEqual({});
    }
  });
});

describe('fromAiSdk() warnings', () => {
  const warnings = [
    { type: 'unsupported-setting', setting: 'seed' },
    { type: 'unsupported', feature: 'seed' },
    { type: 'unsupported', feature: 'temperature', details: 'It is always 1.' },
    { type: 'compatibility', feature: 'json', details: 'By a tool.' },
    { type: 'other', message: 'Beware.' },
    { type: 'odd' },
  ];

  it('are reported once', async () => {
    const told: string[] = [];
    const model = fromAiSdk(saying({ warnings }), { id: 'mine', onWarning: (message) => told.push(message) });
    await model.generate(asking(), never);
    await model.generate(asking(), never);
    expect(told).toEqual([
      'mine: does not support "seed"',
      'mine: does not support "temperature": It is always 1.',
      'mine: compatibility "json": By a tool.',
      'mine: Beware.',
      'mine: odd',
    ]);
  });

  it('become process warnings by default', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockReturnValue();
    await fromAiSdk(saying({ warnings: [{ type: 'other' }] })).generate(asking(), never);
    expect(emitted.mock.calls).toEqual([['test.chat/model-1: other', 'ModelWarning']]);
  });
});

describe('fromAiSdk() failures', () => {
  const failing = (work: (call: AiSdkCall) => Promise<never>): AiSdkModel => ({ ...saying({}), doGenerate: work });

  it('rethrow the SDK’s error', async () => {
    const error = Object.assign(new Error('Too many'), { name: 'AI_APICallError', statusCode: 429, isRetryable: true });
    let calls = 0;
    const model = failing(async () => {
      calls += 1;
      throw error;
    });
    await expect(fromAiSdk(model).generate(asking(), never)).rejects.toBe(error);
    expect(calls).toBe(1);
  });

  it('reject with the signal’s reason after an abort', async () => {
    const controller = new AbortController();
    const model = failing(
      ({ abortSignal }) =>
        new Promise((_, reject) => {
          abortSignal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        }),
    );
    const calling = fromAiSdk(model).generate(asking(), controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    await expect(fromAiSdk(model).generate(asking(), controller.signal)).rejects.toBe(reason);
  });
});

it('fromAiSdk() names a model by provider and model unless an id is given', () => {
  expect(fromAiSdk(saying({})).id).toBe('test.chat/model-1');
  expect(fromAiSdk(saying({}), { id: 'mine' }).id).toBe('mine');
  expect(fromAiSdk(saying({})).access?.({})).toMatchObject({ service: 'AI SDK, test.chat', problems: [] });
});

it('fromAiSdk() rejects values that are not models', () => {
  for (const other of [
    null,
    'gpt-5',
    {},
    { ...saying({}), specificationVersion: 'v1' },
    { specificationVersion: 'v3' },
  ]) {
    let error: unknown;
    try {
      fromAiSdk(other as AiSdkModel);
    } catch (caught) {
      error = caught;
    }
    expect(CriteriaError.is(error) && error.code).toBe('INVALID_OPTION');
  }
});

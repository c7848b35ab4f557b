import { setTimeout as sleep } from 'node:timers/promises';
import { BaseLlm, type BaseLlmConnection, type LlmRequest, type LlmResponse } from '@google/adk';

type Script = (asked: {
  readonly text: string;
  readonly answered: string | null;
  readonly system: string;
}) => LlmResponse;

/** A scripted model: its output depends only on the last message and the responses to its calls. */
export class ScriptedModel extends BaseLlm {
  readonly #script: Script;

  constructor(script: Script) {
    super({ model: 'scripted' });
    this.#script = script;
  }

  override async *generateContentAsync(
    { contents, config }: LlmRequest,
    stream?: boolean,
    signal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    const spoken = contents.findLast(({ role, parts }) => role === 'user' && parts?.some(({ text }) => text));
    const text = spoken?.parts?.map((part) => part.text ?? '').join('') ?? '';
    const answered = contents.at(-1)?.parts?.find(({ functionResponse }) => functionResponse)?.functionResponse?.name;
    if (text.includes('slowly')) await sleep(60_000, undefined, { signal: signal ?? undefined });
    const said = this.#script({ text, answered: answered ?? null, system: String(config?.systemInstruction ?? '') });
    if (stream) {
      for (const { text: whole } of said.content?.parts ?? []) {
        for (const piece of whole?.match(/.{1,4}/gs) ?? []) {
          yield { content: { role: 'model', parts: [{ text: piece }] }, partial: true };
        }
      }
    }
    yield { usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 3, totalTokenCount: 14 }, ...said };
  }

  override async connect(): Promise<BaseLlmConnection> {
    throw new Error('a scripted model has no live connection');
  }
}

export function says(text: string): LlmResponse {
  return { content: { role: 'model', parts: [{ text }] } };
}

export function calls(name: string, args: Record<string, unknown>): LlmResponse {
  return { content: { role: 'model', parts: [{ functionCall: { name, args } }] } };
}

import { BaseLlm, type BaseLlmConnection, type LlmRequest, type LlmResponse } from '@google/adk';
import type { Content, FunctionCall, Part } from '@google/genai';

/**
 * Stands where a language model would, so that this example needs no key: it reads the same requests and answers in the
 * same form, by rules that fit a repair café and nothing else.
 */
export class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted-model' });
  }

  async *generateContentAsync({ contents, toolsDict }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const parts = answerTo(contents, Object.keys(toolsDict));
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
    yield { content: { role: 'model', parts }, usageMetadata };
  }

  async connect(): Promise<BaseLlmConnection> {
    throw new Error('the scripted model does not speak live');
  }
}

function answerTo(contents: readonly Content[], tools: readonly string[]): Part[] {
  const last = contents.at(-1)?.parts ?? [];
  const result = last.find(({ functionResponse }) => functionResponse)?.functionResponse;
  if (result !== undefined && result.name !== 'transfer_to_agent') {
    return [{ text: sayResult(result.name ?? '', result.response ?? {}) }];
  }
  const said = textsOf(contents);
  const call = callFor(said.at(-1) ?? '', said.join('\n'), tools);
  return call === null ? [{ text: 'What is broken, or which spare part do you need?' }] : [{ functionCall: call }];
}

/** How ADK begins what other agents did, when it tells an agent of it. */
const CONTEXT = 'For context:';

/** What the visitor said, in order. */
function textsOf(contents: readonly Content[]): string[] {
  const visitor = contents.filter(({ role, parts }) => role === 'user' && parts?.[0]?.text !== CONTEXT);
  return visitor.flatMap(({ parts = [] }) => parts.flatMap(({ text }) => text ?? []));
}

function callFor(message: string, said: string, tools: readonly string[]): FunctionCall | null {
  const item = /kettle|toaster|lamp|radio/gi.exec(message)?.[0]?.toLowerCase() ?? lastItem(said);
  const part = /fuse|driver|plug/i.exec(message)?.[0]?.toLowerCase();
  if (part !== undefined && item !== undefined) {
    if (tools.includes('find_part')) return { name: 'find_part', args: { item, part } };
    return { name: 'transfer_to_agent', args: { agentName: 'parts' } };
  }
  if (!tools.includes('find_slot')) return { name: 'transfer_to_agent', args: { agentName: 'repair_desk' } };
  const name = /\bfor ([A-Z]\w+)/.exec(message)?.[1];
  if (name !== undefined && item !== undefined) {
    return { name: 'book_slot', args: { item, slot: item === 'lamp' ? 'Saturday 11:30' : 'Saturday 10:00', name } };
  }
  return item === undefined ? null : { name: 'find_slot', args: { item } };
}

function lastItem(said: string): string | undefined {
  return [...said.matchAll(/kettle|toaster|lamp|radio/gi)].at(-1)?.[0].toLowerCase();
}

function sayResult(
  tool: string,
  { free, slot, code, count, euro, error_message: error }: Record<string, unknown>,
): string {
  if (error !== undefined) return `That does not work just now: ${error}.`;
  if (tool === 'find_slot') {
    return free === true
      ? `There is a free place on ${slot}. Shall I book it, and for whom?`
      : 'There is no free place this week.';
  }
  if (tool === 'book_slot') return `Booked: ${slot}, code ${code}.`;
  return count === 0 ? 'We have none of these.' : `We have ${count}, at ${euro} euro each.`;
}

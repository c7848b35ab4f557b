import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { strictness } from '../strictness.ts';
import { problemsIn, programOf } from '../type-check.ts';

const file = (major: number) => join(import.meta.dirname, '.snippets', `types-${major}.ts`);
const code = (major: number) => `import { aiSdkAgent } from '@agent-criteria/agent-ai-sdk/pure';
import { evaluate } from '@agent-criteria/runner';
import { generateText, stepCountIs, streamText, tool, ToolLoopAgent, type LanguageModel } from 'ai-${major}';
import * as z from 'zod';

declare const model: LanguageModel;
const tools = { look: tool({ inputSchema: z.object({ at: z.string() }), execute: async ({ at }) => ({ at }) }) };
const plain = new ToolLoopAgent({ model });
const agent = new ToolLoopAgent({ id: 'desk', model, tools, callOptionsSchema: z.object({ plan: z.string() }) });
export const agents = [
  aiSdkAgent(plain),
  aiSdkAgent(agent, { name: 'desk', streaming: true, callOptions: ({ state }) => ({ plan: state['plan'] }) }),
  aiSdkAgent((call) => generateText({ model, ...call })),
  aiSdkAgent((call) => streamText({ model, stopWhen: stepCountIs(5), ...call }), { name: 'desk', tools }),
  aiSdkAgent(async (call, { state }) => generateText({ model, system: String(state['plan']), ...call }), { tools }),
  aiSdkAgent(({ messages, abortSignal }) => plain.stream({ messages, abortSignal })),
];
const evalSet = { evalSetId: 's', evalCases: [] };
export const run = () => evaluate({ agent, evalSet, config: { criteria: {} } });
`;

const example = join(import.meta.dirname, '../../examples/ai-sdk-agent');
const written = readdirSync(example, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
  .map((name) => join(example, name));

it.each(Object.entries(strictness))(
  'the example of the AI SDK compiles under %s',
  { timeout: 120_000 },
  (_name, flags) => {
    expect(written.length).toBeGreaterThan(3);
    expect(problemsIn(programOf(written, {}, flags), written)).toEqual([]);
  },
);

it.each(Object.entries(strictness))(
  'agents and calls of both majors compile without a cast under %s',
  { timeout: 120_000 },
  (_name, flags) => {
    const texts = Object.fromEntries([6, 7].map((major) => [file(major), code(major)]));
    expect(problemsIn(programOf([], texts, flags), Object.keys(texts))).toEqual([]);
  },
);

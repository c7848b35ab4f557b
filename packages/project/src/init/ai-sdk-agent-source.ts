/** The desk of a bicycle workshop as an agent of the AI SDK, for the same eval set as the one without a model. */
export const aiSdkAgentSource = `// The desk of a bicycle workshop, built with the AI SDK. A script plays its model, so that its evaluation runs right
// away and without a key. If your application calls streamText or generateText itself, export
// aiSdkAgent((call) => streamText({ model, ...call })) of @agent-criteria/agent-ai-sdk in place of this agent.

import { jsonSchema, simulateStreamingMiddleware, ToolLoopAgent, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

const HOURS: Record<string, string> = {
  Monday: 'from 9:00 to 18:00',
  Tuesday: 'from 9:00 to 18:00',
  Saturday: 'from 10:00 to 14:00',
};

const text = { type: 'string' } as const;

export const agent = new ToolLoopAgent({
  id: 'workshop',
  // Put a real model here, such as openai('gpt-6-luna') of @ai-sdk/openai, and remove what is below the agent.
  model: wrapLanguageModel({
    model: new MockLanguageModelV3({ modelId: 'scripted-model', doGenerate: async ({ prompt }) => respond(prompt) }),
    middleware: simulateStreamingMiddleware(),
  }),
  instructions: 'You are the desk of a bicycle workshop. Look up opening hours, and book repairs once you know the day.',
  tools: {
    opening_hours: tool({
      description: 'When the workshop is open on a day of the week.',
      inputSchema: jsonSchema<{ day: string }>({ type: 'object', properties: { day: text }, required: ['day'] }),
      execute: async ({ day }) => ({ day, hours: HOURS[day] ?? null }),
    }),
    book_repair: tool({
      description: 'Books the repair of a part.',
      inputSchema: jsonSchema<{ day: string; part: string }>({
        type: 'object',
        properties: { day: text, part: text },
        required: ['day', 'part'],
      }),
      execute: async ({ day, part }) => ({ day, part }),
    }),
  },
});

type Generate = MockLanguageModelV3['doGenerate'];
type Prompt = Parameters<Generate>[0]['prompt'];

/** Answers in place of a model: with a call, or with a text about the result of the last call. */
async function respond(prompt: Prompt): Promise<Awaited<ReturnType<Generate>>> {
  const next = resultText(prompt) ?? nextCall(customerText(prompt));
  const isText = typeof next === 'string';
  const [input, output] = [prompt, next].map((value) => Math.ceil(JSON.stringify(value).length / 4));
  return {
    content: [isText ? { type: 'text', text: next } : { type: 'tool-call', toolCallId: \`call-\${prompt.length}\`, ...next }],
    finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
    warnings: [],
  };
}

function customerText(prompt: Prompt): string {
  const said = prompt.flatMap(({ role, content }) => (role === 'user' ? content : []));
  return said.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}

function nextCall(said: string): string | { toolName: string; input: string } {
  const day = ['Monday', 'Tuesday', 'Saturday', 'Sunday'].find((name) => said.includes(name));
  const part = ['brakes', 'chain', 'lights'].find((name) => said.includes(name));
  if (day === undefined) return 'On which day?';
  if (part === undefined) return { toolName: 'opening_hours', input: JSON.stringify({ day }) };
  return { toolName: 'book_repair', input: JSON.stringify({ day, part }) };
}

function resultText(prompt: Prompt): string | undefined {
  const last = prompt.at(-1);
  const [result] = last?.role === 'tool' ? last.content : [];
  if (result?.type !== 'tool-result' || result.output.type !== 'json') return undefined;
  const { day, part, hours } = Object(result.output.value) as Record<string, string | null>;
  if (result.toolName === 'book_repair') return \`The \${part} will be repaired on \${day}.\`;
  return hours === null ? \`The workshop is closed on \${day}.\` : \`On \${day} the workshop is open \${hours}.\`;
}
`;

/** The desk of a bicycle workshop as an agent of `@google/adk`, for the same eval set as the one without a model. */
export const adkAgentSource = `// The desk of a bicycle workshop, built with @google/adk. A script plays its model, so that its evaluation runs right
// away and without a key.

import { BaseLlm, type BaseLlmConnection, FunctionTool, LlmAgent, type LlmRequest, type LlmResponse } from '@google/adk';
import { z } from 'zod';

const HOURS: Record<string, string> = {
  Monday: 'from 9:00 to 18:00',
  Tuesday: 'from 9:00 to 18:00',
  Saturday: 'from 10:00 to 14:00',
};

/** Answers in place of a model: with a call, or with a text about the result of the last call. */
class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted-model' });
  }

  async *generateContentAsync({ contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const next = resultText(contents) ?? nextCall(customerText(contents));
    const part = typeof next === 'string' ? { text: next } : { functionCall: next };
    const [input = 0, output = 0] = [contents, next].map((value) => Math.ceil(JSON.stringify(value).length / 4));
    const counts = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
    yield { content: { role: 'model', parts: [part] }, usageMetadata: counts };
  }

  async connect(): Promise<BaseLlmConnection> {
    throw new Error('the scripted model does not speak live');
  }
}

export const rootAgent = new LlmAgent({
  name: 'workshop',
  // Put a real model here, such as 'gemini-2.5-flash', and remove the script.
  model: new ScriptedModel(),
  instruction: 'You are the desk of a bicycle workshop. Look up opening hours, and book repairs once you know the day.',
  tools: [
    new FunctionTool({
      name: 'opening_hours',
      description: 'When the workshop is open on a day of the week.',
      parameters: z.object({ day: z.string() }),
      execute: ({ day }) => ({ day, hours: HOURS[day] ?? null }),
    }),
    new FunctionTool({
      name: 'book_repair',
      description: 'Books the repair of a part.',
      parameters: z.object({ day: z.string(), part: z.string() }),
      execute: ({ day, part }) => ({ day, part }),
    }),
  ],
});

type Contents = LlmRequest['contents'];

function customerText(contents: Contents): string {
  const said = contents.flatMap(({ role, parts = [] }) => (role === 'user' ? parts : []));
  return said.map(({ text = '' }) => text).join(' ');
}

function nextCall(said: string): string | { name: string; args: Record<string, unknown> } {
  const day = ['Monday', 'Tuesday', 'Saturday', 'Sunday'].find((name) => said.includes(name));
  const part = ['brakes', 'chain', 'lights'].find((name) => said.includes(name));
  if (day === undefined) return 'On which day?';
  return part === undefined ? { name: 'opening_hours', args: { day } } : { name: 'book_repair', args: { day, part } };
}

function resultText(contents: Contents): string | undefined {
  const result = contents.at(-1)?.parts?.[0]?.functionResponse;
  if (result === undefined) return undefined;
  const { day, part, hours } = result.response as Record<string, string | null>;
  if (result.name === 'book_repair') return \`The \${part} will be repaired on \${day}.\`;
  return hours === null ? \`The workshop is closed on \${day}.\` : \`On \${day} the workshop is open \${hours}.\`;
}
`;

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aiSdkAgentSource } from '../../packages/project/src/init/ai-sdk-agent-source.ts';
import { strictness } from '../strictness.ts';
import { problemsIn, programOf } from '../type-check.ts';
import { files as pages } from './fixtures/pages.ts';

const file = (major: number) => join(import.meta.dirname, '.snippets', `types-${major}.ts`);
/** Renames the packages to what they are installed as here, and gives relative imports the ending that Node wants. */
const installedAs = (major: number, text: string) =>
  text
    .replaceAll(/'ai(?=['/])/g, `'ai-${major}`)
    .replaceAll("'@ai-sdk/openai'", `'openai-${major}'`)
    .replaceAll(/from '(\.[^']*)'/g, "from '$1.ts'");
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
  'agents and calls of both majors, the pages, the agent that init writes, and the example compile without a cast under %s',
  { timeout: 120_000 },
  (_name, flags) => {
    const texts = Object.fromEntries(
      [6, 7].flatMap((major) => [
        [file(major), code(major)],
        ...Object.entries({ ...pages, 'init.ts': aiSdkAgentSource }).map(([name, text]) => [
          join(import.meta.dirname, '.snippets', `types-${major}`, name),
          installedAs(major, text),
        ]),
      ]),
    );
    const files = [...written, ...Object.keys(texts)];
    expect(files.length).toBeGreaterThan(8);
    expect(problemsIn(programOf(written, texts, flags), files)).toEqual([]);
  },
);

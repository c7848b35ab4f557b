import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

// Snippets that need @google/adk are fenced as `typescript`, so that tests without it skip them.

const readme = readFileSync(new URL('../../packages/agent-adk/README.md', import.meta.url), 'utf8');
const snippets = Array.from(readme.matchAll(/^```typescript\n(.*?)^```$/gms), ([, code = '']) => code);
const folder = join(import.meta.dirname, '.snippets');
const agent = `import { FunctionTool, LlmAgent } from '@google/adk';
import { ScriptedModel } from '../../fixtures/scripted-model.ts';
const tool = new FunctionTool({ name: 'get_weather', description: 'The weather.', execute: () => ({ sky: 'grey' }) });
const model = new ScriptedModel([{ call: 'get_weather', args: { city: 'Oslo' } }, 'Grey.']);
export const rootAgent = new LlmAgent({ name: 'weather', model, tools: [tool] });
`;

mkdirSync(join(folder, 'weather'), { recursive: true });
writeFileSync(join(folder, 'weather', 'agent.ts'), agent);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(snippets.map((code, index) => ({ code, index })))(
  "snippet $index in agent-adk's README runs",
  async ({ code, index }) => {
    const file = join(folder, `${index}.ts`);
    writeFileSync(file, code);
    const flags = ['--conditions=@agent-criteria/source', '--no-warnings', file];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder });
    const promised = Array.from(code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm), ([, text = '']) => text);
    expect(stdout.split('\n').filter((line) => line !== '')).toEqual(promised);
  },
);

it("agent-adk's README has two snippets", () => {
  expect(snippets).toHaveLength(2);
});

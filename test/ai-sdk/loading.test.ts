import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentText } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { loadAgent } from '@agent-criteria/project/plan';
import { evaluate } from '@agent-criteria/runner';
import { afterAll, expect, it } from 'vitest';
import { majors } from './fixtures/majors.ts';
import { scriptedModel } from './fixtures/scripted-model.ts';
import { converse } from './fixtures/sessions.ts';

const folder = join(import.meta.dirname, '.snippets', 'loading');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(
  majors.flatMap(({ major }) => ['rootAgent', 'agent', 'default', 'supportAgent'].map((name) => ({ major, name }))),
)(
  'a ToolLoopAgent of AI SDK $major that a module exports as $name is found without configuration',
  async ({ major, name }) => {
    const code = `import { ToolLoopAgent } from 'ai-${major}';
import { majors } from '../../fixtures/majors.ts';
import { scriptedModel } from '../../fixtures/scripted-model.ts';
const made = new ToolLoopAgent({ id: 'desk', model: scriptedModel(majors[${major - 6}], ['Hello.']) });
export { made as ${name} };
`;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `agent-${major}-${name}.ts`);
    writeFileSync(file, code);
    const agent = await loadAgent(file, createRegistry());
    expect(agent).toMatchObject({ name: 'desk', supportsStubs: true, supportsHistory: true });
    const [turn] = await converse(agent, ['Hi']);
    expect(contentText(turn?.invocation.finalResponse)).toBe('Hello.');
  },
);

it.each(majors)('a ToolLoopAgent of AI SDK $major is evaluated as a value', async (major) => {
  await import('@agent-criteria/agent-ai-sdk');
  await import('@agent-criteria/criteria-rouge');
  const agent = new major.ai.ToolLoopAgent({ model: scriptedModel(major, ['Hello.']) });
  const turn = { userContent: { parts: [{ text: 'Hi' }] }, finalResponse: { parts: [{ text: 'Hello.' }] } };
  const evalSet = { evalSetId: 's', evalCases: [{ evalId: 'a', conversation: [turn] }] };
  const { verdict } = await evaluate({ agent, evalSet, config: { criteria: { response_match_score: 1 } } });
  expect(verdict).toBe('passed');
});

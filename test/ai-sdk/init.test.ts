import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { initProject, planInit } from '@agent-criteria/project/init';
import { afterAll, describe, expect, it } from 'vitest';
import { capture } from '../../packages/cli/src/__fixtures__/captured-io.ts';
import { projectWith } from './fixtures/installed.ts';

const snippets = join(import.meta.dirname, '.snippets', 'init');
afterAll(() => rmSync(snippets, { recursive: true, force: true }));

describe.each([6, 7])('init in a project with AI SDK %i', (major) => {
  const manifest = JSON.stringify({ type: 'module', dependencies: { ai: `^${major}.0.0` } });
  const projectOf = (name: string, files: Readonly<Record<string, string>> = {}) =>
    projectWith(major, join(snippets, `${name}-${major}`), { 'package.json': manifest, ...files });

  it('writes an agent that passes, and that fails after the suggested mistake', async () => {
    const folder = projectOf('new');
    expect(await capture(['init', folder])).toMatchObject({ code: 0 });
    const passed = await capture(['eval', folder]);
    expect(passed.out).toContain('3 passed of 3 cases');
    expect(passed.out).toMatch(/agent: 7 calls, \d+ tokens in, \d+ out/);
    expect(passed.code, passed.err).toBe(0);
    const file = join(folder, 'agent.ts');
    const { mistake } = await planInit({ folder: join(folder, 'other'), commandVersion: '1.0.0' });
    const source = readFileSync(file, 'utf8');
    expect(source.split(mistake?.from ?? '')).toHaveLength(2);
    const broken = projectOf('broken', {
      'agent.ts': source.replace(mistake?.from ?? '', mistake?.to ?? ''),
      'workshop.evalset.json': readFileSync(join(folder, 'workshop.evalset.json'), 'utf8'),
    });
    const failed = await capture(['eval', broken]);
    expect(failed.out).toContain('2 passed, 1 failed of 3 cases');
    expect(failed.code, failed.err).toBe(1);
  });

  it('evaluates the agent that the project has, without a change to it', async () => {
    const model = `import { MockLanguageModelV3 } from 'ai/test';
export const model = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'I find your orders.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: { inputTokens: { total: 5 }, outputTokens: { total: 4 } },
    warnings: [],
  }),
});
`;
    const agent = `import { ToolLoopAgent } from 'ai';
import { model } from './model.js';

export const supportAgent = new ToolLoopAgent({ id: 'support', model });
`;
    const folder = projectOf('existing', { 'src/lib/model.ts': model, 'src/lib/support.ts': agent });
    await initProject(await planInit({ folder, commandVersion: '1.0.0' }));
    const { code, out, err } = await capture(['eval', join(folder, 'evals')]);
    expect(out).toContain('1 passed of 1 case');
    expect(out).toContain('agent: 1 call, 5 tokens in, 4 out');
    expect(code, err).toBe(0);
  });
});

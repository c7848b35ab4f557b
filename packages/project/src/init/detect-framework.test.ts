import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { detectFramework } from './detect-framework.ts';

const usedBy = async (manifest: unknown) => {
  const used = await detectFramework(folderOf({ 'package.json': manifest }));
  return used === null ? null : [used.framework.adapter, used.range];
};

describe('the framework of a project', () => {
  it.each([
    [{ dependencies: { ai: '^6.0.0' } }, ['@agent-criteria/agent-ai-sdk', '^6.0.0']],
    [{ devDependencies: { ai: '7' } }, ['@agent-criteria/agent-ai-sdk', '7']],
    [{ peerDependencies: { ai: 'latest' } }, ['@agent-criteria/agent-ai-sdk', 'latest']],
    [
      { dependencies: { ai: '~5.0.2' }, devDependencies: { '@google/adk': '2.0.0' } },
      ['@agent-criteria/agent-adk', '2.0.0'],
    ],
    [{ dependencies: { ai: '^5.1.0' } }, null],
    [{ dependencies: { 'ai-kit': '6', '@google/adk': '^1.0.0' } }, null],
    [{ dependencies: ['ai'], devDependencies: { ai: 6 } }, null],
    ['{"dependencies":{"__proto__":{"ai":"6"}}}', null],
    ['{"dependencies":', null],
    ['null', null],
  ])('of %j is %j', async (manifest, expected) => {
    expect(await usedBy(manifest)).toEqual(expected);
  });

  it('is that of the nearest package.json above a new folder', async () => {
    const root = folderOf({
      'package.json': { dependencies: { ai: '6' } },
      'other/package.json': { dependencies: { zod: '4' } },
    });
    expect(await detectFramework(join(root, 'evals', 'new'))).toMatchObject({ range: '6' });
    expect(await detectFramework(join(root, 'other', 'new'))).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import { agentExport, findAgentModule } from './find-agent-module.ts';
import { frameworks } from './frameworks.ts';

const [aiSdk, adk] = frameworks;
if (aiSdk === undefined || adk === undefined) throw new Error('a framework is missing');
const head = `import { ToolLoopAgent } from 'ai';\n`;

describe('the export of an agent', () => {
  it.each([
    ['export const desk = new ToolLoopAgent({ model });', 'desk'],
    ['export const desk: ToolLoopAgent<never> = new ToolLoopAgent({ model });', 'desk'],
    ['export default new ToolLoopAgent({ model });', 'default'],
    ['const desk = new ToolLoopAgent({ model });\nexport default desk;', 'default'],
    ['const desk = new ToolLoopAgent({ model });\nexport { desk };', 'desk'],
    ['const desk = new ToolLoopAgent({ model });\nexport { other, desk as support, more };', 'support'],
    [
      'export const sub = new ToolLoopAgent({});\nexport const agent = new ToolLoopAgent({});\nexport const z = 1;',
      'agent',
    ],
    ['const desk = new ToolLoopAgent({ model });', null],
    ['const desk = new ToolLoopAgent({ model });\nexport { desk } from "./other";', null],
    ['export const make = () => new ToolLoopAgent({ model });', null],
    ['// export const desk = new ToolLoopAgent({ model });', null],
    ['export const desk = new ToolLoopAgentSettings();', null],
  ])('of %j is %j', (code, expected) => {
    expect(agentExport(head + code, aiSdk)).toBe(expected);
  });

  it('belongs to the framework that the module imports', () => {
    const code = `import { LlmAgent } from '@google/adk';\nexport const sub = new LlmAgent({});\nexport const rootAgent = new LlmAgent({});`;
    expect(agentExport(code, adk)).toBe('rootAgent');
    expect(agentExport(code, aiSdk)).toBeNull();
    expect(agentExport('export const agent = new ToolLoopAgent({});', aiSdk)).toBeNull();
  });

  it('is looked for in any text without an error', () => {
    const word = fc.constantFrom(
      'export ',
      'default ',
      'const a',
      ' = ',
      'new ToolLoopAgent',
      '{',
      '}',
      '\n',
      ' ',
      '$(',
    );
    const text = fc.array(fc.oneof(word, fc.string()), { maxLength: 40 });
    const property = fc.property(text, (parts) => {
      const name = agentExport(head + parts.join(''), aiSdk);
      expect(name === null || /^\w+$/.test(name)).toBe(true);
    });
    fc.assert(property, { numRuns: runs(2000) });
  });
});

describe('the module of an agent', () => {
  const agent = (name: string) => `${head}export const ${name} = new ToolLoopAgent({});\n`;

  it('is the one with the best name, then the least deep, then the first', async () => {
    const files = {
      'src/lib/deep/b.ts': agent('supportAgent'),
      'src/z.ts': agent('supportAgent'),
      'src/a.ts': agent('otherAgent'),
    };
    expect(await findAgentModule(folderOf(files), aiSdk)).toMatchObject({ path: 'src/a.ts', name: 'otherAgent' });
    const named = folderOf({ ...files, 'src/lib/deep/c.ts': agent('agent') });
    expect(await findAgentModule(named, aiSdk)).toMatchObject({ path: 'src/lib/deep/c.ts', name: 'agent' });
  });

  it('is not a test, a declaration, hidden, built or a dependency', async () => {
    const paths = ['a.test.ts', 'a.d.ts', '.next/a.js', 'dist/a.js', 'node_modules/a/index.js', 'a.py'];
    const folder = folderOf(Object.fromEntries(paths.map((path) => [path, agent('agent')])));
    expect(await findAgentModule(folder, aiSdk)).toBeNull();
  });

  it.each([
    ["from './x.js'", '.js'],
    ["from '../x.ts'", '.ts'],
    ["from './x'", ''],
    ["from 'zod'", ''],
  ])('comes with the style of relative imports: %s', async (from, importEnding) => {
    const folder = folderOf({ 'a.ts': agent('agent'), 'b.ts': `import { x } ${from};\n` });
    expect(await findAgentModule(folder, aiSdk)).toMatchObject({ importEnding });
  });
});
